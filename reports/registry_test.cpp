#include "reports/registry.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

#include "reports/test_claims.hpp"

namespace dpverify {
namespace {

using ::testing::HasSubstr;

std::string refusal_of(const Registry& registry) {
  try {
    claims_of(registry);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

TEST(Registry, GathersAndSortsTheClaims) {
  Registry registry;
  registry.claims = {bounded_by("test.bounded.lemma.printed", 2)};
  registry.algorithms.push_back(
      {.claims = [] { return std::vector{bounded_by("test.bounded.lemma.a.printed", 2)}; }});
  const std::vector<Claim> all = claims_of(registry);
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[0].id, "test.bounded.lemma.a.printed");
  EXPECT_EQ(all[1].id, "test.bounded.lemma.printed");
}

TEST(Registry, RefusesWhatAReportCouldNotHold) {
  EXPECT_THAT(refusal_of({}), HasSubstr("number of claims in the registry is 0"));
  const Claim good = bounded_by("test.bounded.lemma.printed", 2);
  EXPECT_EQ(refusal_of({.claims = {good}}), "");
  EXPECT_THAT(refusal_of({.claims = {good, good}}),
              HasSubstr("'test.bounded.lemma.printed', that of another one"));
  for (const char* id :
       {"", "bounded", "test.bounded.printed", "test.bounded.rate.printed",
        "test.other.lemma.printed", "test.bounded.lemma.corrected", "Test.bounded.lemma.printed",
        "test.bounded.lemma..printed", "test.bounded.lemma.a b.printed"}) {
    Claim claim = good;
    claim.id = id;
    EXPECT_THAT(refusal_of({.claims = {claim}}),
                HasSubstr("must be PAPER.ALGORITHM.lemma[.WHAT].printed"))
        << id;
  }
}

}  // namespace
}  // namespace dpverify
