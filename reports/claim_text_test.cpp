#include "reports/claim_text.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <regex>

#include "algorithms/registry.hpp"
#include "reports/json.hpp"
#include "reports/report_text.hpp"
#include "reports/test_claims.hpp"
#include "reports/validate.hpp"

namespace dpverify {
namespace {

using ::testing::AllOf;
using ::testing::AnyOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

Claim false_reading() {
  return bounded_by("test.bounded.lemma.garbled.reading", 0.5, Expectation::refuted,
                    Edition::reading);
}

TEST(Text, AReadingIsListedAndExplainedAsOne) {
  const Claim claim = false_reading();
  EXPECT_THAT(claim_list({claim}), AllOf(HasSubstr("reading"), Not(HasSubstr("printed"))));
  EXPECT_THAT(claim_in_words(claim), AllOf(HasSubstr("Edition: reading (one way to read a place"),
                                           HasSubstr("says nothing against the paper")));
}

TEST(Text, EveryReadingNamesTheCopyThatItReads) {
  int readings = 0;
  for (const Claim& claim : claims()) {
    if (claim.edition != Edition::reading) continue;
    ++readings;
    EXPECT_THAT(claim.source.where,
                AnyOf(HasSubstr("copy read here"), HasSubstr("copies read here")))
        << claim.id;
    EXPECT_THAT(claim.statement, AnyOf(HasSubstr("copy read here"), HasSubstr("copies read here")))
        << claim.id;
  }
  EXPECT_GE(readings, 8);
}

// Where the problem changes along a sweep, what is said of d is of the points that are run.
TEST(Text, ARateSaysHowManyFeaturesItsProblemsHave) {
  for (const auto& [id, words] :
       {std::pair{"hu.sparse_linear_regression.rate.dimension.printed", "; d = 2 to 200\n"},
        {"tao.sparse_optimization.rate.sparsity.printed", "; d = 300\n"},
        {"hu.sparse_optimization.rate.own_scale_sparsity.printed", "; d = 300\n"},
        {"hu.dp_frank_wolfe.rate.printed", "; d = 3 to 14\n"}}) {
    const auto found = std::ranges::find(claims(), id, &Claim::id);
    ASSERT_NE(found, claims().end()) << id;
    std::string text = claim_in_words(*found);
    text = std::regex_replace(text, std::regex("\n    "), " ");
    EXPECT_THAT(text, HasSubstr(words)) << id;
  }
}

TEST(Text, AReportWithAReadingIsValid) {
  Report report = small_report();
  report.claims.push_back(false_reading());
  EXPECT_THAT(validate_report(to_json(report)), IsEmpty());
}

}  // namespace
}  // namespace dpverify
