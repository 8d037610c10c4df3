#include "audits/floor_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>

#include "algorithms/claims/plans.hpp"
#include "algorithms/claims/planted_faults.hpp"
#include "algorithms/core/parallel.hpp"
#include "audits/transcript/mean_bounds.hpp"

namespace dpverify {
namespace {

enum class Noise { drawn, none };

// The mechanism's errors in independent trials.
std::vector<double> errors_of(const Claim& claim, const Mechanism& mechanism, Noise noise,
                              const CheckContext& context) {
  const auto& check = std::get<FloorClaim>(claim.check);
  const Index trials = budget_of(context.plan).floor_trials;
  std::vector<double> errors(static_cast<std::size_t>(trials));
  parallel_for(trials, context.threads, [&](Index t) {
    const auto k = static_cast<std::size_t>(t);
    const auto stream = [&](std::string_view purpose) {
      return RandomStream(
          {.seed = context.seed, .claim = claim.id, .purpose = purpose, .trial = k});
    };
    RandomStream data_stream = stream("data");
    const Instance instance = check.draw(data_stream);
    SamplingReleases drawn(stream("releases"));
    NoiselessReleases none;
    Releases& releases = noise == Noise::drawn ? static_cast<Releases&>(drawn) : none;
    errors[k] = instance.error(mechanism(instance.data, releases));
    if (!(errors[k] >= 0 && errors[k] <= 1))
      throw std::runtime_error(
          fmt::format("the error of an output is {}, outside [0, 1]", errors[k]));
  });
  return errors;
}

// The largest share of its noise, a power of two, with which the mechanism would have been refuted;
// 0 if there is none down to the last tried.
double noise_seen(const Claim& claim, double level, const CheckContext& context) {
  const auto& check = std::get<FloorClaim>(claim.check);
  for (double share = 0.5; share >= 1.0 / 4096; share /= 2) {
    const Mechanism mechanism =
        with_noise_times(check.mechanism, [share](const Dataset&) { return share; });
    if (mean_upper(errors_of(claim, mechanism, Noise::drawn, context), 1, level) < check.bound)
      return share;
  }
  return 0;
}

double mean(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

// About how many trials with this mean error would bound it below the floor: the betting bound
// grows by the relative entropy of the two in each, and pays for its choice of 16 shares.
double trials_needed(double mean_error, double floor, double level) {
  const double m = mean_error, b = std::min(floor, 1 - 1e-12);
  const double entropy = (m > 0 ? m * std::log(m / b) : 0) + (1 - m) * std::log((1 - m) / (1 - b));
  return std::ceil(std::log(16 / level) / entropy);
}

std::string as_percentage(double share) { return fmt::format("{:.4g} %", 100 * share); }

// Of the mean error, and of what it may be at the level.
struct MeanError {
  double mean = 0;
  double upper = 0;
};

// The verdict on the mean error and on that without noise, and in words why.
void judge(Evidence& evidence, const Claim& claim, const CheckContext& context, double level,
           const MeanError& drawn, const MeanError& none) {
  const auto& check = std::get<FloorClaim>(claim.check);
  const std::string floor =
      fmt::format("{}, the least of any ({:.4g}, {:.4g})-DP mechanism", as_percentage(check.bound),
                  check.guarantee.epsilon, check.guarantee.delta);
  if (drawn.upper < check.bound) {
    evidence.verdict = Verdict::refuted;
    evidence.reason = fmt::format(
        "The mean error is at most {}, below {}: this one is not as private as that, or the bound "
        "is false.",
        as_percentage(drawn.upper), floor);
  } else if (drawn.mean < check.bound) {
    evidence.verdict = Verdict::inconclusive;
    evidence.reason = fmt::format(
        "The mean error, {}, is below {}, but it may be up to {}; about {:.0f} trials would "
        "decide.",
        as_percentage(drawn.mean), floor, as_percentage(drawn.upper),
        trials_needed(drawn.mean, check.bound, level));
  } else if (!(none.upper < check.bound)) {
    evidence.verdict = Verdict::inconclusive;
    evidence.reason = fmt::format("Without noise the mean error is {}, not shown to be below {}: ",
                                  as_percentage(none.mean), floor);
    evidence.reason += none.mean < check.bound
                           ? fmt::format("about {:.0f} trials would show it.",
                                         trials_needed(none.mean, check.bound, level))
                           : "no fault in the noise could be seen here.";
  } else {
    evidence.verdict = Verdict::consistent;
    const double share = noise_seen(claim, level, context);
    if (share > 0) evidence.smallest_fault = 1 / share;
    evidence.reason = fmt::format(
        "The mean error is {}, not below {}. Without noise it is at most {}, which would have been "
        "refuted",
        as_percentage(drawn.mean), floor, as_percentage(none.upper));
    if (share > 0) evidence.reason += fmt::format("; so would 1/{:.0f} of the noise", 1 / share);
    evidence.reason += '.';
  }
}

}  // namespace

Evidence check_floor(const Claim& claim, const CheckContext& context) {
  const auto& check = std::get<FloorClaim>(claim.check);
  // The claim's level, split over two one-sided decisions: the mechanism falls below the floor;
  // without noise it does.
  const double level = context.level / 2;
  Evidence evidence{.claim = claim.id, .method = "independent trials on hard instances"};
  evidence.seed = context.seed;
  evidence.claimed = check.bound;
  if (!(check.bound > 0)) {
    evidence.verdict = Verdict::inconclusive;
    evidence.reason = fmt::format(
        "The bound is {:.4g}: it says nothing here. Fewer informative records, a smaller epsilon "
        "or a smaller delta would.",
        check.bound);
    return evidence;
  }
  const std::vector<double> errors = errors_of(claim, check.mechanism, Noise::drawn, context);
  const std::vector<double> without = errors_of(claim, check.mechanism, Noise::none, context);
  const MeanError drawn{mean(errors), mean_upper(errors, 1, level)};
  const MeanError none{mean(without), mean_upper(without, 1, level)};
  evidence.samples = errors.size();
  evidence.estimate = drawn.mean;
  evidence.interval = {mean_lower(errors, level), drawn.upper, 1 - 2 * level};
  evidence.tightness = check.bound / drawn.upper;
  evidence.measurements = {{"epsilon", check.guarantee.epsilon},
                           {"delta", check.guarantee.delta},
                           {"mean error without noise", none.mean},
                           {"upper bound on the mean error without noise", none.upper}};
  judge(evidence, claim, context, level, drawn, none);
  return evidence;
}

}  // namespace dpverify
