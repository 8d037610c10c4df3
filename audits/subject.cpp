#include "audits/subject.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "algorithms/core/checked.hpp"
#include "algorithms/core/numbers.hpp"
#include "properties/worst_pair.hpp"

namespace dpverify {
namespace {

constexpr std::uint64_t search_runs = 4;  // transcripts an evaluation of a sampled search

struct ChosenPair {
  NeighbouringPair pair;
  std::string origin;
  std::uint64_t evaluations = 0;
};

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

ChosenPair worst_corner(const Setting& shape,
                        const std::function<double(const NeighbouringPair&)>& objective) {
  std::vector<NeighbouringPair> pairs = corners(shape);
  std::vector<double> values;
  for (const NeighbouringPair& pair : pairs) values.push_back(objective(pair));
  const auto best = std::max_element(values.begin(), values.end()) - values.begin();
  return {std::move(pairs[static_cast<std::size_t>(best)]),
          fmt::format("the worst of {} corner pairs", pairs.size()), pairs.size()};
}

ChosenPair choose_pair(const Claim& claim, const AuditRequest& request, const Setting& setting,
                       const Mechanism& mechanism, double delta, std::size_t index) {
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
  if (request.choice == PairChoice::corner) return worst_corner(shape, objective);
  WorstPair worst = search_worst_pair(
      {.records = shape.records,
       .dimension = shape.dimension,
       .evaluations = std::max<std::uint64_t>(20, request.evaluations / cost(method)),
       .short_records = method == AuditMethod::none},
      objective,
      RandomStream(
          {.seed = request.seed, .claim = claim.id, .purpose = "worst pair", .trial = index}));
  return {std::move(worst.pair), fmt::format("the worst of {} searched pairs", worst.evaluations),
          worst.evaluations};
}

}  // namespace

NeighbouringPair plain_pair(const Setting& setting) {
  const Dataset data{Matrix::Constant(setting.records, setting.dimension, 0.5),
                     VectorXd::Constant(setting.records, 0.5)};
  return {data, data, 0};
}

std::uint64_t cost(AuditMethod method) {
  switch (method) {
    case AuditMethod::finite:
    case AuditMethod::gaussian:
    case AuditMethod::value:
      break;
    case AuditMethod::none:
      return 2;
    case AuditMethod::objective:
      return 10;
    case AuditMethod::composed:
      return 20;
  }
  return 1;
}

bool pair_is_given(const Claim& claim, const AuditRequest& request) {
  return request.choice == PairChoice::given ||
         (request.choice == PairChoice::own && std::get<PrivacyClaim>(claim.check).pair);
}

const Setting& setting_of(const PrivacyClaim& check, std::size_t index) {
  const std::size_t exact = check.settings.size();
  return index < exact ? check.settings[index] : check.certified[index - exact];
}

Subject subject_of(const Claim& claim, const AuditRequest& request, std::size_t index) {
  const auto& check = std::get<PrivacyClaim>(claim.check);
  require(index < count_settings(check), "setting of " + claim.id, static_cast<double>(index + 1),
          "from 1 to " + std::to_string(count_settings(check)));
  const Setting& setting = setting_of(check, index);
  Subject out{.setting = setting,
              .mechanism = check.mechanism(setting.parameters),
              .claimed = request.claimed.value_or(check.guarantee(setting.parameters)),
              .pair = {},
              .origin = {},
              .facts = {}};
  ChosenPair chosen = choose_pair(claim, request, setting, out.mechanism, out.claimed.delta, index);
  out.pair = std::move(chosen.pair);
  out.origin = std::move(chosen.origin);
  out.evaluations = chosen.evaluations;
  out.facts = replay_facts(out.mechanism, out.pair);
  return out;
}

std::vector<ChannelAudit> look(const Claim& claim, const AuditRequest& request,
                               const std::vector<Channel>& channels, const Subject& subject) {
  const auto& [setting, mechanism, claimed, pair, origin, evaluations, facts] = subject;
  ChannelBudget budget = request.budget;
  budget.bits = budget.bits || std::get<PrivacyClaim>(claim.check).bits;
  double sampled = 0;
  for (const Channel channel : channels)
    if (is_sampled(channel) && nothing_to_see(channel, mechanism, pair, facts).empty()) ++sampled;
  budget.significance /= std::max(1.0, sampled);
  std::vector<ChannelAudit> found;
  for (const Channel channel : channels)
    found.push_back(audit_channel(channel, mechanism, pair, claimed, budget, facts,
                                  {.seed = request.seed, .claim = claim.id}));
  return found;
}

std::string in_words(const ChannelFinding& finding) {
  return fmt::format("{}, {}: {}", finding.channel, name(finding.verdict), finding.reason);
}

}  // namespace dpverify
