#include <dpverify/gtest.hpp>

#include "means.hpp"

namespace means {
namespace {

using namespace dpverify;

TEST(Mean, IsWhatItClaims) {
  for (const Claim& claim : claims_of_the_mean()) EXPECT_THAT(check(claim), IsConsistent());
}

// Its noise is half of what it should be.
TEST(HastyMean, IsNotWhatItClaims) {
  for (const Claim& claim : claims_of_the_hasty_mean()) {
    EXPECT_THAT(check(claim, {.seed = 7, .plan = Plan::smoke}), IsRefuted());
  }
}

// Disabled because it fails, as it should: what a failure looks like, with the witness, is shown by
// --gtest_also_run_disabled_tests.
TEST(HastyMean, DISABLED_IsPrivate) {
  EXPECT_THAT(check(claims_of_the_hasty_mean()[1], Plan::smoke), IsAsExpected());
}

}  // namespace
}  // namespace means
