#include "algorithms/core/noisy_max.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "algorithms/core/laws.hpp"
#include "algorithms/core/test_statistics.hpp"

namespace dpverify {
namespace {

double density(double z) { return 0.5 * std::exp(-std::abs(z)); }
double cdf(double z) { return z < 0 ? 0.5 * std::exp(z) : 1 - 0.5 * std::exp(-z); }

// The slow twin: the midpoint rule on a fine grid, scale 1.
double by_midpoints(const VectorXd& scores, Index v) {
  const double from = scores.minCoeff() - 40, to = scores.maxCoeff() + 40;
  const int cells = 2'000'000;
  double sum = 0;
  for (int k = 0; k < cells; ++k) {
    const double x = from + (to - from) * (k + 0.5) / cells;
    double product = density(x - scores[v]);
    for (Index u = 0; u < scores.size(); ++u)
      if (u != v) product *= cdf(x - scores[u]);
    sum += product;
  }
  return sum * (to - from) / cells;
}

VectorXd vector(std::initializer_list<double> values) {
  VectorXd out(static_cast<Index>(values.size()));
  Index i = 0;
  for (const double value : values) out[i++] = value;
  return out;
}

TEST(NoisyMax, TwoScoresInClosedForm) {
  // P(the lower of two scores t apart wins) = (2 + t) e^-t/4.
  for (const double t : {0.0, 1e-9, 0.3, 1.0, 5.0, 39.0, 80.0, 81.0, 300.0, 1e4, 1e6}) {
    const VectorXd log_p = noisy_max_log_probabilities(vector({t, 0}), 1);
    const double expected = std::log((2 + t) / 4) - t;
    EXPECT_NEAR(log_p[1], expected, 1e-12 * std::max(1.0, std::abs(expected))) << t;
    EXPECT_NEAR(log_p[0], std::log1p(-std::exp(expected)), 1e-12) << t;
  }
}

TEST(NoisyMax, AgreesWithTheSlowTwin) {
  for (const VectorXd& scores :
       {vector({0.3}), vector({1, 1, 1, 1}), vector({0, 2, 5, -1, 2.5}), vector({-20, 0, 3, 3})}) {
    const VectorXd log_p = noisy_max_log_probabilities(scores, 1);
    // The midpoint rule's error here is below 1e-9.
    for (Index v = 0; v < scores.size(); ++v)
      EXPECT_NEAR(std::exp(log_p[v]), by_midpoints(scores, v), 1e-8) << v;
  }
}

// log P(v) by Simpson's rule in the log domain, for scores that are multiples of 1/64: between two
// of them the integrand is smooth. Its error is of the order of step^4.
VectorXd by_simpson(const VectorXd& scores) {
  constexpr Index half_steps = 256;  // a unit
  constexpr double step = 1.0 / half_steps;
  VectorXd largest = VectorXd::Constant(scores.size(), -std::numeric_limits<double>::infinity());
  VectorXd sum = VectorXd::Zero(scores.size()), cdfs(scores.size());
  const double from = scores.minCoeff() - 60, to = scores.maxCoeff() + 60;
  const auto last = static_cast<Index>((to - from) * half_steps);
  for (Index k = 0; k <= last; ++k) {
    const double x = from + static_cast<double>(k) * step;
    const double weight = k == 0 || k == last ? 1 : k % 2 == 1 ? 4 : 2;
    for (Index u = 0; u < scores.size(); ++u)
      cdfs[u] = max_noise_log_cdf(MaxNoise::laplace, x - scores[u]);
    const double all = cdfs.sum() + std::log(weight * step / 3);
    for (Index v = 0; v < scores.size(); ++v) {
      const double term = all - cdfs[v] + max_noise_log_density(MaxNoise::laplace, x - scores[v]);
      if (term > largest[v]) {
        sum[v] *= std::exp(largest[v] - term);
        largest[v] = term;
      }
      sum[v] += std::exp(term - largest[v]);
    }
  }
  return largest.array() + sum.array().log();
}

// Many scores, alike and far apart, and small probabilities. The rule's own error is of the order
// of step^2/12.
TEST(NoisyMax, ScoresFarApartAgreeWithTheSlowTwin) {
  const VectorXd scores = vector({150, 0, 1, 149});
  const VectorXd log_p = noisy_max_log_probabilities(scores, 1);
  for (Index v = 0; v < scores.size(); ++v)
    EXPECT_NEAR(log_p[v], std::log(by_midpoints(scores, v)), 1e-7) << v;
}

TEST(NoisyMax, ManyScoresAgreeWithTheSlowTwin) {
  VectorXd spread(60), crowded(90), steep(40);
  for (Index u = 0; u < spread.size(); ++u) spread[u] = std::round(2560 * std::sin(u)) / 64;
  for (Index u = 0; u < crowded.size(); ++u) crowded[u] = -5 - static_cast<double>(u % 3) / 8;
  crowded[0] = 0;
  for (Index u = 0; u < steep.size(); ++u) steep[u] = -static_cast<double>(u * u) / 4;
  for (const VectorXd& scores : {spread, crowded, steep}) {
    const VectorXd found = noisy_max_log_probabilities(scores, 1), twin = by_simpson(scores);
    for (Index v = 0; v < scores.size(); ++v) EXPECT_NEAR(found[v], twin[v], 1e-8) << v;
  }
}

TEST(NoisyMax, SumsToOneAndFeelsOnlyDifferencesInUnitsOfTheScale) {
  VectorXd scores(200);
  for (Index u = 0; u < 200; ++u)
    scores[u] = std::sin(static_cast<double>(u)) * (u % 7 == 0 ? 300 : 3);
  const VectorXd log_p = noisy_max_log_probabilities(scores, 2);
  EXPECT_NEAR(log_p.array().exp().sum(), 1, 1e-11);
  const VectorXd shifted = noisy_max_log_probabilities((scores.array() * 5 + 1e3).matrix(), 10);
  EXPECT_LE((log_p - shifted).cwiseAbs().maxCoeff(), 1e-9);
}

// Two sides of a slope that is too steep for one panel, and more scores than anyone would square.
TEST(NoisyMax, ProbabilitiesOfHundredThousandScoresSumToOne) {
  VectorXd scores(100'000);
  for (Index u = 0; u < scores.size(); ++u)
    scores[u] = 8 * std::sin(static_cast<double>(u)) + (u % 1000 == 0 ? 4 : 0);
  EXPECT_NEAR(noisy_max_log_probabilities(scores, 1).array().exp().sum(), 1, 1e-10);
  scores.setConstant(-7);
  scores[0] = 0;
  const VectorXd log_p = noisy_max_log_probabilities(scores, 1);
  EXPECT_NEAR(log_p.array().exp().sum(), 1, 1e-10);
  EXPECT_EQ(log_p[1], log_p[99'999]);
}

TEST(NoisyMax, EqualScoresAreEquallyLikely) {
  const VectorXd log_p = noisy_max_log_probabilities(VectorXd::Constant(7, 1e300), 1e-3);
  EXPECT_LE((log_p.array() + std::log(7.0)).abs().maxCoeff(), 1e-13);
}

TEST(NoisyMax, PrivacyLossStaysBelowTwiceSensitivityOverScale) {
  // Every score changes by at most 1; scale 2 gives epsilon 1.
  const VectorXd base = vector({0, 1.5, -4, 0.2, 30});
  for (int mask = 0; mask < 32; ++mask) {
    VectorXd up = base, down = base;
    for (Index u = 0; u < 5; ++u) {
      const double half = (mask >> u) % 2 == 0 ? 0.5 : -0.5;
      up[u] += half;
      down[u] -= half;
    }
    const VectorXd loss = noisy_max_log_probabilities(up, 2) - noisy_max_log_probabilities(down, 2);
    EXPECT_LE(loss.cwiseAbs().maxCoeff(), 1 + 1e-12) << mask;
  }
}

// The slow twin for exponential noise: permute-and-flip as its text says, over every order.
VectorXd by_permutations(const VectorXd& scores) {
  VectorXd p = VectorXd::Zero(scores.size());
  std::vector<Index> order(static_cast<std::size_t>(scores.size()));
  std::iota(order.begin(), order.end(), Index{0});
  double orders = 0;
  do {
    ++orders;
    double reached = 1;
    for (const Index v : order) {
      const double taken = std::exp(scores[v] - scores.maxCoeff());
      p[v] += reached * taken;
      reached *= 1 - taken;
    }
  } while (std::next_permutation(order.begin(), order.end()));
  return p / orders;
}

TEST(NoisyMax, WithExponentialNoiseIsPermuteAndFlip) {
  for (const VectorXd& scores : {vector({0.3}), vector({2, 2, 2}), vector({0, -1, -0.2, -5, -0.7}),
                                 vector({-30, 3, 3, 1})}) {
    const VectorXd log_p = noisy_max_log_probabilities(scores, 1, MaxNoise::exponential);
    const VectorXd twin = by_permutations(scores);
    for (Index v = 0; v < scores.size(); ++v) EXPECT_NEAR(log_p[v], std::log(twin[v]), 1e-11) << v;
  }
}

// 200 equal scores, and one above them: P(the best) = (1 - (1 - y)^201)/(201 y) with y = e^-t is
// the integral of (1 - y z)^200.
TEST(NoisyMax, ManyScoresWithExponentialNoise) {
  const double y = std::exp(-0.7), n = 200;
  VectorXd scores = VectorXd::Constant(201, -0.7);
  scores[17] = 0;
  const VectorXd log_p = noisy_max_log_probabilities(scores, 1, MaxNoise::exponential);
  EXPECT_NEAR(std::exp(log_p[17]), (1 - std::pow(1 - y, n + 1)) / ((n + 1) * y), 1e-13);
  EXPECT_NEAR(log_p.array().exp().sum(), 1, 1e-12);
  const VectorXd equal = noisy_max_log_probabilities(VectorXd::Zero(500), 1, MaxNoise::exponential);
  EXPECT_LE((equal.array() + std::log(500.0)).abs().maxCoeff(), 1e-12);
}

// Where not every score gets a draw of its own: no score apart from the others, all within the
// noise, a few far above it, one far below, and some that cannot be chosen. The slow twins are the
// probabilities, and the product of the distribution functions at the largest. Thirty-six checks
// of draws: false failure 3.6e-10.
TEST(NoisyMax, DrawsAmongManyScoresFollowTheirLaw) {
  constexpr int draws = 100'000;
  const VectorXd slope = VectorXd::LinSpaced(150, 0, 8);
  VectorXd spike = VectorXd::Zero(100), taken = slope;
  for (const Index v : {17, 40, 99}) spike[v] = 9 + 0.01 * static_cast<double>(v);
  for (const Index v : {0, 100, 149}) taken[v] = -infinity;
  const std::vector<VectorXd> all{VectorXd::Zero(64), slope, spike, 20 * slope, taken, 0.2 * slope};
  for (const MaxNoise noise : {MaxNoise::laplace, MaxNoise::exponential, MaxNoise::gumbel}) {
    RandomStream stream({.claim = "noisy max", .part = static_cast<std::uint64_t>(noise)});
    for (const VectorXd& scores : all) {
      const double scale = 1.5;
      std::vector<Index> counts(static_cast<std::size_t>(scores.size()));
      std::vector<double> largest;
      for (int k = 0; k < draws; ++k) {
        const NoisyLargest drawn = draw_noisy_max(scores, scale, noise, stream);
        ++counts[static_cast<std::size_t>(drawn.index)];
        largest.push_back(drawn.value);
      }
      std::vector<double> finite;
      for (const double score : scores)
        if (score > -infinity) finite.push_back(score);
      const VectorXd possible =
          Eigen::Map<const VectorXd>(finite.data(), static_cast<Index>(finite.size()));
      const VectorXd log_p = noisy_max_log_probabilities(possible, scale, noise);
      VectorXd p = VectorXd::Zero(scores.size());
      for (Index v = 0, k = 0; v < scores.size(); ++v)
        if (scores[v] > -infinity) p[v] = std::exp(log_p[k++]);
      EXPECT_TRUE(counts_follow(counts, p));
      EXPECT_TRUE(samples_follow(largest, [&](double x) {
        double sum = 0;
        for (const double score : finite) sum += max_noise_log_cdf(noise, (x - score) / scale);
        return std::exp(sum);
      }));
    }
  }
}

TEST(NoisyMax, WithGumbelNoiseIsTheExponentialMechanism) {
  const VectorXd scores = vector({0, 3, -1, 2.5, -40});
  const VectorXd log_p = noisy_max_log_probabilities(scores, 2, MaxNoise::gumbel);
  EXPECT_LE((log_p - log_probabilities(ExponentialMechanism{scores, 1, 0.5})).cwiseAbs().maxCoeff(),
            1e-13);
}

TEST(NoisyMax, DistributionFunctionsAtKnownPoints) {
  EXPECT_NEAR(max_noise_log_cdf(MaxNoise::laplace, 0), std::log(0.5), 1e-15);
  EXPECT_NEAR(max_noise_log_cdf(MaxNoise::exponential, 1), std::log(1 - std::exp(-1)), 1e-15);
  EXPECT_EQ(max_noise_log_cdf(MaxNoise::exponential, 0), -std::numeric_limits<double>::infinity());
  EXPECT_NEAR(max_noise_log_cdf(MaxNoise::gumbel, 0), -1, 1e-15);
}

}  // namespace
}  // namespace dpverify
