#include "reports/selection.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

#include "reports/test_claims.hpp"

namespace dpverify {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::vector<Claim> some_claims() {
  return {bounded_by("hu.walk.privacy.printed", 1), bounded_by("hu.walk.rate.n.printed", 1),
          bounded_by("tao.prox.privacy.printed", 1), bounded_by("wang_xu.net.lemma.printed", 1)};
}

std::vector<std::string> selected(const std::vector<std::string>& globs) {
  std::vector<std::string> ids;
  for (const Claim& claim : select_claims(some_claims(), globs)) ids.push_back(claim.id);
  return ids;
}

std::string complaint(const std::vector<std::string>& globs) {
  try {
    select_claims(some_claims(), globs);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "no complaint";
}

TEST(Selection, NoGlobIsEveryClaim) { EXPECT_EQ(selected({}).size(), 4U); }

TEST(Selection, GlobsUniteInTheOrderOfTheClaims) {
  EXPECT_THAT(selected({"*.privacy.*"}),
              ElementsAre("hu.walk.privacy.printed", "tao.prox.privacy.printed"));
  EXPECT_THAT(selected({"tao.*", "hu.walk.r*", "tao.prox.*"}),
              ElementsAre("hu.walk.rate.n.printed", "tao.prox.privacy.printed"));
  EXPECT_THAT(selected({"[ht]*.privacy.printe?"}),
              ElementsAre("hu.walk.privacy.printed", "tao.prox.privacy.printed"));
}

TEST(Selection, EveryGlobMustMatch) {
  EXPECT_THAT(complaint({"hu.*", "hu.walk.privacy"}),
              HasSubstr("--only is 'hu.walk.privacy', but must be a pattern that matches the id of "
                        "a claim; the nearest: hu.walk.privacy.printed, "));
  EXPECT_THAT(complaint({"*.lema.*"}), HasSubstr("the nearest: wang_xu.net.lemma.printed, "));
  EXPECT_THAT(complaint({""}), HasSubstr("--only is ''"));
}

TEST(Selection, FiltersByWhatAClaimIs) {
  std::vector<Claim> claims = some_claims();
  claims[1].expectation = Expectation::refuted;
  claims[1].finding = Finding{Severity::proof_step, "It is half.", "Lemma 1", "Double it."};
  const auto left = [&](const ClaimFilter& filter) {
    std::vector<std::string> ids;
    for (const Claim& claim : select_claims(claims, filter, [] {
           return std::vector<Evidence>{
               {.claim = "tao.prox.privacy.printed", .verdict = Verdict::inconclusive}};
         }))
      ids.push_back(claim.id);
    return ids;
  };
  const auto complaint = [&](const ClaimFilter& filter) -> std::string {
    try {
      left(filter);
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "no complaint";
  };
  EXPECT_EQ(left({}).size(), 4U);
  EXPECT_THAT(left({.exclude = {"hu.*"}}),
              ElementsAre("tao.prox.privacy.printed", "wang_xu.net.lemma.printed"));
  EXPECT_THAT(left({.papers = {"tao", "wang_xu"}}),
              ElementsAre("tao.prox.privacy.printed", "wang_xu.net.lemma.printed"));
  EXPECT_THAT(left({.severities = {"proof_step"}}), ElementsAre("hu.walk.rate.n.printed"));
  EXPECT_THAT(left({.verdicts = {"inconclusive"}}), ElementsAre("tao.prox.privacy.printed"));
  EXPECT_THAT(complaint({.severities = {"privacy"}}),
              HasSubstr("--severity is 'privacy', but must be one of proof_step"));
  EXPECT_THAT(complaint({.exclude = {"ho.*"}}), HasSubstr("--exclude is 'ho.*', but must be"));
  EXPECT_THAT(complaint({.only = {"hu.*"}, .exclude = {"hu.*"}}), HasSubstr("claims selected"));
}

TEST(Selection, FindsOneClaimById) {
  const auto claims = some_claims();
  EXPECT_EQ(find_claim(claims, "tao.prox.privacy.printed").id, "tao.prox.privacy.printed");
  EXPECT_THROW(find_claim(claims, "tao.*"), std::invalid_argument);
}

TEST(EditDistance, CountsEditsOfThePattern) {
  EXPECT_EQ(edit_distance("", ""), 0U);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3U);
  EXPECT_EQ(edit_distance("sunday", "saturday"), 3U);
  EXPECT_EQ(edit_distance("", "abc"), 3U);
  EXPECT_EQ(edit_distance("abc", ""), 3U);
  EXPECT_EQ(edit_distance("a*", "abcdef"), 0U);
  EXPECT_EQ(edit_distance("*", ""), 0U);
  EXPECT_EQ(edit_distance("a?c", "abc"), 0U);
  EXPECT_EQ(edit_distance("*.lema.*", "x.lemma.y"), 1U);
  EXPECT_EQ(edit_distance("x*z", "abc"), 2U);
}

}  // namespace
}  // namespace dpverify
