#include "algorithms/hu/peeling.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string_view>

#include "algorithms/mechanisms/test_slow_peeling.hpp"
#include "audits/privacy_check.hpp"

namespace dpverify::hu {
namespace {

const Claim& claim(const std::vector<Claim>& claims, std::string_view id) {
  const auto found =
      std::find_if(claims.begin(), claims.end(), [&id](const Claim& c) { return c.id == id; });
  if (found == claims.end()) throw std::invalid_argument("no claim " + std::string(id));
  return *found;
}

// The certified table of the claim. Independent figures (numpy and scipy, 3 digits) of optimal and
// of advanced composition over target, in the claim's order of settings.
TEST(HuPeeling, CertifiedEpsilonsOfThePrivacyClaim) {
  const std::vector<Claim> claims = peeling_algorithm().claims();
  const Evidence evidence = check_privacy(claim(claims, "hu.peeling.privacy.printed"), {});
  EXPECT_EQ(evidence.verdict, Verdict::consistent);
  const Table& table = evidence.tables.at(1);  // after the table of the exact audit
  const auto column = [&table](const std::string& name) {
    const auto found = std::find(table.columns.begin(), table.columns.end(), name);
    EXPECT_NE(found, table.columns.end()) << name;
    return static_cast<std::size_t>(found - table.columns.begin());
  };
  struct Row {
    double s, epsilon, delta, optimal, advanced;
  };
  // The settings that are audited exactly come first.
  const std::vector<Row> rows{{1, 0.999, 1e-5, 0.255, 0.255},  {4, 0.999, 1e-5, 0.508, 0.5105},
                              {1, 0.999, 0.9, 0, 2.668},       {1, 0.999, 1e-5, 0.255, 0.255},
                              {5, 0.999, 1e-5, 0.563, 0.571},  {20, 0.1, 1e-5, 0.541, 0.916},
                              {20, 0.999, 1e-2, 0.462, 1.006}, {20, 0.999, 1e-5, 0.661, 0.950},
                              {20, 0.999, 1e-7, 0.693, 0.939}, {50, 0.999, 1e-7, 0.721, 0.9385}};
  ASSERT_GE(table.rows.size(), rows.size());
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const std::vector<double>& row = table.rows[k];
    EXPECT_EQ(row[column("sparsity")], rows[k].s);
    EXPECT_EQ(row[column("epsilon")], rows[k].epsilon);
    EXPECT_EQ(row[column("delta")], rows[k].delta);
    EXPECT_EQ(row[column("releases")], 2 * rows[k].s);
    EXPECT_NEAR(row[column("certified/claimed")], rows[k].optimal, 6e-4) << k;
    EXPECT_NEAR(row[column("by advanced composition/claimed")], rows[k].advanced, 6e-4) << k;
  }
}

TEST(HuPeeling, CommandLineRunStatesWhatItUses) {
  Dataset data{(Matrix(4, 3) << 5, 0, 0, 5, 0, 1, 5, 1, 0, 5, 0, 0).finished(), VectorXd::Zero(4)};
  std::map<std::string, std::string> texts;
  for (const RunOption& option : peeling_algorithm().options)
    texts[option.name] = option.default_text;
  texts["clip"] = "2";
  const PreparedRun run = peeling_algorithm().prepare(data, RunOptions(texts));
  EXPECT_EQ(run.guarantee.epsilon, 0.5);
  EXPECT_EQ(run.guarantee.delta, 1e-5);
  EXPECT_NO_THROW(claim(peeling_algorithm().claims(), run.guarantee_source));
  NoiselessReleases releases;
  EXPECT_EQ(run.mechanism(data, releases), to_vector({2, 0, 0}));  // 5 clipped to 2
  for (const auto& [option, bad] : std::map<std::string, std::string>{
           {"sparsity", "4"}, {"epsilon", "1"}, {"delta", "0"}, {"clip", "0"}}) {
    auto spoilt = texts;
    spoilt[option] = bad;
    EXPECT_THROW(peeling_algorithm().prepare(data, RunOptions(spoilt)), std::invalid_argument)
        << option;
  }
}

}  // namespace
}  // namespace dpverify::hu
