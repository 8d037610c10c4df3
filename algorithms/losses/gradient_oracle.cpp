#include "algorithms/losses/gradient_oracle.hpp"

namespace dpverify {

GradientOracle gradient_oracle(Loss loss) {
  return [loss](const VectorXd& w, const DataView& data) { return gradients(loss, w, data); };
}

Matrix mean_point_gradients(const VectorXd& w, const DataView& data) {
  return (-data.features).rowwise() + w.transpose();
}

Matrix inner_product_gradients(const VectorXd& /*w*/, const DataView& data) {
  return -data.features;
}

GradientOracle numbered_oracle(double number) {
  if (number == 0) return mean_point_gradients;
  if (number == 1) return inner_product_gradients;
  return gradient_oracle(Loss::squared);
}

}  // namespace dpverify
