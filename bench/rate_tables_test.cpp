#include "bench/rate_tables.hpp"

#include <gtest/gtest.h>

namespace dpverify {
namespace {

RateCurve curve(double lower_bound) {
  RateCurve out{"n", {"a", "b"}, {}};
  for (const double value : {10.0, 100.0})
    out.points.push_back({.value = value,
                          .run = {1, 0.5, 1.5},
                          .bound = 2,
                          .data_free = {5, 4, 6},
                          .zero_vector = 7,
                          .non_private = {0.1, 0.05, 0.2},
                          .comparators = {{3, 2, 4}, {30, 20, 40}},
                          .lower_bound = lower_bound});
  return out;
}

TEST(RateTables, ACurveComesBackFromItsTable) {
  for (const double lower_bound : {0.0, 0.25}) {
    Evidence evidence;
    evidence.tables = {to_table(curve(lower_bound))};
    const auto read = read_rate_curve(evidence);
    ASSERT_TRUE(read);
    EXPECT_EQ(read->variable, "n");
    EXPECT_EQ(read->comparators, (std::vector<std::string>{"a", "b"}));
    ASSERT_EQ(read->points.size(), 2U);
    EXPECT_EQ(read->points[1].value, 100);
    EXPECT_EQ(read->points[1].comparators[1].upper, 40);
    EXPECT_EQ(read->points[1].lower_bound, lower_bound);
    EXPECT_EQ(to_table(*read).columns, evidence.tables[0].columns);
    EXPECT_EQ(to_table(*read).rows, evidence.tables[0].rows);
  }
  EXPECT_FALSE(read_rate_curve({}));
}

TEST(RateTables, OnlyACurveWithLowerBoundsHasAColumnOfThem) {
  EXPECT_EQ(to_table(curve(0.25)).columns.size(), to_table(curve(0)).columns.size() + 1);
}

TEST(RateTables, ADamagedCurveIsRefused) {
  Evidence evidence;
  evidence.tables = {to_table(curve(0))};
  Evidence short_row = evidence, other = evidence;
  short_row.tables[0].rows[1].pop_back();
  EXPECT_THROW(read_rate_curve(short_row), std::invalid_argument);
  other.tables[0].columns[3] = "above";
  EXPECT_THROW(read_rate_curve(other), std::invalid_argument);
}

TEST(RateTables, FirstTrialsComeBack) {
  Evidence evidence;
  EXPECT_THROW(read_first_trials(evidence), std::logic_error);
  evidence.tables = {to_table("n", {{10, {1, 2, 3}}, {100, {4, 5, 6}}})};
  EXPECT_TRUE(holds_first_trials(evidence.tables[0]));
  EXPECT_FALSE(holds_first_trials(to_table(curve(0))));
  const auto read = read_first_trials(evidence);
  ASSERT_EQ(read.size(), 2U);
  EXPECT_EQ(read[1].value, 100);
  EXPECT_EQ(read[1].ratios, (std::vector<double>{4, 5, 6}));
}

}  // namespace
}  // namespace dpverify
