#include "algorithms/core/norms.hpp"

#include <boost/math/special_functions/gamma.hpp>
#include <cmath>
#include <limits>
#include <numbers>

#include "algorithms/core/checked.hpp"
#include "algorithms/core/numbers.hpp"

namespace dpverify {

double lp_norm(const VectorXd& x, double p) {
  require(p >= 1, "exponent of a norm", p, "in [1, infinity]");
  if (x.size() == 0) return 0;
  if (x.hasNaN()) return std::numeric_limits<double>::quiet_NaN();
  const double largest = x.lpNorm<Eigen::Infinity>();
  if (std::isinf(p) || largest == 0 || std::isinf(largest)) return largest;
  if (p == 1) return x.lpNorm<1>();
  if (p == 2) return x.stableNorm();
  return largest * std::pow((x / largest).array().abs().pow(p).sum(), 1 / p);
}

double dual_exponent(double p) {
  require(p >= 1, "exponent of a norm", p, "in [1, infinity]");
  if (std::isinf(p)) return 1;
  return p == 1 ? infinity : p / (p - 1);
}

double log_ball_volume(double p, Index dimension) {
  require(p >= 1, "exponent of a norm", p, "in [1, infinity]");
  const auto d = static_cast<double>(dimension);
  return d * (std::numbers::ln2 + boost::math::lgamma(1 + 1 / p)) - boost::math::lgamma(1 + d / p);
}

}  // namespace dpverify
