#include "reports/command_line.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <sstream>
#include <streambuf>
#include <utility>

#include "reports/atomic_file.hpp"
#include "reports/fabricated_claims.hpp"
#include "reports/json.hpp"
#include "reports/validate.hpp"

namespace dpverify {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::MatchesRegex;
using ::testing::Not;
using ::testing::StartsWith;

struct Result {
  int code = -1;
  std::string out;
  std::string err;
};

// Adds Laplace noise to the mean of the labels; enough of an algorithm for `run`.
Algorithm noisy_mean() {
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

class CommandLine : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(::testing::TempDir()) /
              ("command_line_test_" + std::to_string(getpid()) + "_" +
               ::testing::UnitTest::GetInstance()->current_test_info()->name());
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  Result run(const std::vector<std::string>& arguments, bool terminal = false) const {
    std::vector<const char*> argv{"dpverify"};
    for (const std::string& argument : arguments) argv.push_back(argument.c_str());
    std::ostringstream out, err;
    Result result;
    result.code = run_command_line(
        static_cast<int>(argv.size()), argv.data(),
        {.out = out, .err = err, .out_is_terminal = terminal, .err_is_terminal = terminal},
        {.algorithms = [this]() -> const std::vector<Algorithm>& { return algorithms_; },
         .claims = [this]() -> const std::vector<Claim>& { return claims_; }});
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

  fs::path folder_;
  std::vector<Algorithm> algorithms_{noisy_mean()};
  std::vector<Claim> claims_ = claims_as_expected();
};

// Bad input: exit code 2 and one line on stderr.
void expect_complaint(const Result& result, const std::string& part) {
  EXPECT_EQ(result.code, 2);
  EXPECT_THAT(result.err, AllOf(StartsWith("dpverify: "), HasSubstr(part)));
  EXPECT_EQ(std::ranges::count(result.err, '\n'), 1) << result.err;
}

TEST_F(CommandLine, VerifyExits0IfAllIsAsExpected) {
  const Result result = verify();
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_EQ(result.err, "");
  EXPECT_THAT(result.out, AllOf(HasSubstr("consistent  as expected  test.bounded.lemma.corrected"),
                                HasSubstr("refuted     as expected  test.bounded.lemma.printed"),
                                HasSubstr("3 claims: 1 consistent, 2 refuted; 3 as expected, 0 "
                                          "unexpected; mutation score 1 (1 of 1 mutants refuted)"),
                                HasSubstr("Report: " + (folder_ / "report.json").string()),
                                Not(HasSubstr("\033"))));
  EXPECT_THAT(validate_report(report()), IsEmpty());
}

TEST_F(CommandLine, VerifyExits1IfAClaimThatShouldHoldIsRefuted) {
  claims_.push_back(bounded_by("test.bounded.lemma.wrong.printed", 0.5));
  const Result result = verify();
  EXPECT_EQ(result.code, 1);
  EXPECT_THAT(result.out,
              AllOf(HasSubstr("refuted     UNEXPECTED   test.bounded.lemma.wrong.printed"),
                    HasSubstr("UNEXPECTED: test.bounded.lemma.wrong.printed is refuted, but was "
                              "expected to be consistent\n  ./dpverify verify --only "
                              "test.bounded.lemma.wrong.printed --plan smoke --seed 20240229\n")));
  const auto json = nlohmann::json::parse(report());
  EXPECT_EQ(json["summary"]["unexpected"][0]["claim"], "test.bounded.lemma.wrong.printed");
}

TEST_F(CommandLine, VerifyExits1IfAClaimThatShouldBeRefutedIsNot) {
  claims_ = {bounded_by("test.bounded.lemma.printed", 2, Expectation::refuted)};
  const Result result = verify();
  EXPECT_EQ(result.code, 1);
  EXPECT_THAT(result.out, HasSubstr("is consistent, but was expected to be refuted"));
}

TEST_F(CommandLine, VerifyExits1IfACheckThrows) {
  claims_ = {throwing("test.bounded.lemma.printed")};
  const Result result = verify();
  EXPECT_EQ(result.code, 1);
  EXPECT_THAT(result.out, AllOf(HasSubstr("error"), HasSubstr("no value at this point")));
}

TEST_F(CommandLine, AFaultOfTheProgramExits5) {
  claims_ = {bounded_by("test.bounded.lemma.printed", 2),
             bounded_by("test.bounded.lemma.printed", 2)};
  const Result result = verify();
  EXPECT_EQ(result.code, 5);
  EXPECT_EQ(result.err,
            "dpverify: internal error: two claims have the id test.bounded.lemma.printed\n");
  EXPECT_FALSE(fs::exists(folder_ / "report.json"));
}

TEST_F(CommandLine, OnlySelectsClaimsAndKeepsTheirEvidence) {
  ASSERT_EQ(verify().code, 0);
  const auto all = nlohmann::ordered_json::parse(report());
  fs::remove(folder_ / "report.json");
  ASSERT_EQ(verify({"--only", "*.mutant", "--only", "*.corrected"}).code, 0);
  const auto some = nlohmann::ordered_json::parse(report());
  ASSERT_EQ(some["claims"].size(), 2U);
  EXPECT_EQ(some["evidence"][0].dump(), all["evidence"][0].dump());
  EXPECT_EQ(some["evidence"][1].dump(), all["evidence"][1].dump());
  EXPECT_EQ(some["context"].dump(), all["context"].dump());
}

TEST_F(CommandLine, AReportOfSomeClaimsLeavesTheOthersThere) {
  claims_.push_back(bounded_by("test.bounded.lemma.wrong.printed", 0.5));
  ASSERT_EQ(verify().code, 1);
  const std::string all = report();
  const Result some = verify({"--only", "*.mutant"});
  EXPECT_EQ(some.code, 0) << "of this run";
  EXPECT_THAT(some.out,
              AllOf(HasSubstr("1 claims: "), HasSubstr("with 3 other claims of earlier")));
  const auto without_timings = [](const std::string& text) {
    auto json = nlohmann::ordered_json::parse(text);
    json.erase("timings");
    return json.dump();
  };
  EXPECT_EQ(without_timings(report()), without_timings(all));

  const Result other = verify({"--only", "*.mutant", "--seed", "7"});
  EXPECT_EQ(other.code, 0);
  EXPECT_THAT(other.out, AllOf(HasSubstr("Report: " + (folder_ / "report-2.json").string()),
                               HasSubstr("holds other claims, of another seed")));
  EXPECT_EQ(without_timings(report()), without_timings(all));
  for (const Claim& claim : claims_)
    EXPECT_THAT(run({"explain", claim.id, "--report", (folder_ / "report.json").string()}).out,
                HasSubstr("Evidence in "));
}

// Each claim has a share that is its own; the sum is of a run of every claim.
TEST_F(CommandLine, TheErrorBudgetCountsTheRandomChecksOfTheWholeRegistry) {
  for (const char* id : {"test.bounded.rate.a.printed", "test.bounded.rate.b.printed"}) {
    claims_.push_back(bounded_by(id, 1));
    claims_.back().check = RateClaim{};
  }
  claims_.push_back(erring_half("test.bounded.floor.a.printed", 0.1));
  claims_.push_back(erring_half("test.bounded.floor.b.printed", 0.1));
  ASSERT_EQ(verify({"--only", "*.lemma.*"}).code, 0);
  const auto budget = nlohmann::json::parse(report())["context"]["error_budget"];
  EXPECT_EQ(budget["statistical_checks"], 4);
  EXPECT_EQ(budget["share"], 4e-9);
  EXPECT_EQ(budget["significance"], 1.6e-8);
}

TEST_F(CommandLine, FloorClaimsAreCheckedReportedAndExplained) {
  claims_ = {erring_half("test.bounded.floor.printed", 0.9)};
  claims_[0].expectation = Expectation::refuted;
  ASSERT_EQ(verify({}).code, 0);
  EXPECT_THAT(validate_report(report()), IsEmpty());
  const auto json = nlohmann::json::parse(report());
  EXPECT_EQ(json["claims"][0]["kind"], "floor");
  EXPECT_EQ(json["evidence"][0]["estimate"], 0.5);
  EXPECT_EQ(json["evidence"][0]["claimed"], 0.9);
  const Result explained = run(
      {"explain", "test.bounded.floor.printed", "--report", (folder_ / "report.json").string()});
  EXPECT_EQ(explained.code, 0);
  EXPECT_THAT(explained.out,
              AllOf(HasSubstr("against 0.9"), HasSubstr("every outcome is an error of one half"),
                    HasSubstr("below 1 refutes")));
}

TEST_F(CommandLine, SeedAndPlanReachTheReport) {
  ASSERT_EQ(verify({"--seed", "9007199254740991", "--plan", "ci", "--threads", "2"}).code, 0);
  const auto json = nlohmann::json::parse(report());
  EXPECT_EQ(json["context"]["seed"].get<std::uint64_t>(), 9007199254740991U);
  EXPECT_EQ(json["context"]["plan"], "ci");
  EXPECT_EQ(json["timings"]["threads"], 2);
}

TEST_F(CommandLine, MakesTheOutputFolder) {
  const fs::path nested = folder_ / "a" / "b";
  EXPECT_EQ(run({"verify", "--out", nested.string()}).code, 0);
  EXPECT_TRUE(fs::exists(nested / "report.json"));
}

TEST_F(CommandLine, AReportThatCannotBeWrittenExits2BeforeTheChecks) {
  fs::create_directories(folder_ / "report.json");
  const Result result = verify();
  expect_complaint(result, "report.json: Is a directory");
  EXPECT_EQ(result.out, "");
  fs::remove(folder_ / "report.json");
  write("report.json", "my notes");
  expect_complaint(verify(), "report.json: it is no report of dpverify");
  EXPECT_EQ(report(), "my notes");
}

TEST_F(CommandLine, AReportThatCannotBeWrittenInTheEndExits2WithTheTableShown) {
  claims_.push_back(bounded_by("test.bounded.lemma.late.printed", 2));
  std::get<LemmaClaim>(claims_.back().check).sides = [this](const ParameterPoint&) {
    fs::create_directories(folder_ / "report.json");
    return LemmaClaim::Sides{.left = 0, .right = 1};
  };
  const Result result = verify();
  expect_complaint(result, "report.json: Is a directory");
  EXPECT_THAT(result.out, AllOf(HasSubstr("4 claims: "), Not(HasSubstr("Report: "))));
}

// As if killed after the first checks: these are not repeated, and the report is the same.
TEST_F(CommandLine, VerifyGoesOnWhereItWasKilled) {
  int checks = 0;
  for (const char* id : {"test.bounded.lemma.y.printed", "test.bounded.lemma.z.printed"}) {
    claims_.push_back(bounded_by(id, 2));
    std::get<LemmaClaim>(claims_.back().check).sides = [&](const ParameterPoint& point) {
      ++checks;
      return LemmaClaim::Sides{.left = point.at("a") / 3, .right = 1};
    };
  }
  ASSERT_EQ(verify({"--threads", "1"}).code, 0);
  const auto json_of = [](const std::string& text) {
    auto json = nlohmann::ordered_json::parse(text);
    json.erase("timings");
    return json.dump();
  };
  const std::string whole = json_of(report());
  const int all_checks = checks;
  ASSERT_GT(all_checks, 0);
  EXPECT_FALSE(fs::exists(folder_ / "unfinished")) << "the next run checks afresh";
  ASSERT_EQ(verify({"--threads", "1"}).code, 0);
  EXPECT_EQ(checks, 2 * all_checks);

  // A folder in the way of the report keeps the pieces, as a kill does.
  const auto interrupt = [&] {
    fs::remove_all(folder_ / "report.json");
    auto& sides = std::get<LemmaClaim>(claims_[3].check).sides;
    const auto before = sides;
    sides = [&, before](const ParameterPoint& point) {
      fs::create_directories(folder_ / "report.json");
      return before(point);
    };
    EXPECT_EQ(verify({"--threads", "1"}).code, 2);
    sides = before;
    fs::remove_all(folder_ / "report.json");
    checks = 0;
  };
  interrupt();
  const Result resumed = verify({"--threads", "2"});
  EXPECT_EQ(resumed.code, 0);
  EXPECT_EQ(checks, 0);
  EXPECT_THAT(resumed.err,
              StartsWith("dpverify: 5 pieces finished by an earlier run, taken from "));
  EXPECT_EQ(json_of(report()), whole);
  EXPECT_FALSE(fs::exists(folder_ / "unfinished"));

  // Another seed or plan has nothing to do with them.
  interrupt();
  EXPECT_EQ(verify({"--seed", "5"}).err, "");
  EXPECT_GT(checks, 0);
  fs::remove_all(folder_ / "report.json");
  checks = 0;
  EXPECT_EQ(verify({"--plan", "ci"}).err, "");
  EXPECT_GT(checks, 0);
  fs::remove_all(folder_ / "report.json");

  // A damaged piece is measured again, with one line.
  int damaged = 0;
  for (const auto& entry : fs::directory_iterator(folder_ / "unfinished")) {
    std::string text = read_file(entry.path());
    if (text.find("lemma.y.") == std::string::npos) continue;
    const auto at = text.find("\"estimate\": ");
    ASSERT_NE(at, std::string::npos);
    text[at + 14] = text[at + 14] == '1' ? '2' : '1';
    write_atomically(entry.path(), text);
    ++damaged;
  }
  ASSERT_EQ(damaged, 1);
  checks = 0;
  const Result repaired = verify({"--threads", "1"});
  EXPECT_EQ(repaired.code, 0);
  EXPECT_THAT(repaired.err, AllOf(HasSubstr("is damaged; that piece is measured again\n"),
                                  HasSubstr("dpverify: 4 pieces finished")));
  EXPECT_GT(checks, 0);
  EXPECT_LT(checks, all_checks);
  EXPECT_EQ(json_of(report()), whole);
}

// An error may have passed: not enough memory, say.
TEST_F(CommandLine, AnErrorIsNotKept) {
  claims_ = {throwing("test.bounded.lemma.a.printed"),
             bounded_by("test.bounded.lemma.b.printed", 2)};
  std::get<LemmaClaim>(claims_[1].check).sides = [this](const ParameterPoint&) {
    fs::create_directories(folder_ / "report.json");
    return LemmaClaim::Sides{.left = 0, .right = 1};
  };
  ASSERT_EQ(verify().code, 2);
  fs::remove(folder_ / "report.json");
  claims_[0] = bounded_by("test.bounded.lemma.a.printed", 2);
  const Result resumed = verify();
  EXPECT_EQ(resumed.code, 0) << resumed.out;
  EXPECT_THAT(resumed.err, StartsWith("dpverify: 1 piece "));
}

// Takes `room` characters, then fails, as a pipe does that nobody reads any more.
class ClosedPipe : public std::streambuf {
 public:
  explicit ClosedPipe(int room, std::function<void()> at_first)
      : room_(room), at_first_(std::move(at_first)) {}

 private:
  int_type overflow(int_type c) override {
    if (at_first_) std::exchange(at_first_, nullptr)();
    return room_-- > 0 ? c : traits_type::eof();
  }
  int room_;
  std::function<void()> at_first_;
};

TEST_F(CommandLine, TheReportIsWholeBeforeTheFirstLineIsPrinted) {
  bool there = false;
  ClosedPipe pipe(10, [&] { there = validate_report(report()).empty(); });
  std::ostream out(&pipe);
  std::ostringstream err;
  const std::string folder = folder_.string();
  const std::array argv{"dpverify", "verify", "--out", folder.c_str()};
  const int code = run_command_line(
      4, argv.data(), {.out = out, .err = err},
      {.algorithms = [this]() -> const std::vector<Algorithm>& { return algorithms_; },
       .claims = [this]() -> const std::vector<Claim>& { return claims_; }});
  EXPECT_TRUE(there);
  EXPECT_EQ(code, 2);
  EXPECT_EQ(err.str(), "dpverify: cannot write to standard output\n");
}

TEST_F(CommandLine, BadVerifyArgumentsExit2) {
  expect_complaint(
      verify({"--only", "test.bounded.lemma.print"}),
      "--only is 'test.bounded.lemma.print', but must be a pattern that matches the id "
      "of a claim; the nearest: test.bounded.lemma.printed, ");
  expect_complaint(verify({"--plan", "quick"}),
                   "--plan is 'quick', but must be smoke, ci or nightly");
  expect_complaint(verify({"--seed", "-1"}),
                   "--seed is '-1', but must be an integer from 0 to 9007199254740991");
  expect_complaint(verify({"--seed", "1x"}), "--seed is '1x'");
  expect_complaint(verify({"--seed", "9007199254740992"}), "--seed is '9007199254740992'");
  expect_complaint(verify({"--seed", "99999999999999999999"}), "--seed is '99999999999999999999'");
  expect_complaint(verify({"--threads", "0"}),
                   "--threads is '0', but must be an integer from 1 to 1024");
  expect_complaint(verify({"--threads"}), "--threads");
  expect_complaint(verify({"--fast"}), "--fast");
  expect_complaint(run({"verify", "--out", write("plain", "x")}), "Not a directory");
  EXPECT_FALSE(fs::exists(folder_ / "report.json"));
}

TEST_F(CommandLine, ABadCommandExits2) {
  expect_complaint(run({}),
                   "command is missing, but must be one of verify, rates, list, explain, ");
  expect_complaint(run({"verfy"}), "command is 'verfy', but must be one of verify, rates, ");
  expect_complaint(run({"--fast"}), "command is '--fast', but must be one of ");
  expect_complaint(run({"list", "verify"}), "verify");
  expect_complaint(run({"explain"}), "ID");
  expect_complaint(run({"validate"}), "FILE");
}

TEST_F(CommandLine, HelpAndVersionExit0) {
  const Result help = run({"--help"});
  EXPECT_EQ(help.code, 0);
  for (const char* command :
       {"verify", "rates", "list", "explain", "audit", "run", "validate", "test"})
    EXPECT_THAT(help.out, HasSubstr(std::string("\n  ") + command + " "));
  EXPECT_THAT(run({"verify", "--help"}).out, AllOf(HasSubstr("--only"), HasSubstr("--threads")));
  const Result version = run({"--version"});
  EXPECT_EQ(version.code, 0);
  EXPECT_THAT(version.out, MatchesRegex("dpverify [0-9.]+ \\(commit [0-9a-z]+.*\\)\n"));
}

TEST_F(CommandLine, ColoursAndProgressOnATerminalOnly) {
  const Result result = run({"verify", "--out", folder_.string()}, true);
  EXPECT_THAT(result.out, HasSubstr("\033[32mconsistent"));
  EXPECT_THAT(result.err, AllOf(HasSubstr("0/3 checked, about "), HasSubstr("3/3 checked")));
  EXPECT_EQ(std::ranges::count(result.err, '\n'), 0);
}

TEST_F(CommandLine, ListsClaims) {
  const Result text = run({"list"});
  EXPECT_EQ(text.code, 0);
  EXPECT_THAT(text.out,
              HasSubstr("test.bounded.lemma.loose.mutant  lemma        mutant     refuted  "
                        "A test; Lemma 1\n"));
  EXPECT_EQ(std::ranges::count(text.out, '\n'), 3);
  const Result json = run({"list", "--json", "--only", "*.printed"});
  EXPECT_EQ(json.code, 0);
  EXPECT_EQ(nlohmann::json::parse(json.out)[0]["id"], "test.bounded.lemma.printed");
  expect_complaint(run({"list", "--only", "x"}), "the nearest: ");
}

TEST_F(CommandLine, ExplainsAClaimWithItsEvidence) {
  ASSERT_EQ(verify().code, 0);
  const std::string file = (folder_ / "report.json").string();
  const Result result = run({"explain", "test.bounded.lemma.printed", "--report", file});
  EXPECT_EQ(result.code, 0);
  EXPECT_THAT(result.out,
              AllOf(HasSubstr("Statement: a <= bound for every a in [0, 1]"),
                    HasSubstr("Source: A test; Lemma 1"), HasSubstr("Assumption: a is a number"),
                    HasSubstr("Expectation: refuted"), HasSubstr("Range: a from 0 to 1"),
                    HasSubstr("Evidence in " + file), HasSubstr("Verdict: refuted"),
                    HasSubstr("./dpverify verify --only test.bounded.lemma.printed --plan smoke")));
}

TEST_F(CommandLine, ExplainShowsTheWitness) {
  const std::string file = write("report.json", to_json(small_report()));
  const Result result = run({"explain", "test.bounded.lemma.printed", "--report", file});
  EXPECT_THAT(result.out,
              AllOf(HasSubstr("a = inf, epsilon = 1"),
                    HasSubstr("2 records of 2 features; record 1 is replaced"),
                    HasSubstr("record 0: x = (1, 2), y = 3\n"),
                    HasSubstr("record 1: x = (4, 1e+300), y = 5e-324\n"),
                    HasSubstr("becomes:  x = (0, -0), y = 7\n"), HasSubstr("outcomes: 0, 5\n")));
}

TEST_F(CommandLine, ExplainTellsAuditedFromCertifiedSettings) {
  PrivacyClaim check;
  check.guarantee = [](const ParameterPoint& p) { return PrivacyGuarantee{p.at("epsilon"), 1e-5}; };
  check.settings = {{.parameters = {{"epsilon", 1}}, .records = 5, .dimension = 1}};
  claims_[0].check = check;
  const Result audited = run({"explain", claims_[0].id, "--report", written_report()});
  EXPECT_THAT(audited.out, AllOf(HasSubstr("\n  Setting: n = 5, d = 1, epsilon = 1; claimed "
                                           "epsilon 1, delta 1e-05\n"),
                                 Not(HasSubstr("Certified setting"))));
  std::swap(check.settings, check.certified);
  claims_[0].check = check;
  const Result certified = run({"explain", claims_[0].id, "--report", written_report()});
  EXPECT_THAT(certified.out, AllOf(HasSubstr("\n  Certified setting: n = 5, d = 1, epsilon = 1; "),
                                   Not(HasSubstr("Checked: "))));
}

TEST_F(CommandLine, ExplainWithoutEvidenceSaysHowToGetIt) {
  ASSERT_EQ(verify({"--only", "*.printed"}).code, 0);
  const Result result = run(
      {"explain", "test.bounded.lemma.corrected", "--report", (folder_ / "report.json").string()});
  EXPECT_EQ(result.code, 0);
  EXPECT_THAT(result.out,
              AllOf(HasSubstr("report.json has no evidence on this claim"),
                    HasSubstr("./dpverify verify --only test.bounded.lemma.corrected\n")));
}

TEST_F(CommandLine, BadExplainArgumentsExit2) {
  expect_complaint(run({"explain", "test.bounded.lemma.printd"}),
                   "claim is 'test.bounded.lemma.printd', but must be an id that ./dpverify list "
                   "shows; the nearest: test.bounded.lemma.printed, ");
  expect_complaint(run({"explain", "test.bounded.lemma.printed", "--report", "no.json"}),
                   "cannot read no.json: No such file or directory");
  expect_complaint(
      run({"explain", "test.bounded.lemma.printed", "--report", write("bad.json", "{}")}),
      "bad.json does not match the schema: $ is {}: Missing required property");
}

TEST_F(CommandLine, ValidatesReports) {
  const Result good = run({"validate", write("good.json", to_json(small_report()))});
  EXPECT_EQ(good.code, 0);
  EXPECT_THAT(good.out, HasSubstr("good.json matches the schema, version 1\n"));

  auto broken = nlohmann::json::parse(to_json(small_report()));
  broken["evidence"][0]["verdict"] = "passed";
  const Result bad = run({"validate", write("bad.json", broken.dump())});
  expect_complaint(bad, "bad.json does not match the schema (1 error)");
  EXPECT_THAT(bad.out, StartsWith("$.evidence[0].verdict is \"passed\": "));

  expect_complaint(run({"validate", write("text.json", "hello")}), "(1 error)");
  expect_complaint(run({"validate", (folder_ / "no.json").string()}), "No such file or directory");
}

TEST_F(CommandLine, FilesThatAreNoReportsExit2WithOneLine) {
  fs::create_symlink("loop.json", folder_ / "loop.json");
  fs::create_directories(folder_ / "folder.json");
  std::string objects;
  for (int i = 0; i < 100'000; ++i) objects += "{\"a\": ";
  // The schema says nothing about fields that it does not know: they are still read.
  auto deep = nlohmann::json::parse(to_json(small_report()));
  std::string known = deep.dump();
  known.insert(1, "\"later\": " + std::string(100'000, '[') + std::string(100'000, ']') + ", ");
  auto huge = nlohmann::json::parse(to_json(small_report()));
  huge["evidence"][2]["witness"]["pair"]["replaced"] = 18446744073709551615U;
  auto outcome = nlohmann::json::parse(to_json(small_report()));
  outcome["evidence"][2]["witness"]["outcomes"][0] = 18446744073709551615U;
  std::string number = to_json(small_report());
  number.insert(1, "\"later\": 1e999, ");
  const std::vector<std::string> files{
      write("deep.json", std::string(100'000, '[')),
      write("objects.json", objects),
      write("known.json", known),
      write("number.json", number),
      write("samples.json", "{\"samples\": 123456789012345678901234567890123456789012345}"),
      write("empty.json", ""),
      write("binary.json", std::string("\x7f\x45\x4c\x46\0\0\xff\xfe", 8)),
      (folder_ / "loop.json").string(),
      (folder_ / "folder.json").string()};
  for (const std::string& file : files) {
    expect_complaint(run({"validate", file}), file);
    expect_complaint(run({"explain", "test.bounded.lemma.printed", "--report", file}), file);
  }
  expect_complaint(run({"validate", files[0]}), "nested more than 100 deep");
  expect_complaint(run({"explain", "test.bounded.lemma.printed", "--report", files[2]}),
                   "nested more than 100 deep");
  // Integers that would be cut to size.
  for (const auto& report : {huge, outcome})
    expect_complaint(run({"explain", "test.bounded.lemma.printed", "--report",
                          write("integer.json", report.dump())}),
                     " is 18446744073709551615: ");
}

TEST_F(CommandLine, ValidateListsTheFirstErrorsAndCountsTheRest) {
  auto broken = nlohmann::json::parse(to_json(small_report()));
  for (int i = 0; i < 5000; ++i) broken["evidence"].push_back(i);
  const Result result = run({"validate", write("bad.json", broken.dump())});
  expect_complaint(result, "bad.json does not match the schema (more than 20 errors)");
  EXPECT_EQ(std::ranges::count(result.out, '\n'), 21);
  EXPECT_THAT(result.out, HasSubstr("\nand 4980 more errors\n"));
  EXPECT_LT(result.out.size(), 5000U);
}

TEST_F(CommandLine, RunsAnAlgorithmWithItsOptions) {
  const std::string data = write("data.csv", "a,b,y\n1,2,3\n4,5,6\n");
  const Result result = run({"run", "test.noisy_mean", "--data", data, "--target", "y", "--epsilon",
                             "0.5", "--seed", "4", "--json"});
  ASSERT_EQ(result.code, 0) << result.err;
  const auto json = nlohmann::json::parse(result.out);
  EXPECT_EQ(json["algorithm"], "test.noisy_mean");
  EXPECT_EQ(json["privacy"]["epsilon"], 0.5);
  EXPECT_EQ(json["seed"], 4);
  EXPECT_EQ(json["w"].size(), 2U);

  // An option that is not given takes the algorithm's default.
  const Result with_default =
      run({"run", "test.noisy_mean", "--data", data, "--target", "y", "--json"});
  EXPECT_EQ(nlohmann::json::parse(with_default.out)["privacy"]["epsilon"], 1.0);
  EXPECT_TRUE(nlohmann::json::parse(with_default.out)["seed"].is_null());
}

TEST_F(CommandLine, RunWritesItsFile) {
  const std::string data = write("data.csv", "a,b,y\n1,2,3\n4,5,6\n");
  const fs::path file = folder_ / "w.json";
  ASSERT_EQ(run({"run", "test.noisy_mean", "--data", data, "--target", "y", "--out", file}).code,
            0);
  EXPECT_EQ(nlohmann::json::parse(read_file(file))["algorithm"], "test.noisy_mean");
}

TEST_F(CommandLine, BadRunArgumentsExit2) {
  const std::string data = write("data.csv", "a,y\n1,2\n3,4\n");
  expect_complaint(run({"run"}), "algorithm is missing, but must be one of test.noisy_mean");
  expect_complaint(run({"run", "test.other"}),
                   "algorithm is 'test.other', but must be one of test.noisy_mean");
  expect_complaint(run({"run", "test.noisy_mean", "--target", "y"}), "--data");
  expect_complaint(run({"run", "test.noisy_mean", "--data", data}), "--target");
  expect_complaint(run({"run", "test.noisy_mean", "--data", data, "--target", "z"}), "z");
  expect_complaint(
      run({"run", "test.noisy_mean", "--data", data, "--target", "y", "--epsilon", "much"}),
      "--epsilon is 'much', but must be a number");
  expect_complaint(run({"run", "test.noisy_mean", "--data", data, "--target", "y", "--seed", "x"}),
                   "--seed is 'x'");
  expect_complaint(
      run({"run", "test.noisy_mean", "--data", (folder_ / "no.csv").string(), "--target", "y"}),
      "no.csv");
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
