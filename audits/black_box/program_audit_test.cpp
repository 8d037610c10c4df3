#include "audits/black_box/program_audit.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <stdexcept>

namespace dpverify {
namespace {

using ::testing::HasSubstr;

// The words of a start are read by a shell: $1 the path, $2 the number of runs.
ProgramRequest request(const std::string& script) {
  return {.words = {"sh", "-c", script, "sh"},
          .data = {"first", "second"},
          .claimed = {1, 0},
          .significance = 1e-6,
          .model = OutputModel::reals,
          .processes = 2};
}

// A random byte: its lowest bit is that of the dataset with probability 1 - share/256.
std::string bits(int share, const std::string& before = "") {
  return before + "od -An -v -w1 -tu1 -N$2 /dev/urandom | awk -v d=$1 '{ print ($1 < " +
         std::to_string(share) + ") == (d == \"first\") }'";
}

std::string complaint(const ProgramRequest& wanted) {
  try {
    audit_program(wanted);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

TEST(ProgramAudit, StopsWhenTheFaultWouldHaveBeenRefuted) {
  const ProgramAudit good = audit_program(request(bits(80)));
  EXPECT_EQ(good.runs.found.verdict, Verdict::consistent);
  ASSERT_TRUE(good.runs.runs_needed.has_value());
  EXPECT_EQ(good.runs.found.samples, static_cast<std::uint64_t>(*good.runs.runs_needed));
  EXPECT_FALSE(good.single_runs);
  EXPECT_EQ(good.runs.dependence, "");
  const ProgramAudit bad = audit_program(request(bits(10)));
  EXPECT_EQ(bad.runs.found.verdict, Verdict::refuted);
  EXPECT_GT(bad.runs.found.epsilon_lower, 1);
}

TEST(ProgramAudit, ReplacesTheNamedPlaces) {
  ProgramRequest wanted = request("");
  wanted.words = {"awk",
                  "BEGIN { srand({seed}); for (k = 0; k < {runs}; ++k) print rand() < "
                  "(\"{data}\" == \"first\" ? 0.95 : 0.05) }"};
  EXPECT_EQ(audit_program(wanted).runs.found.verdict, Verdict::refuted);
}

TEST(ProgramAudit, TakesAFailureForAnOutputWhereItDependsOnTheData) {
  const ProgramAudit found = audit_program(request(bits(80, "[ $1 = first ] || exit 3; ")));
  EXPECT_EQ(found.runs.found.verdict, Verdict::refuted);
  EXPECT_TRUE(found.single_runs);
  EXPECT_TRUE(found.runs.failures[0].empty());
  EXPECT_EQ(found.runs.failures[1].count("exit status 3"), 1U);
  // The same number of failures, of another kind.
  EXPECT_EQ(audit_program(request("[ $1 = first ] && exit 4; exit 3")).runs.found.verdict,
            Verdict::refuted);
}

TEST(ProgramAudit, RefusesFailuresThatDoNotDependOnTheData) {
  EXPECT_THAT(complaint(request("echo why >&2; exit 3")),
              HasSubstr("on the first dataset 4 times exit status 3; on the second dataset 4 times "
                        "exit status 3 (it said: why)"));
  ProgramRequest sometimes = request(
      "if [ $(od -An -N1 -tu1 /dev/urandom) -lt 60 ]; then exit 3; "
      "fi; od -An -v -w1 -tu1 -N$2 /dev/urandom");
  sometimes.fault = 4;
  EXPECT_THAT(complaint(sometimes), HasSubstr("the number of runs that fail is on the"));
}

TEST(ProgramAudit, SeesLinesThatAreNotRunsOfTheirOwn) {
  EXPECT_THAT(complaint(request("seq $2")), HasSubstr("prints the same lines at every start"));
  // One draw of noise for all runs of a start.
  const ProgramAudit drifting = audit_program(
      request("n=$(od -An -N2 -tu2 /dev/urandom); for k in $(seq $2); do echo $n; done"));
  EXPECT_NE(drifting.runs.dependence, "");
}

}  // namespace
}  // namespace dpverify
