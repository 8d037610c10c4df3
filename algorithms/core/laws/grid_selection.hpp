// The exponential mechanism over a grid that is not listed.
#pragma once

#include <memory>

#include "algorithms/core/grid_search.hpp"
#include "algorithms/core/laws/law_kind.hpp"

namespace dpverify {

// The exponential mechanism over the candidate cells of a grid that is not listed: P(cell)
// proportional to exp(coefficient * score(cell)). (2 * coefficient * sensitivity)-DP. Its outcomes
// are numbers of cells, 0..grid_size - 1, those of cells that are no candidates impossible.
struct GridExponentialMechanism {
  std::shared_ptr<const GridScore> score;
  double sensitivity = 0;  // max over the candidates of |u(D,v) - u(D',v)|; > 0
  double coefficient = 0;  // per unit of score, >= 0

  static constexpr std::string_view name = "exponential mechanism over a grid";
  const VectorXd& pre_noise_value() const;  // throws: the scores are not listed
  void validate() const;                    // scores are checked when they are computed
  Index draw(RandomStream& stream) const;
  Index noiseless_outcome() const;  // best up to rounding
  PrivacyCost cost() const { return bounded_range_cost(2 * coefficient * sensitivity); }
  Index support_size() const { return grid_size(*score); }
  VectorXd log_probabilities() const;  // throws for more than 10^6 cells
  bool same_shape(const GridExponentialMechanism& other) const;
  bool same_noise(const GridExponentialMechanism& other) const;
  // Of more than 4096 cells only up to 1000 evenly spaced ones and the outcome are compared: a
  // lower bound.
  double distance(const GridExponentialMechanism& neighbour, const Index* outcome) const;
  GridExponentialMechanism without_data() const;
  GridExponentialMechanism with_noise_times(double factor) const;
};

}  // namespace dpverify
