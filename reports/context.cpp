#include "reports/context.hpp"

#include <fmt/format.h>

#include <CLI/Version.hpp>
#include <boost/version.hpp>
#include <fstream>

#include "reports/checkpoint_files.hpp"
#include "reports/json.hpp"
#include "reports/program.hpp"

namespace dpverify {
namespace {

std::string cpu_model() {
  std::ifstream file("/proc/cpuinfo");
  std::string line;
  while (std::getline(file, line)) {
    if (!line.starts_with("model name")) continue;
    const auto start = line.find_first_not_of(" \t:", line.find(':'));
    if (start != std::string::npos) return line.substr(start);
  }
  return "unknown";
}

}  // namespace

std::string in_words(const ErrorBudget& budget) {
  return fmt::format(
      "False alarms: probability at most {:.2g} for each statistical check, {:.2g} for all {} of a "
      "run of every claim.\n",
      budget.share, budget.significance, budget.statistical_checks);
}

Context describe(const CheckContext& check_context) {
  const BuildInfo build = build_info();
  return {.build = build,
          .name = program().name,
          .program = program_fingerprint(),
          .git = program().git,
          .cpu = cpu_model(),
          .libraries = {{"Boost", fmt::format("{}.{}.{}", BOOST_VERSION / 100000,
                                              BOOST_VERSION / 100 % 1000, BOOST_VERSION % 100)},
                        {"CLI11", CLI11_VERSION},
                        {"Eigen", build.eigen_version},
                        {"RapidCheck", build.rapidcheck_version},
                        {"fmt", fmt::format("{}.{}.{}", FMT_VERSION / 10000,
                                            FMT_VERSION / 100 % 100, FMT_VERSION % 100)},
                        {"nlohmann_json", json_library_version()}},
          .seed = check_context.seed,
          .plan = check_context.plan,
          .error_budget = {.significance = check_context.level * check_context.statistical_checks,
                           .statistical_checks = check_context.statistical_checks,
                           .share = check_context.level}};
}

}  // namespace dpverify
