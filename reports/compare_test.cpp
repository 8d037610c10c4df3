#include "reports/compare.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "reports/test_commands.hpp"

namespace dpverify {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

Evidence exact(const std::string& id, double estimate) {
  return {.claim = id, .verdict = Verdict::consistent, .estimate = estimate};
}

Evidence sampled(const std::string& id, double estimate, double half_width) {
  Evidence evidence = exact(id, estimate);
  evidence.interval = {estimate - half_width, estimate + half_width, 0.95};
  return evidence;
}

Measured measured(std::vector<Evidence> evidence) { return {.evidence = std::move(evidence)}; }

std::vector<std::string> in_words(const Comparison& comparison) {
  std::vector<std::string> out;
  for (const Difference& each : comparison.differences)
    out.push_back(fmt::format("{} {}: {}", name(each.change), each.claim, each.in_words));
  return out;
}

TEST(Compare, NothingDiffersFromItself) {
  const Measured one = measured({exact("a", 1), sampled("b", 2, 0.1)});
  const Comparison comparison = compare(one, one);
  EXPECT_THAT(comparison.differences, IsEmpty());
  EXPECT_EQ(comparison.same, 2);
  EXPECT_EQ(comparison.within_noise, 0);
}

TEST(Compare, VerdictsFirstThenClaimsThatCameAndWent) {
  Evidence refuted = exact("b", 1);
  refuted.verdict = Verdict::refuted;
  EXPECT_THAT(
      in_words(
          compare(measured({exact("a", 1), exact("b", 1)}), measured({refuted, exact("c", 1)}))),
      ElementsAre("verdict b: consistent -> refuted", "lost a: consistent", "added c: consistent"));
}

// Intervals that touch are no difference; what is computed differs beyond rounding, above and
// below.
TEST(Compare, EstimatesBeyondSamplingError) {
  const auto change = [](const Evidence& older, const Evidence& newer) {
    return in_words(compare(measured({older}), measured({newer})));
  };
  EXPECT_THAT(change(sampled("a", 1, 0.1), sampled("a", 1.19, 0.1)), IsEmpty());
  EXPECT_THAT(change(sampled("a", 1, 0.1), sampled("a", 1.25, 0.1)),
              ElementsAre("estimate a: 1 in [0.9, 1.1] -> 1.25 in [1.15, 1.35]"));
  EXPECT_THAT(change(sampled("a", 1.25, 0.1), sampled("a", 1, 0.1)),
              ElementsAre(HasSubstr("estimate a")));
  EXPECT_THAT(change(exact("a", 1), exact("a", 1 + 1e-10)), IsEmpty());
  EXPECT_THAT(change(exact("a", 1), exact("a", 1 + 1e-8)), ElementsAre(HasSubstr("estimate a")));
  EXPECT_THAT(change(exact("a", -1 - 1e-8), exact("a", -1)), ElementsAre(HasSubstr("estimate a")));
  // A certain enclosure is no sampling interval.
  Evidence enclosed = exact("a", 1);
  enclosed.interval = {0, 2, 1};
  EXPECT_THAT(change(enclosed, exact("a", 1.5)), ElementsAre(HasSubstr("estimate a")));
}

TEST(Compare, WithinNoiseIsCountedApart) {
  const Comparison comparison = compare(measured({sampled("a", 1, 0.1), exact("b", 1)}),
                                        measured({sampled("a", 1.05, 0.1), exact("b", 1)}));
  EXPECT_EQ(comparison.within_noise, 1);
  EXPECT_EQ(comparison.same, 1);
}

TEST(Compare, PowerThatIsLost) {
  Evidence sharp = exact("a", 1), blunt = exact("a", 1), blind = exact("a", 1);
  sharp.smallest_fault = 1.0;
  blunt.smallest_fault = 1.2;
  EXPECT_THAT(in_words(compare(measured({sharp}), measured({blunt}))),
              ElementsAre("power a: 1 -> 1.2"));
  EXPECT_THAT(in_words(compare(measured({sharp}), measured({blind}))),
              ElementsAre("power a: 1 -> none"));
  Evidence nearly = sharp;
  nearly.smallest_fault = 1.09;
  EXPECT_THAT(in_words(compare(measured({sharp}), measured({nearly}))), IsEmpty());
  EXPECT_THAT(in_words(compare(measured({blunt}), measured({sharp}))), IsEmpty());
  EXPECT_THAT(in_words(compare(measured({blind}), measured({sharp}))), IsEmpty());
}

class CompareCommand : public CommandTest {
 protected:
  std::string changed() const {
    Report report = small_report();
    report.evidence[0].verdict = Verdict::error;
    return write("changed.json", to_json(report));
  }
};

TEST_F(CompareCommand, ExitCodeFourOnWhatItIsToFailOn) {
  const std::string same = written_report();
  const Result equal = run({"compare", same, same});
  EXPECT_EQ(equal.code, 0);
  EXPECT_THAT(equal.out, HasSubstr("0 differences; "));
  const Result differs = run({"compare", same, changed()});
  EXPECT_EQ(differs.code, 4);
  EXPECT_THAT(differs.out, HasSubstr("FAIL  verdict  " + small_report().claims[0].id + "  "));
  const Result tolerated = run({"compare", same, changed(), "--fail-on", "lost,power"});
  EXPECT_EQ(tolerated.code, 0);
  EXPECT_THAT(tolerated.out, AllOf(HasSubstr("\nverdict  "), Not(HasSubstr("FAIL"))));
}

TEST_F(CompareCommand, UsageErrors) {
  const std::string file = written_report();
  expect_complaint(run({"compare", file, file, "--fail-on", "speed"}), "'speed'");
  expect_complaint(run({"compare", file, (folder_ / "nowhere.json").string()}), "nowhere.json");
  expect_complaint(run({"compare", file, write("other.json", "{}")}), "other.json");
}

}  // namespace
}  // namespace dpverify
