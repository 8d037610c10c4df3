#include "algorithms/hu/dp_frank_wolfe.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <vector>

#include "algorithms/core/enumerate.hpp"

namespace dpverify::hu {
namespace {

Dataset small_data() {
  Dataset data{Matrix(7, 2), VectorXd(7)};
  data.features << 0.5, -1, 2, 0.1, -3, 4, 1, 1, -0.2, 0.7, 8, -2, 0.3, 0.3;
  data.labels << 1, -2, 0.5, 3, -1, 40, 0.2;
  return data;
}

FrankWolfeParameters small_parameters() {
  FrankWolfeParameters p;
  p.polytope = Polytope::l1_ball(2, 1.5);
  p.initial = VectorXd::Zero(2);
  p.iterations = 3;
  p.scale = 2;
  p.beta = 0.7;
  p.epsilon = 1.3;
  return p;
}

double phi(double x) {
  const double root = std::numbers::sqrt2;
  return x > root ? 2 * root / 3 : x < -root ? -2 * root / 3 : x - x * x * x / 6;
}

// Algorithm 1 written again from the paper's text for the squared loss on the l1 ball of radius R:
// vertices +R e_j and -R e_j, the smoothing expectation as a sum over the normal density, the
// probabilities of a whole path multiplied up.
double path_probability(const std::vector<Index>& path, const Dataset& data, double radius,
                        Index iterations, double s, double beta, double epsilon) {
  const Index m = data.size() / iterations, d = data.dimension();
  std::vector<double> w(static_cast<std::size_t>(d), 0.0);
  double probability = 1;
  for (Index t = 1; t <= iterations; ++t) {
    std::vector<double> g;
    for (Index j = 0; j < d; ++j) {
      double mean = 0;
      for (Index i = (t - 1) * m; i < t * m; ++i) {
        double prediction = 0;
        for (Index k = 0; k < d; ++k)
          prediction += data.features(i, k) * w[static_cast<std::size_t>(k)];
        const double gradient = 2 * data.features(i, j) * (prediction - data.labels[i]);
        double expectation = 0;
        const int cells = 100'000;
        for (int c = 0; c < cells; ++c) {
          const double z = -8 + 16 * (c + 0.5) / cells;
          expectation += phi(gradient * (1 + z / std::sqrt(beta)) / s) * std::exp(-z * z / 2);
        }
        mean += s * expectation * (16.0 / cells) / std::sqrt(2 * std::numbers::pi);
      }
      g.push_back(mean / static_cast<double>(m));
    }
    const double delta = radius * 4 * std::numbers::sqrt2 * s / (3 * static_cast<double>(m)) *
                         std::erf(std::sqrt(beta / 2));
    std::vector<double> weights;
    double total = 0;
    for (const double sign : {1.0, -1.0})
      for (Index j = 0; j < d; ++j) {
        const double u = -sign * radius * g[static_cast<std::size_t>(j)];
        weights.push_back(std::exp(epsilon * u / (2 * delta)));
        total += weights.back();
      }
    const Index v = path[static_cast<std::size_t>(t - 1)];
    probability *= weights[static_cast<std::size_t>(v)] / total;
    const double eta = 2.0 / (static_cast<double>(t) + 2);
    for (Index j = 0; j < d; ++j) {
      const double vertex = j == v % d ? (v < d ? radius : -radius) : 0;
      w[static_cast<std::size_t>(j)] = (1 - eta) * w[static_cast<std::size_t>(j)] + eta * vertex;
    }
  }
  return probability;
}

TEST(DpFrankWolfe, EveryPathHasTheProbabilityOfTheSlowTwin) {
  const Dataset data = small_data();
  const FrankWolfeParameters p = small_parameters();
  const Mechanism mechanism = [&p](const Dataset& d, Releases& r) {
    return dp_frank_wolfe(d, p, r);
  };
  const std::vector<OutcomePath> paths = enumerate(mechanism, data);
  ASSERT_EQ(paths.size(), 64U);  // 4 vertices, 3 iterations
  double total = 0;
  for (std::size_t k = 0; k < paths.size(); ++k) {
    total += std::exp(paths[k].log_probability);
    if (k % 7 != 0) continue;  // the twin is slow
    EXPECT_NEAR(std::exp(paths[k].log_probability),
                path_probability(paths[k].outcomes, data, 1.5, 3, 2, 0.7, 1.3), 1e-8);
  }
  EXPECT_NEAR(total, 1, 1e-12);
}

TEST(DpFrankWolfe, StepsCombineVerticesAsPrinted) {
  // From w = 0 on the path v = +R e_0, -R e_1, +R e_0 with eta = 2/3, 2/4, 2/5.
  const Dataset data = small_data();
  const FrankWolfeParameters p = small_parameters();
  const Mechanism mechanism = [&p](const Dataset& d, Releases& r) {
    return dp_frank_wolfe(d, p, r);
  };
  for (const OutcomePath& path : enumerate(mechanism, data))
    if (path.outcomes == std::vector<Index>{0, 3, 0}) {
      EXPECT_NEAR(path.output[0], 1.5 * (2.0 / 3 * 0.5 * 0.6 + 0.4), 1e-15);
      EXPECT_NEAR(path.output[1], -1.5 * 0.5 * 0.6, 1e-15);
      return;
    }
  FAIL() << "no path 0, 3, 0";
}

TEST(DpFrankWolfe, SensitivityEditions) {
  FrankWolfeParameters p = small_parameters();
  p.beta = 1;
  p.sensitivity = Edition::printed;
  // ||W||_1 = 3: 3 * 4 sqrt2 * 2/(3 * 5) = 2.2627417
  EXPECT_NEAR(score_sensitivity(p, 5), 2.262741699796952, 1e-14);
  p.sensitivity = Edition::corrected;
  EXPECT_NEAR(score_sensitivity(p, 5), 2.262741699796952 * 0.341344746068543, 1e-14);
}

TEST(DpFrankWolfe, TheoremParametersMatchHandComputedValues) {
  // n = 10000, epsilon = 1, alpha = 2.5, tau = 100.5, |V| = 40, d = 20, zeta = 0.05:
  // log(16000) = 9.680344; T = (62500/(100.5*9.680344))^(1/3) = 4.005.. -> 4;
  // s = sqrt(10000*100.5/(4*log(64000))) = 150.7
  const Polytope ball = Polytope::l1_ball(20, 1);
  const SmoothProblem problem{.smoothness = 2.5, .second_moment = 100.5};
  const FrankWolfeParameters p = from_theorem(10'000, 1, ball, Loss::squared, problem);
  EXPECT_EQ(p.iterations, 4);
  EXPECT_NEAR(p.scale, std::sqrt(1'005'000 / (4 * std::log(64'000.0))), 1e-9);
  EXPECT_NEAR(theorem_bound(10'000, 1, ball, problem),
              2 * std::cbrt(251.25 * std::log(1.6e8)) / std::cbrt(1e4), 1e-12);
  EXPECT_EQ(from_theorem(1, 1e-9, ball, Loss::squared, problem).iterations, 1);

  const FrankWolfeParameters e = from_experiments(10'000, 1, ball, Loss::squared);
  EXPECT_EQ(e.iterations, 21);
  EXPECT_EQ(e.scale, 10'000);
}

TEST(DpFrankWolfe, RejectsBadParameters) {
  const Dataset data = small_data();
  const auto run = [&data](const std::function<void(FrankWolfeParameters&)>& spoil) {
    FrankWolfeParameters p = small_parameters();
    spoil(p);
    SamplingReleases releases(RandomStream({}));
    return dp_frank_wolfe(data, p, releases);
  };
  EXPECT_NO_THROW(run([](auto&) {}));
  EXPECT_THROW(run([](auto& p) { p.epsilon = 0; }), std::invalid_argument);
  EXPECT_THROW(run([](auto& p) { p.epsilon = std::nan(""); }), std::invalid_argument);
  EXPECT_THROW(run([](auto& p) { p.iterations = 0; }), std::invalid_argument);
  EXPECT_THROW(run([](auto& p) { p.iterations = 8; }), std::invalid_argument);
  EXPECT_THROW(run([](auto& p) { p.scale = -1; }), std::invalid_argument);
  EXPECT_THROW(run([](auto& p) { p.beta = 0; }), std::invalid_argument);
  EXPECT_THROW(run([](auto& p) { p.polytope = Polytope::l1_ball(3, 1); }), std::invalid_argument);
  EXPECT_THROW(run([](auto& p) { p.initial = VectorXd::Zero(3); }), std::invalid_argument);
  EXPECT_THROW(run([](auto& p) { p.step_factor = 2; }), std::invalid_argument);
}

}  // namespace
}  // namespace dpverify::hu
