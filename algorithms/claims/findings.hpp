// What the refuted claims about the papers mean: how grave each is, what falls with it, and what
// repairs it. A judgement by readers, kept as data; what was measured is in the evidence.
#pragma once

#include <span>
#include <string_view>

namespace dpverify {

// Gravest first.
enum class Severity {
  privacy,          // privacy is broken at parameters that people use
  privacy_extreme,  // privacy is broken at extreme parameters only
  accuracy,         // a statement on accuracy, a rate or a lower bound is false
  proof_step,       // a step of a proof is false; what it is to prove stands, constants apart
  slip,             // a slip of the pen, or of a reading; nothing rests on it
};

struct Finding {
  std::string_view claim;  // id
  Severity severity = Severity::slip;
  std::string_view touches;           // what falls or stands with it, in words
  std::string_view repair;            // what makes it true, in words
  std::string_view repaired_by = "";  // the claim that holds with it; empty: none
  std::string_view same_as = "";  // the finding that is the same defect, elsewhere or at its root
};

// By paper, then by id.
std::span<const Finding> findings();
// Null if there is none on the claim.
const Finding* find_finding(std::string_view claim);

// "privacy", "privacy at extreme parameters", "accuracy", "proof step", "slip"
std::string_view name(Severity severity);

}  // namespace dpverify
