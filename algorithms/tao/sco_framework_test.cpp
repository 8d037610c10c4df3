#include "algorithms/tao/sco_framework.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "algorithms/mechanisms/test_twins.hpp"

namespace dpverify::tao {
namespace {

TEST(ScoFramework, TruncatedScoAsksForAlgorithm1OnEveryCoordinate) {
  const Dataset data{(Matrix(4, 2) << 1, -1, 9, 2, 0.5, 0.5, 1, 3).finished(), VectorXd::Zero(4)};
  CapturingReleases releases;
  const TruncatedScoParameters p{.framework = {.gradients = inner_product_gradients,
                                               .radius = 100,
                                               .initial = VectorXd::Zero(2),
                                               .step = 1,
                                               .iterations = 2},
                                 .truncation = 2,
                                 .epsilon = 0.5,
                                 .delta = 0.125};
  const VectorXd w = truncated_sco(data, p, releases);
  ASSERT_EQ(releases.laws.size(), 2U);
  // sqrt(2) * 2 * 2/2 for parts of 2; deviation times sqrt(2 log 10)/0.5.
  const double sensitivity = 2 * std::sqrt(2.0);
  const double deviation = sensitivity * std::sqrt(2 * std::log(10.0)) / 0.5;
  expect_same_law(releases.laws[0], {Eigen::Vector2d(-0.5, -0.5), sensitivity, deviation});
  expect_same_law(releases.laws[1], {Eigen::Vector2d(-0.75, -0.25), sensitivity, deviation});
  EXPECT_TRUE(w.isApprox(-releases.outcomes[0] - releases.outcomes[1], 1e-14));
}

TEST(ScoFramework, RejectsBadParameters) {
  const Dataset data = column({1, 2});
  const auto run = [&data](const std::function<void(TruncatedScoParameters&)>& spoil) {
    TruncatedScoParameters p{
        .framework = {.gradients = mean_point_gradients, .initial = VectorXd::Zero(1)}};
    spoil(p);
    SamplingReleases releases(RandomStream({}));
    return truncated_sco(data, p, releases);
  };
  EXPECT_NO_THROW(run([](auto&) {}));
  for (const double bad : {0.0, -1.0, std::nan("")}) {
    EXPECT_THROW(run([bad](auto& p) { p.framework.radius = bad; }), std::invalid_argument);
    EXPECT_THROW(run([bad](auto& p) { p.framework.step = bad; }), std::invalid_argument);
    EXPECT_THROW(run([bad](auto& p) { p.truncation = bad; }), std::invalid_argument);
    EXPECT_THROW(run([bad](auto& p) { p.epsilon = bad; }), std::invalid_argument);
    EXPECT_THROW(run([bad](auto& p) { p.delta = bad; }), std::invalid_argument);
  }
  EXPECT_THROW(run([](auto& p) { p.framework.iterations = 3; }), std::invalid_argument);
  EXPECT_NO_THROW(run([](auto& p) {
    p.framework.iterations = 3;
    p.framework.split = false;
  }));
  EXPECT_THROW(run([](auto& p) { p.framework.initial = VectorXd::Ones(2); }),
               std::invalid_argument);
  EXPECT_THROW(run([](auto& p) { p.framework.initial *= 0, p.framework.initial[0] = 2; }),
               std::invalid_argument);
}

TEST(ScoFramework, CommandLineRunStatesWhatItUses) {
  Dataset data{Matrix::Ones(50, 1), VectorXd::Constant(50, 0.5)};
  std::map<std::string, std::string> texts;
  for (const RunOption& option : sco_framework_algorithm().options)
    texts[option.name] = option.default_text;
  const PreparedRun run = sco_framework_algorithm().prepare(data, RunOptions(texts));
  EXPECT_TRUE(has_claim(sco_framework_algorithm().claims(), run.guarantee_source));
  NoiselessReleases releases;
  // w -> w - 0.1 * 2 (w - 0.5), five times from 0.
  EXPECT_NEAR(run.mechanism(data, releases)[0], 0.5 * (1 - std::pow(0.8, 5)), 1e-14);
  for (const auto& [option, bad] : std::map<std::string, std::string>{{"epsilon", "1.5"},
                                                                      {"delta", "0"},
                                                                      {"iterations", "51"},
                                                                      {"order", "0"},
                                                                      {"truncation", "0"}}) {
    auto spoilt = texts;
    spoilt[option] = bad;
    EXPECT_THROW(sco_framework_algorithm().prepare(data, RunOptions(spoilt)), std::invalid_argument)
        << option;
  }
}

}  // namespace
}  // namespace dpverify::tao
