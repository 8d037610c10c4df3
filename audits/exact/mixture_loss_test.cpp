#include "audits/exact/mixture_loss.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "algorithms/core/gaussian.hpp"
#include "algorithms/core/numbers.hpp"

namespace dpverify {
namespace {

double mixture_density(double rate, double shift, double w) {
  const auto normal = [](double x) {
    return std::exp(-x * x / 2) / std::sqrt(2 * std::numbers::pi);
  };
  return (1 - rate) * normal(w) + rate * normal(w - shift);
}

// By the midpoint rule, on a grid of one or of two outcomes.
double delta_of_steps(const MixturePair& pair, int steps, double epsilon) {
  const double cell = steps == 1 ? 1e-3 : 0.04;
  const double reach = 9, lowest = std::min({0.0, pair.with, pair.without}) - reach,
               highest = std::max({0.0, pair.with, pair.without}) + reach;
  std::vector<MassPair> masses;
  for (double w = lowest + cell / 2; w < highest; w += cell)
    masses.push_back({cell * mixture_density(pair.rate, pair.with, w),
                      cell * mixture_density(pair.rate, pair.without, w)});
  double delta = 0;
  for (const MassPair& first : masses) {
    if (steps == 1) delta += std::max(0.0, first.p - std::exp(epsilon) * first.q);
    if (steps == 2)
      for (const MassPair& second : masses)
        delta += std::max(0.0, first.p * second.p - std::exp(epsilon) * first.q * second.q);
  }
  return delta;
}

std::vector<MixturePair> mixtures() {
  std::vector<MixturePair> out;
  for (const double rate : {0.02, 0.4, 1.0})
    for (const double shift : {0.3, 1.0, 2.5})
      for (const auto& [with, without] :
           {std::pair(1.0, 0.0), std::pair(0.0, 1.0), std::pair(1.0, -1.0), std::pair(-1.0, 1.0),
            std::pair(2.0, 1.0), std::pair(1.0, 2.0)})
        out.push_back({rate, with * shift, without * shift});
  return out;
}

void expect_encloses_delta(const MixturePair& pair, int steps) {
  for (const double epsilon : {0.0, 0.4, 1.5}) {
    const double truth = delta_of_steps(pair, steps, epsilon);
    const Interval found =
        composed_delta_interval({{mixture_loss(pair), steps}}, epsilon, steps == 1 ? 1e-2 : 0.05);
    const double margin = (steps == 1 ? 2e-4 : 2e-3) * truth + 1e-7;
    EXPECT_LE(found.lower, truth + margin)
        << pair.rate << " " << pair.with << " " << pair.without << " " << epsilon;
    EXPECT_GE(found.upper, truth - margin)
        << pair.rate << " " << pair.with << " " << pair.without << " " << epsilon;
    EXPECT_LE(found.upper - found.lower, (steps == 1 ? 0.02 : 0.06) * truth + 1e-6)
        << pair.rate << " " << pair.with << " " << pair.without << " " << epsilon;
  }
}

TEST(MixtureLoss, OneStepAgainstQuadrature) {
  for (const MixturePair& pair : mixtures()) expect_encloses_delta(pair, 1);
}

TEST(MixtureLoss, TwoStepsAgainstQuadrature) {
  for (const MixturePair& pair :
       std::vector<MixturePair>{{0.4, 0, 1}, {0.4, 0.5, -0.5}, {0.4, 0.6, 0.3}})
    expect_encloses_delta(pair, 2);
}

// All records in all batches: no sampling.
TEST(MixtureLoss, ARateOfOneIsAGaussian) {
  for (const auto& [with, without] :
       {std::pair(0.5, 0.0), std::pair(0.5, 1.0), std::pair(0.25, -0.25)}) {
    const double truth = gaussian_epsilon(0.5 * std::sqrt(30), 1e-5);
    const Interval found =
        composed_epsilon_interval({{mixture_loss({1, with, without}), 30}}, 1e-5);
    EXPECT_LE(found.lower, truth);
    EXPECT_GE(found.upper, truth);
    EXPECT_LE(found.upper - found.lower, 2e-3);
  }
}

TEST(MixtureLoss, BadInput) {
  EXPECT_THROW(mixture_loss({0, 1, 0}), std::invalid_argument);
  EXPECT_THROW(mixture_loss({1.1, 1, 0}), std::invalid_argument);
  EXPECT_THROW(mixture_loss({0.5, 1, 1}), std::invalid_argument);
  EXPECT_THROW(mixture_loss({0.5, 3, 1}), std::invalid_argument);
  EXPECT_THROW(mixture_loss({0.5, 21, 0}), std::invalid_argument);
  EXPECT_THROW(mixture_loss({0.5, 1e-4, 0}), std::invalid_argument);
}

// The exact delta(epsilon) of a Gaussian as a bound gives its composition back, from above, and a
// bound that is too low by a hundredth does not.
TEST(LossOfBounds, GaussianStepsAreOneGaussian) {
  for (const Index count : {1, 20}) {
    const double mu = 0.4, root = std::sqrt(static_cast<double>(count));
    const auto upper = [&](double factor) {
      const auto bound = [&](double epsilon) { return factor * gaussian_delta(mu, epsilon); };
      return composed_delta_interval({{loss_of_bounds(bound, bound, 2e-3, 6), count}}, 0.7).upper;
    };
    const double truth = gaussian_delta(mu * root, 0.7);
    EXPECT_GE(upper(1), truth);
    EXPECT_LE(upper(1), 1.001 * truth);
    EXPECT_LT(upper(0.99), truth);
  }
}

// One run of randomised response in two, whose delta(epsilon) is linear in e^epsilon up to its
// epsilon, on the grid.
TEST(LossOfBounds, KnotsOfALinearFunctionAreKept) {
  const auto bound = [](double epsilon) {
    return std::max(0.0, (std::exp(0.5) - std::exp(epsilon)) / (1 + std::exp(0.5))) / 2;
  };
  const LossLaw law = loss_of_bounds(bound, bound, 0.01, 1);
  double at_half = 0, at_zero = 0, total = 0;
  for (const LossLaw::Atom& atom : law.atoms) {
    total += atom.p;
    if (std::abs(atom.loss - 0.5) < 1e-9) at_half += atom.p;
    if (atom.loss == 0) at_zero += atom.p;
  }
  EXPECT_NEAR(at_half, 0.5 / (1 + std::exp(-0.5)), 1e-7);
  EXPECT_NEAR(at_zero, 0.5, 1e-7);
  EXPECT_NEAR(total, 1, 1e-7);
}

// A bump is no part of a delta(epsilon): what lies above the hull of the others says nothing.
TEST(LossOfBounds, ABumpIsCutOff) {
  const auto smooth = [](double epsilon) { return gaussian_delta(1, epsilon); };
  const auto bump = [&](double epsilon) {
    return smooth(epsilon) * (std::abs(epsilon - 1) < 0.0105 ? 3 : 1);
  };
  const auto upper = [&](const std::function<double(double)>& bound) {
    return composed_delta_interval({{loss_of_bounds(bound, smooth, 5e-3, 20), 3}}, 1).upper;
  };
  EXPECT_NEAR(upper(bump), upper(smooth), 1e-3 * upper(smooth));
  EXPECT_GE(upper(bump), upper(smooth));
}

TEST(LossOfBounds, BadInput) {
  const auto bound = [](double epsilon) { return gaussian_delta(1, epsilon); };
  EXPECT_THROW(loss_of_bounds(bound, bound, 0, 1), std::invalid_argument);
  EXPECT_THROW(loss_of_bounds(bound, bound, 1, 0.5), std::invalid_argument);
  // Neither falls fast enough: together no law has them.
  const auto steep = [](double epsilon) { return 0.9 * std::exp(-1e3 * epsilon); };
  EXPECT_THROW(loss_of_bounds(steep, steep, 1e-4, 1), std::invalid_argument);
}

}  // namespace
}  // namespace dpverify
