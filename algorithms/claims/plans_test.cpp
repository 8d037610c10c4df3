#include "algorithms/claims/plans.hpp"

#include <gtest/gtest.h>

namespace dpverify {
namespace {

TEST(Plans, EachRowIsThatOfItsPlan) {
  for (const PlanBudget& row : plan_budgets) {
    EXPECT_EQ(&budget_of(row.plan), &row);
    EXPECT_EQ(name(row.plan), row.name);
  }
}

TEST(Plans, EachLooksHarderThanTheOneBefore) {
  for (std::size_t k = 1; k < plan_budgets.size(); ++k) {
    const PlanBudget &less = plan_budgets[k - 1], &more = plan_budgets[k];
    EXPECT_GE(more.property_cases, 10 * less.property_cases);
    EXPECT_GE(more.search_evaluations, 10 * less.search_evaluations);
    EXPECT_GE(more.attained_rounds, less.attained_rounds);
    EXPECT_GE(more.lemma_cases, 10 * less.lemma_cases);
    EXPECT_GE(more.audit_evaluations, 10 * less.audit_evaluations);
    EXPECT_GT(more.pair_transcripts, less.pair_transcripts);
    EXPECT_GT(more.pair_outputs, less.pair_outputs);
    EXPECT_GT(more.worst_transcripts, less.worst_transcripts);
    EXPECT_GT(more.worst_outputs, less.worst_outputs);
    EXPECT_GE(more.floor_trials, 10 * less.floor_trials);
    EXPECT_GT(more.duration, less.duration);
  }
}

TEST(Plans, SmokeLooksAtSearchedPairsByExactLawsAlone) {
  EXPECT_EQ(budget_of(Plan::smoke).worst_transcripts, 0);
  EXPECT_EQ(budget_of(Plan::smoke).worst_outputs, 0);
}

}  // namespace
}  // namespace dpverify
