#include "algorithms/wang_xu/l1_regression_second_moment.hpp"

#include <cmath>

#include "algorithms/core/checked.hpp"

namespace dpverify::wang_xu {

VectorXd l1_regression_second_moment(const Dataset& data, const L1RegressionParameters& p,
                                     Releases& releases) {
  require(p.theta == 2, "moment order theta", p.theta, "2 for Algorithm 1");
  const double exact = exact_sensitivity(data.size(), p);
  return draw_candidate(data, p, p.coefficient == Edition::corrected ? exact : 2 * exact, releases);
}

L1RegressionParameters from_theorem(Index n, Index dimension, double epsilon, double radius,
                                    double tau, double failure_probability, Moments moments) {
  require(n >= 2, "number of records", static_cast<double>(n), "at least 2");
  // iota = bound/E||x||_2^2, for which tau^2 or d tau^2 stands.
  const double second_moment =
      tau * tau * (moments == Moments::norm ? 1 : static_cast<double>(dimension));
  const double bound = theorem_bound(n, dimension, epsilon, tau, failure_probability, moments);
  return {.net = ball_net(dimension, radius, 1 / static_cast<double>(n)),
          .iota = bound / second_moment,
          .epsilon = epsilon};
}

double theorem_bound(Index n, Index dimension, double epsilon, double tau,
                     double failure_probability, Moments moments) {
  require(positive, "tau", tau);
  require(fraction, "failure probability", failure_probability);
  const auto records = static_cast<double>(n), d = static_cast<double>(dimension);
  return tau * (moments == Moments::norm ? std::sqrt(d) : d) *
         std::sqrt(std::log(records) * -std::log(failure_probability) / (records * epsilon));
}

}  // namespace dpverify::wang_xu
