// What `verify` prints, which claims it takes, and what it does with a time limit.
#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>

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

class VerifyOutput : public CommandTest {};

TEST_F(VerifyOutput, IsQuietAboutWhatIsAsExpected) {
  claims_[2].finding = Finding{Severity::accuracy, "It is half.", "Lemma 1", "Double it."};
  claims_.push_back(bounded_by("test.bounded.lemma.wrong.printed", 0.5));
  const Result result = verify();
  EXPECT_THAT(result.out, StartsWith("refuted  UNEXPECTED  test.bounded.lemma.wrong.printed  "));
  EXPECT_THAT(result.out, AllOf(Not(HasSubstr("test.bounded.lemma.corrected")),
                                Not(HasSubstr("test.bounded.lemma.printed")),
                                HasSubstr("1 finding about the papers: ./dpverify findings\n"),
                                HasSubstr("4 claims: ")));
}

TEST_F(VerifyOutput, SaysWhatIsNewSinceTheReportThatIsThere) {
  ASSERT_EQ(verify().code, 0);
  EXPECT_THAT(verify().out, Not(HasSubstr("New: ")));
  claims_[0] =
      bounded_by("test.bounded.lemma.corrected", 0.5, Expectation::holds, Edition::corrected);
  EXPECT_THAT(verify().out,
              HasSubstr("New: test.bounded.lemma.corrected: consistent -> refuted\n"));
}

TEST_F(VerifyOutput, FiltersAndExcludes) {
  const auto checked = [&](std::vector<std::string> arguments) {
    fs::remove(folder_ / "report.json");
    EXPECT_EQ(verify(std::move(arguments)).code, 0);
    return nlohmann::json::parse(report())["claims"].size();
  };
  EXPECT_EQ(checked({"--exclude", "*.mutant"}), 2U);
  EXPECT_EQ(checked({"--edition", "mutant,printed"}), 2U);
  EXPECT_EQ(checked({"--kind", "lemma", "--paper", "test"}), 3U);
  ASSERT_EQ(verify().code, 0);
  EXPECT_THAT(verify({"--verdict", "refuted", "--verbose"}).out,
              AllOf(StartsWith("refuted"), HasSubstr("\n2 claims: 2 refuted;")));
  EXPECT_EQ(run({"verify", "--verdict", "refuted", "--out", (folder_ / "no").string()}).code, 2)
      << "of no report";
}

// No check begins; the next run does what is left.
TEST_F(VerifyOutput, ATimeLimitEndsWithAPartialReport) {
  const Result partial = verify({"--time-limit", "1e-9"});
  EXPECT_EQ(partial.code, 3);
  EXPECT_THAT(partial.out,
              HasSubstr("The time limit of 1e-09 s left 3 claims unchecked: "
                        "test.bounded.lemma.corrected, test.bounded.lemma.loose.mutant, "
                        "test.bounded.lemma.printed; the next run goes on from there.\n"));
  EXPECT_THAT(validate_report(report()), IsEmpty());
  auto json = nlohmann::json::parse(report());
  EXPECT_EQ(json["partial"]["time_limit"], 1e-9);
  EXPECT_EQ(json["partial"]["left_out"].size(), 3U);
  EXPECT_EQ(json["evidence"][0]["verdict"], "not_run");
  EXPECT_EQ(json["evidence"][0]["run_by"], "smoke");

  ASSERT_EQ(verify({"--only", "*.printed"}).code, 0);
  json = nlohmann::json::parse(report());
  EXPECT_EQ(json["partial"]["left_out"].size(), 2U) << "those are still to be checked";
  EXPECT_EQ(json["evidence"][2]["verdict"], "refuted");
  // What was found is not lost to a run without time.
  EXPECT_EQ(verify({"--time-limit", "1e-9"}).code, 3);
  json = nlohmann::json::parse(report());
  EXPECT_EQ(json["evidence"][2]["verdict"], "refuted");
  EXPECT_EQ(json["partial"]["left_out"].size(), 2U);
  ASSERT_EQ(verify().code, 0);
  EXPECT_FALSE(nlohmann::json::parse(report()).contains("partial"));
  // Nor a whole report of another context.
  const std::string whole = report();
  EXPECT_EQ(verify({"--time-limit", "1e-9", "--seed", "7"}).code, 3);
  EXPECT_EQ(report(), whole);
  for (const char* limit : {"0", "-1", "inf", "soon"})
    expect_complaint(verify({"--time-limit", limit}), "--time-limit is '" + std::string(limit));
}

TEST_F(VerifyOutput, ALogHearsNowAndThenHowFarItIs) {
  std::ostringstream out, err;
  const std::string folder = folder_.string();
  const std::array argv{"dpverify", "verify", "--out", folder.c_str()};
  ASSERT_EQ(run_command_line(
                4, argv.data(), {.out = out, .err = err, .heartbeat = 0},
                {.algorithms = [this]() -> const std::vector<Algorithm>& { return algorithms_; },
                 .claims = [this]() -> const std::vector<Claim>& { return claims_; }}),
            0);
  EXPECT_THAT(err.str(), HasSubstr("dpverify: 3/3 checked, about 0 s left\n"));
  EXPECT_THAT(err.str(), Not(HasSubstr("\033")));
}

// Magenta is a fault of a paper, which is known; NO_COLOR is honoured unless it is empty.
TEST_F(VerifyOutput, ColoursSayWhatAVerdictMeans) {
  claims_[2].finding = Finding{Severity::accuracy, "It is half.", "Lemma 1", "Double it."};
  claims_.push_back(bounded_by("test.bounded.lemma.wrong.printed", 0.5));
  const auto verified = [&] {
    return run({"verify", "--verbose", "--out", folder_.string()}, true).out;
  };
  EXPECT_THAT(verified(), AllOf(HasSubstr("\033[32mconsistent"), HasSubstr("\033[32mrefuted"),
                                HasSubstr("\033[35mrefuted"), HasSubstr("\033[1;31mrefuted")));
  setenv("NO_COLOR", "", 1);
  EXPECT_THAT(verified(), HasSubstr("\033["));
  setenv("NO_COLOR", "1", 1);
  EXPECT_THAT(verified(), Not(HasSubstr("\033[")));
  unsetenv("NO_COLOR");
}

TEST_F(VerifyOutput, ColoursAndProgressOnATerminalOnly) {
  const Result result = run({"verify", "--verbose", "--out", folder_.string()}, true);
  EXPECT_THAT(result.out, HasSubstr("\033[32mconsistent"));
  EXPECT_THAT(result.err, AllOf(HasSubstr("0/3 checked, about "), HasSubstr("3/3 checked")));
  EXPECT_EQ(std::ranges::count(result.err, '\n'), 0);
}

}  // namespace
}  // namespace dpverify
