#include "algorithms/findings.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "algorithms/registry.hpp"

namespace dpverify {
namespace {

bool accuses_a_paper(const Claim& claim) {
  return claim.expectation == Expectation::refuted &&
         (claim.edition == Edition::printed || claim.edition == Edition::proved);
}

const Claim* find(const std::string& id) {
  const auto found = std::ranges::find(claims(), id, &Claim::id);
  return found == claims().end() ? nullptr : &*found;
}

TEST(Findings, OneOnEachClaimAgainstAPaperAndOnNoOther) {
  for (const Claim& claim : claims())
    EXPECT_EQ(accuses_a_paper(claim), claim.finding.has_value())
        << claim.id
        << (claim.finding ? " has a finding, but is not expected refuted"
                          : " is expected refuted, but no finding says what that means");
}

TEST(Findings, RepairsHoldAndTheSameDefectIsAnotherFindingAsGrave) {
  for (const Claim& claim : claims()) {
    if (!claim.finding) continue;
    const auto& [severity, why, touches, repair, repaired_by, same_as] = *claim.finding;
    EXPECT_FALSE(why.empty() || touches.empty() || repair.empty()) << claim.id;
    if (!repaired_by.empty()) {
      const Claim* other = find(repaired_by);
      EXPECT_TRUE(other != nullptr && other->expectation == Expectation::holds)
          << claim.id << " is repaired by " << repaired_by;
    }
    if (same_as.empty()) continue;
    const Claim* other = find(same_as);
    ASSERT_TRUE(other != nullptr && other->finding) << claim.id << " is the same as " << same_as;
    EXPECT_TRUE(other->finding->same_as.empty()) << claim.id << ": a chain of the same";
    EXPECT_LE(other->finding->severity, severity) << claim.id;
  }
}

// Or what a privacy claim rests on, told beside that.
TEST(Findings, PrivacyIsOfAPrivacyOrSensitivityClaim) {
  for (const Claim& claim : claims()) {
    if (!claim.finding || claim.finding->severity != Severity::privacy) continue;
    EXPECT_TRUE(kind(claim) == "privacy" || kind(claim) == "sensitivity" ||
                !claim.finding->same_as.empty())
        << claim.id;
  }
}

TEST(Findings, OnAClaimThatIsNotThereIsAFaultOfTheTable) {
  std::vector<Claim> none;
  EXPECT_THROW(attach_findings(none), std::logic_error);
  std::vector<Claim> twice = claims();  // have theirs
  EXPECT_THROW(attach_findings(twice), std::logic_error);
}

}  // namespace
}  // namespace dpverify
