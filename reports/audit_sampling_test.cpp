#include "reports/audit_sampling.hpp"

#include <nlohmann/json.hpp>

#include "reports/test_audits.hpp"
#include "reports/validate.hpp"

namespace dpverify {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class AuditSampling : public AuditTest {
 protected:
  static std::vector<std::string> steps(std::vector<std::string> more) {
    std::vector<std::string> words{"--noise", "0.7", "--rate", "0.05", "--steps", "20"};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
  // Of epsilon 3, unless asked for another.
  static std::vector<std::string> of(const std::string& sampler, const std::string& delta,
                                     const std::string& epsilon = "3") {
    return steps({"--sampling", sampler, "--epsilon", epsilon, "--delta", delta});
  }
};

// The guarantee that Poisson sampling has is given to a loader that shuffles.
TEST_F(AuditSampling, APoissonAccountantDoesNotSpeakForShuffling) {
  EXPECT_EQ(run(of("poisson", "1e-3")), 0) << err_;
  EXPECT_THAT(out_, AllOf(HasSubstr("consistent"), HasSubstr("Strength: certified")));
  EXPECT_EQ(run(of("shuffle", "1e-3")), 1) << err_;
  EXPECT_THAT(out_, AllOf(HasSubstr("refuted"), HasSubstr("With poisson batches")));
  EXPECT_EQ(run(of("fixed", "1e-3")), 1) << err_;
  EXPECT_THAT(out_, HasSubstr("refuted"));
  // Without any amplification: a record is in one batch.
  EXPECT_EQ(run(of("shuffle", "0.05")), 0) << err_;
  EXPECT_THAT(out_, HasSubstr("consistent"));
}

TEST_F(AuditSampling, BetweenBothEndsItIsOpen) {
  EXPECT_EQ(run(of("shuffle", "0.032")), 1) << err_;
  EXPECT_THAT(out_, AllOf(HasSubstr("inconclusive"), HasSubstr("Open:")));
}

TEST_F(AuditSampling, JsonHoldsBothEndsOfEverySampler) {
  std::vector<std::string> words = of("shuffle", "1e-3");
  words.emplace_back("--json");
  EXPECT_EQ(run(words), 1) << err_;
  EXPECT_THAT(validate_report(out_), IsEmpty());
  const auto json = nlohmann::json::parse(out_);
  const auto evidence = json["evidence"][0];
  EXPECT_EQ(evidence["claim"], "sampling.privacy");
  EXPECT_EQ(evidence["verdict"], "refuted");
  EXPECT_GT(evidence["tightness"].get<double>(), 1);
  ASSERT_EQ(evidence["tables"].size(), 2U);
  const auto& row = evidence["tables"][1]["rows"][0];  // delta at epsilon 3
  ASSERT_EQ(row.size(), 6U);
  for (const std::size_t k : {0U, 2U, 4U})
    EXPECT_LE(row[k].get<double>(), row[k + 1].get<double>());
  EXPECT_LT(row[1].get<double>(), 1e-3);
  EXPECT_NEAR(row[4].get<double>(), 0.0304, 1e-3);
  const std::string line = evidence["reproduce"].get<std::string>();
  EXPECT_EQ(run(words_of(line + " --json")), 1);
  EXPECT_EQ(nlohmann::json::parse(out_)["evidence"][0], evidence) << line;
}

TEST_F(AuditSampling, TheRateIsThatOfABatch) {
  EXPECT_EQ(run({"--sampling", "poisson", "--noise", "2", "--batch", "5", "--records", "50",
                 "--steps", "3", "--epsilon", "1", "--delta", "1e-3", "--json"}),
            0)
      << err_;
  const auto by_size = nlohmann::json::parse(out_)["evidence"][0]["estimate"];
  EXPECT_EQ(run({"--sampling", "poisson", "--noise", "2", "--rate", "0.1", "--steps", "3",
                 "--epsilon", "1", "--delta", "1e-3", "--json"}),
            0);
  EXPECT_EQ(nlohmann::json::parse(out_)["evidence"][0]["estimate"], by_size);
}

// A replaced record moves a sum by up to two clipping norms.
TEST_F(AuditSampling, ReplacingNeedsMore) {
  const std::vector<std::string> few{"--sampling", "poisson", "--noise", "2",
                                     "--rate",     "0.1",     "--steps", "10",
                                     "--epsilon",  "0.9",     "--delta", "1e-3"};
  EXPECT_EQ(run(few), 0) << err_;
  std::vector<std::string> replaced = few;
  replaced.insert(replaced.end(), {"--neighbours", "replace"});
  EXPECT_EQ(run(replaced), 1) << out_;
  EXPECT_THAT(out_, HasSubstr("refuted"));
}

TEST_F(AuditSampling, WhereNoEpochIsWholeShufflingIsLeftOut) {
  EXPECT_EQ(run({"--sampling", "poisson", "--noise", "2", "--rate", "0.3", "--steps", "3",
                 "--epsilon", "3", "--delta", "1e-3", "--json"}),
            0)
      << err_;
  EXPECT_EQ(nlohmann::json::parse(out_)["evidence"][0]["tables"][0]["rows"][0].size(), 4U);
}

TEST_F(AuditSampling, BadInputIsOneLine) {
  expect_complaint(of("sometimes", "1e-3"), "--sampling is 'sometimes'");
  expect_complaint(steps({"--sampling", "poisson"}), "--epsilon is missing");
  expect_complaint(steps({"--sampling", "poisson", "--epsilon", "1"}), "--delta is 0");
  expect_complaint(of("poisson", "1e-3", "0"), "--epsilon is 0");
  expect_complaint({"--sampling", "poisson", "--rate", "0.1", "--steps", "1", "--epsilon", "1",
                    "--delta", "0.1"},
                   "--noise is missing");
  expect_complaint(
      {"--sampling", "poisson", "--noise", "1", "--steps", "1", "--epsilon", "1", "--delta", "0.1"},
      "--rate is missing");
  expect_complaint({"--sampling", "shuffle", "--noise", "1", "--rate", "0.3", "--steps", "1",
                    "--epsilon", "1", "--delta", "0.1"},
                   "--rate is 0.3");
  expect_complaint({"--sampling", "poisson", "--noise", "1", "--batch", "3", "--steps", "1",
                    "--epsilon", "1", "--delta", "0.1"},
                   "--records is missing");
  expect_complaint({"--sampling", "poisson", "--noise", "0.01", "--rate", "0.3", "--steps", "1",
                    "--epsilon", "1", "--delta", "0.1"},
                   "--noise is '0.01'");
  std::vector<std::string> words = of("poisson", "1e-3");
  words.insert(words.end(), {"--samples", "500"});
  expect_complaint(words, "--samples is given with --sampling");
  expect_complaint({"test.noisy_sum.privacy.mutant", "--noise", "1"},
                   "--noise is given without --sampling");
  words = of("poisson", "1e-3");
  words.insert(words.begin(), "test.noisy_sum.privacy.mutant");
  expect_complaint(words, "what to audit is given twice");
}

}  // namespace
}  // namespace dpverify
