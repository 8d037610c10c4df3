#include "algorithms/problems/scalar_law.hpp"

#include <fmt/format.h>

#include <boost/math/special_functions/polygamma.hpp>
#include <cmath>
#include <numbers>

#include "algorithms/core/numbers.hpp"

namespace dpverify {

double ScalarLaw::draw(RandomStream& stream) const {
  const auto odds = [&stream] {
    const double u = stream.uniform();
    return u / (1 - u);
  };
  switch (kind) {
    case Kind::none:
      return 0;
    case Kind::normal:
      return scale * std::sqrt(parameter) * stream.normal();
    case Kind::lognormal:
      return scale * std::exp(std::sqrt(parameter) * stream.normal());
    case Kind::student_t: {
      const double normal = stream.normal();
      return scale * normal / std::sqrt(2 * stream.gamma(parameter / 2) / parameter);
    }
    case Kind::laplace:
      return scale * parameter * stream.laplace();
    case Kind::pareto: {
      const double size = scale * std::exp(stream.exponential() / parameter);
      return stream.coin() ? size : -size;
    }
    case Kind::logistic:
      return scale * parameter * std::log(odds());
    case Kind::log_logistic:
      return scale * std::pow(odds(), 1 / parameter);
    case Kind::log_gamma:
      return scale * std::log(stream.gamma(parameter));
  }
  return 0;
}

double ScalarLaw::moment(int order) const {
  const double p = parameter, k = order;
  constexpr double pi = std::numbers::pi;
  const auto even = [&](double second, double fourth) {
    return order == 1 ? 0 : order == 2 ? second : fourth;
  };
  switch (kind) {
    case Kind::none:
      return 0;
    case Kind::normal:
      return even(p, 3 * p * p);
    case Kind::lognormal:
      return std::exp(k * k * p / 2);
    case Kind::student_t:
      return even(p / (p - 2), 3 * p * p / ((p - 2) * (p - 4)));
    case Kind::laplace:
      return even(2 * p * p, 24 * std::pow(p, 4));
    case Kind::pareto:
      return k >= p ? infinity : even(p / (p - 2), p / (p - 4));
    case Kind::logistic:
      return even(p * p * pi * pi / 3, 7 * std::pow(p * pi, 4) / 15);
    case Kind::log_logistic:
      return k >= p ? infinity : (k * pi / p) / std::sin(k * pi / p);
    case Kind::log_gamma: {
      // The cumulants are the polygamma functions.
      const double first = boost::math::polygamma(0, p), second = boost::math::polygamma(1, p);
      if (order == 1) return first;
      if (order == 2) return second + first * first;
      return boost::math::polygamma(3, p) + 4 * boost::math::polygamma(2, p) * first +
             3 * second * second + 6 * second * first * first + std::pow(first, 4);
    }
  }
  return 0;
}

double ScalarLaw::mean() const { return scale * moment(1); }
double ScalarLaw::second_moment() const { return scale * scale * moment(2); }
double ScalarLaw::fourth_moment() const { return std::pow(scale, 4) * moment(4); }

double ScalarLaw::variance() const {
  if (kind == Kind::lognormal) return scale * scale * std::expm1(parameter) * std::exp(parameter);
  const double second = second_moment();
  return std::isinf(second) ? second : second - mean() * mean();
}

std::string ScalarLaw::in_words() const {
  const std::string times = scale == 1 ? "" : fmt::format("{} times ", scale);
  switch (kind) {
    case Kind::none:
      return "none";
    case Kind::normal:
      return times + fmt::format("N(0, {})", parameter);
    case Kind::lognormal:
      return times + fmt::format("lognormal(0, {})", parameter);
    case Kind::student_t:
      return times + fmt::format("Student's t ({} degrees of freedom)", parameter);
    case Kind::laplace:
      return times + fmt::format("Laplace (scale {})", parameter);
    case Kind::pareto:
      return times + fmt::format("symmetrised Pareto (tail index {})", parameter);
    case Kind::logistic:
      return times + fmt::format("logistic (scale {})", parameter);
    case Kind::log_logistic:
      return times + fmt::format("log-logistic (c = {})", parameter);
    case Kind::log_gamma:
      return times + fmt::format("log-gamma (c = {})", parameter);
  }
  return "";
}

}  // namespace dpverify
