// Which faults an audit of outputs would have refuted: too little Laplace noise, as a measure of
// its power.
#pragma once

#include <optional>

#include "audits/black_box/event_bounds.hpp"

namespace dpverify {

// What an audit is to see unless it is told otherwise. Real faults often show in rarer events than
// too little Laplace noise does, and a larger factor would let them pass.
inline constexpr double usual_fault = 1.25;

// The number of runs a dataset that refutes, in 18 of 20 simulations, a number with Laplace noise
// that needs `fault` times the epsilon (if that is 0: the delta) that is claimed, and is shown
// outright with probability delta. Nothing if more than `most` are needed. A fault that shows in
// rarer events only needs more.
std::optional<Index> runs_to_refute(PrivacyGuarantee claimed, double fault, double significance,
                                    Index most, int threads);

// The smallest such fault, a factor above 1, that audit_outputs() of samples of these sizes (at
// least 2) refutes with probability about 0.9, or more; infinity if it would refute none. claimed:
// not epsilon = delta = 0.
double smallest_refuted_fault(PrivacyGuarantee claimed, Index first_size, Index second_size,
                              double significance);

}  // namespace dpverify
