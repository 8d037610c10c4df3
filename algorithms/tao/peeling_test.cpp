#include "algorithms/tao/peeling.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "algorithms/mechanisms/test_slow_peeling.hpp"
#include "algorithms/mechanisms/test_twins.hpp"
#include "audits/privacy_check.hpp"

namespace dpverify::tao {
namespace {

const Dataset data{(Matrix(4, 3) << 1, 0, -1, 1, 9, 2, 1, -1, 0, 1, 0, 2).finished(),
                   VectorXd::Zero(4)};

std::map<std::string, std::string> options() {
  std::map<std::string, std::string> texts;
  for (const RunOption& option : peeling_algorithm().options)
    texts[option.name] = option.default_text;
  texts["sparsity"] = "2";
  texts["threshold"] = "2";
  return texts;
}

// Through the command line's mechanism: thresholded means, lambda = 2 * 2/4, Tao's scale.
TEST(TaoPeeling, AsksForTheLawsOfTheSlowTwin) {
  const Numbers v{1, -0.25, 0.75}, noise{0.1, -7, 0.3};  // 9 counts as 0
  const double b = 4 * 1 * std::sqrt(2 * 2 * std::log(1e5)) / 0.5;
  std::vector<ScriptedStep> script;
  const Numbers expected = slow_peeling(v, 1, b, {1, 2}, noise, script);
  ScriptedReleases releases(script);
  const PreparedRun run = peeling_algorithm().prepare(data, RunOptions(options()));
  EXPECT_EQ(run.mechanism(data, releases), to_vector(expected));
  EXPECT_TRUE(releases.finished());
  EXPECT_TRUE(has_claim(peeling_algorithm().claims(), run.guarantee_source));
}

// Independent figures (numpy, exact composition) at epsilon = 1, delta = 1e-5.
TEST(TaoPeeling, CertifiedEpsilonsOfThePrivacyClaim) {
  const std::vector<Claim> claims = peeling_algorithm().claims();
  const auto claim = std::find_if(claims.begin(), claims.end(), [](const Claim& c) {
    return c.id == "tao.peeling.privacy.printed";
  });
  ASSERT_NE(claim, claims.end());
  const Evidence evidence = check_privacy(*claim, {});
  EXPECT_EQ(evidence.verdict, Verdict::consistent);
  const auto has = [](const Table& table, const std::string& what) {
    return std::find(table.columns.begin(), table.columns.end(), what) != table.columns.end();
  };
  const auto certified =
      std::find_if(evidence.tables.begin(), evidence.tables.end(),
                   [&](const Table& table) { return has(table, "epsilon certified"); });
  ASSERT_NE(certified, evidence.tables.end());
  const Table& table = *certified;
  const auto column = [&](const std::string& what) {
    return static_cast<std::size_t>(std::find(table.columns.begin(), table.columns.end(), what) -
                                    table.columns.begin());
  };
  int seen = 0;
  for (const auto& [s, epsilon] : {std::pair{1.0, 0.156}, {10.0, 0.374}, {50.0, 0.397}})
    for (const std::vector<double>& row : table.rows)
      if (row[column("sparsity")] == s && row[column("delta")] == 1e-5 &&
          row[column("epsilon")] == 1) {
        EXPECT_NEAR(row[column("epsilon certified")], epsilon, 6e-4);
        ++seen;
      }
  EXPECT_EQ(seen, 4);  // s = 1 is also audited exactly
}

TEST(TaoPeeling, CommandLineRejectsBadOptions) {
  for (const auto& [option, bad] : std::map<std::string, std::string>{
           {"sparsity", "4"}, {"epsilon", "1"}, {"delta", "0"}, {"threshold", "0"}}) {
    auto spoilt = options();
    spoilt[option] = bad;
    EXPECT_THROW(peeling_algorithm().prepare(data, RunOptions(spoilt)), std::invalid_argument)
        << option;
  }
}

}  // namespace
}  // namespace dpverify::tao
