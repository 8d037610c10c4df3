// The audit of every setting of a claim, as a run of all checks asks for it.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>

#include "algorithms/core/determinism.hpp"
#include "algorithms/core/numbers.hpp"
#include "algorithms/core/rounding.hpp"
#include "audits/accounting/certify.hpp"
#include "audits/bracket.hpp"
#include "audits/subject.hpp"

namespace dpverify {
namespace {

// A plain pair with one record whose every entry differs.
NeighbouringPair pair_with_opposite_record(const Setting& setting) {
  NeighbouringPair pair = plain_pair(setting);
  pair.neighbour.features.row(0).setConstant(-1);
  pair.neighbour.labels[0] = 1;
  return pair;
}

Table curve_of(const PairAudit& audit, double claimed) {
  Table table{"delta(epsilon) on the pair shown", {"epsilon", "forward", "backward"}, {}};
  for (int k = 0; k <= 20; ++k) {
    const double epsilon = claimed * k / 8;
    table.rows.push_back({epsilon, audit.delta(epsilon, Direction::forward),
                          audit.delta(epsilon, Direction::backward)});
  }
  return table;
}

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

// Every setting, one row each, with what composition certifies there.
struct Certified {
  Table table{"certified epsilon by setting, given the sensitivity claims", {}, {}};
  std::vector<double> ratios;  // certified/claimed epsilon
  std::string problem;         // why the first that is infinite is
  bool declared = true;        // false if at every setting a release declares no cost
};

Certified certify_settings(const Claim& claim, std::uint64_t seed) {
  const auto& check = std::get<PrivacyClaim>(claim.check);
  Certified out;
  bool some_declared = false;
  for (std::size_t k = 0; k < count_settings(check); ++k) {
    const Setting& setting = setting_of(check, k);
    const PrivacyGuarantee guarantee = check.guarantee(setting.parameters);
    const Certificate certificate = certify(
        check.mechanism(setting.parameters), setting.records, setting.dimension, guarantee.delta,
        RandomStream({.seed = seed, .claim = claim.id, .purpose = "certificate", .trial = k}));
    const auto paid = static_cast<double>(certificate.paid);
    const double ratio = certificate.epsilon / guarantee.epsilon;
    add_columns(out.table, setting.parameters,
                {"releases", "releases a record pays for", "epsilon claimed", "epsilon certified",
                 "certified/claimed", "by advanced composition/claimed"});
    add_row(out.table, setting,
            {static_cast<double>(certificate.releases), paid, guarantee.epsilon,
             certificate.epsilon, ratio, certificate.advanced / guarantee.epsilon});
    out.ratios.push_back(ratio);
    some_declared = some_declared || certificate.declared;
    if (out.problem.empty()) out.problem = certificate.problem;
  }
  out.declared = some_declared;
  return out;
}

class SettingsAudit {
 public:
  SettingsAudit(const Claim& claim, const AuditRequest& request)
      : claim_(claim), check_(std::get<PrivacyClaim>(claim.check)), request_(request) {
    evidence_.claim = claim.id;
    evidence_.seed = request.seed;
  }

  Evidence run() && {
    for (std::size_t k = 0; k < check_.settings.size(); ++k)
      if (!look_exactly(k)) return std::move(evidence_);
    if (shown_) look_by_samples();
    const bool refuted = worst_ratio_ > 1 + rounding;
    if (request_.certificate && !refuted && !refuted_by_samples()) certify_and_compare();
    if (check_.settings.empty()) {
      evidence_.method = "optimal composition of the declared releases";
    } else {
      evidence_.tables.insert(evidence_.tables.begin(), std::move(settings_));
      evidence_.tightness = refuted ? worst_ratio_ : at_most_claimed(worst_ratio_);
    }
    conclude();
    return std::move(evidence_);
  }

 private:
  // The pair shown: the worst, of refuting ones the worst that is seen once in a thousand runs, or
  // else the one that is seen most often. (The largest ratio may need an output of probability
  // e^-30.)
  struct Shown {
    std::tuple<bool, bool, double> rank;
    Subject subject;
    ChannelFinding finding;
    double delta = 0;  // at the claimed epsilon
  };

  // False if the mechanism cannot be audited: the evidence says why.
  bool look_exactly(std::size_t k) {
    const Setting& setting = check_.settings[k];
    if (const std::string own =
            own_randomness(check_.mechanism(setting.parameters), plain_pair(setting).data);
        !own.empty()) {
      evidence_.verdict = Verdict::inconclusive;
      evidence_.method = "exact audit";
      evidence_.reason = fmt::format(
          "Not audited: {}. Drawn through a release (a program, if the law is unknown), they could "
          "be.",
          own);
      return false;
    }
    const Subject subject = subject_of(claim_, request_, k);
    ChannelAudit found = std::move(look(claim_, request_, {Channel::exact}, subject).front());
    if (!found.exact) throw std::invalid_argument(found.finding.reason);
    evidence_.method = "exact audit by " + found.method;
    evidence_.samples += subject.evaluations;
    const double claimed = subject.claimed.epsilon, epsilon = *found.finding.epsilon_lower;
    const double excess = found.exact->delta(claimed), ratio = times_claimed(epsilon, claimed);
    add_columns(settings_, setting.parameters,
                {"epsilon claimed", "epsilon found", "found/claimed", "delta claimed",
                 "delta found at the claimed epsilon"});
    add_row(settings_, setting, {claimed, epsilon, ratio, subject.claimed.delta, excess});
    found_.push_back(ratio);
    if (ratio > worst_ratio_) {
      worst_ratio_ = ratio;
      evidence_.estimate = epsilon;
      evidence_.claimed = claimed;
    }
    // A search that climbs the law of the releases may stop at a pair that nothing escapes from.
    if (!found.sees_outputs && beside_the_law_.empty())
      beside_the_law_ =
          !subject.facts.leak.empty()
              ? subject.facts.leak
              : replay_facts(subject.mechanism, pair_with_opposite_record(setting)).leak;
    const bool refutes = ratio > 1 + rounding;
    // How much more often than claimed an output tells the two datasets apart.
    const double seen = excess - subject.claimed.delta;
    const bool visible = refutes && seen >= 1e-3;
    show({refutes, visible, refutes && !visible ? seen : ratio}, k, subject, found);
    return true;
  }

  void show(std::tuple<bool, bool, double> rank, std::size_t k, const Subject& subject,
            const ChannelAudit& found) {
    if (shown_ && rank <= shown_->rank) return;
    const PrivacyGuarantee& claimed = subject.claimed;
    const double delta = found.exact->delta(claimed.epsilon);
    evidence_.tables = {curve_of(*found.exact, claimed.epsilon)};
    evidence_.measurements = {{"epsilon on the pair shown", *found.finding.epsilon_lower},
                              {"epsilon claimed there", claimed.epsilon},
                              {"delta at the claimed epsilon", delta},
                              {"delta claimed", claimed.delta}};
    for (Measurement& more : found.exact->measurements())
      evidence_.measurements.push_back(std::move(more));
    evidence_.witness = Witness{.parameters = subject.setting.parameters,
                                .pair = subject.pair,
                                .outcome_seed = k,
                                .outcomes = found.exact->path(),
                                .explanation = found.exact->explanation()};
    shown_ = Shown{rank, subject, found.finding, delta};
  }

  void look_by_samples() {
    std::vector<Channel> sampled = request_.channels;
    std::erase_if(sampled, [](Channel channel) { return !is_sampled(channel); });
    if (sampled.empty()) return;
    evidence_.channels = {shown_->finding};
    for (ChannelAudit& audit : look(claim_, request_, sampled, shown_->subject)) {
      for (Table& table : audit.tables) evidence_.tables.push_back(std::move(table));
      evidence_.channels.push_back(std::move(audit.finding));
    }
  }

  bool refuted_by_samples() const {
    return std::ranges::any_of(evidence_.channels, [](const ChannelFinding& finding) {
      return finding.channel != name(Channel::exact) && finding.verdict == Verdict::refuted;
    });
  }

  void certify_and_compare() {
    Certified certified = certify_settings(claim_, request_.seed);
    const double ratio = *std::max_element(certified.ratios.begin(), certified.ratios.end());
    evidence_.measurements.push_back({"largest certified/claimed epsilon", ratio});
    evidence_.tables.insert(evidence_.tables.begin(), std::move(certified.table));
    bracket_.problem = beside_the_law_.empty() ? certified.problem : beside_the_law_;
    bracket_.beyond_certificates = !certified.declared;
    // What it rests on is false if a pair needs more.
    for (std::size_t k = 0; k < found_.size() && bracket_.problem.empty(); ++k)
      if (found_[k] > certified.ratios[k] * (1 + rounding))
        bracket_.problem = fmt::format("a pair needs {:.4f} of the {:.4f} times that it certifies",
                                       found_[k], certified.ratios[k]);
    if (bracket_.problem.empty()) bracket_.certified = ratio;
  }

  void conclude() {
    if (worst_ratio_ > 1 + rounding) {
      evidence_.verdict = Verdict::refuted;
      evidence_.reason = refutation();
    } else if (refuted_by_samples()) {
      evidence_.verdict = Verdict::refuted;
      evidence_.reason = nothing_found("");
    } else {
      decide_by_bracket();
    }
    for (const ChannelFinding& finding : evidence_.channels) {
      if (finding.channel == name(Channel::exact)) continue;
      if (finding.verdict == Verdict::refuted) show_figures_of(finding);
      evidence_.reason += fmt::format(" On the pair shown: {}", in_words(finding));
    }
  }

  void decide_by_bracket() {
    if (worst_ratio_ >= 0) bracket_.found = worst_ratio_;
    if (shown_ && beside_the_law_.empty()) bracket_.looked = Strength::exact_on_searched_pairs;
    const Decision decision = decide(bracket_);
    evidence_.reason = nothing_found(decision.reason);
    if (beside_the_law_.empty()) {
      evidence_.verdict = decision.verdict;
      evidence_.strength = decision.strength;
    } else {
      evidence_.verdict = Verdict::inconclusive;
    }
    evidence_.smallest_fault = smallest_fault(bracket_.found);
  }

  // Of samples that refute: what they show is the worst that is known.
  void show_figures_of(const ChannelFinding& finding) {
    const double claimed = shown_->subject.claimed.epsilon;
    const double ratio = times_claimed(finding.epsilon_lower.value_or(0), claimed);
    if (ratio <= *evidence_.tightness) return;
    evidence_.tightness = ratio;
    evidence_.estimate = finding.epsilon_lower;
    evidence_.claimed = claimed;
  }

  std::string refutation() const {
    const std::string& leak = shown_->subject.facts.leak;
    const auto needs = [](double epsilon, double claimed) {
      return fmt::format("{} where {:.6g} is claimed",
                         std::isinf(epsilon) ? std::string("no finite epsilon holds")
                                             : fmt::format("epsilon is at least {:.6g}", epsilon),
                         claimed);
    };
    const std::string worst = needs(*evidence_.estimate, *evidence_.claimed),
                      shown =
                          needs(*shown_->finding.epsilon_lower, shown_->subject.claimed.epsilon);
    const std::string where =
        worst == shown ? ", on the pair shown"
                       : ", on the worst pair. The pair shown is another pair, where it is seen "
                         "more often: " +
                             shown;
    const Index records = shown_->subject.pair.data.size();
    return fmt::format("Exact: {}{} ({} record{}, delta {} at the claimed epsilon): {}{}{}.", worst,
                       where, records, records == 1 ? "" : "s", in_digits(shown_->delta),
                       evidence_.witness->explanation, leak.empty() ? "" : "; ", leak);
  }

  std::string nothing_found(const std::string& decision) const {
    std::string reason =
        check_.settings.empty()
            ? "No exact audit (continuous releases)."
            : fmt::format(
                  "Exact on the worst of {} searched pairs: epsilon {:.6g} where {:.6g} is "
                  "claimed ({:.4f} times).",
                  evidence_.samples, *evidence_.estimate, *evidence_.claimed, worst_ratio_);
    if (!decision.empty()) reason += " " + decision;
    if (!beside_the_law_.empty())
      reason += fmt::format(
          " The laws of the releases are all that this sees, and data reach the output outside "
          "them: {}.",
          beside_the_law_);
    return reason;
  }

  const Claim& claim_;
  const PrivacyClaim& check_;
  const AuditRequest& request_;
  Evidence evidence_;
  Table settings_{"smallest epsilon by setting", {}, {}};
  double worst_ratio_ = -1;
  std::string beside_the_law_;  // a leak that the method of its setting does not see
  std::optional<Shown> shown_;
  std::vector<double> found_;  // epsilon found/claimed, by setting
  Bracket bracket_;
};

}  // namespace

Evidence audit_settings(const Claim& claim, const AuditRequest& request) {
  return SettingsAudit(claim, request).run();
}

}  // namespace dpverify
