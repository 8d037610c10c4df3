#include "algorithms/wang_xu/l1_regression.hpp"

#include <cmath>

#include "algorithms/core/checked.hpp"
#include "algorithms/wang_xu/grid_risk.hpp"

namespace dpverify::wang_xu {

void validate(const L1RegressionParameters& p, const Dataset& data) {
  require(positive_and_finite, "epsilon", p.epsilon);
  require(positive_and_finite, "iota", p.iota);
  const auto* listed = std::get_if<Matrix>(&p.net);
  if (listed != nullptr)
    require(listed->rows() >= 1, "number of candidates", static_cast<double>(listed->rows()),
            "at least 1");
  const Index dimension = listed != nullptr ? listed->cols() : std::get<BallNet>(p.net).dimension;
  require(dimension == data.dimension(), "dimension of the net", static_cast<double>(dimension),
          "the number of features, " + std::to_string(data.dimension()));
}

double truncated_risk(const DataView& data, const VectorXd& w, double iota,
                      const LogTruncation& psi) {
  double sum = 0;
  for (Index i = 0; i < data.size(); ++i) {
    const double residual = iota * std::abs(data.labels[i] - data.features.row(i).dot(w));
    sum += std::isfinite(residual) ? psi(residual) : psi.largest();
  }
  return sum / (static_cast<double>(data.size()) * iota);
}

double exact_sensitivity(Index n, const L1RegressionParameters& p) {
  return LogTruncation(p.theta).largest() / (static_cast<double>(n) * p.iota);
}

double exponent_coefficient(Index n, const L1RegressionParameters& p) {
  const double times = p.coefficient == Edition::printed  ? 1
                       : p.coefficient == Edition::proved ? 4
                                                          : 2;
  return p.epsilon / (times * exact_sensitivity(n, p));
}

VectorXd draw_candidate(const Dataset& data, const L1RegressionParameters& p,
                        double stated_sensitivity, Releases& releases) {
  validate(p, data);
  const double coefficient = exponent_coefficient(data.size(), p);
  const auto* grid = std::get_if<BallNet>(&p.net);
  if (grid != nullptr && cell_count(*grid) > p.largest_listed) {
    const Index cell = releases.select(
        GridExponentialMechanism{.score = std::make_shared<GridRisk>(data, *grid, p.iota, p.theta),
                                 .sensitivity = stated_sensitivity,
                                 .coefficient = coefficient});
    return candidate(*grid, cell_indices(*grid, cell));
  }
  const Matrix net = grid != nullptr ? list_candidates(*grid) : std::get<Matrix>(p.net);
  const Index k = releases.select(
      ExponentialMechanism{VectorXd::Zero(net.rows()), stated_sensitivity, coefficient}, [&] {
        const LogTruncation psi(p.theta);
        VectorXd scores(net.rows());
        for (Index i = 0; i < net.rows(); ++i)
          scores[i] = -truncated_risk(data.all(), net.row(i), p.iota, psi);
        return scores;
      });
  return net.row(k);
}

}  // namespace dpverify::wang_xu
