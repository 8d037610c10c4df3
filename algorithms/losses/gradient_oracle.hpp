// Gradients of a loss as a function of the parameter and the records.
#pragma once

#include <functional>

#include "algorithms/core/dataset.hpp"
#include "algorithms/losses/losses.hpp"

namespace dpverify {

// (w, m records) to the m x d matrix whose row i is the gradient at w of the loss of record i.
using GradientOracle = std::function<Matrix(const VectorXd&, const DataView&)>;

GradientOracle gradient_oracle(Loss loss);  // of a linear model

// Loss ||w - x||_2^2/2, x the features: its population minimiser is the mean.
Matrix mean_point_gradients(const VectorXd& w, const DataView& data);

// Loss -<w, x>: its gradients -x do not depend on w.
Matrix inner_product_gradients(const VectorXd& w, const DataView& data);

// The losses that claims range over: the two above, and the squared loss of a linear model.
enum class ClaimedLoss { distance, inner_product, squared };
GradientOracle gradient_oracle(ClaimedLoss loss);
// By its number.
GradientOracle numbered_oracle(double number);

}  // namespace dpverify
