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

GradientOracle gradient_oracle(ClaimedLoss loss) {
  switch (loss) {
    case ClaimedLoss::distance:
      return mean_point_gradients;
    case ClaimedLoss::inner_product:
      return inner_product_gradients;
    case ClaimedLoss::squared:
      break;
  }
  return gradient_oracle(Loss::squared);
}

GradientOracle numbered_oracle(double number) {
  return gradient_oracle(static_cast<ClaimedLoss>(static_cast<int>(number)));
}

}  // namespace dpverify
