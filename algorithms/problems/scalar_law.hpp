// Laws of one number, for features and noise.
#pragma once

#include <string>

#include "algorithms/core/random.hpp"

namespace dpverify {

// `scale` times a number with the law
//   none:         0
//   normal:       mean 0, variance `parameter`
//   lognormal:    exp(N(0, parameter)), `parameter` the variance of the logarithm
//   student_t:    `parameter` degrees of freedom, an even number from 6 to 30
//   laplace:      density exp(-|x|/parameter)/(2 parameter)
//   pareto:       symmetrised, |x| >= 1, P(|x| > t) = t^-parameter: moments of order >= parameter
//                 are infinite
//   logistic:     mean 0, density exp(-x/parameter)/(parameter (1 + exp(-x/parameter))^2)
//   log_logistic: density c x^(-c-1) (1 + x^-c)^-2, x > 0, c = `parameter`; moments of order >= c
//                 are infinite
//   log_gamma:    the logarithm of a gamma variable of shape `parameter`: density exp(c x -
//                 e^x)/Gamma(c) (Hu et al. print exp(c x) - exp(x), which is negative for x > 0)
struct ScalarLaw {
  enum class Kind {
    none,
    normal,
    lognormal,
    student_t,
    laplace,
    pareto,
    logistic,
    log_logistic,
    log_gamma
  } kind = Kind::none;
  double parameter = 0;
  double scale = 1;

  double draw(RandomStream& stream) const;
  // Infinite where the integral of the absolute value diverges.
  double mean() const;
  double second_moment() const;  // E x^2
  double fourth_moment() const;  // E x^4
  double variance() const;
  std::string in_words() const;

 private:
  double moment(int order) const;  // of the law before scaling; order 1, 2 or 4
};

}  // namespace dpverify
