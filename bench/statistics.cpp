#include "bench/statistics.hpp"

#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>

namespace dpverify {

Sample summarise(const std::vector<double>& values) {
  Sample sample{.size = values.size()};
  for (const double value : values) sample.mean += value;
  sample.mean /= static_cast<double>(values.size());
  double squares = 0;
  for (const double value : values) squares += (value - sample.mean) * (value - sample.mean);
  const auto n = static_cast<double>(values.size());
  sample.standard_error = values.size() < 2 ? 0 : std::sqrt(squares / (n - 1) / n);
  return sample;
}

double student_t_quantile(double probability, double degrees) {
  return boost::math::quantile(
      boost::math::complement(boost::math::students_t(degrees), probability));
}

double normal_quantile(double upper_probability) {
  return boost::math::quantile(boost::math::complement(boost::math::normal(), upper_probability));
}

Line fit_line(const std::vector<double>& x, const std::vector<double>& y,
              const std::vector<double>& weights) {
  double total = 0, mean_x = 0, mean_y = 0;
  for (std::size_t k = 0; k < x.size(); ++k) {
    total += weights[k];
    mean_x += weights[k] * x[k];
    mean_y += weights[k] * y[k];
  }
  mean_x /= total;
  mean_y /= total;
  double xx = 0, xy = 0;
  for (std::size_t k = 0; k < x.size(); ++k) {
    xx += weights[k] * (x[k] - mean_x) * (x[k] - mean_x);
    xy += weights[k] * (x[k] - mean_x) * (y[k] - mean_y);
  }
  return {.slope = xy / xx, .intercept = mean_y - xy / xx * mean_x};
}

}  // namespace dpverify
