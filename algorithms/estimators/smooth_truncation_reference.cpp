#include "algorithms/estimators/smooth_truncation_reference.hpp"

#include <boost/math/constants/constants.hpp>
#include <boost/math/special_functions/erf.hpp>
#include <boost/multiprecision/cpp_bin_float.hpp>
#include <cmath>

#include "algorithms/core/checked.hpp"

namespace dpverify {

double smooth_truncation_reference(double a_double, double b_double) {
  using Real = boost::multiprecision::number<boost::multiprecision::cpp_bin_float<100>,
                                             boost::multiprecision::et_off>;
  require(positive, "b", b_double);
  require(std::abs(a_double) + b_double <= 1e20, "|a| + b", std::abs(a_double) + b_double,
          "at most 1e20");
  const Real a = a_double, b = b_double;
  const Real root_two = sqrt(Real(2));
  const Real root_two_pi = sqrt(2 * boost::math::constants::pi<Real>());
  const Real limit = 2 * root_two / 3;
  const auto cdf = [&](const Real& x) -> Real {
    // Beyond 40 standard deviations the tail is below 1e-349: 0 in the result's digits.
    if (abs(x) > 40) return x > 0 ? 1 : 0;
    return boost::math::erfc(-x / root_two) / 2;
  };
  const auto bell = [](const Real& x) -> Real { return abs(x) > 40 ? Real(0) : exp(-x * x / 2); };
  const Real v_minus = (root_two - a) / b, v_plus = (root_two + a) / b;
  const Real f_minus = cdf(-v_minus), f_plus = cdf(-v_plus);
  const Real e_minus = bell(v_minus), e_plus = bell(v_plus);
  const Real t1 = limit * (f_minus - f_plus);
  const Real t2 = -(a - a * a * a / 6) * (f_minus + f_plus);
  const Real t3 = b / root_two_pi * (1 - a * a / 2) * (e_plus - e_minus);
  const Real t4 =
      a * b * b / 2 * (f_plus + f_minus + (v_plus * e_plus + v_minus * e_minus) / root_two_pi);
  const Real t5 = b * b * b / (6 * root_two_pi) *
                  ((2 + v_minus * v_minus) * e_minus - (2 + v_plus * v_plus) * e_plus);
  return static_cast<double>(a * (1 - b * b / 2) - a * a * a / 6 + t1 + t2 + t3 + t4 + t5);
}

}  // namespace dpverify
