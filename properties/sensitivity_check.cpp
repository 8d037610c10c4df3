#include "properties/sensitivity_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "algorithms/claims/plans.hpp"
#include "algorithms/core/checked.hpp"
#include "algorithms/core/determinism.hpp"
#include "algorithms/core/numbers.hpp"
#include "algorithms/core/rounding.hpp"
#include "properties/rapidcheck_bridge.hpp"
#include "properties/worst_pair.hpp"

namespace dpverify {
namespace {

struct Measured {
  double ratio = 0;         // largest change/declared sensitivity over the releases
  bool released = false;    // the run made a release
  std::string explanation;  // of the worst release, or of the leak
};

// Records a run on one dataset, replays it on the other, and compares release by release.
Measured measure(const Mechanism& mechanism, const NeighbouringPair& pair,
                 std::uint64_t outcome_seed) {
  const RandomStream stream({.seed = outcome_seed, .claim = "prefix", .purpose = "outcomes"});
  Replay result;
  try {
    result =
        replay(mechanism, pair.neighbour, record(mechanism, pair.data, stream), LogRatios::skip);
  } catch (const NonFiniteRelease& problem) {
    return {infinity, true, problem.what()};
  }
  if (!result.leak.empty()) return {infinity, true, result.leak};
  if (result.steps.empty()) return {};
  const Replay::Step& worst = result.steps[result.worst_step];
  return {result.worst_ratio, true,
          fmt::format(
              "{}the pre-noise value changes by {:.6g}, {:.6g} times the declared "
              "sensitivity {:.6g}",
              result.steps.size() == 1
                  ? ""
                  : fmt::format("at release {} of {} ", result.worst_step + 1, result.steps.size()),
              worst.change.distance, result.worst_ratio, worst.declared_sensitivity)};
}

class SensitivityCheck {
 public:
  SensitivityCheck(const Claim& claim, const CheckContext& context)
      : claim_(claim),
        check_(std::get<SensitivityClaim>(claim.check)),
        context_(context),
        plan_(budget_of(context.plan)) {
    evidence_.claim = claim.id;
    evidence_.method = "RapidCheck property and worst-pair search";
    evidence_.claimed = 1;
    evidence_.seed = context.seed;
  }

  Evidence run() && {
    try_random_cases();
    search_settings();
    evidence_.samples = property_.cases + evaluations_;
    evidence_.measurements = {{"property cases", static_cast<double>(property_.cases)},
                              {"search evaluations", static_cast<double>(evaluations_)}};
    conclude();
    return std::move(evidence_);
  }

 private:
  void try_random_cases() {
    const auto holds = [&](const PropertyInput& input) {
      const Measured measured =
          measure(check_.mechanism(input.parameters), input.pair, input.outcome_seed);
      released_ = released_ || measured.released;
      return measured.ratio <= 1 + rounding;
    };
    RandomStream seeds({.seed = context_.seed, .claim = claim_.id, .purpose = "property"});
    property_ = search_pairs({.ranges = check_.ranges,
                              .smallest_dimension = check_.smallest_dimension,
                              .largest_dimension = check_.largest_dimension,
                              .seed = seeds.bits(),
                              .cases = plan_.property_cases},
                             holds);
  }

  // The largest ratio of a search at a setting; each round is twice as long as the last.
  double search(std::size_t k, std::uint64_t round) {
    const Setting& setting = check_.settings[k];
    const Mechanism mechanism = check_.mechanism(setting.parameters);
    const WorstPair worst = search_worst_pair(
        {setting.records, setting.dimension, plan_.search_evaluations << round},
        [&](const NeighbouringPair& pair) { return measure(mechanism, pair, k).ratio; },
        RandomStream({.seed = context_.seed,
                      .claim = claim_.id,
                      .purpose = "worst pair",
                      .trial = round * check_.settings.size() + k}));
    evaluations_ += worst.evaluations;
    if (evidence_.witness && worst.objective <= tightness_) return worst.objective;
    tightness_ = worst.objective;
    evidence_.witness = Witness{.parameters = setting.parameters,
                                .pair = worst.pair,
                                .outcome_seed = k,
                                .explanation = measure(mechanism, worst.pair, k).explanation};
    return worst.objective;
  }

  void search_settings() {
    if (check_.settings.empty()) return;
    Table settings{"worst pair by setting", {"records", "dimension"}, {}};
    for (const auto& [parameter, value] : check_.settings.front().parameters)
      settings.columns.push_back(parameter);
    settings.columns.push_back("tightness");
    for (std::size_t k = 0; k < check_.settings.size(); ++k) {
      const Setting& setting = check_.settings[k];
      std::vector<double> row{static_cast<double>(setting.records),
                              static_cast<double>(setting.dimension)};
      for (const auto& [parameter, value] : setting.parameters) row.push_back(value);
      row.push_back(search(k, 0));
      settings.rows.push_back(std::move(row));
    }
    // A search may miss the pair that reaches the bound; one that finds it is right. So where the
    // claim is that there is one, further searches, each twice as long, cost nothing but time.
    for (std::uint64_t round = 1; round < plan_.attained_rounds && check_.attained &&
                                  !property_.counterexample && tightness_ < 1 - rounding;
         ++round)
      for (std::size_t k = 0; k < check_.settings.size(); ++k) {
        double& found = settings.rows[k].back();
        found = std::max(found, search(k, round));
      }
    evidence_.tables.push_back(std::move(settings));
  }

  // Of random numbers that the mechanism draws outside its releases where it seems to fail.
  std::string own_randomness_where_it_fails() const {
    const auto on = [&](const ParameterPoint& parameters, const Dataset& data) {
      return own_randomness(check_.mechanism(parameters), data);
    };
    std::string own;
    if (property_.counterexample)
      own = on(property_.counterexample->parameters, property_.counterexample->pair.data);
    if (own.empty() && tightness_ > 1 + rounding)
      own = on(evidence_.witness->parameters, evidence_.witness->pair->data);
    return own;
  }

  // The worst searched pair, without the records that it does not need.
  void simplify_witness() {
    Witness& witness = *evidence_.witness;
    const Mechanism mechanism = check_.mechanism(witness.parameters);
    witness.pair = with_fewer_records(std::move(*witness.pair), tightness_ * (1 - rounding),
                                      [&](const NeighbouringPair& pair) {
                                        return measure(mechanism, pair, witness.outcome_seed).ratio;
                                      });
    witness.explanation = measure(mechanism, *witness.pair, witness.outcome_seed).explanation;
  }

  void conclude() {
    if (const std::string own = own_randomness_where_it_fails(); !own.empty()) {
      evidence_.verdict = Verdict::inconclusive;
      evidence_.reason = fmt::format("Not measured: {}.", own);
    } else if (property_.counterexample) {
      refute_by_case(*property_.counterexample);
    } else if (tightness_ > 1 + rounding) {
      evidence_.verdict = Verdict::refuted;
      evidence_.estimate = evidence_.tightness = tightness_;
      simplify_witness();
      evidence_.reason =
          fmt::format("The search found a pair where {}.", evidence_.witness->explanation);
    } else if (!released_) {
      // Nothing random reaches the output through a release: what it draws, it draws unnoticed.
      evidence_.verdict = Verdict::refuted;
      evidence_.estimate = evidence_.tightness = infinity;  // of nothing declared
      evidence_.reason = fmt::format(
          "In none of {} random cases did the mechanism make a release: no sensitivity is declared "
          "for whatever noise it draws.",
          property_.cases);
    } else {
      find_nothing();
    }
  }

  void refute_by_case(const PropertyInput& input) {
    const Measured worst =
        measure(check_.mechanism(input.parameters), input.pair, input.outcome_seed);
    evidence_.verdict = Verdict::refuted;
    evidence_.estimate = evidence_.tightness = std::max(worst.ratio, tightness_);
    evidence_.measurements.push_back({"shrink steps", static_cast<double>(property_.shrink_steps)});
    evidence_.measurements.push_back({"ratio on the shrunk pair", worst.ratio});
    // The pair shown is the worst of the two, unless the shrunk one is as good.
    const bool searched_is_worse = evidence_.witness && tightness_ > worst.ratio * (1 + rounding);
    if (searched_is_worse) simplify_witness();
    evidence_.reason = fmt::format(
        "Case {} of the property fails; on the shrunk pair of {} record{}, {}{}.",
        property_.cases + 1, input.pair.data.size(), input.pair.data.size() == 1 ? "" : "s",
        worst.explanation,
        searched_is_worse ? fmt::format("; on the pair shown, the worst of {} searched pairs, {}",
                                        evaluations_, evidence_.witness->explanation)
                          : "");
    if (searched_is_worse) return;
    evidence_.witness = Witness{.parameters = input.parameters,
                                .pair = input.pair,
                                .outcome_seed = input.outcome_seed,
                                .explanation = worst.explanation};
  }

  void find_nothing() {
    evidence_.estimate = tightness_;
    evidence_.tightness = at_most_claimed(tightness_);
    if (tightness_ > 0) evidence_.smallest_fault = std::max(1.0, 1 / tightness_);
    const bool reached = tightness_ >= 1 - rounding;
    evidence_.verdict = check_.attained && !reached ? Verdict::inconclusive : Verdict::consistent;
    evidence_.reason = fmt::format(
        "No change above the declared sensitivity in {} random cases and {} searched pairs; the "
        "largest is {:.4f} of it{}.",
        property_.cases, evaluations_, tightness_,
        check_.attained
            ? (reached ? ": the bound is attained" : ", so the claimed equality is not shown")
            : "");
  }

  const Claim& claim_;
  const SensitivityClaim& check_;
  const CheckContext& context_;
  const PlanBudget& plan_;
  Evidence evidence_;
  PropertyResult<PropertyInput> property_;
  bool released_ = false;
  double tightness_ = 0;
  std::uint64_t evaluations_ = 0;
};

}  // namespace

Evidence check_sensitivity(const Claim& claim, const CheckContext& context) {
  return SensitivityCheck(claim, context).run();
}

}  // namespace dpverify
