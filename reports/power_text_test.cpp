#include "reports/power_text.hpp"

#include <gmock/gmock.h>

#include <filesystem>

#include "reports/test_commands.hpp"

namespace dpverify {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

template <class Check>
Claim claim(const std::string& id, Check check, Expectation expectation = Expectation::holds) {
  return {.id = id,
          .algorithm = "paper.algorithm",
          .expectation = expectation,
          .check = std::move(check)};
}

RateClaim rate(const char* variable) {
  RateClaim out;
  out.variable = variable;
  return out;
}

Evidence found(const std::string& id, Verdict verdict, std::optional<double> fault = {},
               std::optional<Strength> strength = {}) {
  return {.claim = id, .verdict = verdict, .smallest_fault = fault, .strength = strength};
}

TEST(PowerDocument, TheFaultsOfEachKindRoundedUp) {
  PrivacyClaim twin;
  twin.pair.emplace();
  const std::vector<Claim> claims{claim("a", rate("n")),
                                  claim("b", rate("n")),
                                  claim("c", rate("epsilon")),
                                  claim("d", rate("d")),
                                  claim("e", rate("n"), Expectation::refuted),
                                  claim("f", SensitivityClaim{}),
                                  claim("g", PrivacyClaim{}),
                                  claim("h", PrivacyClaim{}),
                                  claim("i", twin),
                                  claim("j", SensitivityClaim{})};
  const std::string text = power_document(
      claims,
      {found("a", Verdict::consistent, 0.1201), found("b", Verdict::consistent, 0.09),
       found("c", Verdict::inconclusive), found("d", Verdict::not_run),
       found("e", Verdict::refuted), found("f", Verdict::consistent, 1.0),
       found("g", Verdict::consistent, 1.386, Strength::certified),
       found("h", Verdict::consistent, 12.341, Strength::exact_on_searched_pairs),
       found("i", Verdict::consistent, 2e6), found("j", Verdict::consistent),
       found("gone", Verdict::consistent, 7)},
      "measured here");
  EXPECT_THAT(text, HasSubstr("measured here"));
  EXPECT_THAT(text, HasSubstr("| rate | 4 | 2 | 1 | 1 | 0.09 | 0.09 | 0.121 |\n"));
  EXPECT_THAT(text, HasSubstr("| sensitivity | 2 | 2 | 0 | 0 | x 1 | x 1 | none |\n"));
  EXPECT_THAT(text, HasSubstr("| privacy | 3 | 3 | 0 | 0 | x 1.39 | x 12.4 | none |\n"));
  EXPECT_THAT(text,
              HasSubstr("| privacy, certified | 1 | 1 | 0 | 0 | x 1.39 | x 1.39 | x 1.39 |\n"));
  EXPECT_THAT(text, HasSubstr("| privacy, exact on searched pairs | 1 |"));
  EXPECT_THAT(text, Not(HasSubstr("sampled")));
  // Of an algorithm each kind from the best to the worst, without what is about a given pair.
  EXPECT_THAT(
      text,
      HasSubstr(
          "| paper.algorithm | x 1 to none | x 1.39 to x 12.4 | 0.09 to 0.121 | - | - | - |\n"));
}

class PowerCommand : public CommandTest {};

TEST_F(PowerCommand, ReadsAReportAndRefusesOtherFiles) {
  const std::string file = write("report.json", to_json(small_report()));
  const Result result = run({"power", "--report", file});
  EXPECT_EQ(result.code, 0);
  EXPECT_THAT(result.out, AllOf(HasSubstr("# What the checks would have seen"),
                                HasSubstr("verify --plan smoke --seed 20240229"),
                                HasSubstr("| lemma | 1 | 0 | 1 | 0 | - | - | - |")));
  expect_complaint(run({"power", "--report", write("notes.json", "{}")}),
                   "notes.json: it is no report of dpverify");
  EXPECT_EQ(run({"power", "--report", (folder_ / "none").string()}).code, 2);
}

}  // namespace
}  // namespace dpverify
