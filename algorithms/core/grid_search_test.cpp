#include "algorithms/core/grid_search.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <memory>

#include "algorithms/core/checked.hpp"
#include "algorithms/core/enumerate.hpp"
#include "algorithms/core/numbers.hpp"
#include "algorithms/core/test_statistics.hpp"

namespace dpverify {
namespace {

using ::testing::ThrowsMessage;

// -steepness * squared distance of a cell's indices to a point; candidates where the sum of the
// indices is not above `largest_sum`. The bound of a box is exact.
class Hill final : public GridScore {
 public:
  Hill(Index dimension, Index cells, double steepness, double peak, Index largest_sum)
      : dimension_(dimension),
        cells_(cells),
        steepness_(steepness),
        peak_(peak),
        largest_sum_(largest_sum) {}
  Index dimension() const override { return dimension_; }
  Index cells() const override { return cells_; }
  bool may_hold_candidate(const CellBox& box) const override {
    return box.first[0] + box.first[1] + box.first[2] <= largest_sum_;
  }
  double score(Index cell) const override { return upper_bound(box_of(*this, cell)); }
  double upper_bound(const CellBox& box) const override {
    double sum = 0;
    for (std::size_t j = 0; j < static_cast<std::size_t>(dimension_); ++j) {
      const double low = static_cast<double>(box.first[j]) - peak_;
      const double high = static_cast<double>(box.last[j]) - peak_;
      const double distance = low > 0 ? low : high < 0 ? high : 0;
      sum += distance * distance;
    }
    return -steepness_ * sum;
  }
  double rounding() const override { return 0; }

 private:
  Index dimension_, cells_;
  double steepness_, peak_;
  Index largest_sum_;
};

GridExponentialMechanism law_of(const Hill& hill, double coefficient = 1) {
  return {std::make_shared<Hill>(hill), 1, coefficient};
}

// exp(score) over the candidates, normalised, in plain arithmetic.
VectorXd slow_probabilities(const GridScore& score, double coefficient) {
  VectorXd out(grid_size(score));
  for (Index cell = 0; cell < out.size(); ++cell)
    out[cell] = score.may_hold_candidate(box_of(score, cell))
                    ? std::exp(coefficient * score.score(cell))
                    : 0;
  return out / out.sum();
}

const std::vector<Hill> hills{{1, 1, 1, 0, 9},  {1, 37, 0.01, 12, 99}, {2, 6, 0.3, 1.5, 6},
                              {2, 9, 0, 0, 16}, {3, 5, 0.2, 3.1, 7},   {3, 4, 5, 2, 3}};

TEST(GridSearch, CellsAndBoxesAgree) {
  for (const Hill& hill : hills)
    for (Index cell = 0; cell < grid_size(hill); ++cell) {
      const CellBox box = box_of(hill, cell);
      EXPECT_TRUE(box.single());
      EXPECT_EQ(box.size(), 1);
      EXPECT_EQ(cell_of(hill, box.first), cell);
    }
  EXPECT_EQ(grid_size(hills[4]), 125);
}

// Scores of -1000 and -2000: the better one is taken with probability 1 - e^-1000.
TEST(GridSearch, ProbabilitiesOfLowScores) {
  const VectorXd log_p = law_of({1, 2, 1000, 2, 9}).log_probabilities();
  EXPECT_EQ(log_p[1], 0);
  EXPECT_EQ(log_p[0], -3000);
}

// The search finds the same cell as adding the noise of every cell to its score.
TEST(GridSearch, IsTheArgmaxOfScoresPlusTheNoiseOfTheTree) {
  for (const Hill& hill : hills)
    for (const double coefficient : {0.0, 1.0, 40.0})
      for (std::uint64_t key = 0; key < 300; ++key) {
        const VectorXd noise = cell_noise(hill, key);
        Index best = -1;
        for (Index cell = 0; cell < noise.size(); ++cell) {
          if (!hill.may_hold_candidate(box_of(hill, cell))) continue;
          const auto sum = [&](Index c) { return coefficient * hill.score(c) + noise[c]; };
          if (best < 0 || sum(cell) > sum(best)) best = cell;
        }
        ASSERT_EQ(sample_cell(hill, coefficient, key), best) << key;
      }
}

// 40 trees of a 37-cell grid: 1480 independent standard Gumbel variables. A failure of a right law
// has probability at most 1e-11 in each of these tests.
TEST(GridSearch, TheNoiseOfTheTreeIsGumbel) {
  std::vector<double> all, first, differences;
  for (std::uint64_t key = 0; key < 4000; ++key) {
    const VectorXd noise = cell_noise(hills[1], key);
    if (key < 40) all.insert(all.end(), noise.begin(), noise.end());
    first.push_back(noise[17]);
    // Neighbours, parted by the last split only: independent all the same, so that their difference
    // is logistic.
    differences.push_back(noise[1] - noise[0]);
  }
  const auto gumbel = [](double x) { return std::exp(-std::exp(-x)); };
  EXPECT_TRUE(samples_follow(all, gumbel));
  EXPECT_TRUE(samples_follow(first, gumbel));
  EXPECT_TRUE(samples_follow(differences, [](double x) { return 1 / (1 + std::exp(-x)); }));
  // The check has power: twice the scale is 0.14 away, and missed with probability below 1e-11.
  for (double& x : differences) x *= 2;
  EXPECT_FALSE(samples_follow(differences, [](double x) { return 1 / (1 + std::exp(-x)); }));
}

TEST(GridSearch, DrawsFollowTheExponentialMechanism) {
  for (const Hill& hill : hills) {
    const GridExponentialMechanism law = law_of(hill, 0.7);
    RandomStream stream({.seed = 4, .claim = "grid search test", .purpose = "draws"});
    std::vector<Index> counts(static_cast<std::size_t>(grid_size(hill)), 0);
    for (int draw = 0; draw < 20'000; ++draw)
      ++counts[static_cast<std::size_t>(std::get<Index>(sample(law, stream)))];
    const VectorXd right = slow_probabilities(hill, 0.7);
    EXPECT_TRUE(counts_follow(counts, right));
    // The check has power: another coefficient is seen where the scores differ.
    if (hill.dimension() == 2 && hill.score(0) < 0) {
      EXPECT_FALSE(counts_follow(counts, slow_probabilities(hill, 0.1)));
    }
  }
}

TEST(GridLaw, ListsTheProbabilitiesOfASmallGrid) {
  for (const Hill& hill : hills)
    for (const double coefficient : {0.0, 0.7}) {
      const Law law = law_of(hill, coefficient);
      validate(law);
      const VectorXd probabilities = slow_probabilities(hill, coefficient);
      ASSERT_EQ(support_size(law), probabilities.size());
      const VectorXd logs = log_probabilities(law);
      for (Index cell = 0; cell < logs.size(); ++cell) {
        if (probabilities[cell] == 0) {
          EXPECT_EQ(logs[cell], -infinity);
        } else {
          EXPECT_NEAR(logs[cell], std::log(probabilities[cell]), 1e-12);
        }
        EXPECT_EQ(log_density(law, cell), logs[cell]);
      }
      EXPECT_EQ(log_density(law, probabilities.size()), -infinity);
    }
}

TEST(GridLaw, WithoutDataIsUniformOnTheCandidates) {
  const Law flat = without_data(law_of(hills[2]));
  RandomStream stream({.seed = 5, .claim = "grid search test", .purpose = "data-free draws"});
  std::vector<Index> counts(36, 0);
  for (int draw = 0; draw < 20'000; ++draw)
    ++counts[static_cast<std::size_t>(std::get<Index>(sample(flat, stream)))];
  EXPECT_TRUE(counts_follow(counts, slow_probabilities(hills[2], 0)));
}

TEST(GridLaw, NoiselessOutcomeIsTheBestCandidate) {
  EXPECT_EQ(std::get<Index>(noiseless_outcome(law_of(hills[1]))), 12);
  const Hill huge(3, 1'000'000, 1e-3, 123'456, 3'000'000);
  GridSearchCost cost;
  EXPECT_EQ(box_of(huge, best_cell(huge, &cost)).first,
            (std::array<Index, 3>{123456, 123456, 123456}));
  EXPECT_LE(cost.boxes, 200);
}

// Scores on a line of 1024 cells, 0 but at one cell, whose bounds say 5 of every box of 8 cells or
// more and may exceed the score of a single cell by 0.25 for the sake of rounding.
class Loose final : public GridScore {
 public:
  Loose(Index peak, double height) : peak_(peak), height_(height) {}
  Index dimension() const override { return 1; }
  Index cells() const override { return 1024; }
  bool may_hold_candidate(const CellBox&) const override { return true; }
  double score(Index cell) const override { return cell == peak_ ? height_ : 0; }
  double upper_bound(const CellBox& box) const override {
    if (box.size() >= 8 && height_ > 0) return 5;
    return (box.first[0] <= peak_ && peak_ <= box.last[0] ? height_ : 0) + rounding();
  }
  double rounding() const override { return 0.25; }

 private:
  Index peak_;
  double height_;
};

// What is less than two roundings better may be missed, and no box is opened for it; what is more
// is found wherever it is.
TEST(GridSearch, BestCellIsBestUpToTwoRoundings) {
  for (const Index peak : {0, 513, 1023}) EXPECT_EQ(best_cell(Loose(peak, 1)), peak);
  GridSearchCost cost;
  best_cell(Loose(700, 0), &cost);
  EXPECT_LE(cost.scored, 2);
}

TEST(GridLaw, ComparesScoresAndDeclares) {
  const Law law = law_of(hills[1]), other = law_of({1, 37, 0.02, 12, 99});
  EXPECT_TRUE(same_shape(law, other));
  EXPECT_FALSE(same_shape(law, law_of({1, 36, 0.01, 12, 99})));
  EXPECT_FALSE(same_shape(law, law_of({2, 37, 0.01, 12, 99})));
  EXPECT_NEAR(compare(law, other).distance, 0.01 * 24 * 24, 1e-12);  // at cell 36
  EXPECT_TRUE(compare(law, other).comparable);
  EXPECT_FALSE(compare(law, law_of(hills[1], 2)).comparable);
  EXPECT_EQ(compare(law, law_of({1, 37, std::nan(""), 12, 99})).distance, infinity);
  EXPECT_EQ(declared_cost(law).epsilon, 2);
  EXPECT_EQ(declared_sensitivity(law), 1);

  // Too large to compare everywhere: a change that peaks at one cell is seen there by the outcome.
  const Law wide = law_of({1, 1'000'000, 1e-12, 0, 999'999});
  const Law moved = law_of({1, 1'000'000, 2e-12, 0, 999'999});
  const double at_spread = compare(wide, moved).distance;
  const Outcome last = Index{999'999};
  EXPECT_NEAR(at_spread, 1e-12 * std::pow(999'500.0, 2), 1e-9);
  EXPECT_NEAR(compare(wide, moved, &last).distance, 1e-12 * std::pow(999'999.0, 2), 1e-9);
}

TEST(GridLaw, EnumeratesAndReplays) {
  const Mechanism mechanism = [](const Dataset& data, Releases& releases) {
    return VectorXd::Constant(
        1, static_cast<double>(releases.select(law_of({2, 4, data.labels[0], 1.5, 5}))));
  };
  const NeighbouringPair pair = make_pair({{0, 0.5}}, 0, {0, 0.25});
  const auto paths = enumerate(mechanism, pair.data);
  ASSERT_EQ(paths.size(), 16U);
  const VectorXd here = slow_probabilities(Hill(2, 4, 0.5, 1.5, 5), 1);
  const VectorXd there = slow_probabilities(Hill(2, 4, 0.25, 1.5, 5), 1);
  for (std::size_t k = 0; k < 16; ++k)
    EXPECT_NEAR(std::exp(paths[k].log_probability), here[static_cast<Index>(k)], 1e-14);
  const Transcript transcript =
      record(mechanism, pair.data, RandomStream({.seed = 6, .claim = "grid", .purpose = "replay"}));
  const Replay result = replay(mechanism, pair.neighbour, transcript);
  EXPECT_EQ(result.leak, "");
  const auto outcome = static_cast<Index>(transcript.output[0]);
  EXPECT_NEAR(result.log_likelihood_ratio, std::log(here[outcome] / there[outcome]), 1e-13);
  EXPECT_NEAR(result.worst_ratio, 0.25 * 4.5, 1e-13);  // at the corner (0, 0): 2 * 1.5^2
}

TEST(GridLaw, RefusesWhatItCannotDo) {
  const Law wide = law_of({3, 1000, 1, 0, 3000});
  EXPECT_THAT(
      [&] { log_probabilities(wide); },
      ThrowsMessage<std::invalid_argument>(
          "number of cells of a grid whose probabilities are asked for is 1000000000, but must be "
          "at most 10^6"));
  EXPECT_THROW(pre_noise_value(wide), std::invalid_argument);
  EXPECT_THROW(sample_cell(Hill(2, 4, 1, 0, -1), 1, 1), std::invalid_argument);
  EXPECT_THROW(sample_cell(Hill(3, 2'000'000, 1, 0, 9), 1, 1), std::invalid_argument);
  EXPECT_THROW(sample_cell(Hill(1, 4, std::nan(""), 0, 9), 1, 1), NonFiniteRelease);
  EXPECT_THROW(validate(GridExponentialMechanism{nullptr, 1, 1}), std::invalid_argument);
}

}  // namespace
}  // namespace dpverify
