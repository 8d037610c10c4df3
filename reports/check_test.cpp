#include "reports/check.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "dpverify/dpverify.hpp"
#include "dpverify/gtest.hpp"
#include "reports/test_claims.hpp"

namespace dpverify {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

TEST(Check, DecidesAClaimAsVerifyDoes) {
  const Claim good = bounded_by("test.bounded.lemma.printed", 2),
              bad = bounded_by("test.bounded.lemma.printed", 0.5);
  EXPECT_THAT(check(good), IsConsistent());
  EXPECT_THAT(check(bad, Plan::smoke), IsRefuted());
  EXPECT_THAT(check(bad), Not(IsAsExpected()));
  EXPECT_THAT(check(good), AllOf(IsAsExpected(), Not(IsRefuted())));
  const Checked thrown = check(throwing("test.bounded.lemma.printed"), {.seed = 3});
  EXPECT_EQ(thrown.evidence.verdict, Verdict::error);
  EXPECT_THAT(thrown.evidence.reason, HasSubstr("no value at this point"));
  EXPECT_EQ(thrown.evidence.seed, 3U);
}

TEST(Check, SaysWhatWasFoundAndHowToRepeatIt) {
  const Checked checked = check(bounded_by("test.bounded.lemma.printed", 0.5));
  std::ostringstream out;
  out << checked;
  EXPECT_THAT(out.str(), AllOf(HasSubstr("a <= bound for every a in [0, 1]"), HasSubstr("Witness"),
                               HasSubstr("check(test.bounded.lemma.printed, {.seed = 20240229, "
                                         ".plan = Plan::smoke}) in dpverify")));
  ::testing::StringMatchResultListener listener;
  EXPECT_FALSE(ExplainMatchResult(IsConsistent(), checked, &listener));
  EXPECT_EQ(listener.str(),
            "which is refuted\nReproduce: ./dpverify "
            "'--gtest_filter=Check.SaysWhatWasFoundAndHowToRepeatIt'");
}

TEST(Version, OfTheHeadersIsThatOfTheLibrary) {
  EXPECT_EQ(std::to_string(version_major) + "." + std::to_string(version_minor) + "." +
                std::to_string(version_patch),
            build_info().version);
}

}  // namespace
}  // namespace dpverify
