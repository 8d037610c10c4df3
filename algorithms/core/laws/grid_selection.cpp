#include "algorithms/core/laws/grid_selection.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "algorithms/core/checked.hpp"
#include "algorithms/core/laws/checks.hpp"
#include "algorithms/core/numbers.hpp"

namespace dpverify {
namespace {

// The same candidates, all with score 0.
class FlatScore final : public GridScore {
 public:
  explicit FlatScore(std::shared_ptr<const GridScore> candidates)
      : candidates_(std::move(candidates)) {}
  Index dimension() const override { return candidates_->dimension(); }
  Index cells() const override { return candidates_->cells(); }
  bool may_hold_candidate(const CellBox& box) const override {
    return candidates_->may_hold_candidate(box);
  }
  double score(Index) const override { return 0; }
  double upper_bound(const CellBox&) const override { return 0; }
  double rounding() const override { return 0; }

 private:
  std::shared_ptr<const GridScore> candidates_;
};

bool is_candidate(const GridScore& score, Index cell) {
  return cell >= 0 && cell < grid_size(score) && score.may_hold_candidate(box_of(score, cell));
}

// The scores of all cells, -infinity where there is no candidate.
VectorXd list_scores(const GridScore& score) {
  const Index size = grid_size(score);
  require(size <= 1'000'000, "number of cells of a grid whose probabilities are asked for",
          static_cast<double>(size), "at most 10^6");
  VectorXd scores = VectorXd::Constant(size, -infinity);
  for (Index cell = 0; cell < size; ++cell)
    if (is_candidate(score, cell)) scores[cell] = score.score(cell);
  return scores;
}

}  // namespace

const VectorXd& GridExponentialMechanism::pre_noise_value() const {
  throw std::invalid_argument("the scores of a grid are not listed");
}

void GridExponentialMechanism::validate() const {
  require(score != nullptr, "score of a grid", "missing", "set");
  check_sensitivity(sensitivity);
  check_selection_coefficient(coefficient);
}

Index GridExponentialMechanism::draw(RandomStream& stream) const {
  return sample_cell(*score, coefficient, stream.bits());
}

Index GridExponentialMechanism::noiseless_outcome() const { return best_cell(*score); }

VectorXd GridExponentialMechanism::log_probabilities() const {
  const VectorXd scores = list_scores(*score);
  const double best = scores.maxCoeff();
  // A coefficient of 0 leaves the impossible cells impossible.
  const VectorXd logits = scores.unaryExpr([&](double one) {
    return one == -infinity ? one : 2 * (coefficient * (one / 2 - best / 2));
  });
  return logits.array() - std::log(logits.array().exp().sum());
}

bool GridExponentialMechanism::same_shape(const GridExponentialMechanism& other) const {
  return score->dimension() == other.score->dimension() && score->cells() == other.score->cells();
}

bool GridExponentialMechanism::same_noise(const GridExponentialMechanism& other) const {
  return coefficient == other.coefficient;
}

double GridExponentialMechanism::distance(const GridExponentialMechanism& neighbour,
                                          const Index* outcome) const {
  double distance = 0;
  const auto look = [&](Index cell) {
    if (!is_candidate(*score, cell)) return;
    const double change = std::abs(score->score(cell) - neighbour.score->score(cell));
    distance = std::isnan(change) ? infinity : std::max(distance, change);
  };
  const Index size = grid_size(*score);
  if (size <= 4096) {
    for (Index cell = 0; cell < size; ++cell) look(cell);
    return distance;
  }
  if (outcome != nullptr) look(*outcome);
  const Index d = score->dimension();
  const Index along = std::min(score->cells(), d == 1   ? Index{1000}
                                               : d == 2 ? Index{31}
                                                        : Index{10});
  const auto place = [&](Index k) { return (2 * k + 1) * score->cells() / (2 * along); };
  for (Index a = 0; a < along; ++a)
    for (Index b = 0; b < (d >= 2 ? along : 1); ++b)
      for (Index c = 0; c < (d >= 3 ? along : 1); ++c)
        look(cell_of(*score, {place(a), place(b), place(c)}));
  return distance;
}

GridExponentialMechanism GridExponentialMechanism::without_data() const {
  return {std::make_shared<FlatScore>(score), sensitivity, coefficient};
}

GridExponentialMechanism GridExponentialMechanism::with_noise_times(double factor) const {
  return {score, sensitivity * factor, coefficient / factor};
}

}  // namespace dpverify
