#include "algorithms/su/hidden_direction.hpp"

#include <algorithm>
#include <utility>

#include "algorithms/losses/losses.hpp"
#include "algorithms/problems/counted_mean.hpp"

namespace dpverify::su {

double HiddenDirection::label(Index kind) const {
  if (kind == 0) return signal;
  return kind == 1 ? outlier : -outlier;
}

Dataset HiddenDirection::records() const {
  Dataset out{Matrix::Zero(3, dimension), VectorXd(3)};
  out.features.col(0).setConstant(lipschitz);
  for (Index k = 0; k < 3; ++k) out.labels[k] = label(k);
  return out;
}

Dataset HiddenDirection::draw(Index n, RandomStream& stream) const {
  Dataset out{Matrix::Zero(n, dimension), VectorXd(n)};
  out.features.col(0).setConstant(lipschitz);
  for (double& y : out.labels) y = label(stream.uniform() < share ? 0 : stream.coin() ? 1 : 2);
  return out;
}

Dataset HiddenDirection::draw_counts(Index n, RandomStream& stream, Index batches) const {
  Dataset out{Matrix::Zero(3 * batches, dimension), VectorXd(3 * batches)};
  const Index size = n / batches;
  for (Index batch = 0; batch < batches; ++batch) {
    const Index signals = draw_binomial(size, share, stream);
    const Index above = draw_binomial(size - signals, 0.5, stream);
    out.labels.segment(3 * batch, 3) << static_cast<double>(signals), static_cast<double>(above),
        static_cast<double>(size - signals - above);
  }
  return out;
}

VectorXd HiddenDirection::mean_gradient(const Dataset& counts, const VectorXd& w,
                                        Index batch) const {
  VectorXd out = VectorXd::Zero(w.size());
  const double records = counts.labels.segment(3 * batch, 3).sum();
  if (records == 0) return out;
  for (Index k = 0; k < 3; ++k)
    out[0] += counts.labels[3 * batch + k] / records * lipschitz *
              loss_derivative(Loss::pseudo_huber, lipschitz * w[0], label(k));
  return out;
}

double HiddenDirection::risk(double first_coordinate) const {
  double sum = 0;
  for (Index k = 0; k < 3; ++k) {
    const double y = label(k);
    sum += (k == 0 ? share : (1 - share) / 2) *
           (loss_value(Loss::pseudo_huber, lipschitz * first_coordinate, y) -
            loss_value(Loss::pseudo_huber, 0, y));
  }
  return sum;
}

std::function<double(const VectorXd&)> HiddenDirection::excess_over(double end) const {
  return [own = *this, least = risk(end)](const VectorXd& w) {
    return std::max(0.0, own.risk(w[0]) - least);
  };
}

RatePoint hidden_direction_point(const HiddenDirection& law, double end, Index n, Index batches,
                                 double bound, Mechanism mechanism) {
  return {.records = n,
          .mechanism = std::move(mechanism),
          .bound = bound,
          .dimension = law.dimension,
          .draw = [law, batches](
                      Index count,
                      RandomStream& stream) { return law.draw_counts(count, stream, batches); },
          .excess_risk = law.excess_over(end)};
}

}  // namespace dpverify::su
