// What the frequencies of one event in two samples say about privacy. Every bound is rounded to the
// safe side.
#pragma once

#include "algorithms/claims/claims.hpp"
#include "algorithms/core/types.hpp"

namespace dpverify {

// Throws std::invalid_argument unless epsilon is in [0, infinity), delta in [0, 1] and the
// significance in (0, 1).
void require_claim(PrivacyGuarantee claimed, double significance);

// How often an event occurred in two samples of independent outputs, sizes >= 1.
struct EventCounts {
  Index in_first = 0;
  Index first_size = 0;
  Index in_second = 0;
  Index second_size = 0;
};

// Clopper and Pearson's one-sided bounds on the probability of an event seen `count` times in
// `size` independent trials; each fails with probability at most `significance`, for every size.
double probability_lower(Index count, Index size, double significance);
double probability_upper(Index count, Index size, double significance);

// A lower bound on every epsilon for which P(first in E) <= e^epsilon P(second in E) + delta:
// log((p - delta)/q) with p and q bounded at significance/2 each, 0 if that is negative. Too large
// with probability at most `significance`.
double epsilon_lower(const EventCounts& counts, double delta, double significance);

// The bound of an event that always occurs in the first sample and never in the second: the most
// that samples of these sizes can show.
double epsilon_ceiling(Index first_size, Index second_size, double delta, double significance);

// The smallest significance at which the bound exceeds the claimed epsilon, 1 if there is none;
// never reported below 1e-300.
double p_value(const EventCounts& counts, PrivacyGuarantee claimed);

// The smallest size a side at which an event with these frequencies gives a bound above the claimed
// epsilon, to a relative 1e-3; infinity if it does not at any.
double size_needed(double in_first, double in_second, PrivacyGuarantee claimed,
                   double significance);

// Standard normal: P(Z <= quantile) = probability. probability in [0, 1], the ends infinite.
double normal_quantile_of(double probability);
double normal_probability(double quantile);

}  // namespace dpverify
