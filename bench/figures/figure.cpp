#include "bench/figures/figure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "algorithms/core/numbers.hpp"
#include "bench/statistics.hpp"

namespace dpverify::figures {

std::string_view name(Quantity quantity) {
  switch (quantity) {
    case Quantity::run:
      return "run";
    case Quantity::data_free:
      return "data_free";
    case Quantity::noiseless:
      return "noiseless";
    case Quantity::zero_vector:
      return "zero_vector";
    case Quantity::noise:
      return "noise";
    case Quantity::signal:
      return "signal";
  }
  return "";
}

std::vector<std::string> Figure::methods(bool comparators) const {
  std::vector<std::string> found;
  for (const Curve& curve : curves)
    if (curve.quantity == Quantity::run && (curve.role == Role::comparator) == comparators &&
        std::find(found.begin(), found.end(), curve.method) == found.end())
      found.push_back(curve.method);
  return found;
}

const Curve& Figure::curve(const std::string& method, Quantity quantity,
                           double series_value) const {
  for (const Curve& curve : curves)
    if (curve.quantity == quantity && curve.series == series_value &&
        (quantity == Quantity::zero_vector || curve.method == method))
      return curve;
  throw std::out_of_range(fmt::format("figure {} has no curve {} of '{}' at {} = {}", id,
                                      name(quantity), method, series_name, series_value));
}

Point summarised(std::vector<double> values) {
  const bool finite = std::ranges::all_of(values, [](double v) { return std::isfinite(v); });
  const Located mean =
      finite ? locate_mean(values, interval_level) : Located{infinity, -infinity, infinity};
  return {std::move(values), mean.value, mean.lower, mean.upper};
}

}  // namespace dpverify::figures
