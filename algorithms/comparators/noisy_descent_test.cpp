#include "algorithms/comparators/noisy_descent.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "algorithms/claims/test_lemmas.hpp"
#include "algorithms/core/gaussian.hpp"
#include "algorithms/estimators/smooth_truncation.hpp"
#include "properties/sensitivity_check.hpp"

namespace dpverify {
namespace {

using Kind = FeasibleSet::Kind;
using Numbers = std::vector<double>;

VectorXd vector(const Numbers& numbers) {
  return Eigen::Map<const VectorXd>(numbers.data(), static_cast<Index>(numbers.size()));
}

Dataset random_data(Index n, Index d, Loss loss) {
  RandomStream stream({.seed = 11, .claim = "comparators", .purpose = "data"});
  Dataset data{Matrix(n, d), VectorXd(n)};
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < d; ++j) data.features(i, j) = 2 * stream.normal();
    data.labels[i] = loss == Loss::logistic ? (stream.uniform() < 0.5 ? -1 : 1) : stream.normal();
  }
  return data;
}

// Answers each Gaussian release with its value plus the next vector of a script, and keeps the
// laws.
class ShiftedReleases final : public Releases {
 public:
  explicit ShiftedReleases(std::vector<Numbers> shifts) : shifts_(std::move(shifts)) {}
  std::vector<GaussianNoise> laws;

 private:
  Outcome decide(const Law& law) override {
    laws.push_back(std::get<GaussianNoise>(law));
    return VectorXd(laws.back().value + vector(shifts_.at(laws.size() - 1)));
  }
  std::vector<Numbers> shifts_;
};

// ---- Slow twins: loops over plain numbers ------------------------------------------------------

double slow_derivative(Loss loss, double prediction, double label) {
  return loss == Loss::squared ? 2 * (prediction - label)
                               : -label / (1 + std::exp(label * prediction));
}

// Onto the unit l1 ball by bisection on the threshold; or the k largest entries, then the unit l2
// ball.
Numbers slow_projection(Numbers w, const FeasibleSet& set) {
  if (set.kind == Kind::l1_ball) {
    const auto norm_above = [&w](double threshold) {
      double sum = 0;
      for (const double x : w) sum += std::max(std::abs(x) - threshold, 0.0);
      return sum;
    };
    if (norm_above(0) <= set.radius) return w;
    double low = 0, high = 1e6;
    for (int k = 0; k < 200; ++k) {
      const double middle = (low + high) / 2;
      (norm_above(middle) > set.radius ? low : high) = middle;
    }
    for (double& x : w) x = std::copysign(std::max(std::abs(x) - low, 0.0), x);
    return w;
  }
  Numbers out(w.size(), 0.0);
  for (Index k = 0; k < set.sparsity; ++k) {
    std::size_t best = 0;
    for (std::size_t j = 1; j < w.size(); ++j)
      if (std::abs(w[j]) > std::abs(w[best])) best = j;
    out[best] = w[best];
    w[best] = 0;
  }
  double squares = 0;
  for (const double x : out) squares += x * x;
  if (set.kind == Kind::l2_ball && std::sqrt(squares) > set.radius)
    for (double& x : out) x *= set.radius / std::sqrt(squares);
  return out;
}

// `mean` gets the gradients of all records, a row a record.
template <class Mean>
Numbers slow_descent(const Dataset& data, const NoisyDescentParameters& p, const Mean& mean,
                     const std::vector<Numbers>& shifts) {
  const auto d = static_cast<std::size_t>(data.dimension());
  Numbers w(p.initial.data(), p.initial.data() + p.initial.size());
  w = slow_projection(w, p.feasible);
  for (const Numbers& shift : shifts) {
    std::vector<Numbers> gradients;
    for (Index i = 0; i < data.size(); ++i) {
      double prediction = 0;
      for (std::size_t j = 0; j < d; ++j)
        prediction += data.features(i, static_cast<Index>(j)) * w[j];
      Numbers gradient;
      for (std::size_t j = 0; j < d; ++j)
        gradient.push_back(slow_derivative(p.loss, prediction, data.labels[i]) *
                           data.features(i, static_cast<Index>(j)));
      gradients.push_back(gradient);
    }
    const Numbers g = mean(gradients);
    for (std::size_t j = 0; j < d; ++j) w[j] -= p.step * (g[j] + shift[j] + p.regularizer * w[j]);
    w = slow_projection(w, p.feasible);
  }
  return w;
}

const std::vector<Numbers> shifts{{0.3, -0.2, 0.1, 0}, {-0.5, 0.1, 0, 0.2}, {0.1, 0.4, -0.3, 0.1}};

NoisyDescentParameters descent(Loss loss, FeasibleSet feasible) {
  return {.loss = loss,
          .feasible = feasible,
          .initial = vector({0.9, -0.4, 0.2, 0.1}),
          .iterations = 3,
          .step = 0.2,
          .regularizer = 0.1,
          .epsilon = 0.8,
          .delta = 1e-5};
}

const std::vector<std::pair<Loss, FeasibleSet>> cases{{Loss::squared, {Kind::l1_ball, 0.8}},
                                                      {Loss::logistic, {Kind::l2_ball, 0.6, 2}},
                                                      {Loss::logistic, {Kind::whole_space, 1, 3}}};

void expect_equal(const VectorXd& actual, const Numbers& expected) {
  ASSERT_EQ(actual.size(), static_cast<Index>(expected.size()));
  for (Index j = 0; j < actual.size(); ++j)
    EXPECT_NEAR(actual[j], expected[static_cast<std::size_t>(j)], 1e-9) << "coordinate " << j;
}

TEST(ClippedNoisyDescent, DoesWhatItsSlowTwinDoes) {
  for (const auto& [loss, feasible] : cases) {
    const Dataset data = random_data(12, 4, loss);
    const NoisyDescentParameters p = descent(loss, feasible);
    const double clip = 1.5;
    int clipped = 0, kept = 0;
    const auto mean = [&](const std::vector<Numbers>& gradients) {
      Numbers sum(4, 0.0);
      for (const Numbers& gradient : gradients) {
        double squares = 0;
        for (const double x : gradient) squares += x * x;
        const double factor = std::min(1.0, clip / std::sqrt(squares));
        ++(factor < 1 ? clipped : kept);
        for (std::size_t j = 0; j < 4; ++j) sum[j] += factor * gradient[j] / 12;
      }
      return sum;
    };
    ShiftedReleases releases(shifts);
    expect_equal(clipped_noisy_descent(data, p, clip, releases),
                 slow_descent(data, p, mean, shifts));
    EXPECT_GT(clipped, 0);
    EXPECT_GT(kept, 0);
    for (const GaussianNoise& law : releases.laws) {
      EXPECT_DOUBLE_EQ(law.sensitivity, 2 * clip / 12);
      EXPECT_NEAR(law.sensitivity / law.standard_deviation, gaussian_mu(0.8, 1e-5) / std::sqrt(3.0),
                  1e-12);
    }
  }
}

TEST(RobustNoisyDescent, DoesWhatItsSlowTwinDoes) {
  for (const auto& [loss, feasible] : cases) {
    const Dataset data = random_data(12, 4, loss);
    const NoisyDescentParameters p = descent(loss, feasible);
    const double scale = 1.5;
    const auto mean = [&](const std::vector<Numbers>& gradients) {
      Numbers sum(4, 0.0);
      for (const Numbers& gradient : gradients)
        for (std::size_t j = 0; j < 4; ++j)  // E phi(a (1 + Z)) in closed form
          sum[j] +=
              scale / 12 *
              smooth_truncation_closed_form(gradient[j] / scale, std::abs(gradient[j] / scale));
      return sum;
    };
    ShiftedReleases releases(shifts);
    expect_equal(robust_noisy_descent(data, p, scale, releases),
                 slow_descent(data, p, mean, shifts));
    for (const GaussianNoise& law : releases.laws)
      EXPECT_NEAR(law.sensitivity,
                  2 * 2 * std::sqrt(2.0) / 3 * std::erf(std::sqrt(0.5)) * 2 * scale / 12, 1e-12);
  }
}

TEST(RobustNoisyDescent, TakesTheRecordsInBlocks) {
  const Dataset data = random_data(5'000, 2, Loss::squared);
  const NoisyDescentParameters p{.initial = vector({0.1, 0.2}), .iterations = 1, .step = 1};
  ShiftedReleases releases({{0, 0}});
  robust_noisy_descent(data, p, 3, releases);
  const VectorXd whole = robust_mean(gradients(Loss::squared, p.initial, data.all()), 3, 1);
  EXPECT_NEAR((releases.laws[0].value - whole).norm(), 0, 1e-13);
}

// ---- Sensitivity and privacy -------------------------------------------------------------------

// One record moves the mean by at most the declared sensitivity; `share` < 1 declares too little.
Claim sensitivity_claim(bool robust, double share) {
  const MechanismFamily family = [=](const ParameterPoint& point) -> Mechanism {
    return [=](const Dataset& data, Releases& releases) {
      NoisyDescentParameters p{.loss = static_cast<Loss>(static_cast<int>(number(point, "loss"))),
                               .feasible = {Kind::l2_ball, 1},
                               .initial = VectorXd::Constant(data.dimension(), 0.1),
                               .iterations = 2,
                               .step = 0.1};
      // What is declared, and what moves.
      struct Understated final : Releases {
        Releases& inner;
        double share;
        Understated(Releases& to, double by) : inner(to), share(by) {}

       private:
        Outcome decide(const Law& law) override {
          auto gaussian = std::get<GaussianNoise>(law);
          gaussian.sensitivity *= share;
          return inner.release(gaussian);
        }
      } understated(releases, share);
      return robust ? robust_noisy_descent(data, p, number(point, "size"), understated)
                    : clipped_noisy_descent(data, p, number(point, "size"), understated);
    };
  };
  return {.id = robust ? "test.robust.sensitivity.corrected" : "test.clipped.sensitivity.corrected",
          .check = SensitivityClaim{
              family,
              {{"loss", 0, 0, 2, Scale::integer}, {"size", 1, 1e-2, 1e2, Scale::logarithmic}},
              1,
              3,
              {{{{"loss", 0}, {"size", 1}}, 3, 2}},
              true}};
}

TEST(Comparators, TheSensitivityHoldsAndIsAttained) {
  for (const bool robust : {false, true}) {
    const Evidence evidence = check_sensitivity(sensitivity_claim(robust, 1), {});
    EXPECT_EQ(evidence.verdict, Verdict::consistent) << evidence.reason;
    EXPECT_NEAR(evidence.tightness.value_or(0), 1, 1e-3);
  }
}

TEST(Comparators, ASensitivityTooSmallIsRefuted) {
  for (const bool robust : {false, true})
    EXPECT_EQ(check_sensitivity(sensitivity_claim(robust, 0.9), {}).verdict, Verdict::refuted);
}

TEST(Comparators, TheReleasesTogetherGiveExactlyEpsilonAndDelta) {
  const Dataset data = random_data(10, 3, Loss::squared);
  const NoisyDescentParameters p{
      .initial = VectorXd::Zero(3), .iterations = 7, .epsilon = 0.5, .delta = 1e-6};
  for (const bool robust : {false, true}) {
    const Transcript transcript = record(
        [&](const Dataset& records, Releases& releases) {
          return robust ? robust_noisy_descent(records, p, 1, releases)
                        : clipped_noisy_descent(records, p, 1, releases);
        },
        data, RandomStream({.seed = 3}));
    ASSERT_EQ(transcript.entries.size(), 7u);
    double squares = 0;
    for (const TranscriptEntry& entry : transcript.entries)
      squares += std::pow(declared_cost(entry.law).mu, 2);
    const double delta = gaussian_delta(std::sqrt(squares), 0.5);
    EXPECT_LE(delta, 1e-6 * (1 + 1e-9));
    EXPECT_GE(delta, 1e-6 * (1 - 1e-9));
  }
}

TEST(ClippedNoisyDescent, HugeRecordsStayWithinTheClip) {
  const double huge = std::numeric_limits<double>::max() / 4;
  Dataset data{Matrix(3, 2), vector({1e300, -huge, 1})};
  data.features << huge, -huge, 1e-310, 1e-310, 0, 0;
  const NoisyDescentParameters p{.initial = vector({1, 1}), .iterations = 1};
  ShiftedReleases releases({{0, 0}});
  clipped_noisy_descent(data, p, 2, releases);
  EXPECT_TRUE(releases.laws[0].value.allFinite());
  EXPECT_LE(releases.laws[0].value.norm(), 2);
}

// ---- Projection --------------------------------------------------------------------------------

TEST(Project, GivesTheNearestPoint) {
  expect_equal(project(vector({3, -1, 0}), {Kind::l1_ball, 2}), {2, 0, 0});
  expect_equal(project(vector({1, -1, 0.1}), {Kind::l1_ball, 1}), {0.5, -0.5, 0});
  expect_equal(project(vector({0.2, -0.1, 0}), {Kind::l1_ball, 1}), {0.2, -0.1, 0});
  expect_equal(project(vector({3, 4}), {Kind::l2_ball, 1}), {0.6, 0.8});
  expect_equal(project(vector({3, -4, 1}), {Kind::l2_ball, 2, 1}), {0, -2, 0});
  expect_equal(project(vector({1, -1, 1}), {Kind::whole_space, 1, 2}), {1, -1, 0});
  expect_equal(project(vector({7, 8}), {}), {7, 8});
}

// sqrt(d m) bounds the mean length of a gradient whose coordinates have second moments m at most.
TEST(Comparators, TheUsualClipIsTheLengthOfAGradient) {
  const ComparatorProblem problem{
      .loss = Loss::squared, .initial = VectorXd::Zero(3), .smoothness = 2, .second_moment = 12};
  const Dataset data = random_data(50, 3, Loss::squared);
  const auto usual = usual_comparators(problem, data.size(), 1, 1e-5);
  ASSERT_EQ(usual.size(), 2U);
  EXPECT_EQ(usual[0].name, "clipped + Gaussian");
  const Transcript transcript = record(usual[0].mechanism, data, RandomStream({.seed = 3}));
  for (const TranscriptEntry& entry : transcript.entries)
    EXPECT_NEAR(std::get<GaussianNoise>(entry.law).sensitivity, 2 * 6.0 / 50, 1e-15);
  const Transcript robust = record(usual[1].mechanism, data, RandomStream({.seed = 3}));
  NoisyDescentParameters p{
      .initial = problem.initial, .iterations = 5, .epsilon = 1, .delta = 1e-5};
  const double scale = balanced_scale(50, 3, p, 12);
  for (const TranscriptEntry& entry : robust.entries)
    EXPECT_NEAR(std::get<GaussianNoise>(entry.law).sensitivity,
                std::sqrt(3) * 2 * scale * smooth_truncation_limit(1) / 50, 1e-12 * scale);
}

TEST(Comparators, RefuseParametersOutOfTheirDomains) {
  const Dataset data = random_data(4, 2, Loss::squared);
  SamplingReleases releases(RandomStream({.seed = 1}));
  const auto refuses = [&](const std::function<void(NoisyDescentParameters&)>& spoil) {
    NoisyDescentParameters p{.initial = VectorXd::Zero(2)};
    spoil(p);
    EXPECT_THROW(clipped_noisy_descent(data, p, 1, releases), std::invalid_argument);
    EXPECT_THROW(robust_noisy_descent(data, p, 1, releases), std::invalid_argument);
  };
  refuses([](NoisyDescentParameters& p) { p.initial = VectorXd::Zero(3); });
  refuses([](NoisyDescentParameters& p) { p.iterations = 0; });
  refuses([](NoisyDescentParameters& p) { p.step = 0; });
  refuses([](NoisyDescentParameters& p) { p.regularizer = -1; });
  refuses([](NoisyDescentParameters& p) { p.epsilon = 0; });
  refuses([](NoisyDescentParameters& p) { p.delta = 1; });
  refuses([](NoisyDescentParameters& p) { p.feasible = {Kind::l1_ball, 1, 2}; });
  refuses([](NoisyDescentParameters& p) { p.feasible = {Kind::l2_ball, 0}; });
  const NoisyDescentParameters p{.initial = VectorXd::Zero(2)};
  EXPECT_THROW(clipped_noisy_descent(data, p, 0, releases), std::invalid_argument);
  EXPECT_THROW(robust_noisy_descent(data, p, -1, releases), std::invalid_argument);
  EXPECT_THROW(balanced_scale(4, 2, p, 0), std::invalid_argument);
}

TEST(BalancedScale, BalancesBiasAndNoise) {
  const NoisyDescentParameters p{.iterations = 4, .epsilon = 1, .delta = 1e-5};
  const double scale = balanced_scale(1'000, 9, p, 2);
  EXPECT_NEAR(2 / scale, scale * std::sqrt(9.0 * 4) / (1'000 * gaussian_mu(1, 1e-5)), 1e-12);
}

// Of two records at w = 0 one has no gradient, the other -2, clipped to -1.
TEST(ClippedNoisyDescent, AGradientThatIsNoNumberCountsAsNothing) {
  const Dataset data{Matrix::Ones(2, 1), vector({std::nan(""), 1})};
  ShiftedReleases releases(std::vector<Numbers>{{0}});
  clipped_noisy_descent(data, {.initial = vector({0}), .iterations = 1}, 1, releases);
  EXPECT_EQ(releases.laws.at(0).value[0], -0.5);
}

// Of one record (1, 1) and of smoothness 8 a step of 1/8 takes w to 1 - (3/4)^t, without noise and
// clip.
TEST(Comparators, AStepIsOneOverTheSmoothness) {
  const Dataset data{Matrix::Ones(1, 1), VectorXd::Ones(1)};
  const auto usual = usual_comparators(
      {.initial = VectorXd::Zero(1), .smoothness = 8, .second_moment = 100}, 1, 1, 1e-5);
  NoiselessReleases releases;
  EXPECT_NEAR(usual[0].mechanism(data, releases)[0], 1 - std::pow(0.75, 20), 1e-12);
}

TEST(Comparators, TakeAsManyStepsAsTheySay) {
  const Dataset data = random_data(40, 3, Loss::squared);
  const std::vector<Comparator> both =
      usual_comparators({.initial = VectorXd::Zero(3)}, 40, 0.5, 1e-6);
  ASSERT_EQ(both.size(), 2U);
  const std::size_t steps[] = {20, 5};
  for (std::size_t k = 0; k < 2; ++k)
    EXPECT_EQ(record(both[k].mechanism, data, RandomStream({.seed = 3})).entries.size(), steps[k])
        << both[k].name;
}

}  // namespace
}  // namespace dpverify
