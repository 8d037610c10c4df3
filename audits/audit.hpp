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

// Audits a claim whose check is a PrivacyClaim, at one setting. The bracket decides (decide() of
// audits/bracket.hpp): `refuted` if a channel refutes the claim, the lower end above it;
// `consistent` if the certificate, the upper end, is at most the claimed epsilon; `inconclusive` if
// the claimed epsilon is between both. On a pair that is given, and where nothing could certify, a
// channel that could have refuted the claim and did not may speak for it. It is not consistent on
// outputs alone if data are seen to reach the output outside the releases. The figures are those of
// the evidence: estimate and ceiling of the best channel, the smallest fault it would have refuted,
// the certified epsilon as a measurement, curves as tables, the pair as witness. The certificate is
// withdrawn, and the reason says why, where what it rests on is seen to be false: a release that
// moves by more than it declares, data outside the releases, random numbers outside them, or a
// lower bound above it. Throws std::invalid_argument for a setting the claim does not have.
//
// At every setting: the exact channel looks at the worst pair found at each of the settings that
// are audited exactly, and a pair that needs more than is claimed refutes. The sampled channels
// look at the pair shown, the worst; what they refute is refuted, and what they leave undecided
// says nothing. If nothing is refuted, every setting is certified, those that are audited exactly
// included, and the largest certified/claimed epsilon is the upper end. Tables hold a row a
// setting.
Evidence audit_claim(const Claim& claim, const AuditRequest& request);

}  // namespace dpverify
