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
  require(not_negative_and_finite, "declared sensitivity", sensitivity);
}

void check_noise_scale(double scale) { require(positive_and_finite, "noise scale", scale); }

void check_selection_coefficient(double per_score) {
  require(not_negative_and_finite, "coefficient of the exponential mechanism", per_score);
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
