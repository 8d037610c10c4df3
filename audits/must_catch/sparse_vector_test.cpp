#include "audits/must_catch/sparse_vector.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "algorithms/core/quadrature.hpp"
#include "algorithms/core/test_statistics.hpp"

namespace dpverify::must_catch {
namespace {

constexpr Index draws = 100'000;

Dataset one_record(std::initializer_list<double> entries) {
  Dataset data{Matrix(1, static_cast<Index>(entries.size())), VectorXd::Zero(1)};
  std::copy(entries.begin(), entries.end(), data.features.data());
  return data;
}

// The law of the mechanism's only release.
Law law_of(const Mechanism& mechanism, const Dataset& data) {
  return record(mechanism, data, RandomStream({.claim = "sparse_vector_test"})).entries.at(0).law;
}

// One check of draws for each of four programs: false failure 4e-11.
TEST(SparseVector, PatternsFollowTheirProbabilities) {
  const Dataset data = one_record({0, 1, -0.5, 0.3});
  for (const SparseVector& p : {SparseVector{0.2, 2, 4, 1}, SparseVector{0.2, 2, 1, 2},
                                SparseVector{-0.1, 0.5, 3, 4}, SparseVector{0.2, 1, 0, 3}}) {
    const Law law = law_of(sparse_vector(p), data);
    const VectorXd probabilities = log_probabilities(law).array().exp();
    EXPECT_NEAR(probabilities.sum(), 1, 1e-10);
    RandomStream stream({.seed = 3, .claim = "sparse_vector_test", .purpose = "patterns"});
    std::vector<Index> counts(16);
    for (Index k = 0; k < draws; ++k)
      ++counts[static_cast<std::size_t>(std::get<Index>(sample(law, stream)))];
    EXPECT_TRUE(counts_follow(counts, probabilities)) << p.query_scale;
  }
}

// Without query noise the answers say between which queries the threshold lies.
TEST(SparseVector, WithoutQueryNoiseInClosedForm) {
  const Dataset data = one_record({0, 1});
  const VectorXd p =
      log_probabilities(law_of(sparse_vector({0, 2, 0, 2}), data)).array().exp().matrix();
  const double below_0 = 0.5, below_1 = 1 - 0.5 * std::exp(-0.5);
  EXPECT_NEAR(p[0], 1 - below_1, 1e-12);        // threshold above both
  EXPECT_NEAR(p[2], below_1 - below_0, 1e-12);  // only the second query above
  EXPECT_NEAR(p[3], below_0, 1e-12);            // both above
  EXPECT_LT(p[1], 1e-300);                      // impossible
}

// Integral of the density over answers in [from, to] for the given leading coordinates.
double mass(const Law& law, VectorXd point, double from, double to) {
  double sum = 0;
  for (const QuadratureNode& node : quadrature_nodes(from, to, 0.25)) {
    point[point.size() - 1] = node.x;
    sum += node.weight * std::exp(log_density(law, point));
  }
  return sum;
}

// Draws in cells of the answer against the integrated density; one check of draws for each of four
// programs: false failure 4e-11.
TEST(SparseVector, AnswersFollowTheirDensity) {
  const Dataset data = one_record({0, 1});
  const SparseVector p{0.5, 1, 2, 1};
  const std::vector<double> ends{-60, -2, 0, 0.5, 1.5, 3, 60};
  const auto check = [&](const Mechanism& mechanism, const std::vector<VectorXd>& leading,
                         const VectorXd& none) {
    const Law law = law_of(mechanism, data);
    std::vector<double> expected{std::exp(log_density(law, none))};
    for (const VectorXd& point : leading)
      for (std::size_t k = 0; k + 1 < ends.size(); ++k)
        expected.push_back(mass(law, point, ends[k], ends[k + 1]));
    const VectorXd probabilities =
        Eigen::Map<const VectorXd>(expected.data(), static_cast<Index>(expected.size()));
    EXPECT_NEAR(probabilities.sum(), 1, 1e-6);  // the densities have jumps inside panels
    std::vector<Index> counts(expected.size());
    RandomStream stream({.seed = 4, .claim = "sparse_vector_test", .purpose = "answers"});
    for (Index i = 0; i < draws; ++i) {
      const auto point = std::get<VectorXd>(sample(law, stream));
      std::size_t cell = 0;
      for (std::size_t a = 0; a < leading.size(); ++a)
        for (std::size_t k = 0; k + 1 < ends.size(); ++k)
          if (point.head(point.size() - 1) == leading[a].head(point.size() - 1) &&
              point[point.size() - 1] > ends[k] && point[point.size() - 1] <= ends[k + 1])
            cell = 1 + a * (ends.size() - 1) + k;
      ++counts[cell];
    }
    EXPECT_TRUE(counts_follow(counts, probabilities));
  };
  const std::vector<VectorXd> stops{Eigen::Vector2d(0, 0), Eigen::Vector2d(1, 0)};
  const std::vector<VectorXd> tries{Eigen::Vector3d(0, 0, 0), Eigen::Vector3d(0, 1, 0),
                                    Eigen::Vector3d(1, 0, 0), Eigen::Vector3d(1, 1, 0)};
  for (const Shown shown : {Shown::value, Shown::gap}) {
    check(sparse_vector_with_answer(p, shown), stops, Eigen::Vector2d(2, 0));
    check(adaptive_sparse_vector(p, 1.5, shown), tries, Eigen::Vector3d(2, 0, 0));
  }
}

TEST(SparseVector, RefusesTooManyQueries) {
  const Dataset data{Matrix::Zero(1, 13), VectorXd::Zero(1)};
  EXPECT_THROW(law_of(sparse_vector({}), data), std::invalid_argument);
}

}  // namespace
}  // namespace dpverify::must_catch
