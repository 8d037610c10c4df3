#include "bench/statistics.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <boost/math/distributions/binomial.hpp>
#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>

#include "algorithms/core/numbers.hpp"

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

Located locate_mean(const std::vector<double>& values, double level) {
  const Sample sample = summarise(values);
  if (sample.size < 2) return {sample.mean, -infinity, infinity};
  const double half = sample.standard_error *
                      student_t_quantile((1 - level) / 2, static_cast<double>(sample.size - 1));
  return {sample.mean, sample.mean - half, sample.mean + half};
}

Located locate_quantile(std::vector<double> values, double probability, double level) {
  std::ranges::sort(values);
  const auto n = static_cast<double>(values.size());
  const boost::math::binomial below(n, probability);  // how many values lie at or below it
  const double miss = (1 - level) / 2;
  Located out{values[static_cast<std::size_t>(std::ceil(probability * n)) - 1], -infinity,
              infinity};
  // The k-th smallest value is above the quantile with probability at most P(below < k), and below
  // it with probability at most P(below >= k).
  for (std::size_t k = 1; k <= values.size(); ++k) {
    if (boost::math::cdf(below, static_cast<double>(k - 1)) <= miss) out.lower = values[k - 1];
    if (boost::math::cdf(boost::math::complement(below, static_cast<double>(k - 1))) <= miss) {
      out.upper = values[k - 1];
      break;
    }
  }
  return out;
}

double rank_sum_score(const std::vector<Stratum>& strata) {
  double excess = -0.5, variance = 0;  // half a pair: the number of pairs is an integer
  for (const auto& [first, second] : strata) {
    for (const double theirs : second)
      for (const double ours : first) excess += theirs > ours ? 1 : 0;
    const auto pairs = static_cast<double>(first.size() * second.size());
    excess -= pairs / 2;
    variance += pairs * static_cast<double>(first.size() + second.size() + 1) / 12;
  }
  return excess / std::sqrt(variance);
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

Parabola fit_parabola(const std::vector<double>& x, const std::vector<double>& y,
                      const std::vector<double>& weights) {
  double total = 0, centre = 0;
  for (std::size_t k = 0; k < x.size(); ++k) {
    total += weights[k];
    centre += weights[k] * x[k];
  }
  centre /= total;
  Eigen::MatrixX3d design(static_cast<Eigen::Index>(x.size()), 3);
  Eigen::VectorXd right(static_cast<Eigen::Index>(x.size()));
  for (std::size_t k = 0; k < x.size(); ++k) {
    const auto row = static_cast<Eigen::Index>(k);
    const double root = std::sqrt(weights[k]), t = x[k] - centre;
    design.row(row) << root, root * t, root * t * t;
    right[row] = root * y[k];
  }
  const Eigen::Vector3d fit = design.colPivHouseholderQr().solve(right);
  return {.centre = centre, .slope = fit[1], .curvature = fit[2]};
}

}  // namespace dpverify
