// Matchers for GoogleTest:
//
//   EXPECT_THAT(check(claim, Plan::smoke), IsConsistent());
//
// A failure prints the statement, the reason, the figures and the witness, and how to repeat it.
#pragma once

#include <gmock/gmock.h>

#include <ostream>
#include <string>

#include "dpverify/check.hpp"
#include "dpverify/program.hpp"

namespace dpverify {

// The command that runs the current test alone, in the folder of the program; empty outside a test.
inline std::string repeat_this_test() {
  const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
  if (test == nullptr) return "";
  return command(std::string("'--gtest_filter=") + test->test_suite_name() + "." + test->name() +
                 "'");
}

// Of the verdict of a Checked.
class VerdictMatcher {
 public:
  using is_gtest_matcher = void;

  explicit VerdictMatcher(Verdict wanted) : wanted_(wanted) {}

  bool MatchAndExplain(const Checked& checked, ::testing::MatchResultListener* listener) const {
    if (checked.evidence.verdict == wanted_) return true;
    if (listener->stream() != nullptr)
      *listener->stream() << "which is " << name(checked.evidence.verdict)
                          << "\nReproduce: " << repeat_this_test();
    return false;
  }
  void DescribeTo(std::ostream* out) const { *out << "is " << name(wanted_); }
  void DescribeNegationTo(std::ostream* out) const { *out << "is not " << name(wanted_); }

 private:
  Verdict wanted_;
};

inline VerdictMatcher IsConsistent() { return VerdictMatcher(Verdict::consistent); }
inline VerdictMatcher IsRefuted() { return VerdictMatcher(Verdict::refuted); }
// The verdict that the claim itself expects.
MATCHER(IsAsExpected, "") {
  return ::testing::ExplainMatchResult(VerdictMatcher(expected_verdict(arg.claim.expectation)), arg,
                                       result_listener);
}

}  // namespace dpverify
