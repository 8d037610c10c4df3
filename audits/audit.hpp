// An audit of one privacy claim: both ends of the bracket around the true epsilon.
#pragma once

#include <optional>
#include <vector>

#include "audits/channels.hpp"

namespace dpverify {

// own:    the claim's pair, or a searched one if it has none.
// search: the worst replace-one pair that a search finds, by exact laws or else by sampled
//         transcripts; the search shares no sample with the audit.
// corner: the worst of a few plain pairs: equal records, one replaced by a huge or a small one.
// given:  AuditRequest::pair.
enum class PairChoice { own, search, corner, given };

struct AuditRequest {
  std::vector<Channel> channels{std::begin(all_channels), std::end(all_channels)};
  // Its significance is that of the audit: each sampled channel that has something to see gets an
  // equal share.
  ChannelBudget budget;
  std::optional<PrivacyGuarantee> claimed;  // instead of the claim's own
  PairChoice choice = PairChoice::own;
  NeighbouringPair pair;       // if given
  std::size_t setting = 0;     // of the claim's settings, the certified ones after the exact ones
  bool every_setting = false;  // instead of one
  std::uint64_t evaluations = 1'000;  // of the search
  bool certificate = true;            // also compose what the releases declare
  std::uint64_t seed = 0;
};

// The request of a run of all checks, with the budget of its plan: on the claim's own pair, or
// else at every setting.
AuditRequest audit_request(const Claim& claim, const CheckContext& context);

// How many settings the claim has to audit at.
std::size_t count_settings(const PrivacyClaim& check);

// Audits a claim whose check is a PrivacyClaim, at one setting. The verdict is `refuted` if a
// channel refutes the claim, `consistent` if one could have and did not, or if the certificate does
// not exceed it, otherwise `inconclusive`. It is not consistent on outputs alone if data are seen
// to reach the output outside the releases. The figures are those of the evidence: estimate and
// ceiling of the best channel, the certified epsilon as a measurement, curves as tables, the pair
// as witness. The certificate is withdrawn, and the reason says why, where what it rests on is seen
// to be false: a release that moves by more than it declares, data outside the releases, random
// numbers outside them, or a lower bound above it. Throws std::invalid_argument for a setting the
// claim does not have.
//
// At every setting: the exact channel looks at the worst pair found at each of the settings that
// are audited exactly, and a pair that needs more than is claimed refutes. The sampled channels
// look at the pair shown, the worst; what they refute is refuted, and what they leave undecided
// says nothing. The certified settings are certified: an upper bound on the true epsilon, given the
// sensitivity claims, that speaks for the claim where no larger epsilon is found. Tables hold a row
// a setting.
Evidence audit_claim(const Claim& claim, const AuditRequest& request);

}  // namespace dpverify
