#include "algorithms/claims/accounting.hpp"

namespace dpverify {

double declared_rho(const Mechanism& mechanism, Index features) {
  const Dataset zeros{Matrix::Zero(12, features), VectorXd::Zero(12)};
  const Transcript transcript =
      record(mechanism, zeros, RandomStream({.claim = "accounting", .purpose = "outcomes"}));
  double rho = 0;
  for (const TranscriptEntry& entry : transcript.entries) rho += declared_cost(entry.law).rho;
  return rho;
}

}  // namespace dpverify
