#include "reports/audit_command.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>

#include "reports/atomic_file.hpp"
#include "reports/command_line.hpp"

namespace dpverify {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

// The sum of labels in [0, 1] with Laplace noise of the scale, claimed 1-DP.
Claim noisy_sum(const std::string& id, double scale, Expectation expectation) {
  const Mechanism mechanism = [scale](const Dataset& data, Releases& releases) {
    const double sum = data.labels.cwiseMax(0).cwiseMin(1).sum();
    return releases.release(LaplaceNoise{VectorXd::Constant(1, sum), 1, scale});
  };
  return {
      .id = id,
      .algorithm = "test.noisy_sum",
      .edition = expectation == Expectation::holds ? Edition::corrected : Edition::mutant,
      .expectation = expectation,
      .source = {.paper = "A test", .where = "Algorithm 1"},
      .statement = "The sum is 1-DP.",
      .assumptions = {},
      .check = PrivacyClaim{.mechanism = [mechanism](const ParameterPoint&) { return mechanism; },
                            .guarantee =
                                [](const ParameterPoint&) {
                                  return PrivacyGuarantee{1, 0};
                                },
                            .settings = {{{}, 2, 1}},
                            .certified = {},
                            .pair = {}}};
}

class AuditCommand : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(::testing::TempDir()) /
              ("audit_command_test_" + std::to_string(getpid()) + "_" +
               ::testing::UnitTest::GetInstance()->current_test_info()->name());
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string write(const std::string& name, const std::string& text) const {
    write_atomically(folder_ / name, text);
    return (folder_ / name).string();
  }

  int run(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"dpverify", "audit"});
    std::vector<const char*> argv;
    for (const std::string& argument : arguments) argv.push_back(argument.c_str());
    std::ostringstream out, err;
    const int code =
        run_command_line(static_cast<int>(argv.size()), argv.data(), {.out = out, .err = err},
                         {.algorithms = [this]() -> const std::vector<Algorithm>& { return none_; },
                          .claims = [this]() -> const std::vector<Claim>& { return claims_; }});
    out_ = out.str();
    err_ = err.str();
    return code;
  }

  void expect_complaint(const std::vector<std::string>& arguments, const std::string& part) {
    EXPECT_EQ(run(arguments), 2);
    EXPECT_THAT(err_, AllOf(StartsWith("dpverify: "), HasSubstr(part)));
    EXPECT_EQ(std::count(err_.begin(), err_.end(), '\n'), 1) << err_;
    EXPECT_EQ(out_, "");
  }

  fs::path folder_;
  std::vector<Algorithm> none_;
  std::vector<Claim> claims_{noisy_sum("test.noisy_sum.privacy.corrected", 1, Expectation::holds),
                             noisy_sum("test.noisy_sum.privacy.mutant", 0.5, Expectation::refuted)};
  std::string out_, err_;
  const std::vector<std::string> few_{"--samples", "4000", "--transcripts", "300", "--seed", "7"};

  std::vector<std::string> with_few(std::vector<std::string> arguments) const {
    arguments.insert(arguments.end(), few_.begin(), few_.end());
    return arguments;
  }
};

TEST_F(AuditCommand, BracketsEveryPrivacyClaimOfAnAlgorithm) {
  EXPECT_EQ(run(with_few({"test.noisy_sum"})), 0) << err_;
  EXPECT_THAT(out_, HasSubstr("test.noisy_sum.privacy.corrected"));
  EXPECT_THAT(out_, HasSubstr("test.noisy_sum.privacy.mutant"));
  EXPECT_THAT(out_, HasSubstr("exact, refuted; epsilon at least 2"));
  EXPECT_THAT(out_, HasSubstr("transcript, refuted"));
  EXPECT_THAT(out_, HasSubstr("black-box, refuted"));
  EXPECT_THAT(out_, HasSubstr("epsilon certified by composition: 1"));
}

TEST_F(AuditCommand, AnotherGuaranteeIsAskedAbout) {
  EXPECT_EQ(run(with_few({"test.noisy_sum.privacy.corrected", "--epsilon", "0.5"})), 1);
  EXPECT_THAT(out_, HasSubstr("UNEXPECTED"));
  EXPECT_EQ(run(with_few({"test.noisy_sum.privacy.mutant", "--epsilon", "2"})), 0);
  EXPECT_EQ(
      run(with_few({"test.noisy_sum.privacy.corrected", "--epsilon", "0.5", "--delta", "0.3"})), 0)
      << out_;
}

TEST_F(AuditCommand, MethodsOneByOne) {
  for (const std::string method : {"exact", "transcript", "black-box"}) {
    EXPECT_EQ(run(with_few({"test.noisy_sum.privacy.mutant", "--method", method})), 0) << method;
    EXPECT_THAT(out_, HasSubstr(method + ", refuted"));
  }
  EXPECT_EQ(
      run(with_few({"test.noisy_sum.privacy.mutant", "--method", "black-box", "--sequential"})), 0);
  EXPECT_THAT(out_, HasSubstr("black-box, refuted"));
  EXPECT_EQ(run(with_few({"test.noisy_sum.privacy.mutant", "--pair", "corner"})), 0);
}

TEST_F(AuditCommand, JsonHoldsChannelsAndWitness) {
  EXPECT_EQ(run(with_few({"test.noisy_sum.privacy.mutant", "--json"})), 0);
  const auto json = nlohmann::json::parse(out_);
  ASSERT_EQ(json.size(), 1u);
  EXPECT_EQ(json[0]["claim"]["id"], "test.noisy_sum.privacy.mutant");
  const auto& evidence = json[0]["evidence"];
  EXPECT_EQ(evidence["verdict"], "refuted");
  EXPECT_EQ(evidence["channels"].size(), 3u);
  EXPECT_EQ(evidence["channels"][0]["epsilon_lower"], 2.0);
  EXPECT_TRUE(evidence.contains("witness"));
}

TEST_F(AuditCommand, AuditsTheFilesGiven) {
  const std::string a = write("a.csv", "x,y\n0,0\n1,1\n"), b = write("b.csv", "x,y\n0,1\n1,1\n");
  EXPECT_EQ(run(with_few({"test.noisy_sum.privacy.mutant", "--pair", a, b})), 0) << err_;
  EXPECT_THAT(out_, HasSubstr("On the pair given"));
  // Neighbours whose sums agree cannot show the fault.
  const std::string c = write("c.csv", "x,y\n0,0\n7,1\n");
  EXPECT_EQ(run(with_few({"test.noisy_sum.privacy.mutant", "--pair", a, c})), 1);
  expect_complaint({"test.noisy_sum.privacy.mutant", "--pair", a, a}, "the same");
  expect_complaint(
      {"test.noisy_sum.privacy.mutant", "--pair", a, write("d.csv", "x,y\n5,5\n6,6\n")},
      "more than one record");
  expect_complaint(
      {"test.noisy_sum.privacy.mutant", "--pair", a, write("e.csv", "x,z\n0,1\n1,1\n")}, "columns");
  expect_complaint({"test.noisy_sum.privacy.mutant", "--pair", a, write("f.csv", "x,y\n0,nan\n")},
                   "f.csv");
  expect_complaint({"test.noisy_sum.privacy.mutant", "--pair", a, (folder_ / "none.csv").string()},
                   "none.csv");
  expect_complaint({"test.noisy_sum.privacy.mutant", "--pair", a, write("empty.csv", "")}, "empty");
}

TEST_F(AuditCommand, NeighboursMayMissARecord) {
  const NeighbouringPair pair =
      read_pair({write("a.csv", "x,y\n1,2\n3,4\n5,6\n"), write("b.csv", "x,y\n1,2\n5,6\n")}, "");
  EXPECT_EQ(pair.data.size(), 3);
  EXPECT_EQ(pair.neighbour.size(), 2);
  EXPECT_EQ(pair.replaced, 1);
  EXPECT_EQ(read_pair({write("a.csv", "x,y\n1,2\n"), write("b.csv", "x,y\n1,2\n5,6\n")}, "x")
                .data.labels[0],
            1);
}

// Outputs of randomised response with epsilon log 3, by counting: 3/4 and 1/4.
TEST_F(AuditCommand, JudgesTheOutputsOfAProgram) {
  std::string a = "answer\n", b = "answer\n";
  for (int i = 0; i < 4'000; ++i) {
    a += i % 4 == 0 ? "0\n" : "1\n";
    b += i % 4 == 0 ? "1\n" : "0\n";
  }
  const std::string first = write("first.csv", a), second = write("second.csv", b);
  EXPECT_EQ(run({"--outputs", first, second, "--epsilon", "0.5"}), 1) << err_;
  EXPECT_THAT(out_, HasSubstr("refuted"));
  EXPECT_EQ(run({"--outputs", first, second, "--epsilon", "1.2", "--json"}), 0) << err_;
  EXPECT_EQ(nlohmann::json::parse(out_)[0]["evidence"]["verdict"], "consistent");
  EXPECT_EQ(run({"--outputs", first, second, "--epsilon", "20"}), 0);
  EXPECT_THAT(out_, HasSubstr("inconclusive"));
  expect_complaint({"--outputs", first, second}, "--epsilon");
  expect_complaint({"--outputs", first, write("nan.csv", "answer\nnan\n1\n"), "--epsilon", "1"},
                   "nan.csv");
  expect_complaint({"--outputs", first, write("none.csv", ""), "--epsilon", "1"}, "empty");
  expect_complaint({"--outputs", first, write("one.csv", "answer\n1\n"), "--epsilon", "1"},
                   "at least 2");
  expect_complaint({"test.noisy_sum", "--outputs", first, second, "--epsilon", "1"}, "twice");
  expect_complaint({}, "what to audit");
}

TEST_F(AuditCommand, BadInputIsOneLine) {
  const std::string id = "test.noisy_sum.privacy.mutant";
  expect_complaint({id, "--epsilon", "0"}, "--epsilon is '0'");
  expect_complaint({id, "--epsilon", "nan"}, "--epsilon is 'nan'");
  expect_complaint({id, "--epsilon", "1", "--delta", "1"}, "--delta is '1'");
  expect_complaint({id, "--delta", "0.1"}, "--epsilon");
  expect_complaint({id, "--samples", "10"}, "--samples is '10'");
  expect_complaint({id, "--method", "luck"}, "--method is 'luck'");
  expect_complaint({id, "--pair", "best"}, "--pair is 'best'");
  expect_complaint({id, "--setting", "2"}, "setting");
  expect_complaint({id, "--significance", "1"}, "--significance is '1'");
  expect_complaint({"test.noisy_sum.privacy.printed"}, "test.noisy_sum.privacy");
}

}  // namespace
}  // namespace dpverify
