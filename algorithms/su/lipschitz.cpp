#include "algorithms/su/lipschitz.hpp"

#include <cmath>
#include <string>

#include "algorithms/core/checked.hpp"
#include "algorithms/core/norms.hpp"
#include "algorithms/geometry/convex_body.hpp"

namespace dpverify::su {
namespace {

void validate(Loss loss, double lipschitz) {
  require(loss == Loss::logistic || loss == Loss::pseudo_huber, "loss", name(loss),
          "logistic or pseudo_huber (smooth, with a slope of at most 1)");
  require(positive_and_finite, "Lipschitz constant L", lipschitz);
}

}  // namespace

LipschitzRecords::LipschitzRecords(Loss loss, const DataView& data, double q, double lipschitz)
    : data_(data), loss_(loss), q_(q), lipschitz_(lipschitz) {
  validate(loss, lipschitz);
}

void LipschitzRecords::read_features(Index i, VectorXd& into) const {
  into = data_.features.row(i).transpose();
  if (const double norm = lp_norm(into, q_); norm > lipschitz_) into = shrunk(into, q_, lipschitz_);
}

double LipschitzRecords::label(Index i) const {
  const double y = data_.labels[i];
  if (loss_ != Loss::logistic) return y;
  return y < 0 ? -1 : 1;
}

Dataset lipschitz_records(Loss loss, const Dataset& data, double q, double lipschitz) {
  const LipschitzRecords records(loss, data.all(), q, lipschitz);
  Dataset out{Matrix(data.size(), data.dimension()), VectorXd(data.size())};
  VectorXd x;
  for (Index i = 0; i < data.size(); ++i) {
    records.read_features(i, x);
    out.features.row(i) = x.transpose();
    out.labels[i] = records.label(i);
  }
  return out;
}

double lipschitz_risk(Loss loss, const VectorXd& w, const DataView& data, double q,
                      double lipschitz) {
  require(w.size() == data.dimension(), "length of w", static_cast<double>(w.size()),
          "the number of features, " + std::to_string(data.dimension()));
  const LipschitzRecords records(loss, data, q, lipschitz);
  double sum = 0;
  VectorXd x;
  for (Index i = 0; i < data.size(); ++i) {
    records.read_features(i, x);
    sum += loss_value(loss, x.dot(w), records.label(i));
  }
  return sum / static_cast<double>(data.size());
}

double smoothness(Loss loss, double lipschitz) {
  validate(loss, lipschitz);
  return (loss == Loss::logistic ? 0.25 : 1.0) * lipschitz * lipschitz;
}

}  // namespace dpverify::su
