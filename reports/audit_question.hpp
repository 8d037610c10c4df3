// What is asked in an audit of something that is no claim: files, recorded releases, one run,
// steps.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "algorithms/claims/claims.hpp"
#include "audits/black_box/faults.hpp"

namespace dpverify {

struct AuditQuestion {
  PrivacyGuarantee claimed;
  double significance = 0.05;
  double fault =
      usual_fault;  // a claim is consistent only if one of this size would have been refuted
  std::uint64_t seed = 0;
  std::vector<std::string> given;  // the words that asked for this, but for the seed
  bool json = false;
};

}  // namespace dpverify
