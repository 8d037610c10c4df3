// `audit --outputs`: of a program that is not seen.
#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "reports/test_audits.hpp"
#include "reports/validate.hpp"

namespace dpverify {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

class AuditOutputs : public AuditTest {};

// Outputs of randomised response with epsilon log 3, by counting: 3/4 and 1/4.
TEST_F(AuditOutputs, JudgesTheOutputsOfAProgram) {
  std::vector<std::string> a, b;
  for (int i = 0; i < 4'000; ++i) {
    a.emplace_back(i % 4 == 0 ? "0" : "1");
    b.emplace_back(i % 4 == 0 ? "1" : "0");
  }
  for (auto* outputs : {&a, &b}) {
    RandomStream stream = noise(outputs == &a);
    for (std::size_t k = outputs->size(); k > 1; --k)
      std::swap((*outputs)[k - 1],
                (*outputs)[static_cast<std::size_t>(stream.index(static_cast<Index>(k)))]);
  }
  const std::string first = write("first.csv", lines("answer", a)),
                    second = write("second.csv", lines("answer", b));
  EXPECT_EQ(run({"--outputs", first, second, "--epsilon", "0.5"}), 1) << err_;
  EXPECT_THAT(out_, HasSubstr("refuted"));
  EXPECT_EQ(run({"--outputs", first, second, "--epsilon", "1.2", "--json"}), 0) << err_;
  EXPECT_THAT(validate_report(out_), IsEmpty());
  EXPECT_EQ(nlohmann::json::parse(out_)["evidence"][0]["verdict"], "consistent");
  EXPECT_THAT(out_, HasSubstr("Several scores of one run"));
  // A gate must not open for want of outputs.
  EXPECT_EQ(run({"--outputs", first, second, "--epsilon", "20"}), 1);
  EXPECT_THAT(out_, HasSubstr("inconclusive"));
  const std::string two = write("two.csv", "answer\n0\n1\n");
  EXPECT_EQ(run({"--outputs", two, two, "--epsilon", "1"}), 1);
  EXPECT_THAT(out_, HasSubstr("inconclusive"));
  expect_complaint({"--outputs", first, second}, "--epsilon");
  expect_complaint({"--outputs", first, write("nan.csv", "answer\nnan\n1\n"), "--epsilon", "1"},
                   "nan.csv");
  expect_complaint({"--outputs", first, write("none.csv", ""), "--epsilon", "1"}, "empty");
  expect_complaint({"--outputs", first, write("one.csv", "answer\n1\n"), "--epsilon", "1"},
                   "at least 2");
  expect_complaint({"test.noisy_sum", "--outputs", first, second, "--epsilon", "1"}, "twice");
  expect_complaint({}, "what to audit");
}

// Nothing but a probability of delta may tell the datasets apart.
TEST_F(AuditOutputs, TakesAnEpsilonOfZero) {
  std::vector<std::string> a, b;
  for (std::uint64_t side : {0U, 1U}) {
    RandomStream stream = noise(side);
    for (int i = 0; i < 4000; ++i)
      (side == 0 ? a : b).emplace_back(stream.uniform() < (side == 0 ? 0.6 : 0.4) ? "1" : "0");
  }
  const std::string first = write("first.csv", lines("x", a)),
                    second = write("second.csv", lines("x", b));
  EXPECT_EQ(run({"--outputs", first, second, "--epsilon", "0", "--delta", "0.1"}), 1) << err_;
  EXPECT_THAT(out_, HasSubstr("refuted"));
  EXPECT_EQ(run({"--outputs", first, second, "--epsilon", "0", "--delta", "0.3", "--json"}), 0);
  EXPECT_THAT(validate_report(out_), IsEmpty());
  EXPECT_EQ(run({"--outputs", first, second, "--epsilon", "1", "--delta", "1e-300"}), 0) << err_;
  expect_complaint({"--outputs", first, second, "--epsilon", "0"},
                   "--epsilon is '0', but must be positive, or 0 with --delta above 0");
}

// The rounding of doubles gives a textbook sampler away, if its outputs are written in full.
TEST_F(AuditOutputs, LooksAtTheBitsOfOutputsThatAreWrittenInFull) {
  const auto outputs = [&](double value, const char* format, std::uint64_t seed) {
    std::vector<std::string> out;
    RandomStream stream = noise(value > 0, seed);
    for (int k = 0; k < 5'000; ++k) {
      const double sign = stream.uniform() < 0.5 ? -1 : 1;
      out.push_back(
          fmt::format(fmt::runtime(format), value - 10 * sign * std::log(stream.uniform())));
    }
    return lines("y", out);
  };
  for (const std::uint64_t seed : {1, 2, 3}) {
    const std::string first = write("first.csv", outputs(0, "{}", seed)),
                      second = write("second.csv", outputs(1, "{:.17g}", seed));
    EXPECT_EQ(run({"--outputs", first, second, "--epsilon", "0.11", "--json"}), 1);
    EXPECT_GT(nlohmann::json::parse(out_)["evidence"][0]["estimate"], 2);
    EXPECT_EQ(run({"--outputs", first, second, "--epsilon", "0.11", "--bits", "no"}), 0);
    EXPECT_THAT(out_, HasSubstr("what their last bits show is not looked for"));
    const std::string few = write("few.csv", outputs(0, "{:.6g}", seed)),
                      digits = write("digits.csv", outputs(1, "{:.6g}", seed));
    EXPECT_EQ(run({"--outputs", few, digits, "--epsilon", "0.11"}), 0) << out_;
  }
}

// Counts near 2^60 whose noise is even: the parity is the record, and a double does not hold it.
TEST_F(AuditOutputs, RefusesOutputsThatDoublesWouldMakeEqual) {
  const std::string even = write("even.csv", "count\n1152921504606846976\n1152921504606846978\n"),
                    odd = write("odd.csv", "count\n1152921504606846977\n1152921504606846979\n");
  expect_complaint({"--outputs", even, odd, "--epsilon", "1"},
                   "even.csv:3: column 'count' is '1152921504606846978'");
  expect_complaint({"--outputs", odd, even, "--epsilon", "1"}, "odd.csv:2: column 'count'");
}

// A run that prints nothing is an output that tells the datasets apart.
TEST_F(AuditOutputs, RefusesBlankLinesAmongOutputs) {
  const std::string full = write("full.csv", "x\n1\n2\n"),
                    blank = write("blank.csv", "x\n1\n\n2\n");
  expect_complaint({"--outputs", full, blank, "--epsilon", "1"},
                   "blank.csv:3: the output of a run");
  const std::string end = write("end.csv", "x\n1\n2\n \n");
  expect_complaint({"--outputs", end, full, "--epsilon", "1"}, "end.csv:4: the output of a run");
}

// Noise of standard deviation 1.15 against 1 in each of 60 coordinates: no mean differs, and no
// coordinate tells much alone.
TEST_F(AuditOutputs, SeesNoiseWhoseScaleDiffersALittleInManyCoordinates) {
  const auto outputs = [&](double deviation, std::uint64_t seed) {
    std::vector<std::string> out;
    RandomStream stream = noise(deviation > 1, seed);
    for (int k = 0; k < 4'000; ++k) {
      std::string line;
      for (int i = 0; i < 60; ++i)
        line += fmt::format("{}{:.4f}", i > 0 ? "," : "", deviation * stream.normal());
      out.push_back(line);
    }
    std::string header;
    for (int i = 0; i < 60; ++i) header += fmt::format("{}o{}", i > 0 ? "," : "", i);
    return lines(header, out);
  };
  for (const std::uint64_t seed : {1, 2, 3}) {
    const std::string first = write("first.csv", outputs(1.15, seed)),
                      second = write("second.csv", outputs(1, seed));
    EXPECT_EQ(run({"--outputs", first, second, "--epsilon", "2", "--delta", "1e-5"}), 1);
    EXPECT_THAT(out_, HasSubstr("refuted"));
  }
}

// 1,000 losses of one run each: the programs' laws are equal, only their runs differ.
TEST_F(AuditOutputs, DecidesNothingOnLinesThatDependOnEachOther) {
  const auto losses = [](std::uint64_t side) {
    std::vector<std::string> out;
    RandomStream stream = noise(side);
    double loss = 5 * static_cast<double>(side);
    for (int k = 0; k < 1'000; ++k)
      out.push_back(fmt::format("{:.6f}", loss = 0.99 * loss + 0.1 * stream.normal()));
    return lines("loss", out);
  };
  const std::string first = write("first.csv", losses(0)), second = write("second.csv", losses(1));
  EXPECT_EQ(run({"--outputs", first, second, "--epsilon", "1", "--json"}), 1);
  const auto evidence = nlohmann::json::parse(out_)["evidence"][0];
  EXPECT_EQ(evidence["verdict"], "inconclusive");
  EXPECT_THAT(evidence["reason"].get<std::string>(), HasSubstr("first.csv depend on each other"));
  EXPECT_FALSE(evidence.contains("estimate"));  // a bound that does not hold is none
}

}  // namespace
}  // namespace dpverify
