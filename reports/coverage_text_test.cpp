#include "reports/coverage_text.hpp"

#include <gmock/gmock.h>

#include <map>
#include <set>

#include "algorithms/numbered_results.hpp"
#include "reports/catalogue.hpp"

namespace dpverify {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

Claim claim(const std::string& id, const std::string& where, Edition edition = Edition::printed) {
  return {.id = id,
          .algorithm = id.substr(0, id.rfind('.')),
          .edition = edition,
          .source = {Text::tao, where},
          .check = LemmaClaim{}};
}

TEST(CoverageDocument, ARowAResultWithItsOwnClaimsAndThoseOfItsProof) {
  const std::vector<Claim> claims{claim("tao.a.own", "Theorem 2"),
                                  claim("tao.a.step", "proof of Theorem 2"),
                                  claim("tao.a.both", "Theorems 2 and 3"),
                                  claim("tao.a.lost", "Theorem 2"),
                                  claim("tao.a.mutant", "Theorem 2", Edition::mutant),
                                  claim("tao.a.figure", "Figure 1(b)")};
  const std::vector<Evidence> evidence{
      {.claim = "tao.a.own", .verdict = Verdict::refuted},
      {.claim = "tao.a.step", .verdict = Verdict::inconclusive},
      {.claim = "tao.a.both", .verdict = Verdict::consistent, .strength = Strength::certified},
      {.claim = "tao.a.mutant", .verdict = Verdict::refuted},
      {.claim = "tao.a.figure", .verdict = Verdict::not_run}};
  const std::string text = coverage_document(numbered_papers(), claims, evidence, "measured here");
  EXPECT_THAT(text, HasSubstr("measured here"));
  EXPECT_THAT(text, HasSubstr("| Theorem 2 | lower bound for a mean with 1 + v moments | "
                              "`tao.a.own` **refuted**<br>`tao.a.both` consistent (certified)<br>"
                              "`tao.a.lost` not in the report | `tao.a.step` inconclusive |\n"));
  EXPECT_THAT(text, HasSubstr("| Theorem 3 | privacy and error of Algorithm 3 (median of means) | "
                              "`tao.a.both` consistent (certified) | - |\n"));
  EXPECT_THAT(text,
              HasSubstr("Of 43 numbered results 2 are claimed by their own conclusion, 0 only "
                        "by steps of their proof or by their use."));
  EXPECT_THAT(text, HasSubstr("| Figure 1(b) | `tao.a.figure` not_run |\n"));
  EXPECT_THAT(text, Not(HasSubstr("mutant")));
}

TEST(CoverageDocument, AResultThatOnlyItsProofSpeaksOf) {
  const std::string text = coverage_document(
      numbered_papers(), {claim("su.a.step", "proofs of Theorems 4 and 5")}, {}, "measured here");
  EXPECT_THAT(text,
              HasSubstr("Of 34 numbered results 0 are claimed by their own conclusion, 2 only "
                        "by steps of their proof or by their use."));
}

using Cited = std::set<std::pair<std::string, ResultNumber>>;

// By the claims of the program, mutants apart.
Cited cited_results() {
  Cited out;
  for (const Claim& claim : every_claim())
    if (claim.edition != Edition::mutant)
      for (const Citation& citation : citations(claim.source.where))
        out.emplace(claim.algorithm.substr(0, claim.algorithm.find('.')), citation.number);
  return out;
}

TEST(NumberedResults, EachIsClaimedOrSaysWhyNot) {
  const Cited cited = cited_results();
  for (const NumberedPaper& paper : numbered_papers())
    for (const NumberedResult& result : paper.results)
      EXPECT_NE(cited.contains({std::string(paper.key), result.number}), !result.unclaimed.empty())
          << paper.key << ' ' << name(result.number.kind) << ' ' << result.number.number
          << ": either a claim cites it, or the list of results says why none does";
}

TEST(NumberedResults, NoClaimCitesAResultThatItsPaperDoesNotHave) {
  Cited all;
  std::set<std::string> keys;
  for (const NumberedPaper& paper : numbered_papers()) {
    keys.emplace(paper.key);
    for (const NumberedResult& result : paper.results) all.emplace(paper.key, result.number);
  }
  for (const auto& [key, number] : cited_results()) {
    if (!keys.contains(key)) continue;
    EXPECT_TRUE(all.contains({key, number}))
        << key << ' ' << name(number.kind) << ' ' << number.number;
  }
}

TEST(NumberedResults, EachPaperCountsFromOneWithoutAGap) {
  for (const NumberedPaper& paper : numbered_papers()) {
    std::map<ResultKind, int> last;
    for (const NumberedResult& result : paper.results) {
      EXPECT_EQ(result.number.number, ++last[result.number.kind])
          << paper.key << ' ' << name(result.number.kind);
      EXPECT_FALSE(result.what.empty());
    }
    EXPECT_GE(last[ResultKind::theorem], 2) << paper.key;
  }
}

}  // namespace
}  // namespace dpverify
