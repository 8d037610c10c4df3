#include "audits/privacy_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "algorithms/claims/plans.hpp"
#include "algorithms/core/determinism.hpp"
#include "audits/accounting/certify.hpp"
#include "audits/audit.hpp"
#include "audits/exact/pair_audit.hpp"
#include "properties/worst_pair.hpp"

namespace dpverify {
namespace {

constexpr double rounding = 1e-9;  // relative

// Any pair of the setting's shape: enough to see what kind of releases the mechanism makes.
NeighbouringPair plain_pair(const Setting& setting) {
  const Dataset data{Matrix::Constant(setting.records, setting.dimension, 0.5),
                     VectorXd::Constant(setting.records, 0.5)};
  return {data, data};
}

// The same with one record whose every entry differs.
NeighbouringPair pair_with_opposite_record(const Setting& setting) {
  NeighbouringPair pair = plain_pair(setting);
  pair.neighbour.features.row(0).setConstant(-1);
  pair.neighbour.labels[0] = 1;
  return pair;
}

Table curve_of(const PairAudit& audit, double claimed) {
  Table table{"delta(epsilon) on the worst pair", {"epsilon", "forward", "backward"}, {}};
  for (int k = 0; k <= 20; ++k) {
    const double epsilon = claimed * k / 8;
    table.rows.push_back({epsilon, audit.delta(epsilon, Direction::forward),
                          audit.delta(epsilon, Direction::backward)});
  }
  return table;
}

// The settings whose guarantee follows from composition, one row each; the largest certified over
// claimed epsilon.
struct Certified {
  Table table;
  double worst_ratio = 0;
  std::string problem;  // if that is infinite: why
};

void add_columns(Table& table, const ParameterPoint& parameters,
                 std::initializer_list<const char*> figures) {
  if (!table.columns.empty()) return;
  table.columns = {"records", "dimension"};
  for (const auto& [parameter, value] : parameters) table.columns.push_back(parameter);
  for (const char* column : figures) table.columns.emplace_back(column);
}

void add_row(Table& table, const Setting& setting, std::initializer_list<double> figures) {
  std::vector<double> row{static_cast<double>(setting.records),
                          static_cast<double>(setting.dimension)};
  for (const auto& [parameter, value] : setting.parameters) row.push_back(value);
  row.insert(row.end(), figures);
  table.rows.push_back(std::move(row));
}

Certified certify_settings(const PrivacyClaim& check, const Claim& claim,
                           const CheckContext& context) {
  Certified out{.table = {"certified epsilon by setting, given the sensitivity claims", {}, {}}};
  for (std::size_t k = 0; k < check.certified.size(); ++k) {
    const Setting& setting = check.certified[k];
    const PrivacyGuarantee guarantee = check.guarantee(setting.parameters);
    const Certificate certificate = certify(
        check.mechanism(setting.parameters), setting.records, setting.dimension, guarantee.delta,
        RandomStream(
            {.seed = context.seed, .claim = claim.id, .purpose = "certificate", .trial = k}));
    const auto paid = static_cast<double>(certificate.paid);
    const double ratio = certificate.epsilon / guarantee.epsilon;
    add_columns(out.table, setting.parameters,
                {"releases", "releases a record pays for", "epsilon claimed", "epsilon certified",
                 "certified/claimed", "by advanced composition/claimed"});
    add_row(out.table, setting,
            {static_cast<double>(certificate.releases), paid, guarantee.epsilon,
             certificate.epsilon, ratio, certificate.advanced / guarantee.epsilon});
    out.worst_ratio = std::max(out.worst_ratio, ratio);
    if (out.problem.empty()) out.problem = certificate.problem;
  }
  return out;
}

}  // namespace

Evidence check_privacy(const Claim& claim, const CheckContext& context) {
  const auto& check = std::get<PrivacyClaim>(claim.check);
  if (check.pair) return audit_claim(claim, audit_request(context));
  Evidence evidence{.claim = claim.id};
  evidence.seed = context.seed;

  Table settings{"smallest epsilon by setting", {}, {}};
  double worst_ratio = -1;
  std::string leak;            // on the pair shown
  std::string beside_the_law;  // a leak that the method of its setting does not see
  std::pair<bool, double> shown;
  for (std::size_t k = 0; k < check.settings.size(); ++k) {
    const Setting& setting = check.settings[k];
    const Mechanism mechanism = check.mechanism(setting.parameters);
    const PrivacyGuarantee guarantee = check.guarantee(setting.parameters);
    const RandomStream stream(
        {.seed = context.seed, .claim = claim.id, .purpose = "worst pair", .trial = k});
    if (const std::string own = own_randomness(mechanism, plain_pair(setting).data); !own.empty()) {
      evidence.verdict = Verdict::inconclusive;
      evidence.method = "exact audit";
      evidence.reason = fmt::format(
          "Not audited: {}. Drawn through a release (a program, if the law is unknown), they could "
          "be.",
          own);
      return evidence;
    }
    const AuditMethod method = audit_method(mechanism, plain_pair(setting));
    evidence.method = fmt::format("exact audit by {}", describe(method));
    // One evaluation of these costs as much as several of the others.
    const std::uint64_t dear = method == AuditMethod::objective  ? 10
                               : method == AuditMethod::composed ? 20
                                                                 : 1;
    const std::uint64_t evaluations = budget_of(context.plan).audit_evaluations / dear;
    const WorstPair worst = search_worst_pair(
        {setting.records, setting.dimension, evaluations},
        [&](const NeighbouringPair& pair) {
          return audit_pair(method, mechanism, pair)->objective(guarantee.delta);
        },
        stream);
    evidence.samples += worst.evaluations;
    const auto audit = audit_pair(method, mechanism, worst.pair);
    const double found = audit->epsilon(guarantee.delta);
    const double excess = audit->delta(guarantee.epsilon);
    const double ratio = found / guarantee.epsilon;

    add_columns(settings, setting.parameters,
                {"epsilon claimed", "epsilon found", "found/claimed", "delta claimed",
                 "delta found at the claimed epsilon"});
    add_row(settings, setting, {guarantee.epsilon, found, ratio, guarantee.delta, excess});

    if (ratio > worst_ratio) {
      worst_ratio = ratio;
      evidence.estimate = found;
      evidence.claimed = guarantee.epsilon;
    }
    const ReplayFacts facts = replay_facts(mechanism, worst.pair);
    // A search that climbs the law of the releases may stop at a pair that nothing escapes from.
    if (method != AuditMethod::finite && beside_the_law.empty())
      beside_the_law = !facts.leak.empty()
                           ? facts.leak
                           : replay_facts(mechanism, pair_with_opposite_record(setting)).leak;

    // The witness shown is the worst pair or, among refuting ones, the most visible: the one with
    // the largest delta at the claimed epsilon. (The largest ratio may need an output of
    // probability e^-30.)
    const bool refutes = ratio > 1 + rounding;
    const auto rank = std::pair(refutes, refutes ? excess : ratio);
    if (evidence.witness && rank <= shown) continue;
    shown = rank;
    leak = facts.leak;
    evidence.tables = {curve_of(*audit, guarantee.epsilon)};
    evidence.measurements = audit->measurements();
    evidence.measurements.insert(evidence.measurements.begin(),
                                 {Measurement{"delta at the claimed epsilon", excess},
                                  Measurement{"delta claimed", guarantee.delta}});
    evidence.witness = Witness{.parameters = setting.parameters,
                               .pair = worst.pair,
                               .outcome_seed = k,
                               .outcomes = audit->path(),
                               .explanation = audit->explanation()};
  }
  std::string bracket;
  bool decided = !check.settings.empty();  // one end of the bracket speaks for the claim
  if (!check.certified.empty()) {
    Certified certified = certify_settings(check, claim, context);
    evidence.measurements.push_back({"largest certified/claimed epsilon", certified.worst_ratio});
    // What it rests on is false if a pair needs more.
    const bool contradicted = worst_ratio > std::max(1.0, certified.worst_ratio) * (1 + rounding);
    decided = decided || (certified.worst_ratio <= 1 && !contradicted);
    bracket = !certified.problem.empty()
                  ? fmt::format(" Composition certifies nothing, because {}.", certified.problem)
              : contradicted ? " Composition certifies nothing, because a pair needs more than it "
                               "would certify."
              : certified.worst_ratio <= 1
                  ? fmt::format(
                        " Composition certifies at most {:.4f} of the claimed epsilon, "
                        "given the sensitivity claims.",
                        certified.worst_ratio)
                  : fmt::format(
                        " Composition certifies only {:.4f} times the claimed epsilon: the "
                        "gap is open.",
                        certified.worst_ratio);
    evidence.tables.insert(evidence.tables.begin(), std::move(certified.table));
  }
  if (!check.settings.empty()) {
    evidence.tables.insert(evidence.tables.begin(), std::move(settings));
    evidence.tightness = worst_ratio;
  } else {
    evidence.method = "optimal composition of the declared releases";
  }

  if (worst_ratio > 1 + rounding) {
    evidence.verdict = Verdict::refuted;
    evidence.reason = fmt::format(
        "Exact: {} where {:.6g} is claimed. On the pair shown ({} records, delta {:.4g} at the "
        "claimed epsilon) {}{}{}.",
        std::isinf(*evidence.estimate)
            ? std::string("no finite epsilon holds")
            : fmt::format("epsilon is at least {:.6g}", *evidence.estimate),
        *evidence.claimed, evidence.witness->pair->data.size(), shown.second,
        evidence.witness->explanation, leak.empty() ? "" : "; ", leak);
  } else {
    evidence.verdict =
        decided && beside_the_law.empty() ? Verdict::consistent : Verdict::inconclusive;
    evidence.reason =
        check.settings.empty()
            ? "No exact audit (continuous releases)."
            : fmt::format(
                  "Exact on the worst of {} searched pairs: epsilon {:.6g} where {:.6g} is "
                  "claimed ({:.4f} times).",
                  evidence.samples, *evidence.estimate, *evidence.claimed, worst_ratio);
    evidence.reason += bracket;
    if (!beside_the_law.empty())
      evidence.reason += fmt::format(
          " The laws of the releases are all that this sees, and data reach the output outside "
          "them: {}.",
          beside_the_law);
  }
  return evidence;
}

}  // namespace dpverify
