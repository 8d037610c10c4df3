#include "audits/bracket.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace dpverify {
namespace {

using enum Strength;
using ::testing::HasSubstr;

TEST(Bracket, ACertificateAtMostTheClaimDecides) {
  const Decision decision = decide({.found = 0.1, .certified = 0.7});
  EXPECT_EQ(decision.verdict, Verdict::consistent);
  EXPECT_EQ(decision.strength, certified);
  EXPECT_THAT(decision.reason, HasSubstr("0.7000 times"));
  EXPECT_EQ(decide({.certified = 1 + 1e-12}).strength, certified);  // rounding says nothing
}

// However near the exact audit comes, a certificate above the claim leaves the rest open.
TEST(Bracket, ACertificateAboveTheClaimIsOpen) {
  const Decision decision =
      decide({.found = 0.99, .certified = 1.01, .looked = exact_on_searched_pairs});
  EXPECT_EQ(decision.verdict, Verdict::inconclusive);
  EXPECT_FALSE(decision.strength);
  EXPECT_THAT(decision.reason,
              HasSubstr("Open: the smallest epsilon is between 0.9900 and 1.0100"));
}

// A broken promise is no reason to do without a certificate.
TEST(Bracket, ACertificateThatIsWithdrawnIsOpen) {
  const Decision decision =
      decide({.found = 0.99, .problem = "data escape", .looked = exact_on_searched_pairs});
  EXPECT_EQ(decision.verdict, Verdict::inconclusive);
  EXPECT_EQ(decision.reason,
            "Composition certifies nothing, because data escape. Open: the smallest epsilon is at "
            "least 0.9900 times the claimed.");
}

TEST(Bracket, WhereNothingCanCertifyTheWorstPairMustReachHalf) {
  Bracket bracket{.found = 0.5,
                  .problem = "a release declares no cost",
                  .beyond_certificates = true,
                  .looked = exact_on_searched_pairs};
  EXPECT_EQ(decide(bracket).verdict, Verdict::consistent);
  EXPECT_EQ(decide(bracket).strength, exact_on_searched_pairs);
  bracket.looked = sampled;
  EXPECT_EQ(decide(bracket).verdict, Verdict::inconclusive);
  bracket.looked = exact_on_searched_pairs;
  bracket.found = 0.49;
  EXPECT_EQ(decide(bracket).verdict, Verdict::inconclusive);
  EXPECT_THAT(decide(bracket).reason, HasSubstr("shows too little"));
}

TEST(Bracket, OnAGivenPairWhatLookedDecides) {
  Bracket bracket{.found = 0.2, .certified = 3, .looked = sampled, .pair_is_given = true};
  EXPECT_EQ(decide(bracket).strength, sampled);
  bracket.looked.reset();
  EXPECT_EQ(decide(bracket).verdict, Verdict::inconclusive);
  bracket.certified = 1;
  EXPECT_EQ(decide(bracket).strength, certified);
}

TEST(Bracket, SmallestFault) {
  EXPECT_EQ(smallest_fault(0.25), 4);
  EXPECT_EQ(smallest_fault(1 + 1e-10), 1);
  EXPECT_FALSE(smallest_fault(0));
  EXPECT_FALSE(smallest_fault(1e-310));
  EXPECT_FALSE(smallest_fault(std::nan("")));
  EXPECT_FALSE(smallest_fault(std::nullopt));
}

}  // namespace
}  // namespace dpverify
