// Runs commands on small claims and an algorithm of their own, for the tests of this folder.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

#include "reports/atomic_file.hpp"
#include "reports/catalogue.hpp"
#include "reports/command_line.hpp"
#include "reports/json.hpp"
#include "reports/test_claims.hpp"

namespace dpverify {

struct Result {
  int code = -1;
  std::string out;
  std::string err;
};

// Adds Laplace noise to the mean of the labels; enough of an algorithm for `run`.
inline Algorithm noisy_mean() {
  Algorithm algorithm;
  algorithm.id = "test.noisy_mean";
  algorithm.title = "The mean of the labels plus Laplace noise";
  algorithm.paper = "A test";
  algorithm.options = {{.name = "epsilon", .default_text = "1", .help = "Privacy budget"}};
  algorithm.prepare = [](const Dataset& data, const RunOptions& options) {
    const double scale = 1 / (options.number("epsilon") * static_cast<double>(data.size()));
    PreparedRun run;
    run.mechanism = [scale](const Dataset& d, Releases& releases) -> VectorXd {
      return releases.release(
          LaplaceNoise{.value = VectorXd::Constant(d.dimension(), d.labels.mean()),
                       .sensitivity = 1,
                       .scale = scale});
    };
    run.guarantee = {.epsilon = options.number("epsilon"), .delta = 0};
    run.guarantee_source = "test.noisy_mean.privacy.printed";
    run.parameters = {{"epsilon", options.text("epsilon")}};
    run.empirical_risk = [](const DataView&, const VectorXd& w) { return w.squaredNorm(); };
    run.risk_name = "squared norm";
    return run;
  };
  return algorithm;
}

class CommandTest : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::path(::testing::TempDir()) /
              ("command_test_" + std::to_string(getpid()) + "_" +
               ::testing::UnitTest::GetInstance()->current_test_info()->name());
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  Result run(const std::vector<std::string>& arguments, bool terminal = false,
             std::size_t columns = 0) const {
    std::vector<const char*> argv{"dpverify"};
    for (const std::string& argument : arguments) argv.push_back(argument.c_str());
    std::ostringstream out, err;
    Result result;
    Catalogue catalogue = extras_;
    catalogue.algorithms = [this]() -> const std::vector<Algorithm>& { return algorithms_; };
    catalogue.claims = [this]() -> const std::vector<Claim>& { return claims_; };
    result.code = run_command_line(static_cast<int>(argv.size()), argv.data(),
                                   {.out = out,
                                    .err = err,
                                    .out_is_terminal = terminal,
                                    .err_is_terminal = terminal,
                                    .columns = columns},
                                   catalogue);
    result.out = out.str();
    result.err = err.str();
    return result;
  }

  Result verify(std::vector<std::string> arguments = {}) const {
    arguments.insert(arguments.begin(), {"verify", "--out", folder_.string()});
    return run(arguments);
  }

  std::string report() const { return read_file(folder_ / "report.json"); }

  std::string written_report() const { return write("small.json", to_json(small_report())); }

  std::string write(const std::string& name, const std::string& text) const {
    write_atomically(folder_ / name, text);
    return (folder_ / name).string();
  }

  std::filesystem::path folder_;
  std::vector<Algorithm> algorithms_{noisy_mean()};
  std::vector<Claim> claims_ = claims_as_expected();
  Catalogue extras_ = own_catalogue();  // but for the two above
};

// Bad input: exit code 2 and one line on stderr.
inline void expect_complaint(const Result& result, const std::string& part) {
  EXPECT_EQ(result.code, 2);
  EXPECT_THAT(result.err,
              ::testing::AllOf(::testing::StartsWith("dpverify: "), ::testing::HasSubstr(part)));
  EXPECT_EQ(std::ranges::count(result.err, '\n'), 1) << result.err;
}

}  // namespace dpverify
