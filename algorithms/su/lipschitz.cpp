#include "algorithms/su/lipschitz.hpp"

#include <cmath>

#include "algorithms/core/checked.hpp"
#include "algorithms/geometry/convex_body.hpp"

namespace dpverify::su {
namespace {

void validate(Loss loss, double lipschitz) {
  require(loss == Loss::logistic || loss == Loss::pseudo_huber, "loss", name(loss),
          "logistic or pseudo_huber (smooth, with a slope of at most 1)");
  require(positive_and_finite, "Lipschitz constant L", lipschitz);
}

}  // namespace

Dataset lipschitz_records(Loss loss, const Dataset& data, double q, double lipschitz) {
  validate(loss, lipschitz);
  Dataset out = data;
  for (Index i = 0; i < data.size(); ++i)
    out.features.row(i) = shrunk(data.features.row(i).transpose(), q, lipschitz).transpose();
  if (loss == Loss::logistic)
    out.labels = data.labels.unaryExpr([](double y) { return y < 0 ? -1.0 : 1.0; });
  return out;
}

double smoothness(Loss loss, double lipschitz) {
  validate(loss, lipschitz);
  return (loss == Loss::logistic ? 0.25 : 1.0) * lipschitz * lipschitz;
}

}  // namespace dpverify::su
