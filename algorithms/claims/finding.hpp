// What it means for a paper that a claim of it is refuted: a judgement by readers, kept as data.
// What was measured is in the evidence.
#pragma once

#include <string>
#include <string_view>

namespace dpverify {

// Gravest first.
enum class Severity {
  privacy,           // privacy is broken at parameters that people use
  privacy_extreme,   // privacy is broken at extreme parameters only
  accuracy,          // a statement on accuracy, a rate or a lower bound is false
  privacy_near_one,  // privacy is broken only where delta is near 1, so that it says little
  proof_step,        // a step of a proof is false; what it is to prove stands, constants apart
  slip,              // a slip of the pen, or of a reading; nothing rests on it
};
// "privacy", "privacy at extreme parameters", "accuracy", "privacy where delta is near 1",
// "proof step", "slip"
std::string_view name(Severity severity);

struct Finding {
  Severity severity = Severity::slip;
  std::string why;          // why the claim fails, or what is true instead: whole sentences
  std::string touches;      // what falls or stands with it, in words
  std::string repair;       // what to do or to write instead, so that it is true: a whole sentence
  std::string repaired_by;  // id of the claim that holds with it; empty: none
  std::string same_as;      // id of the claim whose finding is the same defect; empty: none
};

}  // namespace dpverify
