#include "reports/findings_text.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "algorithms/numbered_results.hpp"
#include "reports/program.hpp"
#include "reports/test_commands.hpp"

namespace dpverify {
namespace {

using ::testing::AllOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

const std::string privacy = "wang_xu.l1_regression_theta_moment.privacy.printed";
const std::string worse = "wang_xu.l1_regression_second_moment.privacy.printed";
const std::string step = "wang_xu.l1_regression_theta_moment.lemma.norms.printed";

Claim claim(const std::string& id, Severity severity = Severity::privacy) {
  return {.id = id,
          .algorithm = id.substr(0, id.find('.', id.find('.') + 1)),
          .expectation = Expectation::refuted,
          .source = {Text::wang_xu, "Theorem 2"},
          .statement = "It is private.",
          .check = PrivacyClaim{},
          .finding = Finding{.severity = severity,
                             .why = "It counts twice.",
                             .touches = "Theorem 2",
                             .repair = "Halve it."}};
}

std::string in_words(const std::vector<Claim>& claims, const std::vector<Evidence>& evidence,
                     std::string_view where, bool every_one) {
  return findings_in_words(numbered_papers(), claims, evidence, where, every_one, false);
}

Evidence refuted(const std::string& id, double tightness) {
  Evidence evidence{.claim = id, .verdict = Verdict::refuted, .tightness = tightness};
  evidence.reproduce = "dpverify verify --only it";
  evidence.witness.emplace();
  evidence.witness->explanation = "Record 1 of two counts.";
  return evidence;
}

TEST(FindingsText, GravestFirstAndThenByHowFarTheyFail) {
  const std::string text =
      in_words({claim(step, Severity::proof_step), claim(privacy), claim(worse)},
               {refuted(privacy, 1.5), refuted(worse, 2.25), refuted(step, 9)}, "", true);
  const auto at = [&](const std::string& part) { return text.find(part); };
  EXPECT_LT(at("1. " + worse), at("2. " + privacy));
  EXPECT_LT(at("2. " + privacy), at("3. " + step));
  EXPECT_NE(at("3. " + step), std::string::npos);
  EXPECT_THAT(text, HasSubstr("Wang and Xu\n3 findings: 2 privacy, 1 proof step\n"));
  EXPECT_THAT(text, HasSubstr("  Found: 2.25 times what is claimed\n"));
  EXPECT_THAT(text, HasSubstr("  Why it fails: It counts twice.\n"));
  EXPECT_THAT(text, HasSubstr("  Counterexample: Record 1 of two counts.\n"));
  EXPECT_THAT(text, HasSubstr("  Repeat: dpverify verify --only it\n"));
  EXPECT_THAT(text, EndsWith("More on each: " + command("explain ID") + "\n"));
}

TEST(FindingsText, TheGravestFiveEachDefectOnce) {
  std::vector<Claim> claims;
  std::vector<Evidence> evidence;
  for (int k = 1; k <= 6; ++k) {
    claims.push_back(claim(fmt::format("tao.a.lemma.step_{}.printed", k), Severity::proof_step));
    evidence.push_back(refuted(claims.back().id, 10 + k));
  }
  claims.push_back(claim("tao.a.privacy.printed"));
  claims.push_back(claim("tao.a.privacy.again.printed"));
  claims.back().finding->same_as = "tao.a.privacy.printed";
  claims.push_back(claim("tao.a.lemma.slip.printed", Severity::slip));
  claims.push_back(claim("tao.a.lemma.stopped.printed", Severity::accuracy));
  evidence.push_back({.claim = claims.back().id, .verdict = Verdict::not_run});
  // The same as the first step, and the worst of all.
  claims.push_back(claim("tao.a.lemma.worst.printed", Severity::proof_step));
  claims.back().finding->same_as = "tao.a.lemma.step_1.printed";
  evidence.push_back(refuted(claims.back().id, 1000));
  const std::string text = in_words(claims, evidence, "tao", false);
  std::size_t before = 0;
  for (const char* id : {"1. tao.a.privacy.printed\n", "2. tao.a.lemma.step_1.printed\n",
                         "3. tao.a.lemma.step_6.printed\n", "4. tao.a.lemma.step_5.printed\n",
                         "5. tao.a.lemma.step_4.printed\n"}) {
    EXPECT_LT(before, text.find(id)) << id;
    before = text.find(id);
  }
  EXPECT_THAT(text, AllOf(HasSubstr("\n6 more: " + command("findings tao --all") + "\n"),
                          Not(HasSubstr("6. ")), Not(HasSubstr("slip.printed"))));
}

TEST(FindingsText, WithoutAReportNothingIsFound) {
  EXPECT_THAT(in_words({claim(step, Severity::proof_step), claim(privacy)}, {}, "wang_xu", false),
              AllOf(HasSubstr("1. " + privacy), HasSubstr("2. " + step), Not(HasSubstr("Found:")),
                    Not(HasSubstr("Repeat:")), Not(HasSubstr(" more: "))));
}

TEST(FindingsText, SeveritiesHaveColours) {
  const std::string text = findings_in_words(
      numbered_papers(), {claim(step, Severity::proof_step), claim(privacy)}, {}, "", true, true);
  EXPECT_THAT(text,
              AllOf(HasSubstr("\n\033[1;35mPrivacy broken at parameters that people use\033[0m\n"),
                    HasSubstr("\n\033[2mSteps of proofs; what they are to prove stands\033[0m\n")));
  EXPECT_THAT(in_words({claim(privacy)}, {}, "", true), Not(HasSubstr("\033")));
}

// Of a program that knows no paper.
TEST(FindingsText, OfAnotherPaper) {
  EXPECT_THAT(findings_in_words({}, {claim("mine.mean.privacy.printed")}, {}, "", false, false),
              StartsWith("mine\n1 finding: 1 privacy\n"));
}

TEST(FindingsText, TheRootBeforeWhatIsTheSame) {
  Claim root = claim(privacy), same = claim(worse);
  same.finding->same_as = root.id;
  const std::string text = in_words({same, root}, {refuted(worse, 9)}, "", true);
  EXPECT_LT(text.find("1. " + privacy), text.find("2. " + worse));
  EXPECT_THAT(text, HasSubstr("  Same as: " + privacy + "\n"));
}

TEST(FindingsText, OfOneAlgorithm) {
  const std::vector<Claim> both{claim(privacy), claim(worse)};
  EXPECT_THAT(in_words(both, {}, "wang_xu.l1_regression_theta_moment", true),
              AllOf(HasSubstr(privacy), Not(HasSubstr(worse))));
  EXPECT_THROW(in_words(both, {}, "wang_xu.l1_regression", true), std::invalid_argument);
  EXPECT_THROW(in_words(both, {}, "hu", true), std::invalid_argument);
}

// By how much a rate fails is not a factor of one quantity.
TEST(FindingsText, OfARateTheReason) {
  Claim rate = claim("tao.dp_sco.rate.printed");
  rate.check = RateClaim{};
  Evidence found = refuted(rate.id, 2);
  found.reason = "It falls more slowly.";
  EXPECT_THAT(in_words({rate}, {found}, "", true), HasSubstr("  Found: It falls more slowly.\n"));
}

class FindingsCommand : public CommandTest {};

TEST_F(FindingsCommand, NoFindingsAndNoReportAreUsageErrors) {
  // The claims of these tests are of no paper.
  expect_complaint(run({"findings", "hu"}), "no finding on 'hu'");
  expect_complaint(run({"findings", "--report", "nowhere.json"}), "nowhere.json");
}

}  // namespace
}  // namespace dpverify
