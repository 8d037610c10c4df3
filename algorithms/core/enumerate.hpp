// Every outcome path of a mechanism whose laws are all finite.
#pragma once

#include <cstddef>
#include <vector>

#include "algorithms/core/releases.hpp"

namespace dpverify {

struct OutcomePath {
  std::vector<Index> outcomes;  // one a release, in order
  double log_probability = 0;
  VectorXd output;
};

// Walks all paths depth first by running the mechanism once a path; the law after a prefix of
// outcomes is asked for once. The probabilities sum to 1.
// Throws std::invalid_argument if a law is not finite or there are more than `largest` paths.
std::vector<OutcomePath> enumerate(const Mechanism& mechanism, const Dataset& data,
                                   std::size_t largest = 1'000'000);

}  // namespace dpverify
