// `audit --outputs SCORES --one-run`.
#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "reports/test_audits.hpp"
#include "reports/validate.hpp"

namespace dpverify {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

class AuditOneRun : public AuditTest {
 protected:
  // Randomised response at epsilon 2.
  std::string canaries(int count, double share = 0.5) {
    RandomStream stream = noise(0);
    std::vector<std::string> out;
    for (int k = 0; k < count; ++k) {
      const bool included = stream.uniform() < share;
      const bool kept = stream.uniform() < 1 / (1 + std::exp(-2));
      out.push_back(fmt::format("{},{}", included == kept ? 0.7 : -0.3, included ? 1 : 0));
    }
    return write("canaries.csv", lines("score,included", out));
  }
};

TEST_F(AuditOneRun, JudgesATrainingByOneRunOfIt) {
  const std::string file = canaries(1000);
  EXPECT_EQ(run({"--outputs", file, "--one-run", "--epsilon", "1", "--json"}), 1) << err_;
  EXPECT_THAT(validate_report(out_), IsEmpty());
  const auto refuted = nlohmann::json::parse(out_)["evidence"][0];
  EXPECT_EQ(refuted["verdict"], "refuted");
  EXPECT_EQ(refuted["samples"], 1000);
  EXPECT_GT(refuted["estimate"], 1.4);
  EXPECT_LT(refuted["estimate"], 2);
  EXPECT_EQ(run({"--outputs", file, "--one-run", "--epsilon", "2.2", "--delta", "1e-6"}), 0)
      << out_;
  EXPECT_THAT(out_, HasSubstr("a fair coin of its own"));
  EXPECT_EQ(run({"--outputs", file, "--one-run", "--epsilon", "1", "--guesses", "300", "200"}), 1);
  EXPECT_THAT(out_, HasSubstr("of 500 guesses are right"));
  // Too few for a fault of twice the epsilon, and for any.
  const std::string few = canaries(20);
  EXPECT_EQ(run({"--outputs", few, "--one-run", "--epsilon", "2"}), 1);
  EXPECT_THAT(out_, HasSubstr("inconclusive"));
  EXPECT_EQ(run({"--outputs", few, "--one-run", "--epsilon", "9"}), 1);
  EXPECT_THAT(out_, HasSubstr("inconclusive"));
  // Not by fair coins.
  EXPECT_EQ(run({"--outputs", canaries(1000, 0.2), "--one-run", "--epsilon", "1", "--json"}), 1);
  const auto unfair = nlohmann::json::parse(out_)["evidence"][0];
  EXPECT_EQ(unfair["verdict"], "inconclusive");
  EXPECT_THAT(unfair["reason"].get<std::string>(), HasSubstr("nothing is counted"));
  EXPECT_FALSE(unfair.contains("estimate"));
}

TEST_F(AuditOneRun, SaysWhatItCannotUse) {
  const std::string file = canaries(40);
  expect_complaint({"--outputs", file, file, "--one-run", "--epsilon", "1"},
                   "--outputs is 2 files, but must be one file with --one-run");
  expect_complaint({"--outputs", file, "--epsilon", "1"},
                   "--outputs is 1 files, but must be two files");
  expect_complaint({"--outputs", file, "--one-run"}, "--epsilon");
  expect_complaint({"--outputs", file, "--one-run", "--epsilon", "1", "--guesses", "40", "1"},
                   "number of guesses is 41, but must be from 1 to 40");
  expect_complaint({"--outputs", file, "--one-run", "--epsilon", "1", "--guesses", "-1", "1"},
                   "--guesses");
  expect_complaint({"--outputs", file, "--one-run", "--epsilon", "1", "--bits", "yes"}, "--bits");
  expect_complaint({"--outputs", file, file, "--epsilon", "1", "--guesses", "4", "1"}, "--guesses");
  expect_complaint({"test.noisy_sum", "--one-run"}, "--one-run");
  expect_complaint({"--outputs", write("bad.csv", "1,1\n2,maybe\n"), "--one-run", "--epsilon", "1"},
                   "line 2 of ");
  expect_complaint({"--outputs", (folder_ / "no.csv").string(), "--one-run", "--epsilon", "1"},
                   "no.csv is unreadable");
}

}  // namespace
}  // namespace dpverify
