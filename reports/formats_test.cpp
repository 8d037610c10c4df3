#include "reports/formats.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reports/json.hpp"
#include "reports/test_claims.hpp"

namespace dpverify {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

Outcomes small_outcomes() { return read_outcomes(to_json(small_report())); }

TEST(Formats, OutcomesAreThoseOfTheReport) {
  const Outcomes outcomes = small_outcomes();
  ASSERT_EQ(outcomes.claims.size(), 3U);
  EXPECT_EQ(outcomes.claims[0].outcome, TestOutcome::skipped);  // inconclusive
  EXPECT_EQ(outcomes.claims[1].outcome, TestOutcome::passed);
  EXPECT_EQ(outcomes.claims[2].outcome, TestOutcome::passed);
  EXPECT_EQ(outcomes.claims[2].seconds, 0.5);
  EXPECT_EQ(outcomes.program, "dpverify");
  EXPECT_EQ(outcomes.plan, "smoke");
  EXPECT_THROW(read_outcomes("{}"), std::invalid_argument);
}

TEST(Formats, XmlHoldsAnyText) {
  EXPECT_EQ(xml_text("a<b>&\"c\"\n\t"), "a&lt;b&gt;&amp;&quot;c&quot;&#10;&#9;");
  EXPECT_EQ(xml_text("\x01"), "\xEF\xBF\xBD");
}

TEST(Formats, JUnitSkipsWhatIsNotDecidedWithTheReason) {
  EXPECT_THAT(junit_xml(small_outcomes()),
              AllOf(HasSubstr(R"(tests="3" failures="0" errors="0" skipped="1")"),
                    HasSubstr("<skipped message=\"inconclusive: because\"/>")));
}

TEST(Formats, AnnotationsAreOneLineEach) {
  Outcomes outcomes = small_outcomes();
  outcomes.claims[1].outcome = TestOutcome::failed;
  outcomes.claims[1].verdict = Verdict::refuted;
  outcomes.claims[1].reason = "100 %\nsure";
  outcomes.claims[1].stated = SourcePlace{"a,b.cpp", 7};
  EXPECT_EQ(github_annotations(outcomes),
            "::error file=a%2Cb.cpp,line=7,title=test.bounded.lemma.loose.mutant::refuted, but was "
            "expected to be refuted: 100 %25 sure\n"
            "::warning title=test.bounded.lemma.corrected::inconclusive: because\n");
}

// 1,000 claims that fail: any one kind of text, not cut, would be too long in those that are
// listed.
TEST(Formats, ASummaryStaysBelowOneMebibyte) {
  Outcomes outcomes = small_outcomes();
  ClaimOutcome wrong = outcomes.claims[0];
  wrong.outcome = TestOutcome::failed;
  wrong.reason = std::string(100'000, '&');
  wrong.reproduce = std::string(100'000, 'x');
  outcomes.claims.assign(1'000, wrong);
  outcomes.time_limit = 1;
  outcomes.left_out.assign(1'000, std::string(100'000, 'y'));
  const std::string text = markdown(outcomes);
  EXPECT_LT(text.size(), std::size_t{1} << 20);
  EXPECT_THAT(text, HasSubstr("- and 950 more\n"));
}

TEST(Formats, ASummaryHoldsNoMarkupAndNoBrokenCharacters) {
  Outcomes outcomes = small_outcomes();
  outcomes.claims[0].reason = "<img src=x> [a](b) " + std::string(479, 'x') + "\xC3\xA9 end";
  const std::string text = markdown(outcomes);
  EXPECT_THAT(text, AllOf(Not(HasSubstr("<img")), HasSubstr("&lt;img"), HasSubstr("\\[a\\]")));
  EXPECT_THAT(text, Not(HasSubstr("\xC3 ")));
}

TEST(Formats, TheBadgeIsGreenOnlyIfEverythingWasDecided) {
  Outcomes outcomes = small_outcomes();
  EXPECT_THAT(badge(outcomes), HasSubstr("dpverify: 1 not decided"));
  outcomes.claims.erase(outcomes.claims.begin());
  EXPECT_THAT(badge(outcomes), AllOf(StartsWith("<svg "), HasSubstr("dpverify: 2 as expected")));
  outcomes.time_limit = 5;
  outcomes.left_out = {"a"};
  EXPECT_THAT(badge(outcomes), HasSubstr("2 as expected, 1 unchecked"));
  outcomes.claims[0].outcome = TestOutcome::stopped;
  EXPECT_THAT(badge(outcomes), HasSubstr("1 not as expected"));
}

}  // namespace
}  // namespace dpverify
