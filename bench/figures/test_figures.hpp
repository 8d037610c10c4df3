// Figures with known curves, for tests.
#pragma once

#include <string>
#include <vector>

#include "bench/figures/figure.hpp"

namespace dpverify::figures {

// Errors around `mean` with a spread of a few per cent, different from trial to trial.
inline Point around(double mean, double spread, int step) {
  std::vector<double> values;
  for (int t = 0; t < 20; ++t)
    values.push_back(mean * (1 + spread * ((t * step) % 20 - 9.5) / 9.5));
  return summarised(values);
}

inline Curve fabricated(const std::string& method, Quantity quantity, double series,
                        const std::vector<double>& means, double spread = 0.02) {
  Curve curve{
      method, method == "other" ? Role::comparator : Role::experiments, quantity, series, {}};
  for (const double mean : means)
    // Two series are not in step: their differences vary.
    curve.points.push_back(around(mean, spread, series == 2 ? 7 : 3));
  return curve;
}

// Two series with three points; controls at 1 and 2.
inline Figure fabricated_figure(const std::vector<double>& first, const std::vector<double>& second,
                                double spread = 0.02) {
  Figure figure{
      .id = "test", .x_name = "n", .series_name = "d", .x = {10, 100, 1000}, .series = {2, 4}};
  for (const double s : figure.series) {
    figure.curves.push_back(
        fabricated("experiments", Quantity::run, s, s == 2 ? first : second, spread));
    figure.curves.push_back(fabricated("experiments", Quantity::data_free, s, {2, 2, 2}));
    figure.curves.push_back(fabricated("experiments", Quantity::noiseless, s, {0.1, 0.1, 0.1}));
    figure.curves.push_back(fabricated("", Quantity::zero_vector, s, {1, 1, 1}));
    for (const Quantity quantity : {Quantity::noise, Quantity::signal})
      figure.curves.push_back(fabricated("experiments", quantity, s, {4, 4, 4}));
    figure.curves.push_back(fabricated("other", Quantity::run, s, {0.5, 0.5, 0.5}));
  }
  return figure;
}

}  // namespace dpverify::figures
