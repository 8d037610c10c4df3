// A mechanism to audit, and outputs of programs, for the tests of `audit`.
#pragma once

#include <cstdio>
#include <memory>

#include "algorithms/claims/family.hpp"
#include "algorithms/core/random.hpp"
#include "reports/test_commands.hpp"

namespace dpverify {

// The sum of labels in [0, 1] with Laplace noise of the scale, claimed 1-DP.
inline Claim noisy_sum(const std::string& id, double scale, Expectation expectation) {
  const Mechanism mechanism = [scale](const Dataset& data, Releases& releases) {
    const double sum = data.labels.cwiseMax(0).cwiseMin(1).sum();
    return releases.release(LaplaceNoise{VectorXd::Constant(1, sum), 1, scale});
  };
  return {
      .id = id,
      .algorithm = "test.noisy_sum",
      .edition = expectation == Expectation::holds ? Edition::corrected : Edition::mutant,
      .expectation = expectation,
      .source = {Text::folklore, "Algorithm 1"},
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

struct CalibratedParameters {
  double epsilon = 1;
};

// The same with the epsilon as a parameter, with `share` of the noise that it asks for.
inline Claim calibrated_sum(const std::string& id, double share, Expectation expectation) {
  const Family<CalibratedParameters> family{
      {field("epsilon", &CalibratedParameters::epsilon).range(1.0, 0.1, 10.0)},
      [share](const Dataset& data, const CalibratedParameters& p, Releases& releases) {
        const double sum = data.labels.cwiseMax(0).cwiseMin(1).sum();
        return releases.release(LaplaceNoise{VectorXd::Constant(1, sum), 1, share / p.epsilon});
      },
      [](const CalibratedParameters& p) { return PrivacyGuarantee{p.epsilon}; }};
  Claim claim = noisy_sum(id, 1, expectation);
  claim.edition = expectation == Expectation::holds ? Edition::printed : Edition::mutant;
  claim.check = family.privacy({{{}, 2, 1}});
  return claim;
}

class AuditTest : public CommandTest {
 protected:
  AuditTest() {
    claims_ = {noisy_sum("test.noisy_sum.privacy.corrected", 1, Expectation::holds),
               noisy_sum("test.noisy_sum.privacy.mutant", 0.5, Expectation::refuted)};
  }

  // The exit code of `dpverify audit ARGUMENTS`; what it said is in out_ and err_.
  int run(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "audit");
    const Result result = CommandTest::run(arguments);
    out_ = result.out;
    err_ = result.err;
    return result.code;
  }

  void expect_complaint(const std::vector<std::string>& arguments, const std::string& part) {
    const int code = run(arguments);
    dpverify::expect_complaint({code, out_, err_}, part);
    EXPECT_EQ(out_, "");
  }

  static std::vector<std::string> with_few(std::vector<std::string> arguments) {
    const std::vector<std::string> few{"--samples", "4000", "--transcripts", "300", "--seed", "7"};
    arguments.insert(arguments.end(), few.begin(), few.end());
    return arguments;
  }

  std::string out_, err_;
};

// The words after "./dpverify audit", as a shell reads them.
inline std::vector<std::string> words_of(const std::string& line) {
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

inline std::string lines(const std::string& header, const std::vector<std::string>& outputs) {
  std::string text = header + "\n";
  for (const std::string& output : outputs) text += output + "\n";
  return text;
}

inline RandomStream noise(std::uint64_t side, std::uint64_t seed = 1) {
  return RandomStream({.seed = seed, .claim = "outputs of a test", .trial = side});
}

}  // namespace dpverify
