// The exact methods of pair_audit, each in a file of its own.
#pragma once

#include <memory>

#include "audits/exact/pair_audit.hpp"
#include "audits/exact/privacy_curve.hpp"

namespace dpverify::exact {

// Makes a figure a lower bound in spite of rounding.
inline constexpr double round_down = 1 - 1e-12;
// How many outcome prefixes must agree on what a release shows.
inline constexpr std::uint64_t prefixes = 3;

// A selection whose probabilities are known.
bool is_selection(const Law& law);

// Outputs with their probabilities, or cells of outputs with theirs.
std::unique_ptr<PairAudit> finite_audit(OutputPair outputs);
std::unique_ptr<PairAudit> gaussian_audit(const Mechanism& mechanism, const NeighbouringPair& pair);
std::unique_ptr<PairAudit> value_audit(const Mechanism& mechanism, const NeighbouringPair& pair);
std::unique_ptr<PairAudit> composed_audit(const Mechanism& mechanism, const NeighbouringPair& pair);
std::unique_ptr<PairAudit> objective_audit(const Mechanism& mechanism,
                                           const NeighbouringPair& pair);

}  // namespace dpverify::exact
