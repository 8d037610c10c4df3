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

}  // namespace dpverify
