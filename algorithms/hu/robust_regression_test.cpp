#include "algorithms/hu/robust_regression.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "algorithms/core/enumerate.hpp"
#include "algorithms/hu/test_slow_twins.hpp"

namespace dpverify::hu {
namespace {

TEST(RobustRegression, TheoremParametersByHand) {
  // n epsilon = 9000, log(d/zeta) = log 100 = 4.60517: T = floor(sqrt(1954.33) = 44.2),
  // s = sqrt(9000/(44 log 4400)) = sqrt(9000/(44 * 8.389360)) = 4.937774
  const FrankWolfeParameters p =
      robust_regression_from_theorem(10'000, 5, 0.9, Loss::biweight, 0.05);
  EXPECT_EQ(p.iterations, 44);
  EXPECT_NEAR(p.scale, std::sqrt(9000 / (44 * 8.38935981990635)), 1e-10);
  EXPECT_EQ(p.step, Step::constant);
  EXPECT_EQ(p.epsilon, 0.9);
  EXPECT_EQ(p.polytope.diameter_l1(), 2);
  EXPECT_EQ(p.initial, VectorXd::Zero(5));
  EXPECT_EQ(robust_regression_from_theorem(1, 5, 1e-9, Loss::biweight, 0.05).iterations, 1);
  EXPECT_EQ(robust_regression_from_theorem(10, 1, 1e9, Loss::biweight, 0.05).iterations, 10);
  // 2 (log(10^6)/9000)^(1/4)
  EXPECT_NEAR(robust_regression_bound(10'000, 5, 0.9, 2, 0.05),
              2 * std::pow(13.815510557964274 / 9000, 0.25), 1e-14);
  EXPECT_THROW(robust_regression_from_theorem(10, 5, 0, Loss::biweight, 0.05),
               std::invalid_argument);
  EXPECT_THROW(robust_regression_from_theorem(10, 5, 1, Loss::biweight, 1), std::invalid_argument);
  EXPECT_THROW(robust_regression_from_theorem(10, 5, 1, Loss::logistic, 0.05),
               std::invalid_argument);
}

// The algorithm with the biweight loss written again for one feature: vertices +1 and -1, constant
// step 1/sqrt T, Delta = 2 * 4 sqrt2 s/(3m).
TEST(RobustRegression, EveryPathHasTheProbabilityOfTheSlowTwin) {
  const Dataset data{(Matrix(4, 1) << 0.5, -1.5, 2, 0.3).finished(),
                     (VectorXd(4) << 0.2, 0.4, 1.7, -5).finished()};
  FrankWolfeParameters p = robust_regression_from_theorem(4, 1, 1.2, Loss::biweight, 0.05);
  p.iterations = 2;
  p.scale = 0.3;
  p.sensitivity = Edition::printed;
  const std::vector<OutcomePath> paths =
      enumerate([&p](const Dataset& d, Releases& r) { return dp_frank_wolfe(d, p, r); }, data);
  ASSERT_EQ(paths.size(), 4U);
  for (const OutcomePath& path : paths) {
    double w = 0, probability = 1;
    for (std::size_t t = 0; t < 2; ++t) {
      double g = 0;
      for (std::size_t i = 2 * t; i < 2 * t + 2; ++i) {
        const auto k = static_cast<Index>(i);
        const double r = data.features(k, 0) * w - data.labels[k];
        const double derivative = std::abs(r) <= 1 ? r * (1 - r * r) * (1 - r * r) : 0;
        g += slow_smoothed(derivative * data.features(k, 0), 0.3, 1) / 2;
      }
      const double delta = 2 * 4 * std::sqrt(2.0) * 0.3 / (3 * 2);
      const double plus = std::exp(1.2 * -g / (2 * delta)), minus = std::exp(1.2 * g / (2 * delta));
      const bool up = path.outcomes[t] == 0;
      probability *= (up ? plus : minus) / (plus + minus);
      w += (up ? 1 - w : -1 - w) / std::sqrt(2.0);
    }
    EXPECT_NEAR(std::exp(path.log_probability), probability, 1e-8);
    EXPECT_NEAR(path.output[0], w, 1e-14);
  }
}

// The loss constant is a change of units: c = 2 on the data is c = 1 on half of the data, and the
// risk is 4 times as large.
TEST(RobustRegression, LossConstantOfTheCommandLine) {
  const Dataset data{(Matrix(4, 1) << 0.5, -1.5, 2, 0.3).finished(),
                     (VectorXd(4) << 0.2, 0.4, 1.7, -5).finished()};
  const Dataset half{data.features / 2, data.labels / 2};
  std::map<std::string, std::string> texts;
  for (const RunOption& option : robust_regression_algorithm().options)
    texts[option.name] = option.default_text;
  texts["iterations"] = "2";
  const auto prepared = [&](const Dataset& records, const std::string& c) {
    texts["loss-constant"] = c;
    return robust_regression_algorithm().prepare(records, RunOptions(texts));
  };
  const PreparedRun two = prepared(data, "2"), one = prepared(half, "1");
  const Transcript transcript = record(one.mechanism, half, RandomStream({.seed = 2}));
  EXPECT_EQ(replay(two.mechanism, data, transcript).log_likelihood_ratio, 0);
  const VectorXd w = VectorXd::Constant(1, 0.4);
  EXPECT_NEAR(two.empirical_risk(data.all(), w), 4 * one.empirical_risk(half.all(), w), 1e-15);
  // Biweight, c = 2, by hand at w = 0: residuals -0.2, -0.4, -1.7 and beyond.
  const auto biweight = [](double r) { return 4.0 / 6 * (1 - std::pow(1 - r * r / 4, 3)); };
  EXPECT_NEAR(two.empirical_risk(data.all(), VectorXd::Zero(1)),
              (biweight(0.2) + biweight(0.4) + biweight(1.7) + 4.0 / 6) / 4, 1e-14);
  EXPECT_EQ(two.guarantee.epsilon, 1);
  for (const auto& [option, bad] :
       std::map<std::string, std::string>{{"epsilon", "0"},
                                          {"loss", "logistic"},
                                          {"loss-constant", "0"},
                                          {"iterations", "5"},
                                          {"scale", "0"},
                                          {"beta", "0"},
                                          {"failure-probability", "1"}}) {
    auto spoilt = texts;
    spoilt[option] = bad;
    EXPECT_THROW(robust_regression_algorithm().prepare(data, RunOptions(spoilt)),
                 std::invalid_argument)
        << option;
  }
}

}  // namespace
}  // namespace dpverify::hu
