#include "algorithms/hu/private_lasso.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

#include "algorithms/core/composition.hpp"
#include "algorithms/core/enumerate.hpp"
#include "algorithms/hu/test_slow_twins.hpp"
#include "audits/privacy_check.hpp"

namespace dpverify::hu {
namespace {

Dataset small_data() {
  Dataset data{Matrix(5, 2), VectorXd(5)};
  data.features << 0.5, -1, 2, 0.1, -3, 4, 1, 1, -0.2, 0.7;
  data.labels << 1, -2, 0.5, 3, -1;
  return data;
}

PrivateLassoParameters small_parameters() {
  return {.radius = 1.5,
          .initial = (VectorXd(2) << 0.25, -0.5).finished(),
          .clip = 2,
          .iterations = 2,
          .epsilon = 0.9,
          .delta = 1e-3};
}

// Algorithm 2 written again from the text for the l1 ball of radius R, with the score sensitivity
// `delta_score`: the probability of a path of vertices +R e_0, +R e_1, -R e_0, -R e_1 and w^T.
struct Path {
  double probability = 1;
  Numbers w;
};

Path slow_path(const std::vector<Index>& path, const Dataset& data, const PrivateLassoParameters& p,
               double delta_score) {
  const auto cut = [&p](double x) {
    return (x > 0 ? 1.0 : x < 0 ? -1.0 : 0.0) * std::min(std::abs(x), p.clip);
  };
  const auto n = static_cast<double>(data.size());
  const double budget =
      p.epsilon / (2 * std::sqrt(2 * static_cast<double>(p.iterations) * std::log(1 / p.delta)));
  Path out{.w = {p.initial[0], p.initial[1]}};
  for (std::size_t t = 1; t <= path.size(); ++t) {
    Numbers g{0, 0};
    for (Index i = 0; i < data.size(); ++i) {
      const double x0 = cut(data.features(i, 0)), x1 = cut(data.features(i, 1));
      const double residual = x0 * out.w[0] + x1 * out.w[1] - cut(data.labels[i]);
      g[0] += 2 / n * x0 * residual;
      g[1] += 2 / n * x1 * residual;
    }
    Numbers weights;
    double total = 0;
    for (const double sign : {1.0, -1.0})
      for (const double coordinate : g) {
        weights.push_back(std::exp(budget * -sign * p.radius * coordinate / (2 * delta_score)));
        total += weights.back();
      }
    const Index v = path[t - 1];
    out.probability *= weights[static_cast<std::size_t>(v)] / total;
    const double eta = 2 / (static_cast<double>(t) + 2);
    for (Index j = 0; j < 2; ++j) {
      const double vertex = v % 2 != j ? 0 : v < 2 ? p.radius : -p.radius;
      const auto k = static_cast<std::size_t>(j);
      out.w[k] = (1 - eta) * out.w[k] + eta * vertex;
    }
  }
  return out;
}

TEST(PrivateLasso, EveryPathHasTheProbabilityAndTheOutputOfTheSlowTwin) {
  const Dataset five = small_data(), one{five.features.topRows(1), five.labels.head(1)};
  PrivateLassoParameters p = small_parameters();
  // K = 2, R = 1.5; more records than features, and fewer
  const std::vector<std::tuple<Dataset, LassoSensitivity, double>> editions{
      {five, LassoSensitivity::printed_diameter, 8 * 3 * 4 / 5.0},
      {five, LassoSensitivity::printed_radius, 8 * 1.5 * 4 / 5.0},
      {five, LassoSensitivity::corrected, 4 * 1.5 * 2.5 * 4 / 5.0},
      {one, LassoSensitivity::corrected, 4 * 1.5 * 2.5 * 4}};
  for (const auto& [data, edition, delta_score] : editions) {
    p.sensitivity = edition;
    EXPECT_NEAR(score_sensitivity(p, data.size()), delta_score, 1e-12);
    const std::vector<OutcomePath> paths =
        enumerate([&p](const Dataset& d, Releases& r) { return private_lasso(d, p, r); }, data);
    ASSERT_EQ(paths.size(), 16U);
    for (const OutcomePath& path : paths) {
      const Path expected = slow_path(path.outcomes, data, p, delta_score);
      EXPECT_NEAR(std::exp(path.log_probability), expected.probability, 1e-13);
      EXPECT_NEAR(path.output[0], expected.w[0], 1e-14);
      EXPECT_NEAR(path.output[1], expected.w[1], 1e-14);
      EXPECT_LE(path.output.lpNorm<1>(), 1.5 + 1e-12);
    }
  }
}

TEST(PrivateLasso, ValuesByHand) {
  PrivateLassoParameters p;
  p.iterations = 40;
  p.epsilon = 0.999;
  EXPECT_NEAR(step_epsilon(p), 0.01645878046883197, 1e-16);  // 0.999/(2 sqrt(80 log 1e5))

  // n epsilon = 9000: T = (sqrt(9000) 2.5/(sqrt(log 1e5) log 400))^0.8 = 7.1375...
  p = private_lasso_from_theorem(10'000, 20, 0.9, 1e-5, 2.5, 0.05);
  EXPECT_EQ(p.iterations, 7);
  EXPECT_NEAR(p.clip, 7.637010230084736, 1e-12);  // 9000^(1/4)/7^(1/8)
  EXPECT_EQ(p.initial, VectorXd::Zero(20));
  EXPECT_EQ(p.epsilon, 0.9);
  EXPECT_EQ(p.delta, 1e-5);
  EXPECT_NEAR(private_lasso_bound(10'000, 20, 0.9, 1e-5, 2.5, 0.05), 0.7377027445409210, 1e-13);
  EXPECT_EQ(private_lasso_from_theorem(1, 20, 0.9, 1e-5, 2.5, 0.05).iterations, 1);

  // (n epsilon)^(2/5) = 39.81 and 95.87.
  p = private_lasso_from_experiments(10'000, 3, 1);
  EXPECT_EQ(p.iterations, 39);
  EXPECT_EQ(step_size(p.step, 1, p.iterations), 1);  // eta_0 of Section 6.2's eta_t = 2/(t+2)
  EXPECT_NEAR(p.clip, 6.325821371112608, 1e-12);
  EXPECT_NEAR(p.delta, 3.981071705534973e-5, 1e-18);
  p = private_lasso_from_experiments(90'000, 3, 1);
  EXPECT_EQ(p.iterations, 95);
  EXPECT_NEAR(p.clip, 9.802687922526123, 1e-12);
  EXPECT_NEAR(p.delta, 3.550857464867343e-6, 1e-19);
}

// At w = R e_0 the records (1, 1; -1) and (1, -1; -1) move the score of +-R e_1 by 4R(R+1)K^2/n.
TEST(PrivateLasso, ScoreChangeAtTheCorner) {
  struct Row {
    double radius, change, printed;  // of one record, K = 1
  };
  for (const Row& row : {Row{1, 8, 16}, Row{3, 48, 48}, Row{3.5, 63, 56}}) {
    const NeighbouringPair pair = make_pair({{1, 1, -1}}, 0, {1, -1, -1});
    const PrivateLassoParameters p{.radius = row.radius,
                                   .initial = (VectorXd(2) << row.radius, 0).finished(),
                                   .sensitivity = LassoSensitivity::printed_diameter};
    const Mechanism mechanism = [&p](const Dataset& d, Releases& r) {
      return private_lasso(d, p, r);
    };
    const Replay result =
        replay(mechanism, pair.neighbour, record(mechanism, pair.data, RandomStream({})));
    ASSERT_EQ(result.steps.size(), 1U);
    EXPECT_NEAR(result.steps[0].change.distance, row.change, 1e-12);
    EXPECT_NEAR(result.steps[0].declared_sensitivity, row.printed, 1e-12);
  }
}

TEST(PrivateLasso, ClipsAtExactlyK) {
  // Entries of +-K are kept, and what lies beyond counts as K.
  const PrivateLassoParameters p = small_parameters();
  const Dataset at{(Matrix(1, 2) << 2, -2).finished(), VectorXd::Constant(1, 2)};
  const Dataset beyond{(Matrix(1, 2) << 1e300, -2.5).finished(), VectorXd::Constant(1, 1e9)};
  const Mechanism mechanism = [&p](const Dataset& d, Releases& r) {
    return private_lasso(d, p, r);
  };
  const Transcript transcript = record(mechanism, at, RandomStream({}));
  // w^0 = (0.25, -0.5): residual 2 * 0.25 + 2 * 0.5 - 2 = -0.5, g = 2 * (2, -2) * -0.5 = (-2, 2).
  const auto& law = std::get<ExponentialMechanism>(transcript.entries.at(0).law);
  EXPECT_EQ(law.scores, (VectorXd(4) << 3, -3, -3, 3).finished());
  EXPECT_EQ(replay(mechanism, beyond, transcript).log_likelihood_ratio, 0);
}

TEST(PrivateLasso, RejectsBadParameters) {
  const Dataset data = small_data();
  const auto run = [&data](const std::function<void(PrivateLassoParameters&)>& spoil) {
    PrivateLassoParameters p = small_parameters();
    spoil(p);
    SamplingReleases releases(RandomStream({}));
    return private_lasso(data, p, releases);
  };
  EXPECT_NO_THROW(run([](auto&) {}));
  const double nan = std::nan("");
  for (const double bad : {0.0, 1.0, -1.0, nan}) {
    EXPECT_THROW(run([bad](auto& p) { p.epsilon = bad; }), std::invalid_argument) << bad;
    EXPECT_THROW(run([bad](auto& p) { p.delta = bad; }), std::invalid_argument) << bad;
  }
  for (const double bad : {0.0, -1.0, nan, std::numeric_limits<double>::infinity()}) {
    EXPECT_THROW(run([bad](auto& p) { p.radius = bad; }), std::invalid_argument) << bad;
    EXPECT_THROW(run([bad](auto& p) { p.clip = bad; }), std::invalid_argument) << bad;
  }
  EXPECT_THROW(run([](auto& p) { p.iterations = 0; }), std::invalid_argument);
  EXPECT_THROW(run([](auto& p) { p.initial = VectorXd::Zero(3); }), std::invalid_argument);
  // Outside the ball the sensitivity does not hold.
  EXPECT_THROW(run([](auto& p) { p.initial << 1, 0.51; }), std::invalid_argument);
  EXPECT_THROW(run([nan](auto& p) { p.initial[0] = nan; }), std::invalid_argument);
  EXPECT_NO_THROW(run([](auto& p) { p.initial << 1, -0.5; }));

  for (const double bad : {0.0, 1.0, 2.0, nan}) {
    EXPECT_THROW(private_lasso_from_theorem(100, 2, 0.5, bad, 1, 0.1), std::invalid_argument);
    EXPECT_THROW(private_lasso_from_theorem(100, 2, 0.5, 1e-5, 1, bad), std::invalid_argument);
  }
  for (const double bad : {0.0, -1.0, nan}) {
    EXPECT_THROW(private_lasso_from_theorem(100, 2, bad, 1e-5, 1, 0.1), std::invalid_argument);
    EXPECT_THROW(private_lasso_from_theorem(100, 2, 0.5, 1e-5, bad, 0.1), std::invalid_argument);
    EXPECT_THROW(private_lasso_from_experiments(100, 2, bad), std::invalid_argument);
  }
}

// The certified table of the claim. Independent figures (numpy and scipy, 3 digits) of optimal and
// of advanced composition over target at epsilon = 0.999. What is certified is less where the zCDP
// of the exponential mechanism, an eighth of the square of its epsilon, says more.
TEST(PrivateLasso, CertifiedEpsilonsOfThePrivacyClaim) {
  struct Row {
    double t, delta, optimal, advanced;
  };
  const std::vector<Row> rows{{1, 1e-5, 0.104, 0.104},   {10, 1e-5, 0.321, 0.330},
                              {40, 1e-5, 0.349, 0.511},  {100, 1e-5, 0.352, 0.511},
                              {400, 1e-7, 0.389, 0.508}, {400, 1e-2, 0.199, 0.527}};
  int judged = 0;
  for (Claim claim : private_lasso_algorithm().claims()) {
    if (claim.id != "hu.private_lasso.privacy.printed" &&
        claim.id != "hu.private_lasso.privacy.corrected")
      continue;
    ++judged;
    std::get<PrivacyClaim>(claim.check).settings.clear();  // the exact audit is tested elsewhere
    const Evidence evidence = check_privacy(claim, {});
    EXPECT_EQ(evidence.verdict, Verdict::consistent);
    const Table& table = evidence.tables.at(0);
    const auto column = [&table](const std::string& name) {
      const auto found = std::find(table.columns.begin(), table.columns.end(), name);
      EXPECT_NE(found, table.columns.end()) << name;
      return static_cast<std::size_t>(found - table.columns.begin());
    };
    ASSERT_GE(table.rows.size(), rows.size());
    for (std::size_t k = 0; k < rows.size(); ++k) {
      const std::vector<double>& row = table.rows[k];
      EXPECT_EQ(row[column("iterations")], rows[k].t);
      EXPECT_EQ(row[column("delta")], rows[k].delta);
      // Every iteration reads the whole dataset: a record pays for all.
      EXPECT_EQ(row[column("releases a record pays for")], rows[k].t);
      const double claimed = row[column("epsilon claimed")];
      const double one = claimed / (2 * std::sqrt(2 * rows[k].t * std::log(1 / rows[k].delta)));
      const double optimal =
          composed_epsilon({{one, static_cast<Index>(rows[k].t)}}, rows[k].delta) / claimed;
      const double concentrated = zcdp_epsilon(rows[k].t * one * one / 8, rows[k].delta) / claimed;
      EXPECT_NEAR(optimal, rows[k].optimal, 6e-4) << k;
      EXPECT_NEAR(row[column("certified/claimed")], std::min(optimal, concentrated), 1e-9) << k;
      EXPECT_NEAR(row[column("by advanced composition/claimed")], rows[k].advanced, 6e-4) << k;
    }
  }
  EXPECT_EQ(judged, 2);
}

TEST(PrivateLasso, CommandLineRunStatesWhatItUses) {
  const Dataset data = small_data();
  std::map<std::string, std::string> texts;
  for (const RunOption& option : private_lasso_algorithm().options)
    texts[option.name] = option.default_text;
  texts["radius"] = "3";
  texts["clip"] = "2";
  texts["iterations"] = "2";
  const PreparedRun run = private_lasso_algorithm().prepare(data, RunOptions(texts));
  EXPECT_EQ(run.guarantee.epsilon, 0.5);
  EXPECT_EQ(run.guarantee.delta, 1e-5);
  // Scores of the first iteration at w = 0, R = 3: +-3 g, g = (2/n) sum -x y over clipped records.
  const Transcript transcript = record(run.mechanism, data, RandomStream({}));
  ASSERT_EQ(transcript.entries.size(), 2U);
  const auto& law = std::get<ExponentialMechanism>(transcript.entries[0].law);
  // sum x_0 y = 0.5 - 4 - 1 + 2 + 0.2 = -2.3, clipped: -3 becomes -2 and 3 becomes 2.
  EXPECT_NEAR(law.scores[0], 3 * 2 / 5.0 * -2.3, 1e-12);
  EXPECT_NEAR(law.sensitivity, 4 * 3 * 4 * 4 / 5.0, 1e-12);
  for (const auto& [option, bad] :
       std::map<std::string, std::string>{{"epsilon", "1"},
                                          {"delta", "1"},
                                          {"radius", "0"},
                                          {"clip", "0"},
                                          {"iterations", "0"},
                                          {"largest-eigenvalue", "0"},
                                          {"failure-probability", "1"}}) {
    auto spoilt = texts;
    spoilt[option] = bad;
    EXPECT_THROW(private_lasso_algorithm().prepare(data, RunOptions(spoilt)), std::invalid_argument)
        << option;
  }
}

}  // namespace
}  // namespace dpverify::hu
