#include "audits/accounting/sampled_gaussian.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>

#include "algorithms/core/gaussian.hpp"
#include "algorithms/core/numbers.hpp"
#include "algorithms/core/random.hpp"
#include "audits/accounting/largest_batch.hpp"

namespace dpverify {
namespace {

constexpr auto add_remove = SampledNeighbours::add_remove;
constexpr auto replace_one = SampledNeighbours::replace_one;

// Sums of batches with noise 1, by brute force: the sums of all batches there are, each sequence of
// them as likely as it is.
struct Outcomes {
  std::vector<std::vector<double>> sums;  // of each step; one entry a way to draw the batches
  std::vector<double> weights;
};

double normal_density(double x) { return std::exp(-x * x / 2) / std::sqrt(2 * std::numbers::pi); }

// By the midpoint rule on a grid of one outcome a step.
double delta_by_quadrature(const Outcomes& p, const Outcomes& q, double noise, double epsilon,
                           double cell) {
  const std::size_t steps = p.sums[0].size();
  double lowest = 0, highest = 0;
  for (const auto* law : {&p, &q})
    for (const auto& sums : law->sums)
      for (const double sum : sums) {
        lowest = std::min(lowest, sum / noise);
        highest = std::max(highest, sum / noise);
      }
  lowest -= 6;
  highest += 6;
  double delta = 0;
  std::vector<double> w(steps);
  const auto density = [&](const Outcomes& law) {
    double total = 0;
    for (std::size_t k = 0; k < law.sums.size(); ++k) {
      double one = law.weights[k];
      for (std::size_t t = 0; t < steps; ++t) one *= normal_density(w[t] - law.sums[k][t] / noise);
      total += one;
    }
    return total;
  };
  const std::function<void(std::size_t)> walk = [&](std::size_t t) {
    if (t == steps) {
      delta += std::max(0.0, density(p) - std::exp(epsilon) * density(q)) *
               std::pow(cell, static_cast<double>(steps));
      return;
    }
    for (w[t] = lowest + cell / 2; w[t] < highest; w[t] += cell) walk(t + 1);
  };
  walk(0);
  return delta;
}

// Of one step, every subset of the records, with its sum: those with `size` records, or, if that is
// -1, all with the probability that Poisson sampling gives them.
Outcomes subsets(const std::vector<double>& records, int size, double rate) {
  Outcomes out;
  const auto count = static_cast<int>(records.size());
  for (int chosen = 0; chosen < 1 << count; ++chosen) {
    double sum = 0;
    int members = 0;
    for (int k = 0; k < count; ++k)
      if (chosen >> k & 1) {
        sum += records[static_cast<std::size_t>(k)];
        ++members;
      }
    if (size >= 0 && members != size) continue;
    out.sums.push_back({sum});
    out.weights.push_back(
        size >= 0 ? 1 : std::pow(rate, members) * std::pow(1 - rate, count - members));
  }
  double total = 0;
  for (const double weight : out.weights) total += weight;
  for (double& weight : out.weights) weight /= total;
  return out;
}

Outcomes two_steps_of(const Outcomes& one) {
  Outcomes out;
  for (std::size_t a = 0; a < one.sums.size(); ++a)
    for (std::size_t b = 0; b < one.sums.size(); ++b) {
      out.sums.push_back({one.sums[a][0], one.sums[b][0]});
      out.weights.push_back(one.weights[a] * one.weights[b]);
    }
  return out;
}

// Batches of one record: the first `steps` of a permutation of the records.
Outcomes permutations(std::vector<double> records, std::size_t steps) {
  Outcomes out;
  std::vector<std::size_t> order(records.size());
  for (std::size_t k = 0; k < order.size(); ++k) order[k] = k;
  do {
    std::vector<double> sums;
    for (std::size_t t = 0; t < steps; ++t) sums.push_back(records[order[t]]);
    out.sums.push_back(sums);
  } while (std::next_permutation(order.begin(), order.end()));
  out.weights.assign(out.sums.size(), 1.0 / static_cast<double>(out.sums.size()));
  return out;
}

// Records in [-1, 1], the first replaced: by -1 to 1, or by nothing (0).
std::vector<std::pair<std::vector<double>, std::vector<double>>> some_pairs(int count,
                                                                            bool replaced) {
  std::vector<std::pair<std::vector<double>, std::vector<double>>> out;
  RandomStream stream({.claim = "records of a test"});
  for (int trial = 0; trial < 6; ++trial) {
    std::vector<double> records;
    for (int k = 0; k < count; ++k) {
      const double x = 2 * stream.uniform() - 1;
      records.push_back(trial < 2 ? -1 : trial < 4 ? std::copysign(1, x) : x);
    }
    records[0] = trial % 2 == 0 ? 1 : records[0];
    std::vector<double> neighbour = records;
    neighbour[0] = !replaced ? 0 : trial < 3 ? -1 : 2 * stream.uniform() - 1;
    out.emplace_back(records, neighbour);
    out.emplace_back(neighbour, records);
  }
  return out;
}

// No pair needs more than the upper end; the worst of all needs at least the lower one, for the
// pairs hold the datasets it is made of.
void expect_bounds_of_subsets(int steps, BatchSampling sampler, SampledNeighbours neighbours,
                              double noise) {
  const int count = 4, size = sampler == BatchSampling::fixed_size ? 1 : -1;
  const double rate = 0.25;
  for (const double epsilon : {0.0, 0.3, 1.2}) {
    const Interval found = sampled_delta(sampler, {noise, rate, steps, neighbours}, epsilon);
    double worst = 0;
    for (const auto& [records, neighbour] : some_pairs(count, neighbours == replace_one)) {
      Outcomes p = subsets(records, size, rate), q = subsets(neighbour, size, rate);
      if (steps == 2) {
        p = two_steps_of(p);
        q = two_steps_of(q);
      }
      worst = std::max(worst, delta_by_quadrature(p, q, noise, epsilon, steps == 1 ? 0.01 : 0.15));
    }
    const double margin = steps == 1 ? 1e-5 : 1e-3;
    EXPECT_LE(worst, found.upper + margin) << name(sampler) << name(neighbours) << epsilon;
    if (sampler == BatchSampling::fixed_size) {
      EXPECT_GE(worst, found.lower - margin) << name(sampler) << name(neighbours) << epsilon;
    }
  }
}

TEST(SampledGaussian, OneStepOfEverySubset) {
  for (const BatchSampling sampler : {BatchSampling::poisson, BatchSampling::fixed_size})
    for (const SampledNeighbours neighbours : {add_remove, replace_one})
      for (const double noise : {0.6, 1.5}) expect_bounds_of_subsets(1, sampler, neighbours, noise);
}

TEST(SampledGaussian, TwoStepsOfEverySubset) {
  for (const SampledNeighbours neighbours : {add_remove, replace_one})
    expect_bounds_of_subsets(2, BatchSampling::fixed_size, neighbours, 1);
}

// Two batches an epoch, of one record each; three steps are an epoch and a half.
TEST(SampledGaussian, EveryPermutationOfTwoRecords) {
  for (const SampledNeighbours neighbours : {add_remove, replace_one})
    for (const double noise : {0.6, 1.5})
      for (const double epsilon : {0.0, 0.5, 1.5}) {
        double worst = 0;
        for (const auto& [records, neighbour] : some_pairs(2, neighbours == replace_one))
          worst = std::max(worst,
                           delta_by_quadrature(permutations(records, 2), permutations(neighbour, 2),
                                               noise, epsilon, 0.05));
        const Interval found =
            sampled_delta(BatchSampling::shuffle, {noise, 0.5, 2, neighbours}, epsilon);
        EXPECT_LE(worst, found.upper + 1e-4) << noise << epsilon;
        EXPECT_GE(worst, found.lower - 1e-4) << noise << epsilon;
        EXPECT_GE(found.lower, 0.5 * worst) << noise << epsilon;
      }
}

// The two of three batches that are seen of an epoch.
TEST(SampledGaussian, APartOfAnEpoch) {
  for (const double epsilon : {0.0, 0.5, 1.5}) {
    const double worst = delta_by_quadrature(permutations({1, -1, -1}, 2),
                                             permutations({0, -1, -1}, 2), 0.7, epsilon, 0.05);
    const Interval found =
        sampled_delta(BatchSampling::shuffle, {0.7, 1.0 / 3, 2, add_remove}, epsilon);
    EXPECT_GE(worst, found.lower - 1e-4) << epsilon;
    EXPECT_GE(found.lower, 0.5 * worst) << epsilon;
  }
}

// What Koskela, Jalko and Honkela's code (PLD-Accountant) gives for q = 0.01, sigma = 4 and 10^4
// steps: delta(1) = 4.243484e-6 (add or remove), epsilon(1e-5) = 1.9931201 (substitution, on the
// pair of 1 and -1).
TEST(SampledGaussian, PublishedFigures) {
  const Interval delta = sampled_delta(BatchSampling::poisson, {4, 0.01, 10'000, add_remove}, 1);
  EXPECT_LE(delta.lower, 4.243484e-6);
  EXPECT_GE(delta.upper, 4.243484e-6);
  EXPECT_LE(delta.upper - delta.lower, 1e-7);
  const Interval epsilon =
      sampled_epsilon(BatchSampling::poisson, {4, 0.01, 10'000, replace_one}, 1e-5);
  EXPECT_LE(epsilon.lower, 1.9931201);
  EXPECT_GE(epsilon.lower, 1.9931201 - 0.03);
  EXPECT_GE(epsilon.upper, 1.9931201);
}

// Of one epoch, the event that the largest sum exceeds a threshold (Chua et al., 2024).
TEST(SampledGaussian, ShufflingNeedsWhatTheLargestSumShows) {
  const double noise = 0.7, epsilon = 3;
  const Index batches = 100;
  const auto above = [&](double shift, double x) {
    const double others = std::pow(1 - 0.5 * std::erfc(x / std::sqrt(2)), batches - 1);
    return 1 - others * (1 - 0.5 * std::erfc((x - shift) / std::sqrt(2)));
  };
  double best = 0;
  for (double x = 0; x < 10; x += 0.01)
    best = std::max(best, above(2 / noise, x) - std::exp(epsilon) * above(1 / noise, x));
  const Interval found =
      sampled_delta(BatchSampling::shuffle,
                    {noise, 1.0 / static_cast<double>(batches), batches, add_remove}, epsilon);
  EXPECT_NEAR(best, 0.022383, 1e-5);
  EXPECT_GE(found.lower, 0.999 * best);
  EXPECT_LE(found.lower, 1.2 * best);
  EXPECT_LE(best, found.upper);
  // Poisson sampling of the same rate.
  EXPECT_LT(
      sampled_delta(BatchSampling::poisson, {noise, 0.01, batches, add_remove}, epsilon).upper,
      0.01 * best);
}

// Certified is no more than that a record enters one batch of each epoch, a begun one included.
TEST(SampledGaussian, ShufflingIsCertifiedAsAGaussianOfEveryEpoch) {
  struct Case {
    double rate;
    Index steps;
    double epochs;
  };
  for (const auto& [neighbours, shift] : {std::pair(add_remove, 1.0), std::pair(replace_one, 2.0)})
    for (const Case& one : {Case{0.5, 3, 2}, Case{0.25, 8, 2}}) {
      const double truth = gaussian_epsilon(shift / 5 * std::sqrt(one.epochs), 1e-4);
      EXPECT_NEAR(
          sampled_epsilon(BatchSampling::shuffle, {5, one.rate, one.steps, neighbours}, 1e-4).upper,
          truth, 1e-6 * truth)
          << one.rate << " " << one.steps;
    }
}

// A fixed batch of all records, and a permutation of one batch, are no sampling.
TEST(SampledGaussian, ARateOfOneIsAGaussian) {
  for (const auto& [neighbours, shift] :
       {std::pair(add_remove, 1.0), std::pair(replace_one, 2.0)}) {
    const double truth = gaussian_epsilon(shift / 5 * std::sqrt(20), 1e-4);
    for (const BatchSampling sampler : all_samplings) {
      const Interval found = sampled_epsilon(sampler, {5, 1, 20, neighbours}, 1e-4);
      EXPECT_LE(found.lower, truth) << name(sampler);
      EXPECT_GE(found.lower, truth - 0.05) << name(sampler);
      EXPECT_GE(found.upper, truth) << name(sampler);
      EXPECT_LE(found.upper, truth + 0.05) << name(sampler);
    }
  }
}

TEST(SampledGaussian, TheSearchedFigureIsTheSameFromBothSides) {
  const SampledSteps steps{1, 0.1, 30, add_remove};
  for (const BatchSampling sampler : all_samplings) {
    const Interval epsilon = sampled_epsilon(sampler, steps, 1e-3);
    EXPECT_GT(epsilon.lower, 0.1) << name(sampler);
    EXPECT_LE(sampled_delta(sampler, steps, epsilon.upper + 0.01).lower, 1e-3) << name(sampler);
    EXPECT_GE(sampled_delta(sampler, steps, epsilon.lower - 0.04).upper, 1e-3) << name(sampler);
  }
}

// Of one batch of one, the largest sum is the sum.
TEST(LargestBatch, AgainstGaussians) {
  const LossLaw law = largest_batch_loss({1, 1, 1.5, 0}, 1e-5);
  const double truth = gaussian_delta(1.5, 0.8);
  const double found = composed_delta_interval({{law, 1}}, 0.8).lower;
  EXPECT_LE(found, truth);
  EXPECT_GE(found, 0.999 * truth);
  double total = 0;
  for (const LossLaw::Atom& atom : law.atoms) total += atom.p;
  EXPECT_NEAR(total, 1, 1e-12);
}

// Far apart, and either way round: the largest losses are in the tail that only one of them
// reaches.
TEST(LargestBatch, FarApartIsAGaussianToo) {
  for (const auto& [with, without] :
       {std::pair(6.0, 0.0), std::pair(0.0, 6.0), std::pair(-6.0, 0.0), std::pair(0.0, -6.0)}) {
    const LossLaw law = largest_batch_loss({1, 1, with, without}, 1e-4);
    for (const double epsilon : {10.0, 40.0}) {
      const double truth = gaussian_delta(6, epsilon);
      const double found = composed_delta_interval({{law, 1}}, epsilon).lower;
      EXPECT_LE(found, truth) << with << " " << epsilon;
      EXPECT_GE(found, 0.97 * truth) << with << " " << epsilon;
    }
  }
}

// The pairs that Poisson sampling of added records has are known to be the worst: nothing but the
// grid is between the ends.
TEST(SampledGaussian, BothEndsMeetWhereTheWorstPairIsKnown) {
  for (const Index count : {1, 100}) {
    const Interval epsilon =
        sampled_epsilon(BatchSampling::poisson, {1, 0.05, count, add_remove}, 1e-5);
    EXPECT_LE(epsilon.upper - epsilon.lower, 2e-3) << count;
    EXPECT_GE(epsilon.upper, epsilon.lower) << count;
  }
}

TEST(SampledGaussian, BadInput) {
  const auto refuses = [](BatchSampling sampler, const SampledSteps& steps) {
    EXPECT_THROW(sampled_delta(sampler, steps, 1), std::invalid_argument);
  };
  refuses(BatchSampling::poisson, {0.05, 0.1, 1, add_remove});
  refuses(BatchSampling::poisson, {1, 0, 1, add_remove});
  refuses(BatchSampling::poisson, {1, -0.5, 1, add_remove});
  refuses(BatchSampling::poisson, {1, 1.5, 1, add_remove});
  refuses(BatchSampling::fixed_size, {1, 1.1, 1, add_remove});
  refuses(BatchSampling::poisson, {1, 0.1, 0, add_remove});
  refuses(BatchSampling::shuffle, {1, 0.3, 1, add_remove});
  EXPECT_THROW(largest_batch_loss({2, 3, 1, 0}, 1e-3), std::invalid_argument);
  EXPECT_THROW(largest_batch_loss({2, 0, 1, 0}, 1e-3), std::invalid_argument);
  EXPECT_THROW(largest_batch_loss({0, 0, 1, 0}, 1e-3), std::invalid_argument);
  EXPECT_THROW(largest_batch_loss({2, 2, 1, 0}, 0), std::invalid_argument);
}

}  // namespace
}  // namespace dpverify
