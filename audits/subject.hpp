// What an audit looks at: a claim's mechanism at one setting, on one pair of neighbours.
#pragma once

#include <string>
#include <vector>

#include "audits/audit.hpp"
#include "audits/exact/pair_audit.hpp"

namespace dpverify {

struct Subject {
  Setting setting;
  Mechanism mechanism;
  PrivacyGuarantee claimed;
  NeighbouringPair pair;
  std::string origin;             // of the pair, in words
  std::uint64_t evaluations = 0;  // of the search that found it
  ReplayFacts facts;              // on the pair
};

// Whether the pair is the claim's own or the request's, and not searched.
bool pair_is_given(const Claim& claim, const AuditRequest& request);

// The setting of this index, the certified ones after the exact ones.
const Setting& setting_of(const PrivacyClaim& check, std::size_t index);

// The claim at its setting of this index, the certified ones after the exact ones. Throws
// std::invalid_argument if there is none.
Subject subject_of(const Claim& claim, const AuditRequest& request, std::size_t index);

// Any pair of the setting's shape: enough to see what kind of releases a mechanism makes.
NeighbouringPair plain_pair(const Setting& setting);

// How many evaluations of the cheapest objective cost as much as one of this method's.
std::uint64_t cost(AuditMethod method);

// Each of the channels looks; the sampled ones that have something to see share the significance.
std::vector<ChannelAudit> look(const Claim& claim, const AuditRequest& request,
                               const std::vector<Channel>& channels, const Subject& subject);

// "exact, refuted: By enumeration ..."
std::string in_words(const ChannelFinding& finding);

// The audit of every setting: see audit_claim().
Evidence audit_settings(const Claim& claim, const AuditRequest& request);

}  // namespace dpverify
