#include <array>
#include <cerrno>
#include <filesystem>
#include <functional>
#include <new>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "reports/test_commands.hpp"

namespace dpverify {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::MatchesRegex;
using ::testing::Not;

class CommandLine : public CommandTest {};

TEST_F(CommandLine, ABadCommandExits2) {
  expect_complaint(run({"verfy"}), "command is 'verfy', but must be one of verify, rates, ");
  expect_complaint(run({"--fast"}), "command is '--fast', but must be one of ");
  expect_complaint(run({"list", "verify"}), "not expected: verify");
  expect_complaint(run({"explain"}), "ID is required");
  expect_complaint(run({"validate"}), "FILE is required");
}

TEST_F(CommandLine, AloneShowsHelp) {
  const Result alone = run({});
  EXPECT_EQ(alone.code, 0);
  EXPECT_EQ(alone.out, run({"--help"}).out);
}

TEST_F(CommandLine, HelpAndVersionExit0) {
  const Result help = run({"--help"});
  EXPECT_EQ(help.code, 0);
  for (const char* command :
       {"verify", "rates", "list", "explain", "audit", "run", "validate", "test"})
    EXPECT_THAT(help.out, ContainsRegex(std::string("\n *") + command + " "));
  EXPECT_THAT(run({"verify", "--help"}).out, AllOf(HasSubstr("--only"), HasSubstr("--threads")));
  const Result version = run({"--version"});
  EXPECT_EQ(version.code, 0);
  EXPECT_THAT(version.out, MatchesRegex("dpverify [0-9.]+ \\(commit [0-9a-z]+.*\\)\n"));
}

// A program that only links the library has no figures and no baseline of ours to overwrite.
TEST_F(CommandLine, WithoutExtrasHasNoneOfTheirOptions) {
  extras_ = {};
  EXPECT_THAT(run({"--help"}).out, Not(HasSubstr("\n  test ")));
  EXPECT_THAT(run({"rates", "--help"}).out,
              AllOf(HasSubstr("(default: none)"), Not(HasSubstr("--figure"))));
  expect_complaint(run({"rates", "--figure", "list"}), "--figure");
}

TEST_F(CommandLine, RunsAnAlgorithmWithItsOptions) {
  const std::string data = write("data.csv", "a,b,y\n1,2,3\n4,5,6\n");
  const Result result = run({"run", "test.noisy_mean", "--data", data, "--target", "y", "--epsilon",
                             "0.5", "--seed", "4", "--json"});
  ASSERT_EQ(result.code, 0) << result.err;
  const auto json = nlohmann::json::parse(result.out)["result"];
  EXPECT_EQ(json["algorithm"], "test.noisy_mean");
  EXPECT_EQ(json["privacy"]["epsilon"], 0.5);
  EXPECT_EQ(json["seed"], 4);
  EXPECT_EQ(json["w"].size(), 2U);

  // An option that is not given takes the algorithm's default.
  const Result with_default =
      run({"run", "test.noisy_mean", "--data", data, "--target", "y", "--json"});
  EXPECT_EQ(nlohmann::json::parse(with_default.out)["result"]["privacy"]["epsilon"], 1.0);
  EXPECT_TRUE(nlohmann::json::parse(with_default.out)["result"]["seed"].is_null());
}

TEST_F(CommandLine, RunWritesItsFile) {
  const std::string data = write("data.csv", "a,b,y\n1,2,3\n4,5,6\n");
  const fs::path file = folder_ / "w.json";
  ASSERT_EQ(run({"run", "test.noisy_mean", "--data", data, "--target", "y", "--out", file}).code,
            0);
  EXPECT_EQ(nlohmann::json::parse(read_file(file))["result"]["algorithm"], "test.noisy_mean");
}

TEST_F(CommandLine, BadRunArgumentsExit2) {
  const std::string data = write("data.csv", "a,y\n1,2\n3,4\n");
  expect_complaint(run({"run"}), "algorithm is missing, but must be one of test.noisy_mean");
  expect_complaint(run({"run", "test.other"}),
                   "algorithm is 'test.other', but must be one of test.noisy_mean");
  expect_complaint(run({"run", "test.noisy_mean", "--target", "y"}), "--data is required");
  expect_complaint(run({"run", "test.noisy_mean", "--data", data}), "--target is required");
  expect_complaint(run({"run", "test.noisy_mean", "--data", data, "--target", "z"}),
                   "target is 'z'");
  expect_complaint(
      run({"run", "test.noisy_mean", "--data", data, "--target", "y", "--epsilon", "much"}),
      "--epsilon is 'much', but must be a number");
  expect_complaint(run({"run", "test.noisy_mean", "--data", data, "--target", "y", "--seed", "x"}),
                   "--seed is 'x'");
  expect_complaint(
      run({"run", "test.noisy_mean", "--data", (folder_ / "no.csv").string(), "--target", "y"}),
      "no.csv is unreadable");
}

// What the program lacks is no fault of its own, and a fault is one line that no terminal obeys.
TEST_F(CommandLine, FailuresHaveTheirExitCodes) {
  const auto ending_with = [this](const std::function<void()>& failure) {
    std::ostringstream out, err;
    const std::array argv{"dpverify", "list"};
    const int code = run_command_line(
        2, argv.data(), {.out = out, .err = err},
        {.algorithms = [this]() -> const std::vector<Algorithm>& { return algorithms_; },
         .claims = [&]() -> const std::vector<Claim>& {
           failure();
           return claims_;
         }});
    return std::pair(code, err.str());
  };
  EXPECT_EQ(ending_with([] { throw std::bad_alloc(); }),
            std::pair(2, std::string("dpverify: not enough memory\n")));
  EXPECT_EQ(ending_with([] {
              throw std::system_error(EAGAIN, std::generic_category(), "cannot start a process");
            }),
            std::pair(2, std::string("dpverify: cannot start a process: Resource temporarily "
                                     "unavailable\n")));
  EXPECT_EQ(ending_with([] { throw std::logic_error("a\x1b[2J\nb"); }),
            std::pair(5, std::string("dpverify: internal error: a\\x1b[2J b\n")));
}

TEST_F(CommandLine, AClosedStandardOutputIsAnError) {
  std::ostringstream err;
  std::ostream closed(nullptr);
  const std::array argv{"dpverify", "list"};
  const int code = run_command_line(
      2, argv.data(), {.out = closed, .err = err},
      {.algorithms = [this]() -> const std::vector<Algorithm>& { return algorithms_; },
       .claims = [this]() -> const std::vector<Claim>& { return claims_; }});
  EXPECT_EQ(code, 2);
  EXPECT_EQ(err.str(), "dpverify: cannot write to standard output\n");
}

}  // namespace
}  // namespace dpverify
