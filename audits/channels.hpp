// One mechanism on one pair of neighbours, looked at in every way that can see it.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "algorithms/claims/claims.hpp"
#include "algorithms/claims/evidence.hpp"

namespace dpverify {

class PairAudit;

// exact:      the laws of the releases, where the loss is known; no sampling error.
// transcript: sampled runs, replayed on the neighbour: the likelihood ratio of all that was
//             released; data that reach the output outside the releases refute too.
// black_box:  outputs alone.
enum class Channel { exact, transcript, black_box };
inline constexpr Channel all_channels[] = {Channel::exact, Channel::transcript, Channel::black_box};

std::string_view name(Channel channel);  // "exact", "transcript", "black-box"

struct ChannelBudget {
  Index transcripts = 2'000;   // a side
  Index most_transcripts = 0;  // if delta = 0 is claimed and no loss above epsilon is seen
  Index outputs = 10'000;      // a side; the most if sequential
  bool sequential = false;     // black box: stop as soon as the evidence suffices
  bool curves = false;         // exact: tables of delta(epsilon), which may take a while
  bool bits = false;           // black box: look at the bits of the outputs too
  double significance = 1e-6;  // probability that the channel refutes a true claim
  int threads = 1;
};

// What replaying runs of one dataset on the other shows before any channel looks. In words, empty
// if nothing is wrong.
struct ReplayFacts {
  std::string own_randomness;  // see algorithms/core/determinism.hpp
  std::string leak;            // how data reach the output outside the releases
  std::string broken_promise;  // a leak, or a release that moves by more than it declares
};
ReplayFacts replay_facts(const Mechanism& mechanism, const NeighbouringPair& pair);

struct ChannelAudit {
  ChannelFinding finding;
  std::vector<Table> tables;
  std::shared_ptr<const PairAudit> exact;  // of the exact channel, if it looked
  std::string method;                      // the exact one, in words
  bool sees_outputs = true;                // not only the laws of the releases
};

// Why the channel has nothing to look at, empty if it has: no exact method, a program whose density
// is unknown, or a mechanism that draws random numbers outside its releases.
std::string nothing_to_see(Channel channel, const Mechanism& mechanism,
                           const NeighbouringPair& pair, const ReplayFacts& facts);

// Whether the channel samples, so that it needs a share of the significance.
bool is_sampled(Channel channel);

// Is the mechanism (epsilon, delta)-DP on the pair? `not_run` where there is nothing to see. The
// exact channel is inconclusive where it sees the releases alone and data reach the output outside
// them.
ChannelAudit audit_channel(Channel channel, const Mechanism& mechanism,
                           const NeighbouringPair& pair, PrivacyGuarantee claimed,
                           const ChannelBudget& budget, const ReplayFacts& facts,
                           const RandomStream::Key& key);

}  // namespace dpverify
