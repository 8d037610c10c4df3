#include "python/domain.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "algorithms/core/checked.hpp"

namespace dpverify::python {
namespace {

constexpr double largest = std::numeric_limits<double>::max();

// What an entry of the searches is multiplied by: their large values are 10^6 and a few times that.
double unit(double low, double high) {
  const double furthest = std::max(std::abs(low), std::abs(high));
  return std::isfinite(furthest) ? std::max(1.0, furthest / 1e6) : 1.0;
}

}  // namespace

void validate(const Domain& domain) {
  require(domain.records >= 1, "records", static_cast<double>(domain.records), "at least 1");
  require(domain.columns() >= 1, "columns", static_cast<double>(domain.columns()), "at least 1");
  for (Index j = 0; j < domain.columns(); ++j) {
    const double low = domain.low[j], high = domain.high[j];
    require(low < high, "low", low, "below high (" + to_text(high) + ")");
    for (const double end : {low, high})
      require(!domain.integers || std::isinf(end) || end == std::round(end), "an end of the range",
              end, "a whole number, where the entries are");
  }
}

Matrix in_domain(const Domain& domain, const Dataset& data) {
  Matrix out = Matrix::Zero(domain.records, domain.columns());
  const Index kept = std::min(domain.records, data.size());
  out.topRows(kept) = data.features.topRows(kept);
  out.col(domain.columns() - 1).head(kept) += data.labels.head(kept);
  for (Index j = 0; j < domain.columns(); ++j) {
    const double low = domain.low[j], high = domain.high[j], scale = unit(low, high);
    for (double& entry : out.col(j)) {
      entry *= scale;
      if (domain.integers) entry = std::round(entry);
      entry = std::clamp(entry, std::max(low, -largest), std::min(high, largest));
    }
  }
  return out;
}

NeighbouringPair in_domain(const Domain& domain, const NeighbouringPair& pair) {
  const auto moved = [&](const Dataset& data) {
    return Dataset{in_domain(domain, data), VectorXd::Zero(domain.records)};
  };
  return {moved(pair.data), moved(pair.neighbour), std::min(pair.replaced, domain.records - 1)};
}

}  // namespace dpverify::python
