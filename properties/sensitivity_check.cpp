#include "properties/sensitivity_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "algorithms/claims/plans.hpp"
#include "algorithms/core/checked.hpp"
#include "algorithms/core/determinism.hpp"
#include "properties/rapidcheck_bridge.hpp"
#include "properties/worst_pair.hpp"

namespace dpverify {
namespace {

constexpr double rounding = 1e-9;  // relative; sums of a few hundred doubles stay far below
constexpr double infinity = std::numeric_limits<double>::infinity();

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
          fmt::format("at release {} of {} the pre-noise value changes by {:.6g}, {:.6g} times the "
                      "declared sensitivity {:.6g}",
                      result.worst_step + 1, result.steps.size(), worst.change.distance,
                      result.worst_ratio, worst.declared_sensitivity)};
}

}  // namespace

Evidence check_sensitivity(const Claim& claim, const CheckContext& context) {
  const auto& check = std::get<SensitivityClaim>(claim.check);
  const PlanBudget& plan = budget_of(context.plan);
  Evidence evidence{.claim = claim.id, .method = "RapidCheck property and worst-pair search"};
  evidence.claimed = 1;
  evidence.seed = context.seed;

  bool released = false;
  const auto holds = [&](const PropertyInput& input) {
    const Measured measured =
        measure(check.mechanism(input.parameters), input.pair, input.outcome_seed);
    released = released || measured.released;
    return measured.ratio <= 1 + rounding;
  };
  RandomStream seeds({.seed = context.seed, .claim = claim.id, .purpose = "property"});
  const auto property = search_pairs({.ranges = check.ranges,
                                      .smallest_dimension = check.smallest_dimension,
                                      .largest_dimension = check.largest_dimension,
                                      .seed = seeds.bits(),
                                      .cases = plan.property_cases},
                                     holds);

  Table settings{"worst pair by setting", {}, {}};
  double tightness = 0;
  std::uint64_t evaluations = 0;
  const auto search = [&](std::size_t k, std::uint64_t round) {
    const Setting& setting = check.settings[k];
    const Mechanism mechanism = check.mechanism(setting.parameters);
    const WorstPair worst = search_worst_pair(
        {setting.records, setting.dimension, plan.search_evaluations << round},
        [&](const NeighbouringPair& pair) { return measure(mechanism, pair, k).ratio; },
        RandomStream({.seed = context.seed,
                      .claim = claim.id,
                      .purpose = "worst pair",
                      .trial = round * check.settings.size() + k}));
    evaluations += worst.evaluations;
    if (evidence.witness && worst.objective <= tightness) return worst.objective;
    tightness = worst.objective;
    evidence.witness = Witness{.parameters = setting.parameters,
                               .pair = worst.pair,
                               .outcome_seed = k,
                               .explanation = measure(mechanism, worst.pair, k).explanation};
    return worst.objective;
  };
  for (std::size_t k = 0; k < check.settings.size(); ++k) {
    const Setting& setting = check.settings[k];
    if (settings.columns.empty()) {
      settings.columns = {"records", "dimension"};
      for (const auto& [parameter, value] : setting.parameters)
        settings.columns.push_back(parameter);
      settings.columns.push_back("tightness");
    }
    std::vector<double> row{static_cast<double>(setting.records),
                            static_cast<double>(setting.dimension)};
    for (const auto& [parameter, value] : setting.parameters) row.push_back(value);
    row.push_back(search(k, 0));
    settings.rows.push_back(std::move(row));
  }
  // A search may miss the pair that reaches the bound; one that finds it is right. So where the
  // claim is that there is one, further searches, each twice as long, cost nothing but time.
  for (std::uint64_t round = 1; round < plan.attained_rounds && check.attained &&
                                !property.counterexample && tightness < 1 - rounding;
       ++round)
    for (std::size_t k = 0; k < check.settings.size(); ++k) {
      double& found = settings.rows[k].back();
      found = std::max(found, search(k, round));
    }
  if (!settings.rows.empty()) evidence.tables.push_back(std::move(settings));

  const auto own_randomness_on = [&](const ParameterPoint& parameters, const Dataset& data) {
    return own_randomness(check.mechanism(parameters), data);
  };
  std::string own;
  if (property.counterexample)
    own =
        own_randomness_on(property.counterexample->parameters, property.counterexample->pair.data);
  if (own.empty() && evidence.witness && tightness > 1 + rounding)
    own = own_randomness_on(evidence.witness->parameters, evidence.witness->pair->data);

  evidence.samples = property.cases + evaluations;
  evidence.measurements = {{"property cases", static_cast<double>(property.cases)},
                           {"search evaluations", static_cast<double>(evaluations)}};
  if (!own.empty()) {
    evidence.verdict = Verdict::inconclusive;
    evidence.reason = fmt::format("Not measured: {}.", own);
  } else if (property.counterexample) {
    const PropertyInput& input = *property.counterexample;
    const Measured worst =
        measure(check.mechanism(input.parameters), input.pair, input.outcome_seed);
    evidence.verdict = Verdict::refuted;
    evidence.tightness = std::max(worst.ratio, tightness);
    evidence.measurements.push_back({"shrink steps", static_cast<double>(property.shrink_steps)});
    evidence.measurements.push_back({"ratio on the shrunk pair", worst.ratio});
    evidence.reason = fmt::format(
        "Case {} of the property fails; on the shrunk pair of {} record{}, {}{}.",
        property.cases + 1, input.pair.data.size(), input.pair.data.size() == 1 ? "" : "s",
        worst.explanation,
        tightness > worst.ratio
            ? fmt::format("; the searched pairs reach {:.6g} times the declared sensitivity",
                          tightness)
            : "");
    evidence.witness = Witness{.parameters = input.parameters,
                               .pair = input.pair,
                               .outcome_seed = input.outcome_seed,
                               .explanation = worst.explanation};
  } else if (tightness > 1 + rounding) {
    evidence.verdict = Verdict::refuted;
    evidence.tightness = tightness;
    evidence.reason =
        fmt::format("The search found a pair where {}.", evidence.witness->explanation);
  } else if (!released) {
    // Nothing random reaches the output through a release: what it draws, it draws unnoticed.
    evidence.verdict = Verdict::refuted;
    evidence.tightness = tightness;
    evidence.reason = fmt::format(
        "In none of {} random cases did the mechanism make a release: no sensitivity is declared "
        "for whatever noise it draws.",
        property.cases);
  } else {
    evidence.tightness = tightness;
    const bool reached = tightness >= 1 - rounding;
    evidence.verdict = check.attained && !reached ? Verdict::inconclusive : Verdict::consistent;
    evidence.reason = fmt::format(
        "No change above the declared sensitivity in {} random cases and {} searched pairs; the "
        "largest is {:.4f} of it{}.",
        property.cases, evaluations, tightness,
        check.attained
            ? (reached ? ": the bound is attained" : ", so the claimed equality is not shown")
            : "");
  }
  evidence.estimate = evidence.tightness;
  return evidence;
}

}  // namespace dpverify
