#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "reports/test_commands.hpp"

namespace dpverify {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

class ExplainCommand : public CommandTest {};

TEST_F(ExplainCommand, ListsClaims) {
  const Result text = run({"list"});
  EXPECT_EQ(text.code, 0);
  EXPECT_THAT(text.out, HasSubstr("test.bounded.lemma.loose.mutant  lemma  mutant     refuted  "
                                  "folklore; Lemma 1\n"));
  EXPECT_EQ(std::ranges::count(text.out, '\n'), 3);
  const Result json = run({"list", "--json", "--only", "*.printed"});
  EXPECT_EQ(json.code, 0);
  EXPECT_EQ(nlohmann::json::parse(json.out)["claims"][0]["id"], "test.bounded.lemma.printed");
  expect_complaint(run({"list", "--only", "x"}), "the nearest: ");
}

TEST_F(ExplainCommand, ExplainsAClaimWithItsEvidence) {
  ASSERT_EQ(verify().code, 0);
  const std::string file = (folder_ / "report.json").string();
  const Result result = run({"explain", "test.bounded.lemma.printed", "--report", file});
  EXPECT_EQ(result.code, 0);
  EXPECT_THAT(result.out,
              AllOf(HasSubstr("Statement: a <= bound for every a in [0, 1]"),
                    HasSubstr("Source: folklore; Lemma 1"), HasSubstr("Assumption: a is a number"),
                    HasSubstr("Expectation: refuted"), HasSubstr("Range: a from 0 to 1"),
                    HasSubstr("Evidence in " + file), HasSubstr("Verdict: refuted"),
                    HasSubstr("./dpverify verify --only test.bounded.lemma.printed --plan smoke")));
}

TEST_F(ExplainCommand, ExplainShowsTheWitness) {
  const std::string file = write("report.json", to_json(small_report()));
  const Result result = run({"explain", "test.bounded.lemma.printed", "--report", file});
  EXPECT_THAT(result.out,
              AllOf(HasSubstr("epsilon = 1, a = inf"),
                    HasSubstr("2 records of 2 features; record 1 is replaced"),
                    HasSubstr("record 0: x = (1, 2), y = 3\n"),
                    HasSubstr("record 1: x = (4, 1e+300), y = 5e-324\n"),
                    HasSubstr("becomes:  x = (0, -0), y = 7\n"), HasSubstr("outcomes: 0, 5\n")));
}

TEST_F(ExplainCommand, ExplainTellsAuditedFromCertifiedSettings) {
  PrivacyClaim check;
  check.guarantee = [](const ParameterPoint& p) {
    return PrivacyGuarantee{number(p, "epsilon"), 1e-5};
  };
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

// The same figure says another thing of a rate and of a floor, but above 1 refutes every kind.
TEST_F(ExplainCommand, ExplainSaysWhatTheFiguresMean) {
  const auto explained = [&] {
    return run({"explain", claims_[0].id, "--report", written_report()}).out;
  };
  EXPECT_THAT(explained(), AllOf(HasSubstr("a claim of 1.25 times less would have been refuted"),
                                 HasSubstr("above 1 refutes"), HasSubstr("Claimed: 0.1\n")));
  claims_[0] = erring_half(claims_[0].id, 0.9);
  EXPECT_THAT(explained(), AllOf(HasSubstr("noise of 1.25 times less would have been refuted"),
                                 HasSubstr("above 1 refutes")));
  claims_[0].check = RateClaim{
      .variable = "n", .smoke = {{10, 20}, 3}, .ci = {{10, 20, 40}, 5}, .nightly = {{10, 80}, 7}};
  EXPECT_THAT(explained(),
              AllOf(HasSubstr("a run slower by 1.25 in the exponent would not be consistent"),
                    HasSubstr("Plan smoke: n = 10, 20; 3 trials each"),
                    HasSubstr("Plan ci: n = 10, 20, 40; 5 trials each")));
}

// 40 rows are shown, and of 41 that one is missing.
TEST_F(ExplainCommand, ExplainShortensTablesToFortyRows) {
  for (const int rows : {40, 41}) {
    Report report = small_report();
    for (Evidence& evidence : report.evidence) {
      evidence.tables[0].rows.clear();
      for (int k = 1; k <= rows; ++k) evidence.tables[0].rows.push_back({1000.0 + k, 0});
    }
    const Result result = run(
        {"explain", "test.bounded.lemma.printed", "--report", write("rows.json", to_json(report))});
    EXPECT_THAT(result.out, AllOf(HasSubstr("1040"), Not(HasSubstr("1041"))));
    EXPECT_EQ(result.out.find("... 1 more rows") != std::string::npos, rows == 41);
  }
}

TEST_F(ExplainCommand, ExplainWithoutEvidenceSaysHowToGetIt) {
  ASSERT_EQ(verify({"--only", "*.printed"}).code, 0);
  const Result result = run(
      {"explain", "test.bounded.lemma.corrected", "--report", (folder_ / "report.json").string()});
  EXPECT_EQ(result.code, 0);
  EXPECT_THAT(result.out,
              AllOf(HasSubstr("report.json has no evidence on this claim"),
                    HasSubstr("./dpverify verify --only test.bounded.lemma.corrected\n")));
}

TEST_F(ExplainCommand, SaysThePlanThatChecksIt) {
  const auto hint = [&](Plan plan) {
    claims_ = {comparing_errors("test.pair.experiment.printed", 2, plan)};
    return run({"explain", "test.pair.experiment.printed"}).out;
  };
  EXPECT_THAT(hint(Plan::smoke), HasSubstr("--only test.pair.experiment.printed\n"));
  const std::string nightly = hint(Plan::nightly);
  EXPECT_THAT(nightly, HasSubstr("--only test.pair.experiment.printed --plan nightly\n"));
  EXPECT_THAT(nightly,
              HasSubstr("over 9 independent trials: the mean of the first error is less "));
  EXPECT_THAT(nightly, HasSubstr("Plan: nightly runs it first"));
}

TEST_F(ExplainCommand, BadExplainArgumentsExit2) {
  expect_complaint(run({"explain", "test.bounded.lemma.printd"}),
                   "claim is 'test.bounded.lemma.printd', but must be an id that ./dpverify list "
                   "shows; the nearest: test.bounded.lemma.printed, ");
  expect_complaint(run({"explain", "test.bounded.lemma.printed", "--report", "no.json"}),
                   "cannot read no.json: No such file or directory");
  expect_complaint(
      run({"explain", "test.bounded.lemma.printed", "--report", write("bad.json", "{}")}),
      "bad.json does not match the schema: $ is {}: Missing required property");
}

}  // namespace
}  // namespace dpverify
