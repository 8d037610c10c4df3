#include "algorithms/problems/empirical_model.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <stdexcept>

namespace dpverify {
namespace {

// Correlated features with a heavy tail; labels far from linear.
Dataset population(Index n, Loss loss) {
  RandomStream stream({.seed = 3, .claim = "empirical model test"});
  Dataset data{Matrix(n, 3), VectorXd(n)};
  for (Index i = 0; i < n; ++i) {
    const double common = std::exp(stream.normal());
    data.features.row(i) << 1, common, common + stream.normal();
    data.labels[i] = 0.4 * common - 0.1 * data.features(i, 2) + stream.laplace();
    if (loss == Loss::logistic) data.labels[i] = data.labels[i] > 0.3 ? 1 : -1;
  }
  return data;
}

double mean_loss(const Dataset& data, Loss loss, const VectorXd& w) {
  double sum = 0;
  for (Index i = 0; i < data.size(); ++i) {
    const double score = data.features.row(i).dot(w), y = data.labels[i];
    sum += loss == Loss::squared ? (score - y) * (score - y) : std::log1p(std::exp(-y * score));
  }
  return sum / static_cast<double>(data.size());
}

TEST(EmpiricalModel, RiskIsTheMeanLossAndTheMinimiserBeatsAGrid) {
  for (const Loss loss : {Loss::squared, Loss::logistic}) {
    const Dataset data = population(500, loss);
    const EmpiricalModel model(data, loss, 1);
    EXPECT_LE(model.minimiser().lpNorm<1>(), 1 + 1e-12);
    EXPECT_LE(model.gap(), 1.01e-9);
    double best = std::numeric_limits<double>::infinity();
    VectorXd w(3);
    for (double a = -1; a <= 1; a += 0.05)
      for (double b = -1; b <= 1; b += 0.05)
        for (double c = -1; c <= 1; c += 0.05) {
          w << a, b, c;
          if (w.lpNorm<1>() <= 1) best = std::min(best, model.risk(w));
        }
    const double smallest = mean_loss(data, loss, model.minimiser());
    EXPECT_LT(smallest, best);
    EXPECT_GT(smallest, best - 0.02) << "no further from the grid than its mesh";
    w << 0.3, -0.2, 0.4;
    EXPECT_NEAR(model.risk(w), mean_loss(data, loss, w), 1e-12 * model.risk(w));
    EXPECT_NEAR(model.excess_risk(w), mean_loss(data, loss, w) - smallest, 2e-9);
    EXPECT_GE(model.excess_risk(model.minimiser()), 0);
  }
}

// Every w of a grid on the ball: none has a larger second moment, and a vertex attains it.
TEST(EmpiricalModel, BoundsTheGradientsSecondMoment) {
  for (const Loss loss : {Loss::squared, Loss::logistic}) {
    const Dataset data = population(200, loss);
    const EmpiricalModel model(data, loss, 1.5);
    double largest = 0;
    VectorXd w(3);
    for (double a = -1.5; a <= 1.5; a += 0.25)
      for (double b = -1.5; b <= 1.5; b += 0.25)
        for (double c = -1.5; c <= 1.5; c += 0.25) {
          w << a, b, c;
          if (w.lpNorm<1>() > 1.5) continue;
          const Matrix g = gradients(loss, w, data.all());
          largest = std::max(largest, g.array().square().colwise().mean().maxCoeff());
        }
    EXPECT_LE(largest, model.gradient_second_moment() * (1 + 1e-12));
    if (loss == Loss::squared) {
      EXPECT_NEAR(largest, model.gradient_second_moment(), 1e-9 * largest);
    }
  }
}

TEST(EmpiricalModel, DrawsItsOwnLines) {
  const Dataset data = population(20, Loss::squared);
  const EmpiricalModel model(data, Loss::squared, 1);
  RandomStream stream({.seed = 4});
  const Dataset drawn = model.draw(2000, stream);
  Eigen::VectorXi seen = Eigen::VectorXi::Zero(20);
  for (Index i = 0; i < drawn.size(); ++i)
    for (Index k = 0; k < 20; ++k)
      if (data.features.row(k) == drawn.features.row(i) && data.labels[k] == drawn.labels[i])
        ++seen[k];
  EXPECT_EQ(seen.sum(), 2000);
  // A line is left out with probability 20 (19/20)^2000 < 1e-43.
  EXPECT_GT(seen.minCoeff(), 0);
}

TEST(EmpiricalModel, RefusesBadInput) {
  EXPECT_THROW(EmpiricalModel(population(5, Loss::squared), Loss::absolute, 1),
               std::invalid_argument);
  EXPECT_THROW(EmpiricalModel(population(5, Loss::squared), Loss::logistic, 1),
               std::invalid_argument);
  EXPECT_THROW(EmpiricalModel(population(5, Loss::squared), Loss::squared, 0),
               std::invalid_argument);
}

}  // namespace
}  // namespace dpverify
