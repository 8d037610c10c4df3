// `audit --outputs`: of a program that is not seen.
#include <fmt/format.h>

#include <array>
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
  EXPECT_EQ(run({"--outputs", first, second, "--epsilon", "1.2", "--fault", "2", "--json"}), 0)
      << err_;
  EXPECT_THAT(validate_report(out_), IsEmpty());
  EXPECT_EQ(nlohmann::json::parse(out_)["evidence"][0]["verdict"], "consistent");
  EXPECT_THAT(out_, HasSubstr("Several scores of one run"));
  // Unless it is told otherwise, an audit is to see a quarter more than what is claimed.
  EXPECT_EQ(run({"--outputs", first, second, "--epsilon", "1.2"}), 1);
  EXPECT_THAT(out_, AllOf(HasSubstr("inconclusive"), HasSubstr("--fault 1.25 was asked for")));
  // A gate must not open for want of outputs.
  EXPECT_EQ(run({"--outputs", first, second, "--epsilon", "20"}), 1);
  EXPECT_THAT(out_, HasSubstr("inconclusive"));
  const std::string two = write("two.csv", "answer\n0\n1\n");
  EXPECT_EQ(run({"--outputs", two, two, "--epsilon", "1"}), 1);
  EXPECT_THAT(out_, HasSubstr("inconclusive"));
  expect_complaint({"--outputs", first, second}, "--epsilon");
  expect_complaint({"--outputs", first, write("none.csv", ""), "--epsilon", "1"},
                   "number of outputs in " + (folder_ / "none.csv").string() + " is 0");
  expect_complaint({"--outputs", first, (folder_ / "no.csv").string(), "--epsilon", "1"},
                   "no.csv is unreadable");
  expect_complaint({"--outputs", first, folder_.string(), "--epsilon", "1"}, "is unreadable");
  expect_complaint({"--outputs", first, write("other.csv", "reply\n1\n0\n"), "--epsilon", "1"},
                   "columns of");
  expect_complaint({"--outputs", first, write("one.csv", "answer\n1\n"), "--epsilon", "1"},
                   "at least 2");
  expect_complaint({"test.noisy_sum", "--outputs", first, second, "--epsilon", "1"}, "twice");
  expect_complaint({}, "what to audit");
  for (const std::vector<std::string>& what :
       {std::vector<std::string>{"--outputs", first, second},
        {"--data", first, "--neighbour", second, "--exec", "true"}}) {
    const auto with = [&](const char* option, const char* value) {
      std::vector<std::string> arguments{"--epsilon", "1", option, value};
      arguments.insert(arguments.end(), what.begin(), what.end());
      return arguments;
    };
    expect_complaint(with("--bits", "maybe"), "--bits is 'maybe', but must be auto, yes or no");
    expect_complaint(with("--fault", "1"), "--fault is '1', but must be above 1");
    expect_complaint(with("--delta", "1"), "--delta is '1', but must be in [0, 1)");
  }
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
  EXPECT_EQ(run({"--outputs", first, second, "--epsilon", "0", "--delta", "0.3", "--fault", "2",
                 "--json"}),
            0);
  EXPECT_THAT(validate_report(out_), IsEmpty());
  EXPECT_EQ(
      run({"--outputs", first, second, "--epsilon", "1", "--delta", "1e-300", "--fault", "2"}), 0)
      << err_;
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
    EXPECT_EQ(
        run({"--outputs", first, second, "--epsilon", "0.11", "--bits", "no", "--fault", "4"}), 0);
    EXPECT_THAT(out_, HasSubstr("what their last bits show is"));
    const std::string few = write("few.csv", outputs(0, "{:.6g}", seed)),
                      digits = write("digits.csv", outputs(1, "{:.6g}", seed));
    EXPECT_EQ(run({"--outputs", few, digits, "--epsilon", "0.11", "--fault", "4"}), 0) << out_;
  }
}

// Texts, missing values, NaN and lines of other lengths that one program prints more often.
TEST_F(AuditOutputs, TellsOutputsApartThatAreNoNumbers) {
  const auto outputs = [&](const std::string& rare, std::uint64_t side) {
    std::vector<std::string> out;
    RandomStream stream = noise(side);
    for (int k = 0; k < 2'000; ++k)
      out.push_back(
          stream.uniform() < (side == 0 ? 0.05 : 0.8) ? rare : fmt::format("{}", stream.index(3)));
    return out;
  };
  for (const char* rare :
       {"", "nan", "inf", "none", "1,2", "1152921504606846977", "  ", "\"a, b\""}) {
    // Without a header, and with one.
    for (const bool header : {false, true}) {
      std::array<std::string, 2> files;
      for (const std::uint64_t side : {0U, 1U}) {
        std::string text = lines("answer", outputs(rare, side));
        if (!header) text.erase(0, text.find('\n') + 1);
        files[side] = write(side == 0 ? "first.csv" : "second.csv", text);
      }
      EXPECT_EQ(run({"--outputs", files[0], files[1], "--epsilon", "1", "--json"}), 1)
          << rare << err_;
      const auto evidence = nlohmann::json::parse(out_)["evidence"][0];
      EXPECT_EQ(evidence["verdict"], "refuted") << rare;
      EXPECT_EQ(evidence["samples"], 4'000) << rare;
    }
  }
  // Counts near 2^60 whose noise is even: the parity is the record, and a double does not hold it.
  std::vector<std::string> even, odd;
  RandomStream stream = noise(0);
  for (int k = 0; k < 1'000; ++k) {
    const std::int64_t count = (std::int64_t{1} << 60) + 2 * stream.index(20);
    even.push_back(std::to_string(count));
    odd.push_back(std::to_string(count + 1));
  }
  const std::string first = write("even.csv", lines("count", even)),
                    second = write("odd.csv", lines("count", odd));
  EXPECT_EQ(run({"--outputs", first, second, "--epsilon", "1"}), 1);
  EXPECT_THAT(out_, HasSubstr("refuted"));
}

// Enough outputs for a large fault, not for a small one; and not the same number on either side.
TEST_F(AuditOutputs, IsConsistentOnlyWithAFaultItWouldHaveRefuted) {
  const auto outputs = [&](std::uint64_t side, int count) {
    std::vector<std::string> out;
    RandomStream stream = noise(side, 5);
    for (int k = 0; k < count; ++k) out.push_back(stream.uniform() < 0.5 ? "1" : "0");
    return lines("x", out);
  };
  const std::string first = write("first.csv", outputs(0, 400)),
                    second = write("second.csv", outputs(1, 300));
  EXPECT_EQ(run({"--outputs", first, second, "--epsilon", "0.5", "--json"}), 1);
  const auto weak = nlohmann::json::parse(out_)["evidence"][0];
  EXPECT_EQ(weak["verdict"], "inconclusive");
  EXPECT_GT(weak["smallest_fault"], 2);
  EXPECT_LT(weak["smallest_fault"], 4);
  EXPECT_THAT(weak["reason"].get<std::string>(),
              HasSubstr("different numbers of outputs, 400 and 300"));
  EXPECT_EQ(run({"--outputs", first, second, "--epsilon", "0.5", "--fault", "4"}), 0) << out_;
  EXPECT_THAT(out_, HasSubstr("Smallest fault"));
}

// The most frequent output is not taken for a header.
TEST_F(AuditOutputs, CountsAFirstLineThatIsAnOutput) {
  const std::string first = write("first.csv", "yes\nno\nyes\n"),
                    second = write("second.csv", "yes\nno\n");
  run({"--outputs", first, second, "--epsilon", "1", "--json"});
  EXPECT_EQ(nlohmann::json::parse(out_)["evidence"][0]["samples"], 5);
  const std::string headed = write("headed.csv", "answer\nno\nyes\n"),
                    both = write("both.csv", "answer\nyes\nno\nno\n");
  run({"--outputs", headed, both, "--epsilon", "1", "--json"});
  EXPECT_EQ(nlohmann::json::parse(out_)["evidence"][0]["samples"], 5);
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

// The same numbers as text, raw and one of each: the same finding, bits included.
TEST_F(AuditOutputs, ReadsArraysOfNumbers) {
  std::array<std::string, 2> text, raw;
  for (const std::size_t side : {0U, 1U}) {
    RandomStream stream = noise(side);
    for (int k = 0; k < 4000; ++k) {
      const double x = (side == 0 ? 0 : 1) + stream.laplace();
      text[side] += fmt::format("{}\n", x);
      raw[side].append(reinterpret_cast<const char*>(&x), sizeof x);
    }
  }
  const auto found = [&](const std::string& first, const std::string& second) {
    EXPECT_EQ(run({"--outputs", first, second, "--epsilon", "0.5", "--json"}), 1) << err_;
    return nlohmann::json::parse(out_)["evidence"][0];
  };
  const std::string a = write("a.csv", text[0]), b = write("b.csv", text[1]),
                    c = write("c.f64", raw[0]), d = write("d.f64", raw[1]);
  const nlohmann::json by_text = found(a, b);
  EXPECT_EQ(by_text["verdict"], "refuted");
  for (const nlohmann::json& other : {found(c, d), found(a, d), found(c, b)}) {
    EXPECT_EQ(other["estimate"], by_text["estimate"]);
    EXPECT_EQ(other["reason"], by_text["reason"]);
  }
  expect_complaint({"--outputs", c, write("header.csv", "x\n" + text[1]), "--epsilon", "1"},
                   "is a header, but must be an output: no header beside an array");
  expect_complaint({"--outputs", c, write("short.f64", raw[1].substr(3)), "--epsilon", "1"},
                   "a multiple of 8");
  expect_complaint({"--outputs", c, write("one.f64", raw[1].substr(0, 8)), "--epsilon", "1"},
                   "at least 2");
  expect_complaint({"--outputs", c, (folder_ / "no.npy").string(), "--epsilon", "1"},
                   "no.npy is unreadable");
}

}  // namespace
}  // namespace dpverify
