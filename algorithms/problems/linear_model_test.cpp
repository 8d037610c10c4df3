#include "algorithms/problems/linear_model.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace dpverify {
namespace {

RandomStream stream(std::string_view purpose) {
  return RandomStream({.seed = 7, .claim = "linear model test", .purpose = purpose});
}

struct Mean {
  double value, standard_error;
};

template <class Draw>
Mean mean_of(int draws, Draw draw) {
  double sum = 0, squares = 0;
  for (int k = 0; k < draws; ++k) {
    const double x = draw();
    sum += x;
    squares += x * x;
  }
  const double mean = sum / draws;
  return {mean, std::sqrt((squares / draws - mean * mean) / draws)};
}

// Seven standard errors: a false failure has probability 2.6e-12 in the normal limit, and the
// averaged variables have finite variance.
constexpr double errors = 7;

TEST(LinearModel, ExcessRiskMatchesSampledLosses) {
  for (const ScalarLaw law :
       {ScalarLaw{ScalarLaw::Kind::lognormal, 0.1}, ScalarLaw{ScalarLaw::Kind::student_t, 20}}) {
    LinearModel model{
        .optimum = VectorXd(2), .features = law, .noise = {ScalarLaw::Kind::normal, 0.3}};
    model.optimum << 0.6, -0.2;
    VectorXd w(2);
    w << -0.1, 0.5;
    RandomStream s = stream("risk");
    const Dataset data = model.draw(400'000, s);
    Index i = 0;
    const Mean excess = mean_of(400'000, [&] {
      const double at_w = data.labels[i] - data.features.row(i).dot(w);
      const double at_optimum = data.labels[i] - data.features.row(i).dot(model.optimum);
      ++i;
      return at_w * at_w - at_optimum * at_optimum;
    });
    EXPECT_NEAR(excess.value, model.excess_risk(w), errors * excess.standard_error);
    EXPECT_EQ(model.excess_risk(model.optimum), 0);
  }
}

TEST(LinearModel, SecondMomentOfTheGradientIsBounded) {
  LinearModel model{.optimum = VectorXd::Zero(2),
                    .features = {ScalarLaw::Kind::student_t, 20},
                    .noise = {ScalarLaw::Kind::normal, 0.3}};
  VectorXd w(2);
  w << 2, 0;  // the direction that attains the bound
  RandomStream s = stream("gradient");
  const Dataset data = model.draw(400'000, s);
  Index i = 0;
  const Mean moment = mean_of(400'000, [&] {
    const double g = 2 * data.features(i, 0) * (data.features.row(i).dot(w) - data.labels[i]);
    ++i;
    return g * g;
  });
  EXPECT_NEAR(moment.value, model.gradient_second_moment(2), errors * moment.standard_error);
  // lambda_max of E x x^T: 20/18 for independent centred features.
  EXPECT_NEAR(model.smoothness(), 2 * 20.0 / 18, 1e-14);
}

TEST(ScaledNoiseModel, ExcessRiskMatchesSampledLosses) {
  const ScaledNoiseModel model{.optimum = 0.5, .tail = 4.5, .noise_scale = 0.2};
  RandomStream s = stream("scaled noise");
  const Dataset data = model.draw(400'000, s);
  for (const double w : {-1.0, 0.0, 0.45, 0.9}) {
    Index i = 0;
    const Mean excess = mean_of(400'000, [&] {
      const double x = data.features(i, 0), y = data.labels[i];
      ++i;
      return std::abs(x * w - y) - std::abs(x * 0.5 - y);
    });
    EXPECT_NEAR(excess.value, model.excess_risk(VectorXd::Constant(1, w)),
                errors * excess.standard_error)
        << w;
  }
  EXPECT_EQ(model.excess_risk(VectorXd::Constant(1, 0.5)), 0);
  const Mean second = mean_of(400'000, [&, i = Index{0}]() mutable {
    const double x = data.features(i++, 0);
    return x * x;
  });
  EXPECT_NEAR(second.value, model.moment(2), errors * second.standard_error);
  EXPECT_EQ(ScaledNoiseModel{.tail = 1.75}.moment(1.5), 7);
  EXPECT_EQ(ScaledNoiseModel{.tail = 1.75}.moment(1.75), std::numeric_limits<double>::infinity());
}

TEST(RareFeatureModel, ExcessRiskMatchesSampledLosses) {
  const RareFeatureModel model{.share = 1.0 / 8, .order = 1.5, .noise_scale = 0.3};
  EXPECT_NEAR(model.size(), 4, 1e-14);  // 8^(2/3)
  EXPECT_NEAR(model.moment(1.5), 1, 1e-14);
  EXPECT_NEAR(model.moment(3), 8, 1e-13);
  RandomStream s = stream("rare feature");
  const Dataset data = model.draw(400'000, s);
  EXPECT_TRUE(
      (data.features.array() == 0 || (data.features.array().abs() - 4).abs() < 1e-14).all());
  for (const double w : {-1.0, 0.0, 0.45, 0.9}) {
    Index i = 0;
    const Mean excess = mean_of(400'000, [&] {
      const double x = data.features(i, 0), y = data.labels[i];
      ++i;
      return std::abs(x * w - y) - std::abs(x * 0.5 - y);
    });
    EXPECT_NEAR(excess.value, model.excess_risk(VectorXd::Constant(1, w)),
                errors * excess.standard_error)
        << w;
  }
  EXPECT_EQ(model.excess_risk(VectorXd::Constant(1, 0.5)), 0);
  const Mean first =
      mean_of(400'000, [&, i = Index{0}]() mutable { return std::abs(data.features(i++, 0)); });
  EXPECT_NEAR(first.value, model.moment(1), errors * first.standard_error);
}

TEST(ScaledNoiseModel, OneOfSeveralFeaturesAtATime) {
  const ScaledNoiseModel model{.tail = 4.5, .features = 2};
  RandomStream s = stream("scaled noise in two features");
  const Dataset data = model.draw(400'000, s);
  EXPECT_EQ((data.features.array() != 0).rowwise().count().maxCoeff(), 1);
  const Eigen::Vector2d w(-1, 0.9), optimum(0.5, 0.5);
  Index i = 0;
  const Mean excess = mean_of(400'000, [&] {
    const double y = data.labels[i];
    const Eigen::Vector2d x = data.features.row(i++);
    return std::abs(x.dot(w) - y) - std::abs(x.dot(optimum) - y);
  });
  EXPECT_NEAR(excess.value, model.excess_risk(w), errors * excess.standard_error);
  const Mean second =
      mean_of(400'000, [&, k = Index{0}]() mutable { return std::pow(data.features(k++, 1), 2); });
  EXPECT_NEAR(second.value, model.moment(2) / 2, errors * second.standard_error);
}

}  // namespace
}  // namespace dpverify
