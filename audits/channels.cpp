#include "audits/channels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>

#include "algorithms/core/determinism.hpp"
#include "algorithms/core/numbers.hpp"
#include "algorithms/core/rounding.hpp"
#include "audits/accounting/certify.hpp"
#include "audits/black_box/black_box.hpp"
#include "audits/exact/pair_audit.hpp"
#include "audits/transcript/transcript_audit.hpp"

namespace dpverify {
namespace {

std::string capitalised(std::string text) {
  if (!text.empty()) text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
  return text;
}

std::string at_least(double epsilon) {
  return std::isinf(epsilon) ? "no finite epsilon holds"
                             : fmt::format("epsilon is at least {:.6g}", epsilon);
}

ChannelAudit audit_exactly(const Mechanism& mechanism, const NeighbouringPair& pair,
                           PrivacyGuarantee claimed, bool curves, const std::string& leak) {
  ChannelAudit out;
  ChannelFinding& finding = out.finding;
  const AuditMethod method = audit_method(mechanism, pair);
  const std::shared_ptr<const PairAudit> audit = audit_pair(method, mechanism, pair);
  out.exact = audit;
  out.method = describe(method);
  out.sees_outputs = method == AuditMethod::finite;
  const double epsilon = audit->epsilon(claimed.delta);
  finding.epsilon_lower = epsilon;
  finding.ceiling = infinity;
  finding.verdict =
      epsilon > claimed.epsilon * (1 + rounding) ? Verdict::refuted : Verdict::consistent;
  finding.reason = fmt::format("By {}, {} at delta {} ({:.6g} claimed): {}.", describe(method),
                               at_least(epsilon), in_digits(claimed.delta), claimed.epsilon,
                               audit->explanation());
  // Enumeration compares the outputs themselves; every other method the laws of the releases.
  if (!out.sees_outputs && !leak.empty()) {
    if (finding.verdict == Verdict::consistent) finding.verdict = Verdict::inconclusive;
    finding.reason += fmt::format(
        " The laws of the releases are all that this sees, and data reach the output outside them: "
        "{}.",
        leak);
  }
  if (!curves) return out;
  Table curve{"exact delta(epsilon) on the pair", {"epsilon", "forward", "backward"}, {}};
  const double last = std::isfinite(epsilon) ? std::max(epsilon, claimed.epsilon) : claimed.epsilon;
  for (int k = 0; k <= 10; ++k) {
    const double at = last * k / 8;
    curve.rows.push_back(
        {at, audit->delta(at, Direction::forward), audit->delta(at, Direction::backward)});
  }
  out.tables.push_back(std::move(curve));
  return out;
}

// Whether every release of a run has a density to compare.
bool has_densities(const Mechanism& mechanism, const Dataset& data) {
  const Transcript transcript =
      record(mechanism, data, RandomStream({.claim = "densities", .purpose = "outcomes"}));
  return std::all_of(transcript.entries.begin(), transcript.entries.end(), [](const auto& entry) {
    const auto* program = std::get_if<HiddenRelease>(&entry.law);
    return program == nullptr || program->log_density;
  });
}

ChannelAudit audit_by_transcripts(const Mechanism& mechanism, const NeighbouringPair& pair,
                                  PrivacyGuarantee claimed, const ChannelBudget& budget,
                                  const RandomStream::Key& key) {
  ChannelAudit out;
  ChannelFinding& finding = out.finding;
  const TranscriptAudit audit =
      audit_transcripts(mechanism, pair, claimed, budget.transcripts, budget.significance, key,
                        budget.most_transcripts);
  finding.verdict = audit.verdict;
  finding.epsilon_lower = audit.epsilon_lower;
  finding.ceiling = audit.ceiling;
  finding.samples = audit.samples;
  finding.reason = audit.reason;
  if (!audit.curve.rows.empty()) out.tables.push_back(audit.curve);  // none of a leak
  return out;
}

// A failure is an output, unless there is nothing else to see: then it is ours, or the mechanism's
// on whatever dataset. Throws std::invalid_argument if some runs on either dataset all fail.
void require_a_run_that_ends(const Mechanism& mechanism, const NeighbouringPair& pair) {
  constexpr std::uint64_t runs = 5;
  std::string failure;
  for (const Dataset* data : {&pair.data, &pair.neighbour})
    for (std::uint64_t k = 0; k < runs; ++k) {
      SamplingReleases releases(
          RandomStream({.claim = "failures", .purpose = "outputs", .trial = k}));
      try {
        mechanism(*data, releases);
        return;
      } catch (const std::exception& problem) {
        failure = problem.what();
      }
    }
  throw std::invalid_argument("every run of the mechanism fails: " + failure);
}

ChannelAudit audit_by_outputs(const Mechanism& mechanism, const NeighbouringPair& pair,
                              PrivacyGuarantee claimed, const ChannelBudget& budget,
                              RandomStream::Key key) {
  require_a_run_that_ends(mechanism, pair);
  // A failure can be seen from outside: it is an output too.
  const auto sampler = [&mechanism](const Dataset& data) -> Sampler {
    return [&mechanism, &data](RandomStream& stream) -> VectorXd {
      SamplingReleases releases(stream);
      try {
        return mechanism(data, releases);
      } catch (const std::exception&) {
        return VectorXd(0);
      }
    };
  };
  const Sampler first = sampler(pair.data), second = sampler(pair.neighbour);
  const OutputModel model = budget.bits ? OutputModel::doubles : OutputModel::reals;
  ChannelAudit out;
  ChannelFinding& finding = out.finding;
  if (budget.sequential) {
    const SequentialAudit audit = audit_sequentially(first, second, claimed, budget.significance,
                                                     budget.outputs, key, model, budget.threads);
    finding.verdict = audit.verdict;
    finding.epsilon_lower = audit.epsilon_lower;
    finding.samples = audit.samples;
    finding.reason = audit.reason;
    return out;
  }
  const auto outputs = [&](const Sampler& side, std::string_view purpose) {
    RandomStream::Key own = key;
    own.purpose = purpose;
    return draw_outputs(side, budget.outputs, own, budget.threads);
  };
  key.purpose = "halves";
  BlackBoxAudit audit = audit_outputs(outputs(first, "outputs on the dataset"),
                                      outputs(second, "outputs on the neighbour"), claimed,
                                      budget.significance, RandomStream(key), model);
  finding.verdict = audit.verdict;
  finding.epsilon_lower = audit.epsilon_lower;
  finding.ceiling = audit.ceiling;
  finding.samples = static_cast<std::uint64_t>(budget.outputs);
  finding.reason = audit.reason;
  if (!audit.trade_off.rows.empty()) out.tables.push_back(std::move(audit.trade_off));
  return out;
}

}  // namespace

std::string_view name(Channel channel) {
  switch (channel) {
    case Channel::exact:
      return "exact";
    case Channel::transcript:
      return "transcript";
    case Channel::black_box:
      break;
  }
  return "black-box";
}

ReplayFacts replay_facts(const Mechanism& mechanism, const NeighbouringPair& pair) {
  constexpr std::uint64_t runs = 3;  // each from either side
  ReplayFacts facts;
  try {
    facts.own_randomness = own_randomness(mechanism, pair.data);
    if (facts.own_randomness.empty())
      facts.own_randomness = own_randomness(mechanism, pair.neighbour);
    if (!facts.own_randomness.empty()) return facts;
    for (std::uint64_t k = 0; k < 2 * runs && facts.leak.empty(); ++k) {
      const bool forward = k % 2 == 0;
      const Transcript transcript =
          record(mechanism, forward ? pair.data : pair.neighbour,
                 RandomStream({.seed = k / 2, .claim = "prefix", .purpose = "outcomes"}));
      const Replay replayed =
          replay(mechanism, forward ? pair.neighbour : pair.data, transcript, LogRatios::skip);
      facts.leak = replayed.leak;
      if (facts.broken_promise.empty()) facts.broken_promise = broken_promise(transcript, replayed);
    }
  } catch (const std::exception& failure) {
    // Seen from outside; and what composition would say of it rests on runs that end.
    facts.leak = facts.broken_promise = fmt::format("a run fails ({})", failure.what());
  }
  return facts;
}

bool is_sampled(Channel channel) { return channel != Channel::exact; }

std::string nothing_to_see(Channel channel, const Mechanism& mechanism,
                           const NeighbouringPair& pair, const ReplayFacts& facts) {
  if (channel == Channel::black_box) return "";
  if (!facts.own_randomness.empty())
    return fmt::format(
        "{}: draw them through a release (a program, if the law is unknown), or look at outputs "
        "alone.",
        capitalised(facts.own_randomness));
  if (channel == Channel::exact)
    return audit_method(mechanism, pair) == AuditMethod::none
               ? "No exact method for these releases."
               : "";
  return has_densities(mechanism, pair.data)
             ? ""
             : "A program's density is unknown: there is no likelihood ratio.";
}

ChannelAudit audit_channel(Channel channel, const Mechanism& mechanism,
                           const NeighbouringPair& pair, PrivacyGuarantee claimed,
                           const ChannelBudget& budget, const ReplayFacts& facts,
                           const RandomStream::Key& key) {
  ChannelAudit out;
  const std::string nothing = nothing_to_see(channel, mechanism, pair, facts);
  if (!nothing.empty()) {
    out.finding.channel = std::string(name(channel));
    out.finding.reason = nothing;
    return out;
  }
  switch (channel) {
    case Channel::exact:
      out = audit_exactly(mechanism, pair, claimed, budget.curves, facts.leak);
      break;
    case Channel::transcript:
      out = audit_by_transcripts(mechanism, pair, claimed, budget, key);
      break;
    case Channel::black_box:
      out = audit_by_outputs(mechanism, pair, claimed, budget, key);
      break;
  }
  out.finding.channel = std::string(name(channel));
  return out;
}

}  // namespace dpverify
