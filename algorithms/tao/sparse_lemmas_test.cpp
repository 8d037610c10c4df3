#include <gtest/gtest.h>

#include <cmath>

#include "algorithms/claims/test_lemmas.hpp"

namespace dpverify::tao {
namespace {

LemmaClaim::Sides sides(const std::string& id, const LemmaPoint& point) {
  return dpverify::sides("tao." + id, point);
}

TEST(TaoSparseLemmas, PeelingNearDeltaOne) {
  // epsilon = 1, 1 - delta = 1e-5: b = 4 sqrt(2e-5) = 0.01789, exact 1 - delta = e^((1 - 55.9)/2).
  const auto [left, right] = sides("peeling.lemma.one_release.printed", {{"1-delta", 1e-5}});
  EXPECT_EQ(left, 1e-5);
  EXPECT_NEAR(std::log(right), (1 - 1 / (4 * std::sqrt(2e-5))) / 2, 1e-3);
}

TEST(TaoSparseLemmas, StepsOfTheorem10) {
  // Independent figures of the gain at mu/gamma = 1 and 0.1.
  EXPECT_NEAR(sides("sparse_optimization.lemma.gain.printed", {{"kappa", 1}}).right, 0.0691, 5e-5);
  EXPECT_NEAR(sides("sparse_optimization.lemma.gain.printed", {{"kappa", 10}}).right, 0.0044, 5e-5);
  // One coordinate, m = 1: P(1 > q + threshold) = q.
  EXPECT_NEAR(sides("sparse_optimization.lemma.deviation.printed",
                    {{"d", 1}, {"m", 1}, {"q", 0.01}, {"xi", 0.5}})
                  .left,
              0.01, 1e-14);
  EXPECT_NEAR(sides("sparse_optimization.lemma.noise_union.corrected",
                    {{"log d", 0}, {"vectors", 1}, {"xi", 0.1}})
                  .left,
              0.1, 1e-15);
}

TEST(TaoSparseLemmas, StepsAndPartsOfTheorem10) {
  // v = 1, T = 24 kappa log n, kappa large: 1/n.
  const auto [left, right] =
      sides("sparse_optimization.lemma.iterations.corrected", {{"kappa", 1000}, {"log n", 24}});
  EXPECT_NEAR(left, std::exp(-24), 1e-13);
  EXPECT_NEAR(right, std::exp(-24), 1e-24);
  // Two steps of one record with q = 0.01: 1 - 0.99^2.
  EXPECT_NEAR(sides("sparse_optimization.lemma.deviation_of_every_step.printed",
                    {{"T", 2}, {"d", 1}, {"m", 1}, {"q", 0.01}, {"xi", 0.5}})
                  .left,
              0.0199, 1e-12);
}

}  // namespace
}  // namespace dpverify::tao
