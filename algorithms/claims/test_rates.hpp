// For tests: whether the sweeps of rate claims can decide.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "algorithms/claims/claims.hpp"

namespace dpverify {

// At least 4 values that rise over two decades, and 14 trials: fewer give the 3/4-quantile no upper
// limit at the level 0.95.
inline void expect_sweep_can_decide(const std::string& id, const Sweep& sweep) {
  ASSERT_GE(sweep.values.size(), 4U) << id;
  EXPECT_TRUE(std::ranges::is_sorted(sweep.values)) << id;
  EXPECT_GE(std::log10(sweep.values.back() / sweep.values.front()), 2 - 1e-9) << id;
  EXPECT_GE(sweep.trials, 14) << id;
}

// Of the claims that are expected to hold: every sweep but those that a plan leaves out.
inline void expect_sweeps_can_decide(const std::vector<Claim>& claims) {
  EXPECT_TRUE(std::ranges::count(claims, Expectation::holds, &Claim::expectation) > 0);
  for (const Claim& claim : claims) {
    if (claim.expectation != Expectation::holds) continue;
    const auto& rate = std::get<RateClaim>(claim.check);
    expect_sweep_can_decide(claim.id + " (ci)", rate.ci);
    if (!rate.smoke.values.empty()) expect_sweep_can_decide(claim.id + " (smoke)", rate.smoke);
    if (!rate.nightly.values.empty())
      expect_sweep_can_decide(claim.id + " (nightly)", rate.nightly);
  }
}

}  // namespace dpverify
