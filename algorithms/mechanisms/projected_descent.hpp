// Projected gradient descent on an l2 ball, along private estimates of the mean gradient.
#pragma once

#include <functional>
#include <vector>

#include "algorithms/core/lazy_matrix.hpp"
#include "algorithms/core/releases.hpp"
#include "algorithms/losses/gradient_oracle.hpp"

namespace dpverify {

// m x d gradients, one a row, to an estimate of their mean, d numbers. The only door from the data:
// it must pass them through its releases.
using PrivateMean = std::function<VectorXd(const LazyMatrix&, Releases&)>;

// In place of the gradients of a part, the means of its blocks of gradients at w, m x d, from what
// the data say of records too many to hold.
using BlockGradients = GradientOracle;

struct DescentParameters {
  GradientOracle gradients;
  double radius = 1;     // > 0; the domain W is {||w||_2 <= radius}, of diameter 2 radius
  VectorXd initial;      // w_0 in W: d numbers
  double step = 0.1;     // eta > 0
  Index iterations = 1;  // T, 1..n if split, else at least 1
  bool split = true;     // X_t is the t-th of T disjoint parts; otherwise all the data
};

// The iterates w_1 to w_T: w_t = Proj_W(w_{t-1} - eta estimate(gradients at w_{t-1} of X_t)).
// Throws std::invalid_argument for parameters out of their domains.
std::vector<VectorXd> projected_descent(const Dataset& data, const DescentParameters& parameters,
                                        const PrivateMean& estimate, Releases& releases);

// Of at least one iterate.
VectorXd average(const std::vector<VectorXd>& iterates);

// Throws std::invalid_argument for parameters out of their domains.
void validate(const DescentParameters& parameters, const Dataset& data);

}  // namespace dpverify
