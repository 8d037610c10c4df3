#include "bench/experiment_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <sstream>
#include <stdexcept>

#include "algorithms/core/checked.hpp"
#include "algorithms/core/parallel.hpp"
#include "bench/comparisons.hpp"
#include "bench/stage_levels.hpp"
#include "bench/statistics.hpp"

namespace dpverify {
namespace {

constexpr const char* how = "comparison of mean errors";

const ExperimentClaim& experiment_of(const Claim& claim) {
  return std::get<ExperimentClaim>(claim.check);
}

std::optional<std::vector<double>> read(const std::string& text, std::size_t places) {
  std::istringstream words(text);
  std::vector<double> numbers;
  for (std::string word; words >> word;) numbers.push_back(std::strtod(word.c_str(), nullptr));
  if (numbers.size() != places) return std::nullopt;
  return numbers;
}

std::vector<double> trial(const Claim& claim, const CheckContext& context, Index number) {
  const ExperimentClaim& check = experiment_of(claim);
  const CheckpointStore& store = context.checkpoints;
  const std::string key =
      fmt::format("experiment {}, seed {}, trial {}", claim.id, context.seed, number);
  if (store.recall)
    if (const auto text = store.recall(key))
      if (auto numbers = read(*text, check.places.size())) return *std::move(numbers);
  std::vector<double> numbers = check.errors(context.seed, number);
  if (numbers.size() != check.places.size())
    throw std::logic_error(fmt::format("{} gives {} errors at {} places", claim.id, numbers.size(),
                                       check.places.size()));
  if (store.keep) {
    std::string text;
    for (const double value : numbers) text += to_text(value) + "\n";
    store.keep(key, text);
  }
  return numbers;
}

struct Stage {
  Errors errors;     // place by place
  double level = 0;  // of each decision
  Confirmation finding = Confirmation::undecided;

  std::size_t trials() const { return errors.front().size(); }
};

// Of the trials number `first` to `first` + `count` - 1.
Stage stage(const Claim& claim, const CheckContext& context, Index first, Index count,
            double level) {
  const ExperimentClaim& check = experiment_of(claim);
  Stage stage{
      .errors = Errors(check.places.size(), std::vector<double>(static_cast<std::size_t>(count))),
      .level = level};
  parallel_for(count, context.threads, [&](Index k) {
    const std::vector<double> numbers = trial(claim, context, first + k);
    for (std::size_t place = 0; place < numbers.size(); ++place)
      stage.errors[place][static_cast<std::size_t>(k)] = numbers[place];
  });
  stage.finding = decide(check.alternatives, stage.errors,
                         level * static_cast<double>(number_of_comparisons(check.alternatives)));
  return stage;
}

bool have_ratios(const Errors& errors) {
  return std::ranges::all_of(errors, [](const std::vector<double>& values) {
    return std::ranges::all_of(values, [](double v) { return std::isfinite(v); }) &&
           summarise(values).mean >= 0;
  });
}

struct Worst {
  ErrorComparison comparison;
  MeanRatio ratio;
};

// The comparison that decides: the one with the largest ratio in its row, in the row where that is
// the smallest.
Worst worst_of(const ExperimentClaim& check, const Stage& stage) {
  std::optional<Worst> best;
  for (const auto& row : check.alternatives) {
    std::optional<Worst> worst;
    for (const ErrorComparison& comparison : row) {
      const Worst here{comparison, ratio_of_means(comparison, stage.errors, stage.level)};
      if (!worst || here.ratio.lower > worst->ratio.lower ||
          (here.ratio.lower == worst->ratio.lower && here.ratio.estimate > worst->ratio.estimate))
        worst = here;
    }
    if (worst && (!best || worst->ratio.lower < best->ratio.lower)) best = worst;
  }
  return best.value();
}

std::string in_words(const ExperimentClaim& check, const Worst& worst, const Stage& stage) {
  const auto mean_at = [&](std::size_t place) { return summarise(stage.errors.at(place)).mean; };
  const auto& [smaller, factor, larger] = worst.comparison;
  return fmt::format(
      "The mean of {} is {:.4g}: {:.4g} times {}that of {}, {:.4g}; the ratio is between {:.4g} "
      "and "
      "{:.4g}.",
      check.places.at(smaller), mean_at(smaller), worst.ratio.estimate,
      factor == 1 ? std::string() : fmt::format("{:.4g} times ", factor), check.places.at(larger),
      mean_at(larger), worst.ratio.lower, worst.ratio.upper);
}

void add_ratios(Evidence& evidence, const ExperimentClaim& check, const Stage& stage) {
  const Worst worst = worst_of(check, stage);
  evidence.estimate = worst.ratio.estimate;
  evidence.interval = Interval{worst.ratio.lower, worst.ratio.upper, 1 - 2 * stage.level};
  evidence.claimed = 1;
  evidence.tightness = evidence.verdict == Verdict::refuted ? above_claimed(worst.ratio.lower)
                                                            : at_most_claimed(worst.ratio.lower);
  if (evidence.verdict == Verdict::consistent && worst.ratio.lower > 0)
    evidence.smallest_fault = std::max(1.0, 1 / worst.ratio.lower);
  evidence.reason = in_words(check, worst, stage);
}

Evidence outside_the_plan(const Claim& claim, const CheckContext& context) {
  const Plan plan = experiment_of(claim).smallest_plan;
  Evidence evidence{.claim = claim.id, .verdict = Verdict::not_run, .method = how};
  evidence.seed = context.seed;
  evidence.run_by = plan;
  evidence.reason = fmt::format("The plan {} leaves this experiment out; --plan {} runs it.",
                                name(context.plan), name(plan));
  return evidence;
}

}  // namespace

Evidence check_experiment(const Claim& claim, const CheckContext& context) {
  const ExperimentClaim& check = experiment_of(claim);
  if (context.plan < check.smallest_plan) return outside_the_plan(claim, context);
  const StageLevels levels =
      stage_levels(context.level, static_cast<double>(number_of_comparisons(check.alternatives)));
  const Stage screened = stage(claim, context, 0, check.trials, levels.screen);
  const bool confirms = screened.finding == Confirmation::contradicted;
  const Stage decided =
      confirms ? stage(claim, context, check.trials, 2 * check.trials, levels.confirmation)
               : screened;

  Evidence evidence{.claim = claim.id, .method = how};
  evidence.verdict = decided.finding == Confirmation::confirmed      ? Verdict::consistent
                     : decided.finding == Confirmation::contradicted ? Verdict::refuted
                                                                     : Verdict::inconclusive;
  evidence.seed = context.seed;
  evidence.samples = screened.trials() + (confirms ? decided.trials() : 0);
  if (have_ratios(decided.errors))
    add_ratios(evidence, check, decided);
  else
    evidence.reason = "A mean error is not finite, or is negative: the errors have no ratio.";
  if (confirms)
    evidence.reason += fmt::format(
        " These are {} fresh trials, at the level {:.2g} a decision: a screen of {}, at {:.2g}, "
        "had refuted the claim.",
        decided.trials(), decided.level, screened.trials(), screened.level);
  for (std::size_t place = 0; place < check.places.size(); ++place)
    evidence.measurements.push_back(
        {fmt::format("mean of {}", check.places[place]), summarise(decided.errors[place]).mean});
  evidence.measurements.push_back({"significance of each decision", decided.level});
  return evidence;
}

}  // namespace dpverify
