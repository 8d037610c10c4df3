#include "reports/audit_command.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <sstream>

#include "algorithms/core/random.hpp"
#include "reports/atomic_file.hpp"
#include "reports/command_line.hpp"

namespace dpverify {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

// The sum of labels in [0, 1] with Laplace noise of the scale, claimed 1-DP.
Claim noisy_sum(const std::string& id, double scale, Expectation expectation) {
  const Mechanism mechanism = [scale](const Dataset& data, Releases& releases) {
    const double sum = data.labels.cwiseMax(0).cwiseMin(1).sum();
    return releases.release(LaplaceNoise{VectorXd::Constant(1, sum), 1, scale});
  };
  return {
      .id = id,
      .algorithm = "test.noisy_sum",
      .edition = expectation == Expectation::holds ? Edition::corrected : Edition::mutant,
      .expectation = expectation,
      .source = {"A test", "Algorithm 1"},
      .statement = "The sum is 1-DP.",
      .assumptions = {},
      .check = PrivacyClaim{.mechanism = [mechanism](const ParameterPoint&) { return mechanism; },
                            .guarantee =
                                [](const ParameterPoint&) {
                                  return PrivacyGuarantee{1, 0};
                                },
                            .settings = {{{}, 2, 1}},
                            .certified = {},
                            .pair = {}}};
}

class AuditCommand : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(::testing::TempDir()) /
              ("audit_command_test_" + std::to_string(getpid()) + "_" +
               ::testing::UnitTest::GetInstance()->current_test_info()->name());
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string write(const std::string& name, const std::string& text) const {
    write_atomically(folder_ / name, text);
    return (folder_ / name).string();
  }

  int run(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"dpverify", "audit"});
    std::vector<const char*> argv;
    for (const std::string& argument : arguments) argv.push_back(argument.c_str());
    std::ostringstream out, err;
    const int code =
        run_command_line(static_cast<int>(argv.size()), argv.data(), {.out = out, .err = err},
                         {.algorithms = [this]() -> const std::vector<Algorithm>& { return none_; },
                          .claims = [this]() -> const std::vector<Claim>& { return claims_; }});
    out_ = out.str();
    err_ = err.str();
    return code;
  }

  std::vector<std::string> words_of(const std::string& line) const;

  void expect_complaint(const std::vector<std::string>& arguments, const std::string& part) {
    EXPECT_EQ(run(arguments), 2);
    EXPECT_THAT(err_, AllOf(StartsWith("dpverify: "), HasSubstr(part)));
    EXPECT_EQ(std::count(err_.begin(), err_.end(), '\n'), 1) << err_;
    EXPECT_EQ(out_, "");
  }

  fs::path folder_;
  std::vector<Algorithm> none_;
  std::vector<Claim> claims_{noisy_sum("test.noisy_sum.privacy.corrected", 1, Expectation::holds),
                             noisy_sum("test.noisy_sum.privacy.mutant", 0.5, Expectation::refuted)};
  std::string out_, err_;
  const std::vector<std::string> few_{"--samples", "4000", "--transcripts", "300", "--seed", "7"};

  std::vector<std::string> with_few(std::vector<std::string> arguments) const {
    arguments.insert(arguments.end(), few_.begin(), few_.end());
    return arguments;
  }
};

TEST_F(AuditCommand, BracketsEveryPrivacyClaimOfAnAlgorithm) {
  EXPECT_EQ(run(with_few({"test.noisy_sum"})), 0) << err_;
  EXPECT_THAT(out_, HasSubstr("test.noisy_sum.privacy.corrected"));
  EXPECT_THAT(out_, HasSubstr("test.noisy_sum.privacy.mutant"));
  EXPECT_THAT(out_, HasSubstr("exact, refuted; epsilon at least 2"));
  EXPECT_THAT(out_, HasSubstr("transcript, refuted"));
  EXPECT_THAT(out_, HasSubstr("black-box, refuted"));
  EXPECT_THAT(out_, HasSubstr("epsilon certified by composition: 1"));
}

TEST_F(AuditCommand, AnotherGuaranteeIsAskedAbout) {
  EXPECT_EQ(run(with_few({"test.noisy_sum.privacy.corrected", "--epsilon", "0.5"})), 1);
  EXPECT_THAT(out_, HasSubstr("UNEXPECTED"));
  EXPECT_EQ(run(with_few({"test.noisy_sum.privacy.mutant", "--epsilon", "2"})), 0);
  EXPECT_EQ(
      run(with_few({"test.noisy_sum.privacy.corrected", "--epsilon", "0.5", "--delta", "0.3"})), 0)
      << out_;
}

TEST_F(AuditCommand, MethodsOneByOne) {
  const std::string id = "test.noisy_sum.privacy.mutant";
  for (const auto& [method, size] :
       {std::pair{"exact", ""}, std::pair{"transcript", "--transcripts"},
        std::pair{"black-box", "--samples"}}) {
    std::vector<std::string> arguments{id, "--method", method, "--seed", "7"};
    if (*size != 0) arguments.insert(arguments.end(), {size, "4000"});
    EXPECT_EQ(run(arguments), 0) << method << err_;
    EXPECT_THAT(out_, HasSubstr(std::string(method) + ", refuted"));
  }
  EXPECT_EQ(run({id, "--method", "black-box", "--sequential", "--samples", "4000"}), 0);
  EXPECT_THAT(out_, HasSubstr("black-box, refuted"));
  EXPECT_EQ(run(with_few({"test.noisy_sum.privacy.mutant", "--pair", "corner"})), 0);
}

TEST_F(AuditCommand, JsonHoldsChannelsAndWitness) {
  EXPECT_EQ(run(with_few({"test.noisy_sum.privacy.mutant", "--json"})), 0);
  const auto json = nlohmann::json::parse(out_);
  ASSERT_EQ(json.size(), 1u);
  EXPECT_EQ(json[0]["claim"]["id"], "test.noisy_sum.privacy.mutant");
  const auto& evidence = json[0]["evidence"];
  EXPECT_EQ(evidence["verdict"], "refuted");
  EXPECT_EQ(evidence["channels"].size(), 3u);
  EXPECT_EQ(evidence["channels"][0]["epsilon_lower"], 2.0);
  EXPECT_TRUE(evidence.contains("witness"));
}

TEST_F(AuditCommand, AuditsTheFilesGiven) {
  const std::string a = write("a.csv", "x,y\n0,0\n1,1\n"), b = write("b.csv", "x,y\n0,1\n1,1\n");
  EXPECT_EQ(run(with_few({"test.noisy_sum.privacy.mutant", "--pair", a, b})), 0) << err_;
  EXPECT_THAT(out_, HasSubstr("On the pair given"));
  // Neighbours whose sums agree cannot show the fault.
  const std::string c = write("c.csv", "x,y\n0,0\n7,1\n");
  EXPECT_EQ(run(with_few({"test.noisy_sum.privacy.mutant", "--pair", a, c})), 1);
  expect_complaint({"test.noisy_sum.privacy.mutant", "--pair", a, a}, "the same");
  expect_complaint(
      {"test.noisy_sum.privacy.mutant", "--pair", a, write("d.csv", "x,y\n5,5\n6,6\n")},
      "more than one record");
  expect_complaint(
      {"test.noisy_sum.privacy.mutant", "--pair", a, write("e.csv", "x,z\n0,1\n1,1\n")}, "columns");
  expect_complaint({"test.noisy_sum.privacy.mutant", "--pair", a, write("f.csv", "x,y\n0,nan\n")},
                   "f.csv");
  expect_complaint({"test.noisy_sum.privacy.mutant", "--pair", a, (folder_ / "none.csv").string()},
                   "none.csv");
  expect_complaint({"test.noisy_sum.privacy.mutant", "--pair", a, write("empty.csv", "")}, "empty");
}

TEST_F(AuditCommand, NeighboursMayMissARecord) {
  const NeighbouringPair pair =
      read_pair({write("a.csv", "x,y\n1,2\n3,4\n5,6\n"), write("b.csv", "x,y\n1,2\n5,6\n")}, "");
  EXPECT_EQ(pair.data.size(), 3);
  EXPECT_EQ(pair.neighbour.size(), 2);
  EXPECT_EQ(pair.replaced, 1);
  EXPECT_EQ(record_change(pair), RecordChange::removed);
  const NeighbouringPair longer =
      read_pair({write("a.csv", "x,y\n1,2\n"), write("b.csv", "x,y\n1,2\n5,6\n")}, "x");
  EXPECT_EQ(longer.data.labels[0], 1);
  EXPECT_EQ(longer.replaced, 1);
  EXPECT_EQ(record_change(longer), RecordChange::added);
}

// A neighbour with one record less has no record in the place of the one removed.
TEST_F(AuditCommand, SaysWhetherARecordIsReplacedRemovedOrAdded) {
  const std::string two = write("two.csv", "a,b\n1,2\n3,4\n"), one = write("one.csv", "a,b\n1,2\n"),
                    other = write("other.csv", "a,b\n1,2\n3,5\n");
  const auto shown = [&](const std::string& a, const std::string& b) {
    run(with_few({"test.noisy_sum.privacy.mutant", "--pair", a, b}));
    return out_.substr(out_.find("Witness"));
  };
  EXPECT_THAT(shown(two, one), AllOf(HasSubstr("2 records of 1 features; record 1 is removed"),
                                     HasSubstr("record 1: x = (3), y = 4\n    is removed")));
  EXPECT_THAT(shown(one, two),
              AllOf(HasSubstr("1 records of 1 features; a record is added as 1"),
                    HasSubstr("record 0: x = (1), y = 2"), HasSubstr("added:    x = (3), y = 4")));
  EXPECT_THAT(shown(two, other),
              AllOf(HasSubstr("record 1 is replaced"), HasSubstr("becomes:  x = (3), y = 5")));
  EXPECT_EQ(run(with_few({"test.noisy_sum.privacy.mutant", "--pair", one, two, "--json"})), 0);
  EXPECT_EQ(nlohmann::json::parse(out_)[0]["evidence"]["witness"]["pair"]["replaced"], 1);
}

std::string lines(const std::string& header, const std::vector<std::string>& outputs) {
  std::string text = header + "\n";
  for (const std::string& output : outputs) text += output + "\n";
  return text;
}

RandomStream noise(std::uint64_t side, std::uint64_t seed = 1) {
  return RandomStream({.seed = seed, .claim = "outputs of a test", .trial = side});
}

// Outputs of randomised response with epsilon log 3, by counting: 3/4 and 1/4.
TEST_F(AuditCommand, JudgesTheOutputsOfAProgram) {
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
  EXPECT_EQ(nlohmann::json::parse(out_)[0]["evidence"]["verdict"], "consistent");
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

// The rounding of doubles gives a textbook sampler away, if its outputs are written in full.
TEST_F(AuditCommand, LooksAtTheBitsOfOutputsThatAreWrittenInFull) {
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
    EXPECT_GT(nlohmann::json::parse(out_)[0]["evidence"]["estimate"], 2);
    EXPECT_EQ(run({"--outputs", first, second, "--epsilon", "0.11", "--bits", "no"}), 0);
    EXPECT_THAT(out_, HasSubstr("what their last bits show is not looked for"));
    const std::string few = write("few.csv", outputs(0, "{:.6g}", seed)),
                      digits = write("digits.csv", outputs(1, "{:.6g}", seed));
    EXPECT_EQ(run({"--outputs", few, digits, "--epsilon", "0.11"}), 0) << out_;
  }
}

// Counts near 2^60 whose noise is even: the parity is the record, and a double does not hold it.
TEST_F(AuditCommand, RefusesOutputsThatDoublesWouldMakeEqual) {
  const std::string even = write("even.csv", "count\n1152921504606846976\n1152921504606846978\n"),
                    odd = write("odd.csv", "count\n1152921504606846977\n1152921504606846979\n");
  expect_complaint({"--outputs", even, odd, "--epsilon", "1"},
                   "even.csv:3: column 'count' is '1152921504606846978'");
  expect_complaint({"--outputs", odd, even, "--epsilon", "1"}, "odd.csv:2: column 'count'");
}

// A run that prints nothing is an output that tells the datasets apart.
TEST_F(AuditCommand, RefusesBlankLinesAmongOutputs) {
  const std::string full = write("full.csv", "x\n1\n2\n"),
                    blank = write("blank.csv", "x\n1\n\n2\n");
  expect_complaint({"--outputs", full, blank, "--epsilon", "1"},
                   "blank.csv:3: the output of a run");
  const std::string end = write("end.csv", "x\n1\n2\n \n");
  expect_complaint({"--outputs", end, full, "--epsilon", "1"}, "end.csv:4: the output of a run");
}

// Noise of standard deviation 1.15 against 1 in each of 60 coordinates: no mean differs, and no
// coordinate tells much alone.
TEST_F(AuditCommand, SeesNoiseWhoseScaleDiffersALittleInManyCoordinates) {
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
TEST_F(AuditCommand, DecidesNothingOnLinesThatDependOnEachOther) {
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
  const auto evidence = nlohmann::json::parse(out_)[0]["evidence"];
  EXPECT_EQ(evidence["verdict"], "inconclusive");
  EXPECT_THAT(evidence["reason"].get<std::string>(), HasSubstr("first.csv depend on each other"));
  EXPECT_FALSE(evidence.contains("estimate"));  // a bound that does not hold is none
}

TEST_F(AuditCommand, RefusesOptionsThatWouldChangeNothing) {
  const std::string id = "test.noisy_sum.privacy.mutant", file = write("a.csv", "x\n1\n2\n");
  const std::vector<std::string> outputs{"--outputs", file, file, "--epsilon", "1"};
  for (const std::vector<std::string>& idle :
       std::vector<std::vector<std::string>>{{"--sequential"},
                                             {"--method", "all"},
                                             {"--pair", "search"},
                                             {"--target", "x"},
                                             {"--samples", "1000"},
                                             {"--transcripts", "1000"},
                                             {"--setting", "1"},
                                             {"--threads", "1"}}) {
    std::vector<std::string> arguments = outputs;
    arguments.insert(arguments.end(), idle.begin(), idle.end());
    expect_complaint(arguments, idle[0] + " is given with --outputs");
  }
  expect_complaint({id, "--bits", "yes"}, "--bits is given without --outputs");
  expect_complaint({id, "--method", "exact", "--samples", "1000"}, "--samples is given with");
  expect_complaint({id, "--method", "exact", "--significance", "0.1"}, "--significance is given");
  expect_complaint({id, "--method", "transcript", "--sequential"}, "--sequential is given with");
  expect_complaint({id, "--method", "black-box", "--transcripts", "900"}, "--transcripts is given");
  expect_complaint({id, "--target", "x"}, "--target is given without the two files of --pair");
}

// The line that an audit prints gives the same evidence when it is run.
TEST_F(AuditCommand, ReproduceLinesReproduce) {
  const std::string id = "test.noisy_sum.privacy.mutant";
  const std::string a = write("a.csv", "x,y\n0,0\n1,1\n"),
                    b = write("it's b.csv", "x,y\n0,1\n1,1\n");
  std::vector<std::string> answers(400, "0");
  RandomStream stream = noise(0);
  for (std::string& answer : answers) answer = stream.uniform() < 0.5 ? "0" : "1";
  const std::string outputs = write("o.csv", lines("answer", answers));
  for (std::vector<std::string> arguments : std::vector<std::vector<std::string>>{
           with_few({id}),
           with_few({id, "--pair", a, b, "--target", "x"}),
           with_few({id, "--pair", "corner", "--epsilon", "0.7", "--delta", "0.01"}),
           {id, "--method", "exact", "--seed", "3"},
           with_few({id, "--significance", "0.2"}),
           {id, "--method", "black-box", "--sequential", "--samples", "3000"},
           {"--outputs", outputs, outputs, "--epsilon", "1", "--delta", "0.1", "--significance",
            "0.1", "--bits", "yes"}}) {
    arguments.push_back("--json");
    const int code = run(arguments);
    const auto evidence = nlohmann::json::parse(out_)[0]["evidence"];
    const std::string line = evidence["reproduce"].get<std::string>();
    EXPECT_EQ(run(words_of(line + " --json")), code) << line;
    EXPECT_EQ(nlohmann::json::parse(out_)[0]["evidence"], evidence) << line;
  }
}

// The words after "./dpverify audit", as a shell reads them.
std::vector<std::string> AuditCommand::words_of(const std::string& line) const {
  const std::string command = "set -- " + line + "; shift 2; printf '%s\\0' \"$@\"";
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "r"), &pclose);
  std::vector<std::string> words(1);
  for (int c = std::fgetc(pipe.get()); c != EOF; c = std::fgetc(pipe.get())) {
    if (c == 0)
      words.emplace_back();
    else
      words.back() += static_cast<char>(c);
  }
  words.pop_back();
  return words;
}

TEST_F(AuditCommand, BadInputIsOneLine) {
  const std::string id = "test.noisy_sum.privacy.mutant";
  expect_complaint({id, "--epsilon", "0"}, "--epsilon is '0'");
  expect_complaint({id, "--epsilon", "nan"}, "--epsilon is 'nan'");
  expect_complaint({id, "--epsilon", "1", "--delta", "1"}, "--delta is '1'");
  expect_complaint({id, "--delta", "0.1"}, "--epsilon");
  expect_complaint({id, "--samples", "10"}, "--samples is '10'");
  expect_complaint({id, "--method", "luck"}, "--method is 'luck'");
  expect_complaint({id, "--pair", "best"}, "--pair is 'best'");
  expect_complaint({id, "--setting", "2"}, "setting");
  expect_complaint({id, "--significance", "1"}, "--significance is '1'");
  expect_complaint({"test.noisy_sum.privacy.printed"}, "test.noisy_sum.privacy");
}

}  // namespace
}  // namespace dpverify
