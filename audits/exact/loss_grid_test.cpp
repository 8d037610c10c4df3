#include "audits/exact/loss_grid.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace dpverify::exact {
namespace {

constexpr double grid_step = 0.1;

double mass_at(const GridLaw& law, Index place) {
  const Index k = place - law.first;
  return k < 0 || k >= static_cast<Index>(law.mass.size()) ? 0
                                                           : law.mass[static_cast<std::size_t>(k)];
}

GridLaw on_grid(const LossLaw& law, Side side) {
  return discretise({{law, 3}}, grid_step, side).at(0).law;
}

LossLaw atom(double loss) { return {.atoms = {{loss, 1}}}; }

// Losses between 0.1 and 0.95, as many of each under p.
LossLaw uniform_losses() {
  LossLaw law;
  law.lowest = 0.1;
  law.highest = 0.95;
  law.continuous = [](double low, double high) -> MassPair {
    low = std::max(low, 0.1);
    high = std::min(high, 0.95);
    if (low >= high) return {0, 0};
    return {high - low, std::exp(-low) - std::exp(-high)};
  };
  return law;
}

// 0.3/0.1 is below 3 in doubles, and 0.7/0.1 is not: neither loses a step by it.
TEST(LossGrid, ALossOnTheGridStaysThere) {
  for (const Side side : {Side::lower, Side::upper})
    for (const Index k : {-7, -3, 0, 3, 7, 13}) {
      const GridLaw law = on_grid(atom(static_cast<double>(k) / 10), side);
      EXPECT_EQ(law.first, k);
      EXPECT_EQ(law.mass, std::vector<double>{1});
    }
}

TEST(LossGrid, ALossInBetweenGoesDownOrToBothSides) {
  for (const Index k : {-4, 3}) {
    const double loss = static_cast<double>(k) / 10 + 0.04;
    const GridLaw down = on_grid(atom(loss), Side::lower), up = on_grid(atom(loss), Side::upper);
    EXPECT_EQ(down.first, k);
    EXPECT_EQ(down.mass, std::vector<double>{1});
    EXPECT_NEAR(mass_at(up, k) + mass_at(up, k + 1), 1, 1e-15);
    const double left = static_cast<double>(k) / 10;
    EXPECT_NEAR(mass_at(up, k) * std::exp(-left) + mass_at(up, k + 1) * std::exp(-left - 0.1),
                std::exp(-loss), 1e-15);
    EXPECT_EQ(up.mass.size(), 2U);
  }
}

TEST(LossGrid, MassAtInfinityStaysThereAndWithoutMassThereIsNone) {
  const LossLaw law{.atoms = {{INFINITY, 0.25}, {-INFINITY, 0}, {0, 0.75}}};
  for (const Side side : {Side::lower, Side::upper}) {
    const GridLaw found = on_grid(law, side);
    EXPECT_EQ(found.at_infinity, 0.25);
    EXPECT_EQ(found.mass, std::vector<double>{0.75});
  }
}

// What is beyond the range counts as the lowest loss there, or as infinite.
TEST(LossGrid, UpKeepsTheMassesUnderBothLaws) {
  LossLaw law = uniform_losses();
  law.below = 0.002;
  law.above = 0.001;
  const GridLaw up = on_grid(law, Side::upper);
  EXPECT_EQ(up.first, 1);
  EXPECT_EQ(up.at_infinity, 0.001);
  double p = -0.002, q = -0.002 * std::exp(-0.1);
  for (Index k = 1; k <= 10; ++k) {
    p += mass_at(up, k);
    q += mass_at(up, k) * std::exp(-static_cast<double>(k) / 10);
  }
  EXPECT_NEAR(p, 0.85, 1e-14);
  EXPECT_NEAR(q, std::exp(-0.1) - std::exp(-0.95), 1e-14);
  // Nothing moves further than to the end of its cell: a cell of 0.1, and half of two.
  EXPECT_NEAR(mass_at(up, 5), 0.1, 0.002);
  EXPECT_LT(mass_at(up, 10), 0.05);
}

// Seeing only the cell is a post-processing, and no loss is lowered by more than a step: delta is
// at most the truth, and at least that of an epsilon larger by a step.
TEST(LossGrid, DownIsALowerBoundThatLosesAStepAtMost) {
  const GridLaw down = on_grid(uniform_losses(), Side::lower);
  double all = 0;
  for (const double p : down.mass) all += p;
  EXPECT_NEAR(all, 0.85, 1e-12) << "no cell is left out";
  const auto truth = [](double epsilon) {  // the integral of 1 - e^(epsilon - loss)
    const double from = std::clamp(epsilon, 0.1, 0.95);
    return 0.95 - from - std::exp(epsilon) * (std::exp(-from) - std::exp(-0.95));
  };
  for (double epsilon = 0; epsilon < 1; epsilon += 0.01) {
    double delta = 0;
    for (Index k = 0; k <= 10; ++k)
      delta += mass_at(down, k) * std::max(0.0, -std::expm1(epsilon - static_cast<double>(k) / 10));
    EXPECT_LE(delta, truth(epsilon) + 1e-12) << epsilon;
    EXPECT_GE(delta, truth(epsilon + 2 * grid_step) - 1e-12) << epsilon;
  }
}

}  // namespace
}  // namespace dpverify::exact
