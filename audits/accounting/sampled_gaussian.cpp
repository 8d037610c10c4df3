#include "audits/accounting/sampled_gaussian.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include "algorithms/core/checked.hpp"
#include "algorithms/core/gaussian.hpp"
#include "algorithms/core/numbers.hpp"
#include "audits/accounting/largest_batch.hpp"
#include "audits/exact/mixture_loss.hpp"

namespace dpverify {
namespace {

using Composed = std::vector<LossSteps>;

void require_steps(BatchSampling sampler, const SampledSteps& steps) {
  require(steps.noise >= 0.1 && steps.noise <= 1000, "noise", steps.noise, "in [0.1, 1000]");
  require(steps.rate > 0 && steps.rate <= 1, "rate", steps.rate, "in (0, 1]");
  require(steps.steps >= 1, "number of steps", static_cast<double>(steps.steps), "at least 1");
  require(has_batches(sampler, steps.rate), "rate", steps.rate,
          "1/(a whole number of batches) for shuffle");
}

Index batches_an_epoch(double rate) { return static_cast<Index>(std::llround(1 / rate)); }

// What a batch with the record and what it with its neighbour adds to one without either, in
// one dimension, all other records the same: one record more in the place of another of the batch.
struct BatchShifts {
  double with, without;
};

// A record 1, in the neighbour 0 or -1. The others are 0 or -1; of Poisson batches, their sum is
// known and the record is an addition to it.
std::vector<BatchShifts> worst_shifts(BatchSampling sampler, SampledNeighbours neighbours) {
  const bool in_place = sampler != BatchSampling::poisson;
  std::vector<BatchShifts> out;
  if (neighbours == SampledNeighbours::replace_one) {
    out.push_back({1, -1});
    if (in_place) out.push_back({2, 0});
  } else {
    out.push_back({1, 0});
    if (in_place) out.push_back({2, 1});
  }
  return out;
}

// The law of one step in both directions.
std::vector<Composed> steps_of_shifts(BatchSampling sampler, const SampledSteps& steps) {
  std::vector<Composed> out;
  for (const auto& [with, without] : worst_shifts(sampler, steps.neighbours)) {
    const double a = with / steps.noise, b = without / steps.noise;
    out.push_back({{mixture_loss({steps.rate, a, b}), steps.steps}});
    if (a != -b) out.push_back({{mixture_loss({steps.rate, b, a}), steps.steps}});
  }
  return out;
}

// Whole epochs, and the part of one that is left.
std::vector<Composed> epochs_of_shifts(const SampledSteps& steps) {
  const Index batches = batches_an_epoch(steps.rate);
  const Index epochs = steps.steps / batches, rest = steps.steps % batches;
  std::vector<Composed> out;
  for (const auto& [with, without] : worst_shifts(BatchSampling::shuffle, steps.neighbours))
    for (const bool forward : {true, false}) {
      const double a = (forward ? with : without) / steps.noise,
                   b = (forward ? without : with) / steps.noise;
      const double grid = std::abs(a - b) / (8192 * std::sqrt(static_cast<double>(epochs + 1)));
      Composed& composed = out.emplace_back();
      if (epochs > 0)
        composed.push_back({largest_batch_loss({batches, batches, a, b}, grid), epochs});
      if (rest > 0) composed.push_back({largest_batch_loss({batches, rest, a, b}, grid), 1});
    }
  return out;
}

std::vector<Composed> lower_laws(BatchSampling sampler, const SampledSteps& steps) {
  return sampler == BatchSampling::shuffle ? epochs_of_shifts(steps)
                                           : steps_of_shifts(sampler, steps);
}

// A bound on the hockey-stick divergence of order e^epsilon between two mixtures with the weight
// `rate` on laws m and m', and the rest on the same law m0, where m and m0 are at a distance of at
// most `to_rest` standard deviations, m and m' of `to_other`.
std::function<double(double)> mixtures_bound(double rate, double to_rest, double to_other) {
  return [=](double epsilon) {
    const double inner = std::log1p(std::expm1(epsilon) / rate);
    const double beta = std::exp(epsilon - inner);
    return rate *
           ((1 - beta) * gaussian_delta(to_rest, inner) + beta * gaussian_delta(to_other, inner));
  };
}

// Past which the bound says less than what rounding and a cut-off leave.
double negligible_from(const std::function<double(double)>& bound) {
  constexpr double negligible = 1e-36;
  double epsilon = 1;
  while (bound(epsilon) > negligible) epsilon *= 1.25;
  return epsilon;
}

std::vector<Composed> upper_laws(BatchSampling sampler, const SampledSteps& steps) {
  const double unit = 1 / steps.noise;
  const bool poisson = sampler == BatchSampling::poisson,
             replaced = steps.neighbours == SampledNeighbours::replace_one;
  if (poisson && !replaced) return steps_of_shifts(sampler, steps);
  // The record, and the one in whose place it is drawn: none, or another of the data.
  const double to_rest = poisson ? unit : 2 * unit;
  const double to_other = replaced ? 2 * unit : unit;
  const auto forward = mixtures_bound(steps.rate, to_rest, to_other);
  // No record, and another of the data.
  const auto backward = replaced ? forward : mixtures_bound(steps.rate, unit, unit);
  const double highest = std::max(negligible_from(forward), negligible_from(backward));
  const double step = std::min(std::sqrt(1e-3 / static_cast<double>(steps.steps)), highest / 1000);
  const LossLaw law = loss_of_bounds(forward, backward, step, highest);
  std::vector<Composed> out{{{law, steps.steps}}};
  if (!replaced) out.push_back({{loss_of_bounds(backward, forward, step, highest), steps.steps}});
  return out;
}

// The Gaussian shift that the steps a record enters have together, without amplification.
double unamplified(const SampledSteps& steps) {
  const double shift = steps.neighbours == SampledNeighbours::replace_one ? 2 : 1;
  const Index batches = batches_an_epoch(steps.rate);
  const Index epochs = (steps.steps + batches - 1) / batches;
  return shift / steps.noise * std::sqrt(static_cast<double>(epochs));
}

// The largest lower end and the largest upper end, of a figure of composed laws.
Interval both_ends(BatchSampling sampler, const SampledSteps& steps,
                   const std::function<Interval(const Composed&, double width)>& figure,
                   const std::function<double(double)>& of_gaussian) {
  require_steps(sampler, steps);
  Interval out{0, 0, 1};
  const bool same_laws =
      sampler == BatchSampling::poisson && steps.neighbours == SampledNeighbours::add_remove;
  for (const Composed& composed : lower_laws(sampler, steps)) {
    const Interval found = figure(composed, same_laws ? 1e-3 : 3e-2);
    out.lower = std::max(out.lower, found.lower);
    if (same_laws) out.upper = std::max(out.upper, found.upper);
  }
  if (sampler == BatchSampling::shuffle) {
    out.upper = of_gaussian(unamplified(steps));
  } else if (!same_laws) {
    for (const Composed& composed : upper_laws(sampler, steps))
      out.upper = std::max(out.upper, figure(composed, 1e-2).upper);
  }
  return out;
}

}  // namespace

std::string_view name(BatchSampling sampler) {
  constexpr std::array<std::string_view, 3> names{"poisson", "fixed", "shuffle"};
  return names[static_cast<std::size_t>(sampler)];
}

std::string_view name(SampledNeighbours neighbours) {
  return neighbours == SampledNeighbours::add_remove ? "add-remove" : "replace-one";
}

bool has_batches(BatchSampling sampler, double rate) {
  const double batches = 1 / rate;
  return sampler != BatchSampling::shuffle ||
         std::abs(batches - std::round(batches)) <= 1e-9 * batches;
}

Interval sampled_epsilon(BatchSampling sampler, const SampledSteps& steps, double delta) {
  return both_ends(
      sampler, steps,
      [&](const Composed& composed, double width) {
        return composed_epsilon_interval(composed, delta, width);
      },
      [&](double mu) { return gaussian_epsilon(mu, delta); });
}

Interval sampled_delta(BatchSampling sampler, const SampledSteps& steps, double epsilon) {
  constexpr double negligible = 1e-10;
  return both_ends(
      sampler, steps,
      [&](const Composed& composed, double width) {
        return composed_delta_interval(composed, epsilon, std::max(width, 1e-2), negligible);
      },
      [&](double mu) { return gaussian_delta(mu, epsilon); });
}

}  // namespace dpverify
