#include "algorithms/claims/findings.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "algorithms/registry.hpp"

namespace dpverify {
namespace {

bool accuses_a_paper(const Claim& claim) {
  return claim.expectation == Expectation::refuted &&
         (claim.edition == Edition::printed || claim.edition == Edition::proved);
}

std::set<std::string_view> claims_that(bool (*condition)(const Claim&)) {
  static const std::vector<Claim> all = claims();
  std::set<std::string_view> out;
  for (const Claim& claim : all)
    if (condition(claim)) out.insert(claim.id);
  return out;
}

TEST(Findings, OneOnEachClaimAgainstAPaperAndNoOther) {
  std::set<std::string_view> found;
  for (const Finding& finding : findings())
    EXPECT_TRUE(found.insert(finding.claim).second) << finding.claim << " has two";
  const std::set<std::string_view> accused = claims_that(accuses_a_paper);
  for (const std::string_view id : accused)
    EXPECT_TRUE(found.contains(id))
        << id << " is expected refuted, but no finding says what that means";
  for (const std::string_view id : found)
    EXPECT_TRUE(accused.contains(id)) << id << " has a finding, but is not expected refuted";
}

TEST(Findings, RepairsHoldAndTheSameDefectIsAnotherFindingAsGrave) {
  const std::set<std::string_view> true_ones =
      claims_that([](const Claim& claim) { return claim.expectation == Expectation::holds; });
  for (const Finding& finding : findings()) {
    EXPECT_FALSE(finding.touches.empty() || finding.repair.empty()) << finding.claim;
    EXPECT_TRUE(finding.repaired_by.empty() || true_ones.contains(finding.repaired_by))
        << finding.claim << " is repaired by " << finding.repaired_by;
    if (finding.same_as.empty()) continue;
    const Finding* other = find_finding(finding.same_as);
    ASSERT_NE(other, nullptr) << finding.claim << " is the same as " << finding.same_as;
    EXPECT_TRUE(other->same_as.empty()) << finding.claim << ": a chain of the same";
    EXPECT_LE(other->severity, finding.severity) << finding.claim;
  }
}

TEST(Findings, PrivacyIsOfAPrivacyClaimOrOfItsRoot) {
  for (const Finding& finding : findings()) {
    if (finding.severity != Severity::privacy) continue;
    EXPECT_TRUE(finding.claim.find(".privacy.") != std::string_view::npos ||
                finding.claim.find(".sensitivity.") != std::string_view::npos ||
                !finding.same_as.empty())
        << finding.claim;
  }
}

TEST(Findings, NoneOnAnIdThatIsNotThere) { EXPECT_EQ(find_finding("hu.peeling"), nullptr); }

}  // namespace
}  // namespace dpverify
