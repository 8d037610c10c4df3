#include "algorithms/core/laws/checks.hpp"

#include <cmath>
#include <string>

#include "algorithms/core/checked.hpp"

namespace dpverify {

void check_pre_noise_value(const VectorXd& value, std::string_view law_name) {
  require(value.size() >= 1, "size of the released value", static_cast<double>(value.size()),
          "at least 1");
  for (Index i = 0; i < value.size(); ++i)
    if (!std::isfinite(value[i]))
      throw NonFiniteRelease("pre-noise value " + std::to_string(i) + " of a release (" +
                             std::string(law_name) + ") is " + to_text(value[i]) +
                             ", but must be finite");
}

void check_sensitivity(double sensitivity) {
  require(sensitivity >= 0 && std::isfinite(sensitivity), "declared sensitivity", sensitivity,
          "non-negative and finite");
}

void check_noise_scale(double scale) {
  require(std::isfinite(scale) && scale > 0, "noise scale", scale, "positive and finite");
}

void check_selection_coefficient(double per_score) {
  require(std::isfinite(per_score) && per_score >= 0, "coefficient of the exponential mechanism",
          per_score, "non-negative and finite");
}

double largest_distance(const VectorXd& value, const VectorXd& other) {
  return distance_in([](const VectorXd& x) { return x.lpNorm<Eigen::Infinity>(); }, value, other);
}

Index best_of(const VectorXd& scores) {
  Index best = 0;
  scores.maxCoeff(&best);
  return best;
}

}  // namespace dpverify
