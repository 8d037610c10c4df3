// Mean errors compared, trial by trial: what experiments show.
#pragma once

#include <string_view>
#include <vector>

#include "algorithms/claims/claims.hpp"

namespace dpverify {

using ErrorComparison = ExperimentClaim::Comparison;

// Of every place, the errors of the same trials.
using Errors = std::vector<std::vector<double>>;

// confirmed:    every comparison of some row of the statement is significant.
// contradicted: in every row the opposite of some comparison is.
// undecided:    neither.
enum class Confirmation { confirmed, contradicted, undecided };
std::string_view name(Confirmation finding);

// Each comparison is decided by Student's t of the differences, one-sided each way, at its share of
// the level, which all have together. Errors that are not finite, or fewer than two trials, decide
// nothing.
Confirmation decide(const std::vector<std::vector<ErrorComparison>>& statement,
                    const Errors& errors, double level);

// The mean error of the first place over `factor` times that of the second: at 1 and above, the
// comparison is false. The estimate is infinite where only the second mean is 0, 1 where both are.
struct MeanRatio {
  double estimate = 0;
  double lower = 0;  // any smaller ratio is refuted at the level (one-sided); at least 0
  double upper = 0;  // any larger one is; may be infinite
};
// Errors must be finite, and their means not negative.
MeanRatio ratio_of_means(const ErrorComparison& comparison, const Errors& errors, double level);

std::size_t number_of_comparisons(const std::vector<std::vector<ErrorComparison>>& statement);

}  // namespace dpverify
