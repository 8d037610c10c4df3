// What a plan means to the checks, one row a plan; the sweeps of the rate claims stand in the
// claims.
#pragma once

#include <array>
#include <cstdint>

#include "algorithms/claims/claims.hpp"

namespace dpverify {

struct PlanBudget {
  Plan plan;
  std::string_view name;
  // Sensitivity: random cases; evaluations of the search at a setting, and how many such searches,
  // each twice as long as the last, it makes where a claimed equality is not reached.
  std::uint64_t property_cases;
  std::uint64_t search_evaluations;
  std::uint64_t attained_rounds;
  // Lemmas: points.
  std::uint64_t lemma_cases;
  // Privacy: evaluations of the search at a setting, for the cheapest of the exact methods; runs a
  // side on a claim's own pair, and at the worst pair that a search found (0: exact laws only).
  std::uint64_t audit_evaluations;
  Index pair_transcripts;
  Index pair_outputs;
  Index worst_transcripts;
  Index worst_outputs;
  // Floors: trials.
  Index floor_trials;
  // About how long a check takes, against the first plan.
  double duration;
};

inline constexpr std::array plan_budgets{
    // clang-format off
    //                                  sensitivity             lemmas     privacy                                   floors
    PlanBudget{Plan::smoke,   "smoke",     2'000,    2'000, 6,    10'000,    3'000,   1'000,  10'000,      0,       0,   1'000,   1},
    PlanBudget{Plan::ci,      "ci",       20'000,   20'000, 6,   100'000,   30'000,  20'000, 100'000,  5'000,  20'000,  10'000,  10},
    PlanBudget{Plan::nightly, "nightly", 200'000,  200'000, 6, 1'000'000,  300'000, 100'000, 400'000, 20'000, 100'000, 100'000, 100},
    // clang-format on
};

constexpr const PlanBudget& budget_of(Plan plan) {
  return plan_budgets[static_cast<std::size_t>(plan)];
}

}  // namespace dpverify
