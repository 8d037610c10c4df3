#include "reports/rates_command.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>

#include "reports/atomic_file.hpp"
#include "reports/catalogue.hpp"
#include "reports/fabricated_claims.hpp"
#include "reports/json.hpp"
#include "reports/rate_plot.hpp"
#include "reports/validate.hpp"

namespace dpverify {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

int runs = 0;  // of the mechanism below, whatever the releases

// The risk is factor * n^exponent times a noise between 0.8 and 1.2; without data it is 10.
Claim power_law(std::string id, double exponent, double factor = 1,
                const std::string& variable = "n") {
  RateClaim rate;
  rate.variable = variable;
  rate.exponent = -0.5;
  rate.point = [=](double n) {
    const Mechanism mechanism = [=](const Dataset& data, Releases&) {
      ++runs;
      const double noise = data.labels[0];
      return VectorXd::Constant(1, noise == 0 ? 10 : factor * std::pow(n, exponent) * noise);
    };
    return RatePoint{.records = 1, .mechanism = mechanism, .bound = 1 / std::sqrt(n)};
  };
  rate.draw = [](Index, RandomStream& stream) {
    return Dataset{Matrix::Zero(1, 1), VectorXd::Constant(1, stream.uniform(0.8, 1.2))};
  };
  rate.excess_risk = [](const VectorXd& w) { return w[0] == 0 ? 10 : w[0]; };
  rate.smoke = {{1e2, 1e3, 1e4}, 40};
  rate.ci = {{1e2, 1e3, 1e4, 1e5}, 60};
  Claim claim = bounded_by(std::move(id), 2);
  claim.check = rate;
  return claim;
}

class RatesCommand : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(::testing::TempDir()) /
              ("rates_command_test_" + std::to_string(getpid()) + "_" +
               ::testing::UnitTest::GetInstance()->current_test_info()->name());
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  // The exit code of `dpverify ARGUMENTS`; what it said is in out_ and err_.
  int run(const std::vector<std::string>& arguments) {
    std::vector<const char*> argv{"dpverify"};
    for (const std::string& argument : arguments) argv.push_back(argument.c_str());
    std::ostringstream out, err;
    const std::vector<Algorithm> none;
    const int code = run_command_line(static_cast<int>(argv.size()), argv.data(),
                                      {.out = out, .err = err},
                                      {.algorithms = [&]() -> const auto& { return none;
  }
  , .claims = [this]() -> const auto& { return claims_; }});
out_ = out.str();
err_ = err.str();
return code;
}  // namespace
int rates(std::vector<std::string> arguments = {}) {
  arguments.insert(arguments.begin(), {"rates", "--out", folder_.string(), "--threads", "1"});
  return run(arguments);
}
std::string baseline() const { return (folder_ / "baseline.json").string(); }
std::string report() const { return read_file(folder_ / "report.json"); }

fs::path folder_;
std::vector<Claim> claims_{power_law("test.a.rate.printed", -0.5),
                           power_law("test.b.rate.printed", -0.5, 1, "epsilon"),
                           bounded_by("test.bounded.lemma.printed", 2)};
std::string out_, err_;
};  // namespace dpverify

TEST_F(RatesCommand, PrintsTheCurvesAndWritesAReportThatMatchesTheSchema) {
  EXPECT_EQ(rates(), 0) << err_;
  EXPECT_THAT(out_, AllOf(HasSubstr("test.a.rate.printed: consistent, as expected; falls at least"),
                          HasSubstr("test.b.rate.printed"), HasSubstr("zero vector"),
                          HasSubstr("non-private"), HasSubstr("Report: "), Not(HasSubstr("lemma")),
                          Not(HasSubstr("\033"))));
  EXPECT_THAT(validate_report(report()), IsEmpty());
  EXPECT_EQ(err_, "");
}

TEST_F(RatesCommand, ChoosesByGlobAndByVariable) {
  EXPECT_EQ(rates({"--vary", "epsilon"}), 0) << err_;
  EXPECT_THAT(out_, AllOf(HasSubstr("test.b.rate"), Not(HasSubstr("test.a.rate"))));
  EXPECT_EQ(rates({"--only", "test.a.*"}), 0) << err_;
  EXPECT_THAT(out_, AllOf(HasSubstr("test.a.rate"), Not(HasSubstr("test.b.rate"))));
  EXPECT_EQ(rates({"--vary", "d"}), 2);
  EXPECT_THAT(err_, HasSubstr("--vary is 'd', but must be one of epsilon, n for these claims"));
  EXPECT_EQ(rates({"--only", "*.lemma.*"}), 2);
  EXPECT_THAT(err_, HasSubstr("none of a rate"));
}

TEST_F(RatesCommand, JsonIsTheReportOfTheseClaims) {
  EXPECT_EQ(rates({"--json", "--only", "test.a.*"}), 0);
  EXPECT_THAT(validate_report(out_), IsEmpty());
  EXPECT_EQ(nlohmann::json::parse(out_)["evidence"].size(), 1U);
}

TEST_F(RatesCommand, AddsToAReportOfTheSameContextAndLeavesAnotherAlone) {
  const std::string out = folder_.string();
  EXPECT_EQ(run({"verify", "--out", out, "--only", "test.bounded.*"}), 0) << err_;
  EXPECT_EQ(rates({"--only", "test.a.*"}), 0);
  EXPECT_THAT(out_, HasSubstr("report.json, with 1 other claim of earlier runs\n"));
  EXPECT_THAT(validate_report(report()), IsEmpty());
  EXPECT_TRUE(read_evidence(report(), "test.bounded.lemma.printed"));
  EXPECT_TRUE(read_evidence(report(), "test.a.rate.printed"));
  EXPECT_EQ(nlohmann::json::parse(report())["timings"]["claims"].size(), 2U);
  const std::string before = report();
  EXPECT_EQ(rates({"--only", "test.b.*", "--seed", "7"}), 0);
  EXPECT_THAT(out_, HasSubstr("report-2.json, because "));
  EXPECT_EQ(report(), before) << "another seed";
  EXPECT_TRUE(read_evidence(read_file(folder_ / "report-2.json"), "test.b.rate.printed"));
}

TEST_F(RatesCommand, WritesOverNothingThatItReads) {
  EXPECT_EQ(rates({"--record-baseline", "--baseline", baseline()}), 0) << err_;
  const std::string known = read_file(baseline());
  // The report and a picture, by links to the baseline.
  for (const char* name : {"report.json", "test.a.rate.printed.svg"}) {
    fs::remove(folder_ / name);
    fs::create_hard_link(baseline(), folder_ / name);
    runs = 0;
    EXPECT_EQ(rates({"--baseline", baseline()}), 2);
    EXPECT_THAT(err_, AllOf(HasSubstr(name), HasSubstr("this command reads it")));
    EXPECT_EQ(runs, 0);
    EXPECT_EQ(read_file(baseline()), known);
    fs::remove(folder_ / name);
  }
  EXPECT_EQ(rates({"--record-baseline", "--baseline", (folder_ / "report.json").string()}), 2);
  EXPECT_THAT(err_, HasSubstr("this command reads it"));
  // A baseline to be recorded into that is none is not lost either, nor is a pipe.
  write_atomically(baseline(), "my notes");
  EXPECT_EQ(rates({"--record-baseline", "--baseline", baseline()}), 2);
  EXPECT_EQ(read_file(baseline()), "my notes");
  const fs::path pipe = folder_ / "pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_EQ(rates({"--record-baseline", "--baseline", pipe.string()}), 2);
  EXPECT_TRUE(fs::is_fifo(pipe));
}

TEST_F(RatesCommand, GoesOnWhereItWas) {
  EXPECT_EQ(rates(), 0);
  auto first = nlohmann::json::parse(report());
  runs = 0;
  EXPECT_EQ(rates(), 0);
  EXPECT_EQ(runs, 0) << "every point was finished before";
  auto second = nlohmann::json::parse(report());
  EXPECT_EQ(first["evidence"], second["evidence"]);
  // A point that is lost, and one that is damaged, are measured again, and nothing else.
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder_ / "rate-points"))
    files.push_back(entry.path());
  ASSERT_EQ(files.size(), 6U);
  std::ranges::sort(files);
  fs::remove(files[0]);
  fs::resize_file(files[1], fs::file_size(files[1]) - 20);
  EXPECT_EQ(rates(), 0);
  EXPECT_EQ(err_, "dpverify: " + files[1].string() + " is damaged; that piece is measured again\n");
  EXPECT_EQ(runs, 2 * (40 + 40 + 10));
  EXPECT_EQ(nlohmann::json::parse(report())["evidence"], first["evidence"]);
  runs = 0;
  EXPECT_EQ(rates({"--seed", "5"}), 0);
  EXPECT_EQ(runs, 6 * 90) << "another seed";
}

TEST_F(RatesCommand, AWorseRateThanInTheBaselineExits4) {
  EXPECT_EQ(rates({"--record-baseline", "--baseline", baseline()}), 0) << err_;
  EXPECT_THAT(out_, HasSubstr("Baseline: " + baseline()));
  EXPECT_EQ(rates({"--baseline", baseline()}), 0);
  EXPECT_EQ(rates({"--baseline", baseline(), "--seed", "5"}), 0) << "only noise: " << err_;
  EXPECT_EQ(rates({"--baseline", baseline(), "--plan", "ci"}), 0) << err_;

  // A larger constant, with the same slope.
  fs::remove_all(folder_ / "rate-points");  // the same program and ids: tests only
  claims_[0] = power_law("test.a.rate.printed", -0.5, 1.5);
  EXPECT_EQ(rates({"--baseline", baseline()}), 4);
  EXPECT_THAT(err_, AllOf(HasSubstr("regression"), HasSubstr("test.a.rate.printed"),
                          HasSubstr("excess risk/bound is 1.5"), HasSubstr("at 10000 (was 1")));
  EXPECT_EQ(std::ranges::count(err_, '\n'), 1) << err_;

  // A slower exponent that is still within the theorem's.
  fs::remove_all(folder_ / "rate-points");
  claims_[0] = power_law("test.a.rate.printed", -0.8);
  EXPECT_EQ(rates({"--record-baseline", "--baseline", baseline()}), 0);
  fs::remove_all(folder_ / "rate-points");
  claims_[0] = power_law("test.a.rate.printed", -0.6);
  EXPECT_EQ(rates({"--baseline", baseline()}), 4);
  EXPECT_THAT(err_, HasSubstr("standard deviations of the rank sum"));
  EXPECT_EQ(rates({"--baseline", baseline(), "--plan", "ci", "--seed", "9"}), 4)
      << "whatever the plan and the seed";

  // A better one is none, and an unexpected verdict weighs more.
  fs::remove_all(folder_ / "rate-points");
  claims_[0] = power_law("test.a.rate.printed", -0.9, 0.5);
  EXPECT_EQ(rates({"--baseline", baseline()}), 0) << err_;
  fs::remove_all(folder_ / "rate-points");
  claims_[0] = power_law("test.a.rate.printed", -0.1);
  EXPECT_EQ(rates({"--baseline", baseline()}), 1);
}

TEST_F(RatesCommand, VerifyComparesWithTheBaselineOfTheSource) {
  // In place of a claim of the baseline, one that holds on the same points, with a larger constant.
  const auto known = read_baseline(read_file(default_baseline()), "source");
  const auto steep = std::ranges::find_if(known, [](const RateRecord& each) {
    return each.points.size() >= 3 && each.points[0].ratios.size() >= 20 &&
           each.points.back().value >= 1e3 * each.points[0].value;
  });
  ASSERT_NE(steep, known.end());
  Claim slow = power_law(steep->claim, -0.5, 1e6);
  auto& rate = std::get<RateClaim>(slow.check);
  rate.smoke.values.clear();
  for (const RateRecord::Point& point : steep->points) rate.smoke.values.push_back(point.value);
  rate.excess_risk = [](const VectorXd& w) { return w[0] == 0 ? 1e7 : w[0]; };
  rate.point = [](double n) {
    return RatePoint{.records = 1,
                     .mechanism =
                         [n](const Dataset& data, Releases&) {
                           const double noise = data.labels[0];
                           return VectorXd::Constant(1, noise == 0 ? 1e7 : 1e6 * noise / n);
                         },
                     .bound = 1 / n};
  };
  claims_ = {slow};
  EXPECT_EQ(run({"verify", "--out", folder_.string(), "--threads", "1"}), 4) << out_;
  EXPECT_THAT(err_, AllOf(HasSubstr("regression against"), HasSubstr(steep->claim)));
}

TEST_F(RatesCommand, ComplainsOfABaselineThatIsNone) {
  runs = 0;
  EXPECT_EQ(rates({"--baseline", baseline()}), 2) << "no such file";
  write_atomically(baseline(), "{}");
  EXPECT_EQ(rates({"--baseline", baseline()}), 2);
  EXPECT_THAT(err_, HasSubstr("is no baseline of rates"));
  EXPECT_EQ(runs, 0) << "before the sweeps";
  for (const std::string& text :
       {std::string(100'000, '['), std::string("[1e999]"), std::string()}) {
    write_atomically(baseline(), text);
    EXPECT_EQ(rates({"--baseline", baseline()}), 2);
    EXPECT_THAT(err_, HasSubstr("is no baseline of rates"));
  }
  fs::remove(baseline());
  fs::create_symlink(baseline(), baseline());
  EXPECT_EQ(rates({"--baseline", baseline()}), 2);
  EXPECT_THAT(err_, AllOf(HasSubstr(baseline()), HasSubstr("symbolic links")));
}

TEST(RateBaseline, RecordsReplaceThoseOfTheSameClaimAndPlanAndComeBack) {
  const RateRecord a{.claim = "a", .seed = 7, .points = {{100, {2, 3.25}}, {1000, {0.1}}}};
  RateRecord newer = a, ci = a, b = a;
  newer.points[0].ratios = {4};
  ci.plan = Plan::ci;
  b.claim = "b";
  const auto all = with_records({b, a, ci}, {newer});
  ASSERT_EQ(all.size(), 3U);
  EXPECT_EQ(all[0].points[0].ratios, std::vector<double>{4});
  EXPECT_EQ(all[1].plan, Plan::ci);
  const auto back = read_baseline(baseline_text(all), "text");
  EXPECT_EQ(baseline_text(back), baseline_text(all));
  EXPECT_EQ(back[1].seed, 7U);
  EXPECT_EQ(back[1].points[0].value, 100);
  EXPECT_EQ(back[1].points[0].ratios, (std::vector<double>{2, 3.25}));
}

// Heavy tails, few trials, many claims: of 2,000 pairs of runs of one law at 88 claims each, with
// probability 0.98 none alarms at 1e-5 a run.
TEST(RateBaseline, AnUnchangedLawDoesNotAlarmWhateverItIs) {
  RandomStream stream({.seed = 1, .claim = "baseline", .purpose = "risks"});
  const auto run = [&stream] {
    std::vector<RateRecord> records;
    for (int claim = 0; claim < 88; ++claim) {
      records.push_back({.claim = fmt::format("{}", claim)});
      for (const double value : {1e2, 1e3, 1e4}) {
        records.back().points.push_back({.value = value});
        for (int trial = 0; trial < 14; ++trial)  // Pareto without a mean
          records.back().points.back().ratios.push_back(1 / stream.uniform());
      }
    }
    return records;
  };
  int alarms = 0;
  for (int pair = 0; pair < 2'000; ++pair) {
    const auto baseline = run();
    const Regressions found = regressions(baseline, run());
    EXPECT_EQ(found.compared, 88);
    alarms += found.lines.empty() ? 0 : 1;
  }
  EXPECT_EQ(alarms, 0);
  // One claim whose risks are all ten times larger is seen, and named.
  const auto baseline = run();
  auto worse = run();
  for (RateRecord::Point& point : worse[3].points)
    for (double& ratio : point.ratios) ratio *= 10;
  const Regressions found = regressions(baseline, worse);
  ASSERT_EQ(found.lines.size(), 1U);
  EXPECT_THAT(found.lines[0], ::testing::StartsWith("3: the median"));
  // At other values nothing can be compared.
  for (RateRecord& each : worse)
    for (RateRecord::Point& point : each.points) point.value *= 2;
  EXPECT_EQ(regressions(baseline, worse).compared, 0);
}

TEST(RateBaseline, TheOneThatComesWithTheSourceIsOfItsClaims) {
  const auto records = read_baseline(read_file(default_baseline()), "source");
  EXPECT_GT(records.size(), 20U);
  for (const RateRecord& each : records) {
    const Claim* claim = nullptr;
    for (const Claim& known : every_claim())
      if (known.id == each.claim) claim = &known;
    ASSERT_NE(claim, nullptr) << each.claim << " is no claim: record the baseline again";
    EXPECT_TRUE(std::holds_alternative<RateClaim>(claim->check)) << each.claim;
  }
}

TEST(RatePlot, ShowsTheCurveItsBoundAndTheControls) {
  const Claim claim = power_law("test.a.rate.printed", -0.5);
  Evidence evidence;
  evidence.claim = claim.id;
  evidence.estimate = -0.5;
  EXPECT_EQ(rate_plot_script(claim, evidence), "") << "no points";
  evidence.tables = {
      {"points",
       {"n", "excess risk", "lower", "upper", "bound", "excess risk/bound", "data-free",
        "zero vector", "non-private", "a rival", "a rival lower", "lower bound"},
       {{100, 0.1, -0.1, 0.2, 0.2, 0.5, 10, 10, 0, 0.3, 0.2, 1e-3},
        {1000, 0.05, 0.01, HUGE_VAL, 0.1, 0.5, 10, 10, 1e-9, NAN, NAN, 1e-4}}}};
  const std::string script = rate_plot_script(claim, evidence);
  EXPECT_THAT(script, AllOf(HasSubstr("test.a.rate.printed"), HasSubstr("zero vector"),
                            HasSubstr("data-free"), HasSubstr("bound"), HasSubstr("non-private"),
                            HasSubstr("a rival"), HasSubstr("lower bound of every private run")));
  ASSERT_EQ(std::system("gnuplot --version >/dev/null 2>&1"), 0) << "one of packages.txt";
  const Picture picture = run_gnuplot(script);
  EXPECT_THAT(picture.svg, AllOf(HasSubstr("<svg"), HasSubstr("test.a.rate.printed")));
  EXPECT_EQ(picture.failure, "");
}

// Sets a variable of the environment while it lives.
class Variable {
 public:
  Variable(const char* name, const std::string& value) : name_(name) {
    if (const char* before = std::getenv(name)) before_ = before;
    setenv(name, value.c_str(), 1);
  }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;
  ~Variable() { before_ ? setenv(name_, before_->c_str(), 1) : unsetenv(name_); }

 private:
  const char* name_;
  std::optional<std::string> before_;
};

constexpr const char* tiny_plot = "set terminal svg\nplot x\n";

TEST(RatePlot, TellsAMissingGnuplotFromAFailedOne) {
  ASSERT_EQ(std::system("gnuplot --version >/dev/null 2>&1"), 0) << "one of packages.txt";
  EXPECT_EQ(run_gnuplot("set terminal svg\n\nno such command\n").failure,
            "gnuplot failed: line 3: invalid command");
  EXPECT_EQ(run_gnuplot("no such command").svg, "");
  EXPECT_EQ(run_gnuplot("").failure, "gnuplot failed: no picture, and not a word why");
  const Variable path("PATH", "/nowhere");
  EXPECT_EQ(run_gnuplot(tiny_plot).failure,
            "gnuplot is not installed (Debian package gnuplot-nox)");
}

TEST(RatePlot, StartsGnuplotWithoutAShellOrTheUsersSettings) {
  ASSERT_EQ(std::system("gnuplot --version >/dev/null 2>&1"), 0) << "one of packages.txt";
  const fs::path folder =
      fs::path(::testing::TempDir()) / ("rate_plot_test_" + std::to_string(getpid()));
  const fs::path before = fs::current_path(), temporary = folder / "a';touch X;'";
  fs::create_directories(temporary);
  write_atomically(folder / ".gnuplot", "set print 'settings'\nprint 'read'\nunset print\n");
  fs::current_path(folder);
  {
    const Variable home("HOME", folder.string());
    for (const fs::path& each : {temporary, folder / "missing"}) {
      const Variable variable("TMPDIR", each.string());
      const Picture picture = run_gnuplot(tiny_plot);
      EXPECT_THAT(picture.svg, HasSubstr("</svg>"));
      EXPECT_EQ(picture.failure, "");
    }
  }
  fs::current_path(before);
  EXPECT_FALSE(fs::exists(folder / "X"));
  EXPECT_FALSE(fs::exists(folder / "settings"));
  EXPECT_TRUE(fs::is_empty(temporary));
  fs::remove_all(folder);
}

}  // namespace
}  // namespace dpverify
