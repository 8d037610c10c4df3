#include "algorithms/claims/evidence.hpp"

#include <gtest/gtest.h>

#include "algorithms/claims/claims.hpp"

namespace dpverify {
namespace {

// What draws at random may be wrong at its level: audits of a given pair, sampled outputs, rates
// and floors. Exact audits and lemmas are not.
TEST(Evidence, WhatIsStatistical) {
  Claim claim;
  claim.check = LemmaClaim{};
  EXPECT_FALSE(is_statistical(claim, Plan::nightly));
  claim.check = RateClaim{};
  EXPECT_TRUE(is_statistical(claim, Plan::smoke));
  claim.check = FloorClaim{};
  EXPECT_TRUE(is_statistical(claim, Plan::smoke));
  claim.check = PrivacyClaim{.certified = {Setting{}}};
  EXPECT_FALSE(is_statistical(claim, Plan::nightly)) << "certified alone";
  // Searched pairs are sampled in the plans that say so.
  claim.check = PrivacyClaim{.settings = {Setting{}}};
  EXPECT_FALSE(is_statistical(claim, Plan::smoke));
  EXPECT_TRUE(is_statistical(claim, Plan::nightly));
  PrivacyClaim given;
  given.pair = NeighbouringPair{};
  claim.check = given;
  EXPECT_TRUE(is_statistical(claim, Plan::smoke)) << "sampled, whatever the plan";
}

}  // namespace
}  // namespace dpverify
