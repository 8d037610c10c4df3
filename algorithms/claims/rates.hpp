// A rate claim is a theorem, looked at on a problem, along a sweep.
#pragma once

#include <functional>
#include <string>
#include <utility>

#include "algorithms/claims/claims.hpp"

namespace dpverify {

// What a theorem says of a variable: the exponent, and at each value of the variable the mechanism
// with the theorem's parameters and the theorem's bound.
struct RateTheorem {
  double exponent = 0;             // 0: logarithmic
  double failure_probability = 0;  // 0: on the expectation
  bool by_parts = false;           // reads its records by Dataset::part alone, each part once
  std::function<RatePoint(double)> at;
};

// Where records come from, and the excess risk of an output on their law.
struct RateProblem {
  std::string words;
  Index dimension = 1;
  std::function<Dataset(Index, RandomStream&)> draw;
  std::function<double(const VectorXd&)> excess_risk;
};

// Of a model with the members optimum, draw and excess_risk.
template <class Model>
RateProblem rate_problem(std::string words, const Model& model) {
  return {std::move(words), model.optimum.size(),
          [model](Index n, RandomStream& stream) { return model.draw(n, stream); },
          [model](const VectorXd& w) { return model.excess_risk(w); }};
}

struct Sweeps {
  Sweep smoke;
  Sweep ci;
  Sweep nightly = {};
};

// The same in smoke, where it costs little.
inline Sweeps in_both(const Sweep& sweep) { return {sweep, sweep}; }

inline RateClaim rate_claim(std::string variable, RateTheorem theorem, RateProblem problem,
                            Sweeps sweeps) {
  return {.variable = std::move(variable),
          .problem = std::move(problem.words),
          .exponent = theorem.exponent,
          .failure_probability = theorem.failure_probability,
          .dimension = problem.dimension,
          .by_parts = theorem.by_parts,
          .point = std::move(theorem.at),
          .draw = std::move(problem.draw),
          .excess_risk = std::move(problem.excess_risk),
          .smoke = std::move(sweeps.smoke),
          .ci = std::move(sweeps.ci),
          .nightly = std::move(sweeps.nightly)};
}

}  // namespace dpverify
