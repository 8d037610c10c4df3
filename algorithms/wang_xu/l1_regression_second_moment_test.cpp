#include "algorithms/wang_xu/l1_regression_second_moment.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "algorithms/claims/test_lemmas.hpp"
#include "algorithms/core/enumerate.hpp"
#include "algorithms/wang_xu/l1_regression_theta_moment.hpp"

namespace dpverify::wang_xu {
namespace {

TEST(LogTruncation, KeepsItsDigitsNearZero) {
  const LogTruncation log_truncation(2);
  // -log(1 - x + x^2/2) = x - x^3/6 - x^4/8 - x^5/20 + O(x^7)
  for (const double x : {1e-3, 1e-6, 1e-9, 1e-12, 1e-17, 1e-300}) {
    const double series = x * (1 - x * x * (1.0 / 6 + x * (1.0 / 8 + x / 20)));
    EXPECT_NEAR(log_truncation(x) / series, 1, 1e-15) << x;
  }
  EXPECT_EQ(log_truncation(0), 0);
  EXPECT_EQ(log_truncation(1), std::log(2.0));
  EXPECT_EQ(log_truncation(1e300), std::log(2.0));
  EXPECT_EQ(log_truncation(-0.5), -log_truncation(0.5));
  EXPECT_NEAR(log_truncation(0.5), -std::log(0.625), 1e-16);
}

// Algorithm 1 written again from the paper's text: plain logarithms, plain exponentials.
TEST(L1Regression, ProbabilitiesMatchTheSlowTwin) {
  Dataset data{Matrix(4, 2), VectorXd(4)};
  data.features << 0.5, -1, 2, 0.1, -3, 4, 1, 1;
  data.labels << 1, -2, 0.5, 30;
  Matrix net(3, 2);
  net << 0, 0, 0.5, -0.5, 1, 0;
  const double iota = 0.3, epsilon = 2, n = 4;
  for (const auto& [edition, divisor] :
       {std::pair(Edition::printed, 1.0), {Edition::corrected, 2.0}, {Edition::proved, 4.0}}) {
    std::vector<double> weights;
    double total = 0;
    for (Index k = 0; k < 3; ++k) {
      double risk = 0;
      for (Index i = 0; i < 4; ++i) {
        const double x = iota * std::abs(data.labels[i] - data.features(i, 0) * net(k, 0) -
                                         data.features(i, 1) * net(k, 1));
        risk += (x <= 1 ? -std::log(1 - x + x * x / 2) : std::log(2.0)) / (n * iota);
      }
      weights.push_back(std::exp(-n * iota * epsilon / (divisor * std::log(2.0)) * risk));
      total += weights.back();
    }
    const L1RegressionParameters p{net, iota, epsilon, edition};
    const auto paths = enumerate(
        [&p](const Dataset& d, Releases& r) { return l1_regression_second_moment(d, p, r); }, data);
    ASSERT_EQ(paths.size(), 3U);
    for (std::size_t k = 0; k < 3; ++k) {
      EXPECT_NEAR(std::exp(paths[k].log_probability), weights[k] / total, 1e-13);
      EXPECT_EQ(paths[k].output, net.row(static_cast<Index>(k)).transpose());
    }
  }
}

TEST(L1Regression, SurvivesHugeLogitsAndResiduals) {
  // n epsilon far beyond 745: exponentials underflow, the log domain does not.
  Dataset data{Matrix::Constant(5000, 1, 1e300), VectorXd::Constant(5000, -1e300)};
  data.features(0, 0) = std::numeric_limits<double>::max();
  data.labels[0] = std::numeric_limits<double>::lowest();
  Matrix net(2, 1);
  net << -1, 1;
  const L1RegressionParameters p{net, 10, 1};
  const auto paths = enumerate(
      [&p](const Dataset& d, Releases& r) { return l1_regression_second_moment(d, p, r); }, data);
  EXPECT_NEAR(paths[0].log_probability, 0, 1e-12);
  EXPECT_NEAR(paths[1].log_probability, -2500, 1e-9);  // 5000 log 2/(2 log 2)
}

TEST(L1Regression, TheoremParameters) {
  const L1RegressionParameters p = from_theorem(1000, 1, 0.5, 2, 3, 0.05);
  const double bound = 3 * std::sqrt(std::log(1000.0) * std::log(20.0) / 500);
  EXPECT_NEAR(theorem_bound(1000, 1, 0.5, 3, 0.05), bound, 1e-12);
  EXPECT_NEAR(p.iota, bound / 9, 1e-12);
  EXPECT_EQ(std::get<BallNet>(p.net).cells, 2000);  // [-2, 2] in cells of side 2/1000

  // Assumption 2 in two dimensions: the bound has d, iota has neither d nor sqrt d.
  const double share = std::sqrt(std::log(1000.0) * std::log(20.0) / 500);
  EXPECT_NEAR(theorem_bound(1000, 2, 0.5, 3, 0.05, Moments::coordinates), 6 * share, 1e-12);
  EXPECT_NEAR(from_theorem(1000, 2, 0.5, 2, 3, 0.05, Moments::coordinates).iota, share / 3, 1e-12);
  EXPECT_NEAR(from_theorem(1000, 2, 0.5, 2, 3, 0.05).iota, share * std::sqrt(2.0) / 3, 1e-12);
}

// By hand at n = 2: a = 1 (psi = log theta) with probability 1/2, theta = 1.5.
TEST(L1Regression, DeviationLemmasByHand) {
  // Theorem 1, eta = 0.9: the margin is 0.5/2 + 0.0527 = 0.3027. Two ones are 0.693 - 0.5 above
  // the risk 0.5, none 0.5 below it: fails below with probability 1/4 and never above.
  const LemmaPoint point{{"n", 2}, {"q", 0.5}, {"a", 1}, {"eta", 0.9}, {"theta", 2}};
  const std::string id = "wang_xu.l1_regression_second_moment.lemma.";
  EXPECT_NEAR(sides(id + "deviation_below.printed", point).left, 0.25, 1e-14);
  EXPECT_EQ(sides(id + "deviation_above.printed", point).left, 0);
  // The draw: 9 candidates at e^(-4 log 200/4) = 1/200 against 1.
  EXPECT_NEAR(
      sides(id + "selection.printed", {{"candidates", 10}, {"eta", 0.05}, {"editions", 2}}).left,
      9.0 / 209, 1e-14);
  // Theorem 2, shift 0.5, eta = 0.5: the bound is -0.5 + 0.5 + sqrt 2/1.5 (0.5 + 0.5^1.5) + 0.347 =
  // 1.15, more than psi can reach; the display asks for -sum psi >= -0.5 + 0.805 + 0.693 = 0.998,
  // and the sum is largest without ones, 2 psi(0.5) = 0.61: it fails surely.
  const LemmaPoint shifted{{"n", 2},     {"q", 0.5},     {"a", 1},
                           {"eta", 0.5}, {"theta", 1.5}, {"shift", 0.5}};
  const std::string theta_id = "wang_xu.l1_regression_theta_moment.lemma.";
  EXPECT_EQ(sides(theta_id + "shifted_deviation.printed", shifted).left, 0);
  EXPECT_NEAR(sides(theta_id + "chernoff_display.printed", shifted).left, 1, 1e-14);
}

TEST(L1Regression, RejectsBadParameters) {
  const Dataset data{Matrix::Ones(2, 1), VectorXd::Ones(2)};
  const auto run = [&data](L1RegressionParameters p) {
    SamplingReleases releases(RandomStream({}));
    return l1_regression_second_moment(data, p, releases);
  };
  const Matrix net = Matrix::Ones(2, 1);
  EXPECT_NO_THROW(run({net, 1, 1}));
  EXPECT_THROW(run({net, 0, 1}), std::invalid_argument);
  EXPECT_THROW(run({net, 1, -1}), std::invalid_argument);
  EXPECT_THROW(run({Matrix::Ones(2, 2), 1, 1}), std::invalid_argument);
  EXPECT_THROW(run({Matrix(0, 1), 1, 1}), std::invalid_argument);
  EXPECT_THROW(from_theorem(1, 1, 1, 1, 1, 0.05), std::invalid_argument);
  EXPECT_THROW(from_theorem(10, 4, 1, 1, 1, 0.05), std::invalid_argument);
  EXPECT_THROW(from_theorem(10, 1, 1, 1, 1, 1), std::invalid_argument);
}

}  // namespace
}  // namespace dpverify::wang_xu
