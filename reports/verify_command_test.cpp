#include <algorithm>
#include <array>
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <streambuf>
#include <utility>

#include "reports/test_commands.hpp"
#include "reports/validate.hpp"

namespace dpverify {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

class VerifyCommand : public CommandTest {};

TEST_F(VerifyCommand, VerifyExits0IfAllIsAsExpected) {
  const Result result = verify({"--verbose"});
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

TEST_F(VerifyCommand, VerifyExits1IfAClaimThatShouldHoldIsRefuted) {
  claims_.push_back(bounded_by("test.bounded.lemma.wrong.printed", 0.5));
  const Result result = verify();
  EXPECT_EQ(result.code, 1);
  EXPECT_THAT(result.out,
              AllOf(HasSubstr("refuted  UNEXPECTED  test.bounded.lemma.wrong.printed"),
                    HasSubstr("UNEXPECTED: test.bounded.lemma.wrong.printed is refuted, but was "
                              "expected to be consistent\n  ./dpverify verify --only "
                              "test.bounded.lemma.wrong.printed --plan smoke --seed 20240229\n")));
  const auto json = nlohmann::json::parse(report());
  EXPECT_EQ(json["summary"]["unexpected"][0]["claim"], "test.bounded.lemma.wrong.printed");
}

// The first, the last and any other: one unexpected verdict among several is enough.
TEST_F(VerifyCommand, VerifyExits1WhicheverClaimIsUnexpected) {
  for (const char* name : {"a", "loose", "z"}) {
    claims_ = claims_as_expected();
    claims_.push_back(bounded_by("test.bounded.lemma." + std::string(name) + ".printed", 0.5));
    const Result result = verify();
    EXPECT_EQ(result.code, 1) << name;
    EXPECT_THAT(result.out, HasSubstr("3 as expected, 1 unexpected")) << name;
    fs::remove(folder_ / "report.json");
  }
}

TEST_F(VerifyCommand, VerifyExits1IfAClaimThatShouldBeRefutedIsNot) {
  claims_ = {bounded_by("test.bounded.lemma.printed", 2, Expectation::refuted)};
  const Result result = verify();
  EXPECT_EQ(result.code, 1);
  EXPECT_THAT(result.out, HasSubstr("is consistent, but was expected to be refuted"));
}

TEST_F(VerifyCommand, VerifyExits1IfACheckThrows) {
  claims_ = {throwing("test.bounded.lemma.printed")};
  const Result result = verify();
  EXPECT_EQ(result.code, 1);
  EXPECT_THAT(result.out, AllOf(HasSubstr("error"), HasSubstr("no value at this point")));
}

TEST_F(VerifyCommand, AFaultOfTheProgramExits5) {
  claims_ = {bounded_by("test.bounded.lemma.printed", 2),
             bounded_by("test.bounded.lemma.printed", 2)};
  const Result result = verify();
  EXPECT_EQ(result.code, 5);
  EXPECT_EQ(result.err,
            "dpverify: internal error: two claims have the id test.bounded.lemma.printed\n");
  EXPECT_FALSE(fs::exists(folder_ / "report.json"));
}

TEST_F(VerifyCommand, OnlySelectsClaimsAndKeepsTheirEvidence) {
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

TEST_F(VerifyCommand, AReportOfSomeClaimsLeavesTheOthersThere) {
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
TEST_F(VerifyCommand, TheErrorBudgetCountsTheRandomChecksOfTheWholeRegistry) {
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

TEST_F(VerifyCommand, FloorClaimsAreCheckedReportedAndExplained) {
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
                    HasSubstr("above 1 refutes")));
}

TEST_F(VerifyCommand, ExperimentClaimsAreCheckedInTheirPlan) {
  const std::string id = "test.pair.experiment.printed";
  claims_ = {comparing_errors(id, 2, Plan::ci),
             comparing_errors("test.pair.experiment.false.printed", 0.5, Plan::smoke)};
  for (Claim& claim : claims_) claim.algorithm = "test.pair";
  claims_[1].expectation = Expectation::refuted;
  ASSERT_EQ(verify({"--plan", "ci"}).code, 0);
  EXPECT_THAT(validate_report(report()), IsEmpty());
  const auto json = nlohmann::json::parse(report());
  EXPECT_EQ(json["claims"][0]["kind"], "experiment");
  EXPECT_EQ(json["context"]["error_budget"]["statistical_checks"], 2);
  ASSERT_EQ(verify({"--plan", "smoke"}).code, 0);
  const auto smoke = nlohmann::json::parse(report());
  EXPECT_EQ(smoke["context"]["error_budget"]["statistical_checks"], 1);
  for (const auto& evidence : smoke["evidence"])
    if (evidence["claim"] == id) {
      EXPECT_EQ(evidence["verdict"], "not_run");
      EXPECT_EQ(evidence["run_by"], "ci");
    }
}

TEST_F(VerifyCommand, SeedAndPlanReachTheReport) {
  ASSERT_EQ(verify({"--seed", "9007199254740991", "--plan", "ci", "--threads", "2"}).code, 0);
  const auto json = nlohmann::json::parse(report());
  EXPECT_EQ(json["context"]["seed"].get<std::uint64_t>(), 9007199254740991U);
  EXPECT_EQ(json["context"]["plan"], "ci");
  EXPECT_EQ(json["timings"]["threads"], 2);
}

TEST_F(VerifyCommand, MakesTheOutputFolder) {
  const fs::path nested = folder_ / "a" / "b";
  EXPECT_EQ(run({"verify", "--out", nested.string()}).code, 0);
  EXPECT_TRUE(fs::exists(nested / "report.json"));
}

TEST_F(VerifyCommand, AReportThatCannotBeWrittenExits2BeforeTheChecks) {
  fs::create_directories(folder_ / "report.json");
  const Result result = verify();
  expect_complaint(result, "report.json: Is a directory");
  EXPECT_EQ(result.out, "");
  fs::remove(folder_ / "report.json");
  write("report.json", "my notes");
  expect_complaint(verify(), "report.json: it is no report of dpverify");
  EXPECT_EQ(report(), "my notes");
}

TEST_F(VerifyCommand, AReportThatCannotBeWrittenInTheEndExits2WithTheTableShown) {
  claims_.push_back(bounded_by("test.bounded.lemma.late.printed", 2));
  std::get<LemmaClaim>(claims_.back().check).sides = [this](const ParameterPoint&) {
    fs::create_directories(folder_ / "report.json");
    return LemmaClaim::Sides{.left = 0, .right = 1};
  };
  const Result result = verify();
  expect_complaint(result, "report.json: Is a directory");
  EXPECT_THAT(result.out, AllOf(HasSubstr("4 claims: "), Not(HasSubstr("Report: "))));
}

// As if killed after the first checks.
class KilledVerify : public CommandTest {
 protected:
  KilledVerify() {
    for (const char* id : {"test.bounded.lemma.y.printed", "test.bounded.lemma.z.printed"}) {
      claims_.push_back(bounded_by(id, 2));
      std::get<LemmaClaim>(claims_.back().check).sides = [&](const ParameterPoint& point) {
        ++checks_;
        return LemmaClaim::Sides{.left = number(point, "a") / 3, .right = 1};
      };
    }
  }

  // The report without what differs between two runs.
  std::string measured() const {
    auto json = nlohmann::ordered_json::parse(report());
    json.erase("timings");
    return json.dump();
  }

  // A folder in the way of the report keeps the pieces, as a kill does.
  void interrupt() {
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
    checks_ = 0;
  }

  int checks_ = 0;
};

TEST_F(KilledVerify, GoesOnWhereItWasAndTheReportIsTheSame) {
  ASSERT_EQ(verify({"--threads", "1"}).code, 0);
  const std::string whole = measured();
  const int all_checks = checks_;
  ASSERT_GT(all_checks, 0);
  EXPECT_FALSE(fs::exists(folder_ / "unfinished")) << "the next run checks afresh";
  ASSERT_EQ(verify({"--threads", "1"}).code, 0);
  EXPECT_EQ(checks_, 2 * all_checks);
  interrupt();
  const Result resumed = verify({"--threads", "2"});
  EXPECT_EQ(resumed.code, 0);
  EXPECT_EQ(checks_, 0);
  EXPECT_THAT(resumed.err,
              StartsWith("dpverify: 5 pieces finished by an earlier run, taken from "));
  EXPECT_EQ(measured(), whole);
  EXPECT_FALSE(fs::exists(folder_ / "unfinished"));
}

TEST_F(KilledVerify, AnotherSeedOrPlanHasNothingToDoWithItsPieces) {
  interrupt();
  EXPECT_EQ(verify({"--seed", "5"}).err, "");
  EXPECT_GT(checks_, 0);
  fs::remove_all(folder_ / "report.json");
  checks_ = 0;
  EXPECT_EQ(verify({"--plan", "ci"}).err, "");
  EXPECT_GT(checks_, 0);
}

TEST_F(KilledVerify, ADamagedPieceIsMeasuredAgainWithOneLine) {
  ASSERT_EQ(verify({"--threads", "1"}).code, 0);
  const std::string whole = measured();
  const int all_checks = checks_;
  interrupt();
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
  const Result repaired = verify({"--threads", "1"});
  EXPECT_EQ(repaired.code, 0);
  EXPECT_THAT(repaired.err, AllOf(HasSubstr("is damaged; that piece is measured again\n"),
                                  HasSubstr("dpverify: 4 pieces finished")));
  EXPECT_GT(checks_, 0);
  EXPECT_LT(checks_, all_checks);
  EXPECT_EQ(measured(), whole);
}

// Whatever the number of parts, and whichever ends last: every claim is checked in one of them, and
// what the parts kept is the report of a single run. A part that is lost costs its own time only.
TEST_F(KilledVerify, PartsPutTogetherAreTheReportOfASingleRun) {
  ASSERT_EQ(verify({"--threads", "1"}).code, 0);
  const std::string whole = measured();
  const int all_checks = checks_;
  const std::string costs = write("costs.json", report());
  for (const int parts : {2, 3, 7}) {
    fs::remove(folder_ / "report.json");
    checks_ = 0;
    for (int k = parts; k >= 1; --k) {
      const std::string part = std::to_string(k) + "/" + std::to_string(parts);
      const Result result = verify({"--threads", "1", "--shard", part, "--costs", costs});
      EXPECT_EQ(result.code, 0) << result.err;
      EXPECT_THAT(result.out, AllOf(StartsWith("Part " + std::to_string(k) + " of "),
                                    HasSubstr(" of 5 claims")));
      EXPECT_FALSE(fs::exists(folder_ / "report.json")) << part;
    }
    EXPECT_EQ(checks_, all_checks) << parts;
    if (parts == 3) {
      const auto one = *fs::directory_iterator(folder_ / "unfinished");
      fs::remove(one.path());
    }
    checks_ = 0;
    EXPECT_EQ(verify({"--threads", "1"}).code, 0);
    EXPECT_EQ(checks_ == 0, parts != 3) << parts;
    EXPECT_EQ(measured(), whole) << parts;
    EXPECT_FALSE(fs::exists(folder_ / "unfinished"));
  }
}

TEST_F(VerifyCommand, APartExits1IfOneOfItsClaimsIsUnexpected) {
  claims_ = {bounded_by("test.bounded.lemma.a.printed", 0.5),
             bounded_by("test.bounded.lemma.b.printed", 2)};
  const Result first = verify({"--shard", "1/2"}), second = verify({"--shard", "2/2"});
  EXPECT_EQ(first.code, 1);
  EXPECT_THAT(first.out, HasSubstr("refuted  UNEXPECTED  test.bounded.lemma.a.printed"));
  EXPECT_EQ(second.code, 0) << second.out;
  EXPECT_EQ(verify().code, 1);
}

// An error may have passed: not enough memory, say.
TEST_F(VerifyCommand, AnErrorIsNotKept) {
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

TEST_F(VerifyCommand, TheReportIsWholeBeforeTheFirstLineIsPrinted) {
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

TEST_F(VerifyCommand, BadVerifyArgumentsExit2) {
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

}  // namespace
}  // namespace dpverify
