#include "audits/audit.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "algorithms/claims/plans.hpp"
#include "algorithms/core/checked.hpp"
#include "audits/accounting/certify.hpp"
#include "audits/exact/pair_audit.hpp"
#include "properties/worst_pair.hpp"

namespace dpverify {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double rounding = 1e-9;         // relative
constexpr std::uint64_t search_runs = 4;  // transcripts an evaluation of a sampled search

NeighbouringPair plain_pair(const Setting& setting) {
  const Dataset data{Matrix::Constant(setting.records, setting.dimension, 0.5),
                     VectorXd::Constant(setting.records, 0.5)};
  return {data, data, 0};
}

// The exact method, unless it leaves out an objective perturbation: a search that sees nothing but
// the noise after it would miss most of what is released.
AuditMethod search_method(const Mechanism& mechanism, const NeighbouringPair& pair) {
  const AuditMethod method = audit_method(mechanism, pair);
  if (method == AuditMethod::objective) return method;
  const Transcript transcript =
      record(mechanism, pair.data, RandomStream({.claim = "search", .purpose = "outcomes"}));
  const bool left_out = std::any_of(
      transcript.entries.begin(), transcript.entries.end(),
      [](const auto& entry) { return std::holds_alternative<ObjectivePerturbation>(entry.law); });
  return left_out ? AuditMethod::none : method;
}

// What a search climbs: the exact audit's objective, or the mean |log likelihood ratio| of a few
// transcripts that are the same for every pair.
double badness(const Mechanism& mechanism, AuditMethod method, const NeighbouringPair& pair,
               double delta, const RandomStream::Key& key) {
  if (method != AuditMethod::none) return audit_pair(method, mechanism, pair)->objective(delta);
  double sum = 0;
  for (std::uint64_t k = 0; k < search_runs; ++k) {
    RandomStream::Key own = key;
    own.trial = k;
    const Replay replayed =
        replay(mechanism, pair.neighbour, record(mechanism, pair.data, RandomStream(own)));
    if (!replayed.leak.empty()) return infinity;
    sum += std::abs(replayed.log_likelihood_ratio);
  }
  return sum / search_runs;
}

// Records of zeros or ones, the last of them replaced: its entries huge, small or zero.
std::vector<NeighbouringPair> corners(const Setting& setting) {
  std::vector<NeighbouringPair> pairs;
  for (const double base : {0.0, 1.0})
    for (const double here : {-1e6, -1.0, 0.0})
      for (const double there : {1e6, 1.0}) {
        Dataset data{Matrix::Constant(setting.records, setting.dimension, base),
                     VectorXd::Constant(setting.records, base)};
        Dataset neighbour = data;
        const Index last = setting.records - 1;
        data.features.row(last).setConstant(here == 0 ? base : 1);
        data.labels[last] = here;
        neighbour.features.row(last).setConstant(1);
        neighbour.labels[last] = there;
        pairs.push_back({data, neighbour, last});
        data.features.row(last).setConstant(here);
        neighbour.features.row(last).setConstant(there);
        pairs.push_back({data, neighbour, last});
      }
  return pairs;
}

struct ChosenPair {
  NeighbouringPair pair;
  std::string origin;  // in words
};

ChosenPair choose_pair(const Claim& claim, const AuditRequest& request, const Setting& setting,
                       const Mechanism& mechanism, double delta) {
  const auto& check = std::get<PrivacyClaim>(claim.check);
  if (request.choice == PairChoice::given) return {request.pair, "the pair given"};
  if (request.choice == PairChoice::own && check.pair) return {*check.pair, "the claim's own pair"};
  // A claim on a given pair may need its shape.
  const Setting shape = check.pair ? Setting{setting.parameters, check.pair->data.size(),
                                             check.pair->data.dimension()}
                                   : setting;
  const AuditMethod method = search_method(mechanism, plain_pair(shape));
  const RandomStream::Key key{.seed = request.seed, .claim = claim.id, .purpose = "pair search"};
  const auto objective = [&](const NeighbouringPair& pair) {
    return badness(mechanism, method, pair, delta, key);
  };
  if (request.choice == PairChoice::corner) {
    std::vector<NeighbouringPair> pairs = corners(shape);
    std::vector<double> values;
    for (const NeighbouringPair& pair : pairs) values.push_back(objective(pair));
    const auto best = std::max_element(values.begin(), values.end()) - values.begin();
    return {std::move(pairs[static_cast<std::size_t>(best)]),
            fmt::format("the worst of {} corner pairs", pairs.size())};
  }
  const std::uint64_t dear = method == AuditMethod::finite || method == AuditMethod::gaussian ? 1
                             : method == AuditMethod::none                                    ? 2
                                                                                              : 10;
  WorstPair worst = search_worst_pair(
      {.records = shape.records,
       .dimension = shape.dimension,
       .evaluations = std::max<std::uint64_t>(20, request.evaluations / dear),
       .short_records = method == AuditMethod::none},
      objective, RandomStream({.seed = request.seed, .claim = claim.id, .purpose = "worst pair"}));
  return {std::move(worst.pair), fmt::format("the worst of {} searched pairs", worst.evaluations)};
}

}  // namespace

AuditRequest audit_request(const CheckContext& context) {
  AuditRequest request;
  request.budget.transcripts = budget_of(context.plan).pair_transcripts;
  request.budget.most_transcripts = 4 * request.budget.transcripts;
  request.budget.outputs = budget_of(context.plan).pair_outputs;
  request.budget.significance = context.level;
  request.budget.threads = context.threads;
  request.certificate = false;
  request.seed = context.seed;
  return request;
}

std::size_t count_settings(const PrivacyClaim& check) {
  return check.settings.size() + check.certified.size();
}

Evidence audit_claim(const Claim& claim, const AuditRequest& request) {
  const auto& check = std::get<PrivacyClaim>(claim.check);
  require(request.setting < count_settings(check), "setting of " + claim.id,
          static_cast<double>(request.setting + 1),
          "from 1 to " + std::to_string(count_settings(check)));
  const std::size_t exact = check.settings.size();
  const Setting& setting = request.setting < exact ? check.settings[request.setting]
                                                   : check.certified[request.setting - exact];
  const Mechanism mechanism = check.mechanism(setting.parameters);
  const PrivacyGuarantee claimed =
      request.claimed ? *request.claimed : check.guarantee(setting.parameters);
  const ChosenPair chosen = choose_pair(claim, request, setting, mechanism, claimed.delta);

  const ReplayFacts facts = replay_facts(mechanism, chosen.pair);
  const auto sampled = std::ranges::count_if(request.channels, [&](Channel channel) {
    return is_sampled(channel) && nothing_to_see(channel, mechanism, chosen.pair, facts).empty();
  });
  ChannelBudget budget = request.budget;
  budget.bits = budget.bits || check.bits;
  budget.significance /= std::max<double>(1, static_cast<double>(sampled));

  Evidence evidence{.claim = claim.id};
  evidence.seed = request.seed;
  evidence.claimed = claimed.epsilon;
  evidence.measurements = {{"delta claimed", claimed.delta}};
  std::vector<std::string> methods, reasons;
  bool refuted = false, looked = false;
  for (const Channel channel : request.channels) {
    ChannelAudit audit = audit_channel(channel, mechanism, chosen.pair, claimed, budget, facts,
                                       {.seed = request.seed, .claim = claim.id});
    ChannelFinding& finding = audit.finding;
    methods.emplace_back(finding.channel);
    refuted = refuted || finding.verdict == Verdict::refuted;
    // Outputs alone cannot speak for a mechanism that is seen to pass data around its releases.
    looked = looked || (finding.verdict == Verdict::consistent &&
                        (channel != Channel::black_box || facts.leak.empty()));
    evidence.estimate = std::max(evidence.estimate.value_or(0), finding.epsilon_lower.value_or(0));
    evidence.ceiling = std::max(evidence.ceiling.value_or(0), finding.ceiling.value_or(0));
    evidence.samples += finding.samples;
    if (finding.verdict != Verdict::not_run || !facts.own_randomness.empty())
      reasons.push_back(
          fmt::format("{}, {}: {}", finding.channel, name(finding.verdict), finding.reason));
    for (Table& table : audit.tables) evidence.tables.push_back(std::move(table));
    evidence.channels.push_back(std::move(finding));
  }
  evidence.method = fmt::format("{} audit", fmt::join(methods, ", "));
  evidence.tightness = evidence.estimate.value_or(0) / claimed.epsilon;
  if (request.certificate) {
    std::string problem =
        !facts.own_randomness.empty() ? facts.own_randomness : facts.broken_promise;
    Certificate certificate;
    if (problem.empty()) {
      certificate = certify(
          mechanism, chosen.pair.data.size(), chosen.pair.data.dimension(), claimed.delta,
          RandomStream({.seed = request.seed, .claim = claim.id, .purpose = "certificate"}));
      problem = certificate.problem;
    }
    // Some promise that was not seen to be broken must be.
    if (problem.empty() && evidence.estimate.value_or(0) > certificate.epsilon * (1 + rounding))
      problem = fmt::format("epsilon is at least {:.6g}, above the {:.6g} that it would certify",
                            *evidence.estimate, certificate.epsilon);
    if (problem.empty())
      evidence.measurements.push_back({"epsilon certified by composition", certificate.epsilon});
    else
      reasons.push_back(fmt::format("Composition certifies nothing, because {}.", problem));
    looked = looked || (problem.empty() && certificate.epsilon <= claimed.epsilon);
  }
  evidence.verdict = refuted  ? Verdict::refuted
                     : looked ? Verdict::consistent
                              : Verdict::inconclusive;
  evidence.reason = fmt::format("On {}: {}", chosen.origin, fmt::join(reasons, " "));
  evidence.witness = Witness{.parameters = setting.parameters,
                             .pair = chosen.pair,
                             .outcome_seed = 0,
                             .outcomes = {},
                             .explanation = chosen.origin};
  return evidence;
}

}  // namespace dpverify
