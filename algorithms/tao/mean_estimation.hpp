// What the estimators of a mean, Algorithms 1 and 3, are looked at on.
#pragma once

#include <string>
#include <utility>

#include "algorithms/claims/rates.hpp"
#include "algorithms/problems/heavy_mean.hpp"

namespace dpverify::tao {

// Risk: the distance to the mean.
inline RateProblem mean_problem(std::string words, const HeavyMean& law) {
  return {std::move(words) + "; distance to the mean", law.dimension,
          [law](Index n, RandomStream& stream) { return law.draw(n, stream); },
          [law](const VectorXd& w) { return law.error(w); }};
}

}  // namespace dpverify::tao
