#include "algorithms/wang_xu/l1_regression_theta_moment.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>

#include "algorithms/core/enumerate.hpp"
#include "audits/privacy_check.hpp"
#include "properties/lemma_check.hpp"
#include "properties/sensitivity_check.hpp"

namespace dpverify::wang_xu {
namespace {

using ::testing::ThrowsMessage;

// 40-digit values of -log(1 - x + x^theta/theta), computed with mpmath.
TEST(LogTruncation, MatchesHighPrecision) {
  struct Case {
    double theta, x, psi;
  };
  for (const auto& [theta, x, psi] : {
           Case{1.5, 1e-300, 1.000000000000000025e-300},
           Case{1.5, 1e-12, 9.999993333338333126e-13},
           Case{1.5, 1e-3, 0.000979397602225924161},
           Case{1.5, 0.25, 0.1823215567939546262},
           Case{1.5, 0.5, 0.3069297796067246373},
           Case{1.5, 0.99, 0.4054275460780725119},
           Case{1.1, 1e-300, 1.000000000000000025e-300},
           Case{1.1, 1e-12, 9.426402414113359346e-13},
           Case{1.1, 1e-3, 0.0005445234681553124622},
           Case{1.1, 0.25, 0.05355648426122582085},
           Case{1.1, 0.5, 0.0789285978434335613},
           Case{1.1, 0.99, 0.09530466324070865524},
           Case{1.9, 1e-300, 1.000000000000000025e-300},
           Case{1.9, 1e-12, 9.999999999921584368e-13},
           Case{1.9, 1e-3, 0.0009994491448862728561},
           Case{1.9, 0.25, 0.2385286344665432305},
           Case{1.9, 0.5, 0.4446902158031256733},
           Case{1.9, 0.99, 0.6417683612510491933},
           Case{1.0001, 1e-300, 6.683901530147170069e-302},
           Case{1.0001, 1e-12, 2.859002358214412857e-15},
           Case{1.0001, 1e-3, 7.904582640268810823e-7},
           Case{1.0001, 0.25, 0.00005965077104659671739},
           Case{1.0001, 0.5, 0.00008465127597205375751},
           Case{1.0001, 0.99, 0.00009998998308281092885},
           Case{1.000000000001, 1e-300, 6.918370269061733983e-310},
           Case{1.000000000001, 1e-12, 2.863356642996833085e-23},
           Case{1.000000000001, 1e-3, 7.908458282999708243e-15},
           Case{1.000000000001, 0.25, 5.966266260188988451e-13},
           Case{1.000000000001, 0.5, 8.466488511645346137e-13},
           Case{1.000000000001, 0.99, 1.000038728616886887e-12},
       }) {
    const double value = LogTruncation(theta)(x);
    EXPECT_NEAR(value / psi, 1, 1e-14) << theta << ", " << x;
    EXPECT_EQ(LogTruncation(theta)(-x), -value);
  }
}

TEST(LogTruncation, EndsAtLogThetaWithoutAJumpAndNeverFalls) {
  for (const double theta : {1 + 1e-12, 1.0001, 1.1, 1.5, 1.9999, 2.0}) {
    const LogTruncation psi(theta);
    EXPECT_EQ(psi(0), 0);
    EXPECT_EQ(psi(1), psi.largest());
    EXPECT_EQ(psi(1e300), psi.largest());
    EXPECT_NEAR(psi.largest() / std::log1p(theta - 1), 1, 1e-15);
    const double below = psi(std::nextafter(1.0, 0.0));
    EXPECT_NEAR(below / psi.largest(), 1, 1e-14);
    double last = 0;
    for (int k = 1; k <= 2000; ++k) {
      const double value = psi(k / 2000.0);
      EXPECT_GE(value, last * (1 - 1e-15)) << theta << ", " << k;
      // Slopes at most 1, and concave: the slopes from 0 fall.
      EXPECT_LE(value, k / 2000.0 * (1 + 1e-15));
      last = value;
    }
  }
  EXPECT_THROW(LogTruncation(1), std::invalid_argument);
  EXPECT_THROW(LogTruncation(2.1), std::invalid_argument);
}

// Algorithm 2 written again from the paper's text: plain powers, logarithms and exponentials.
TEST(ThetaMoment, ProbabilitiesMatchTheSlowTwin) {
  Dataset data{Matrix(4, 2), VectorXd(4)};
  data.features << 0.5, -1, 2, 0.1, -3, 4, 1, 1;
  data.labels << 1, -2, 0.5, 30;
  Matrix net(3, 2);
  net << 0, 0, 0.5, -0.5, 1, 0;
  const double iota = 0.3, epsilon = 2, n = 4;
  for (const double theta : {1.1, 1.5, 1.9}) {
    for (const auto& [edition, divisor] :
         {std::pair(Edition::printed, 1.0), {Edition::corrected, 2.0}, {Edition::proved, 4.0}}) {
      std::vector<double> weights;
      double total = 0;
      for (Index k = 0; k < 3; ++k) {
        double risk = 0;
        for (Index i = 0; i < 4; ++i) {
          const double x = iota * std::abs(data.labels[i] - data.features(i, 0) * net(k, 0) -
                                           data.features(i, 1) * net(k, 1));
          risk += (x <= 1 ? -std::log(1 - x + std::pow(x, theta) / theta) : std::log(theta)) /
                  (n * iota);
        }
        weights.push_back(std::exp(-n * iota * epsilon / (divisor * std::log(theta)) * risk));
        total += weights.back();
      }
      const L1RegressionParameters p{net, iota, epsilon, edition, theta};
      const auto paths = enumerate(
          [&p](const Dataset& d, Releases& r) { return l1_regression_theta_moment(d, p, r); },
          data);
      ASSERT_EQ(paths.size(), 3U);
      for (std::size_t k = 0; k < 3; ++k) {
        EXPECT_NEAR(std::exp(paths[k].log_probability), weights[k] / total, 1e-13);
        EXPECT_EQ(paths[k].output, net.row(static_cast<Index>(k)).transpose());
      }
    }
  }
}

TEST(ThetaMoment, TheoremParameters) {
  ThetaMomentSetting s{.records = 1000, .dimension = 2, .theta = 1.5, .epsilon = 0.5, .tau = 3};
  const double share = std::log(20.0) / 500, log_n = std::log(1000.0);
  const auto near = [](double value, double expected) { EXPECT_NEAR(value / expected, 1, 1e-14); };
  near(theta_moment_iota(s, Edition::printed), std::cbrt(std::pow(2 * share, 2)) / 3);
  near(theta_moment_iota(s, Edition::proved), std::cbrt(std::pow(2 * share, 2)));
  near(theta_moment_iota(s, Edition::corrected), std::cbrt(std::pow(2 * share * log_n, 2)) / 3);
  near(theta_moment_bound(s), 3 * std::cbrt(2 * share * log_n));
  s.moments = Moments::coordinates;
  near(theta_moment_iota(s, Edition::printed), std::cbrt(share * log_n) / 3);
  near(theta_moment_iota(s, Edition::corrected), std::cbrt(std::pow(share * log_n, 2)) / 3);
  near(theta_moment_bound(s), 6 * std::cbrt(share * log_n));

  s.dimension = 1;
  const L1RegressionParameters p = theta_moment_from_theorem(s, 2);
  EXPECT_EQ(std::get<BallNet>(p.net).cells, 2000);  // [-2, 2] in cells of side 2/1000
  EXPECT_EQ(p.iota, theta_moment_iota(s, Edition::corrected));
  EXPECT_EQ(p.epsilon, 0.5);
  EXPECT_EQ(p.theta, 1.5);
  EXPECT_EQ(p.coefficient, Edition::corrected);
}

TEST(ThetaMoment, RejectsBadParameters) {
  const Dataset data{Matrix::Ones(2, 1), VectorXd::Ones(2)};
  const auto run = [&data](L1RegressionParameters p) {
    SamplingReleases releases(RandomStream({}));
    return l1_regression_theta_moment(data, p, releases);
  };
  const Matrix net = Matrix::Ones(2, 1);
  EXPECT_NO_THROW(run({net, 1, 1, Edition::corrected, 1.5}));
  EXPECT_THAT(
      [&] {
        run({net, 1, 1});
      },
      ThrowsMessage<std::invalid_argument>(
          "moment order theta is 2, but must be in (1, 2) for Algorithm 2"));
  EXPECT_THROW(run({net, 1, 1, Edition::corrected, 1}), std::invalid_argument);
  EXPECT_THROW(run({net, 0, 1, Edition::corrected, 1.5}), std::invalid_argument);
  EXPECT_THROW(run({net, 1, -1, Edition::corrected, 1.5}), std::invalid_argument);
  EXPECT_THROW(run({Matrix::Ones(2, 2), 1, 1, Edition::corrected, 1.5}), std::invalid_argument);
  const auto iota = [](ThetaMomentSetting s) { return theta_moment_iota(s, Edition::printed); };
  EXPECT_THROW(iota({.records = 1}), std::invalid_argument);
  EXPECT_THROW(iota({.records = 9, .theta = 2}), std::invalid_argument);
  EXPECT_THROW(iota({.records = 9, .epsilon = 0}), std::invalid_argument);
  EXPECT_THROW(iota({.records = 9, .tau = -1}), std::invalid_argument);
  EXPECT_THROW(iota({.records = 9, .failure_probability = 1}), std::invalid_argument);
}

Claim claim(const std::string& rest) {
  for (const Claim& c : l1_regression_theta_moment_algorithm().claims())
    if (c.id == "wang_xu.l1_regression_theta_moment." + rest) return c;
  throw std::invalid_argument("no claim " + rest);
}

TEST(ThetaMoment, SensitivityIsAttainedAndTwiceIsNot) {
  for (const auto& [edition, tightness] :
       {std::pair("printed", 1.0), {"corrected", 1.0}, {"proved", 0.5}}) {
    const Evidence evidence = check_sensitivity(claim("sensitivity." + std::string(edition)), {});
    EXPECT_EQ(evidence.verdict, Verdict::consistent) << edition;
    EXPECT_NEAR(*evidence.tightness, tightness, 1e-9) << edition;
  }
}

TEST(ThetaMoment, PrintedExponentCostsTwiceItsEpsilonAtEveryTheta) {
  const Evidence printed = check_privacy(claim("privacy.printed"), {});
  EXPECT_EQ(printed.verdict, Verdict::refuted);
  ASSERT_FALSE(printed.tables.empty());
  const Table& settings = printed.tables[0];
  // The closed form of the worst pair does not depend on theta:
  // log((1 + e^-n eps)/((e^-(n-1)eps + e^-eps) e^-eps)).
  int checked = 0;
  for (const std::vector<double>& row : settings.rows) {
    if (row[1] != 1) continue;  // dimension
    const auto column = [&](const std::string& name) {
      for (std::size_t k = 0; k < settings.columns.size(); ++k)
        if (settings.columns[k] == name) return row[k];
      throw std::invalid_argument("no column " + name);
    };
    const double n = row[0], epsilon = column("epsilon");
    const double loss = std::log1p(std::exp(-n * epsilon)) -
                        std::log(std::exp(-(n - 1) * epsilon) + std::exp(-epsilon)) + epsilon;
    EXPECT_NEAR(column("epsilon found"), loss, 5e-5) << n << ", " << epsilon;
    ++checked;
  }
  EXPECT_EQ(checked, 6);
}

TEST(ThetaMoment, LemmasAreDecidedAsExpected) {
  for (const Claim& c : l1_regression_theta_moment_lemmas()) {
    const Evidence evidence = check_lemma(c, {});
    EXPECT_EQ(evidence.verdict,
              c.expectation == Expectation::holds ? Verdict::consistent : Verdict::refuted)
        << c.id << ": " << evidence.reason;
  }
}

}  // namespace
}  // namespace dpverify::wang_xu
