#include "bench/experiment_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
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

// What a trial has found, after the seconds that it took, as text and back, exactly.
struct Found {
  double seconds = 0;
  std::vector<double> errors;
};

std::string as_text(const Found& found) {
  std::string text = fmt::format("{:.6g}\n", found.seconds);
  for (const double error : found.errors) text += to_text(error) + "\n";
  return text;
}

std::optional<Found> read(const std::string& text, std::size_t places) {
  std::istringstream words(text);
  std::vector<double> numbers;
  for (std::string word; words >> word;) numbers.push_back(std::strtod(word.c_str(), nullptr));
  if (numbers.size() != places + 1) return std::nullopt;
  return Found{numbers[0], {numbers.begin() + 1, numbers.end()}};
}

std::vector<double> errors_of(const Claim& claim, const CheckContext& context, Index trial) {
  const ExperimentClaim& check = experiment_of(claim);
  const CheckpointStore& store = context.checkpoints;
  const std::string key = trial_key(claim, context, trial);
  if (store.recall)
    if (const auto text = store.recall(key))
      if (auto found = read(*text, check.places.size())) {
        if (store.took_before) store.took_before(found->seconds);
        return std::move(found->errors);
      }
  const auto start = std::chrono::steady_clock::now();
  Found found{.errors = check.errors(context.seed, trial)};
  found.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (found.errors.size() != check.places.size())
    throw std::logic_error(fmt::format("{} gives {} errors at {} places", claim.id,
                                       found.errors.size(), check.places.size()));
  if (store.keep) store.keep(key, as_text(found));
  return std::move(found.errors);
}

// A look has twice the trials of the one before, all of whose it keeps; none is taken after one
// that decides. What each may spend of the probabilities of a wrong decision is fixed before, so
// that they hold for all looks together.
constexpr std::array<double, 4> shares{1.0 / 2, 1.0 / 4, 1.0 / 8, 1.0 / 8};

// That a statement is called consistent though a comparison of it is false.
constexpr double wrongly_consistent = 0.01;

struct Stage {
  Errors errors;         // place by place
  double level = 0;      // of each decision that refutes
  double share = 1;      // of the levels, that this look spends
  std::size_t look = 0;  // from 0
  Confirmation finding = Confirmation::undecided;

  std::size_t trials() const { return errors.front().size(); }
};

// Adds the trials number `first` to `first` + `count` - 1.
void add_trials(Errors& errors, const Claim& claim, const CheckContext& context, Index first,
                Index count) {
  const std::size_t before = errors.front().size();
  for (std::vector<double>& values : errors)
    values.resize(before + static_cast<std::size_t>(count));
  parallel_for(count, context.threads, [&](Index k) {
    const std::vector<double> numbers = errors_of(claim, context, first + k);
    for (std::size_t place = 0; place < numbers.size(); ++place)
      errors[place][before + static_cast<std::size_t>(k)] = numbers[place];
  });
}

void find(Stage& stage, const ExperimentClaim& check) {
  const auto decisions = static_cast<double>(number_of_comparisons(check.alternatives));
  if (decide(check.alternatives, stage.errors, stage.share * wrongly_consistent) ==
      Confirmation::confirmed)
    stage.finding = Confirmation::confirmed;
  else if (decide(check.alternatives, stage.errors, stage.share * stage.level * decisions) ==
           Confirmation::contradicted)
    stage.finding = Confirmation::contradicted;
}

Stage no_trials(const ExperimentClaim& check, double level) {
  return {.errors = Errors(check.places.size()), .level = level};
}

Stage screen(const Claim& claim, const CheckContext& context, double level) {
  const ExperimentClaim& check = experiment_of(claim);
  Stage stage = no_trials(check, level);
  for (;; ++stage.look) {
    const auto before = static_cast<Index>(stage.trials());
    add_trials(stage.errors, claim, context, before, before > 0 ? before : check.trials);
    stage.share = shares.at(stage.look);
    find(stage, check);
    if (stage.finding != Confirmation::undecided || stage.look + 1 == shares.size()) return stage;
  }
}

// On twice as many trials as the screen had, none of which it could have seen.
Stage confirm(const Claim& claim, const CheckContext& context, const Stage& screened,
              double level) {
  const ExperimentClaim& check = experiment_of(claim);
  Stage stage = no_trials(check, level);
  stage.look = screened.look;
  add_trials(stage.errors, claim, context, check.trials << (shares.size() - 1),
             2 * static_cast<Index>(screened.trials()));
  find(stage, check);
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
      const Worst here{comparison,
                       ratio_of_means(comparison, stage.errors, stage.level * stage.share)};
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
  evidence.interval =
      Interval{worst.ratio.lower, worst.ratio.upper, 1 - 2 * stage.level * stage.share};
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

Index planned_trials(const Claim& claim, const CheckContext& context) {
  const ExperimentClaim& check = experiment_of(claim);
  return context.plan < check.smallest_plan ? 0 : check.trials;
}

std::string trial_key(const Claim& claim, const CheckContext& context, Index trial) {
  return fmt::format("experiment {}, seed {}, trial {}", claim.id, context.seed, trial);
}

void keep_trial(const Claim& claim, const CheckContext& context, Index trial) {
  errors_of(claim, context, trial);
}

Evidence check_experiment(const Claim& claim, const CheckContext& context) {
  const ExperimentClaim& check = experiment_of(claim);
  if (planned_trials(claim, context) == 0) return outside_the_plan(claim, context);
  const StageLevels levels =
      stage_levels(context.level, static_cast<double>(number_of_comparisons(check.alternatives)));
  const Stage screened = screen(claim, context, levels.screen);
  const bool confirms = screened.finding == Confirmation::contradicted;
  const Stage decided =
      confirms ? confirm(claim, context, screened, levels.confirmation) : screened;

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
  if (screened.look > 0)
    evidence.reason += fmt::format(" Look {} of at most {}, at {} trials.", screened.look + 1,
                                   shares.size(), screened.trials());
  for (std::size_t place = 0; place < check.places.size(); ++place)
    evidence.measurements.push_back(
        {fmt::format("mean of {}", check.places[place]), summarise(decided.errors[place]).mean});
  evidence.measurements.push_back({"trials", static_cast<double>(decided.trials())});
  evidence.measurements.push_back({"significance of each decision that refutes", decided.level});
  evidence.measurements.push_back({"share of it spent at this look", decided.share});
  return evidence;
}

}  // namespace dpverify
