#include "algorithms/wang_xu/l1_regression_theta_moment.hpp"

#include <cmath>

#include "algorithms/core/checked.hpp"

namespace dpverify::wang_xu {
namespace {

void validate(const ThetaMomentSetting& s) {
  require(s.records >= 2, "number of records", s.records, "at least 2");
  require(at_least_one, "dimension", s.dimension);
  require(s.theta > 1 && s.theta < 2, "moment order theta", s.theta, "in (1, 2)");
  require(positive_and_finite, "epsilon", s.epsilon);
  require(positive_and_finite, "tau", s.tau);
  require(fraction, "failure probability", s.failure_probability);
}

double log_failure(const ThetaMomentSetting& s) { return -std::log(s.failure_probability); }

}  // namespace

VectorXd l1_regression_theta_moment(const Dataset& data, const L1RegressionParameters& p,
                                    Releases& releases) {
  require(p.theta > 1 && p.theta < 2, "moment order theta", p.theta, "in (1, 2) for Algorithm 2");
  const double exact = exact_sensitivity(data.size(), p);
  return draw_candidate(data, p, p.coefficient == Edition::proved ? 2 * exact : exact, releases);
}

double theta_moment_iota(const ThetaMomentSetting& s, Edition edition) {
  validate(s);
  const double share = log_failure(s) / (s.records * s.epsilon), log_n = std::log(s.records);
  if (s.moments == Moments::coordinates)
    return std::pow(share * log_n, (edition == Edition::corrected ? 1 : s.theta - 1) / s.theta) /
           s.tau;
  const double logarithms = edition == Edition::corrected ? log_n : 1;
  return std::pow(s.dimension * share * logarithms, 1 / s.theta) /
         (edition == Edition::proved ? 1 : s.tau);
}

double theta_moment_bound(const ThetaMomentSetting& s) {
  validate(s);
  const double share = std::log(s.records) * log_failure(s) / (s.records * s.epsilon);
  const double exponent = (s.theta - 1) / s.theta;
  return s.moments == Moments::norm ? s.tau * std::pow(s.dimension * share, exponent)
                                    : s.tau * s.dimension * std::pow(share, exponent);
}

L1RegressionParameters theta_moment_from_theorem(const ThetaMomentSetting& s, double radius,
                                                 Edition edition) {
  const double iota = theta_moment_iota(s, edition);
  return {.net = ball_net(static_cast<Index>(s.dimension), radius, 1 / s.records),
          .iota = iota,
          .epsilon = s.epsilon,
          .coefficient = edition,
          .theta = s.theta};
}

}  // namespace dpverify::wang_xu
