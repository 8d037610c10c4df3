#include "algorithms/su/sign_model.hpp"

#include <algorithm>

#include "algorithms/core/checked.hpp"
#include "algorithms/core/norms.hpp"

namespace dpverify::su {

Index SignModel::directions() const {
  return one_feature ? optimum.size() : Index{1} << optimum.size();
}

SignModel::Kind SignModel::kind(Index k) const {
  const Index d = optimum.size();
  Kind out{.x = VectorXd::Zero(d)};
  if (one_feature)
    out.x[k / 3] = 1;
  else
    for (Index j = 0; j < d; ++j) out.x[j] = (k / 3) >> j & 1 ? -1 : 1;
  const auto noise = static_cast<double>(k % 3 - 1);  // -1, 0, 1
  out.y = out.x.dot(optimum) + noise * outlier;
  out.probability =
      (noise == 0 ? 1 - outlier_share : outlier_share / 2) / static_cast<double>(directions());
  return out;
}

Dataset SignModel::draw_counts(Index n, RandomStream& stream, Index batches) const {
  const Index count = kinds();
  Dataset out{Matrix::Zero(batches * count, optimum.size()), VectorXd::Zero(batches * count)};
  for (Index batch = 0; batch < batches; ++batch) {
    Index left = n / batches;
    double probability_left = 1;
    for (Index k = 0; k < count; ++k) {
      const double p = kind(k).probability;
      const Index drawn =
          k + 1 == count ? left : draw_binomial(left, std::min(1.0, p / probability_left), stream);
      out.labels[batch * count + k] = static_cast<double>(drawn);
      left -= drawn;
      probability_left -= p;
    }
  }
  return out;
}

VectorXd SignModel::mean_gradient(const Dataset& counts, const VectorXd& w, Index batch, double q,
                                  double truncation) const {
  VectorXd sum = VectorXd::Zero(w.size());
  double records = 0;
  for (Index k = 0; k < kinds(); ++k) {
    const Index row = batch * kinds() + k;
    const double count = row < counts.size() ? counts.labels[row] : 0;
    if (count == 0) continue;
    const Kind record = kind(k);
    records += count;
    const VectorXd g = loss_derivative(loss, record.x.dot(w), record.y) * record.x;
    if (lp_norm(g, q) <= truncation) sum += count * g;
  }
  return records > 0 ? VectorXd(sum / records) : sum;
}

Dataset SignModel::records() const {
  Dataset out{Matrix(kinds(), optimum.size()), VectorXd(kinds())};
  for (Index k = 0; k < kinds(); ++k) {
    const Kind record = kind(k);
    out.features.row(k) = record.x.transpose();
    out.labels[k] = record.y;
  }
  return out;
}

double SignModel::excess_risk(const VectorXd& w) const {
  double sum = 0;
  for (Index k = 0; k < kinds(); ++k) {
    const Kind record = kind(k);
    sum += record.probability * (loss_value(loss, record.x.dot(w), record.y) -
                                 loss_value(loss, record.x.dot(optimum), record.y));
  }
  return sum;
}

}  // namespace dpverify::su
