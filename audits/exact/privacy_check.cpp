#include "audits/exact/privacy_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "algorithms/core/checked.hpp"
#include "audits/exact/privacy_curve.hpp"
#include "properties/worst_pair.hpp"

namespace dpverify {
namespace {

constexpr double rounding = 1e-9;  // relative

std::string leak_on(const Mechanism& mechanism, const NeighbouringPair& pair,
                    std::uint64_t outcome_seed) {
  const RandomStream stream({.seed = outcome_seed, .claim = "prefix", .purpose = "outcomes"});
  return replay(mechanism, pair.neighbour, record(mechanism, pair.data, stream)).leak;
}

Table curve_of(const OutputPair& pair, double claimed) {
  Table table{"delta(epsilon) on the worst pair", {"epsilon", "forward", "backward"}, {}};
  for (int k = 0; k <= 20; ++k) {
    const double epsilon = claimed * k / 8;
    table.rows.push_back({epsilon, delta_at(pair, epsilon, Direction::forward),
                          delta_at(pair, epsilon, Direction::backward)});
  }
  return table;
}

}  // namespace

Evidence check_privacy(const Claim& claim, const CheckContext& context) {
  const auto& check = std::get<PrivacyClaim>(claim.check);
  const bool smoke = context.plan == Plan::smoke;
  Evidence evidence{.claim = claim.id, .method = "exact audit by enumeration of outcome paths"};
  evidence.seed = context.seed;

  Table settings{"smallest epsilon by setting", {}, {}};
  double worst_ratio = -1;
  std::string leak;
  for (std::size_t k = 0; k < check.settings.size(); ++k) {
    const Setting& setting = check.settings[k];
    const Mechanism mechanism = check.mechanism(setting.parameters);
    const PrivacyGuarantee guarantee = check.guarantee(setting.parameters);
    const auto epsilon_on = [&](const NeighbouringPair& pair) {
      return smallest_epsilon(output_pair(mechanism, pair), guarantee.delta);
    };
    const WorstPair worst = search_worst_pair(
        {setting.records, setting.dimension, smoke ? 3'000U : 30'000U}, epsilon_on,
        RandomStream(
            {.seed = context.seed, .claim = claim.id, .purpose = "worst pair", .trial = k}));
    evidence.samples += worst.evaluations;
    const double ratio = worst.objective / guarantee.epsilon;

    if (settings.columns.empty()) {
      settings.columns = {"records", "dimension"};
      for (const auto& [parameter, value] : setting.parameters)
        settings.columns.push_back(parameter);
      for (const char* column : {"epsilon claimed", "epsilon found", "found/claimed"})
        settings.columns.emplace_back(column);
    }
    std::vector<double> row{static_cast<double>(setting.records),
                            static_cast<double>(setting.dimension)};
    for (const auto& [parameter, value] : setting.parameters) row.push_back(value);
    for (const double value : {guarantee.epsilon, worst.objective, ratio}) row.push_back(value);
    settings.rows.push_back(std::move(row));

    if (ratio <= worst_ratio) continue;
    worst_ratio = ratio;
    evidence.estimate = worst.objective;
    evidence.claimed = guarantee.epsilon;
    const OutputPair outputs = output_pair(mechanism, worst.pair);
    const OutputPair::Output& output = worst_output(outputs);
    leak = leak_on(mechanism, worst.pair, k);
    evidence.tables = {curve_of(outputs, guarantee.epsilon)};
    evidence.measurements = {
        {"delta at the claimed epsilon", delta_at(outputs, guarantee.epsilon)},
        {"delta claimed", guarantee.delta},
        {"outcome paths", static_cast<double>(outputs.paths)},
        {"distinct outputs", static_cast<double>(outputs.outputs.size())},
        {"log probability of the worst output on the dataset", output.log_p},
        {"log probability of the worst output on the neighbour", output.log_q}};
    evidence.witness =
        Witness{.parameters = setting.parameters,
                .pair = worst.pair,
                .outcome_seed = k,
                .outcomes = output.path,
                .explanation = fmt::format(
                    "the output reached by outcomes [{}] has probability {:.6g} on the dataset "
                    "and {:.6g} on its neighbour",
                    fmt::join(output.path, ", "), std::exp(output.log_p), std::exp(output.log_q))};
  }
  evidence.tables.insert(evidence.tables.begin(), std::move(settings));
  evidence.tightness = worst_ratio;

  const auto [estimate, claimed] = std::pair(*evidence.estimate, *evidence.claimed);
  if (worst_ratio > 1 + rounding) {
    evidence.verdict = Verdict::refuted;
    evidence.reason = fmt::format(
        "Exact: epsilon is at least {:.6g} where {:.6g} is claimed ({:.4f} times), on a pair of {} "
        "records; {}{}{}.",
        estimate, claimed, worst_ratio, evidence.witness->pair->data.size(),
        evidence.witness->explanation, leak.empty() ? "" : "; ", leak);
  } else {
    evidence.verdict = Verdict::consistent;
    evidence.reason = fmt::format(
        "Exact on the worst of {} searched pairs: epsilon {:.6g} where {:.6g} is claimed ({:.4f} "
        "times).",
        evidence.samples, estimate, claimed, worst_ratio);
  }
  return evidence;
}

}  // namespace dpverify
