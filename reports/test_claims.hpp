// Small claims with known verdicts, and a small report, for the tests of this folder.
#pragma once

#include <limits>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "algorithms/claims/test_lemmas.hpp"
#include "algorithms/core/numbers.hpp"
#include "reports/report.hpp"

namespace dpverify {

// "a <= bound for every a in [0, 1]".
inline Claim bounded_by(std::string id, double bound, Expectation expectation = Expectation::holds,
                        Edition edition = Edition::printed) {
  return {.id = std::move(id),
          .algorithm = "test.bounded",
          .edition = edition,
          .expectation = expectation,
          .source = {Text::folklore, "Lemma 1"},
          .statement = "a <= bound for every a in [0, 1]",
          .assumptions = {"a is a number"},
          .check = LemmaClaim{.ranges = {{.name = "a", .simplest = 0, .lower = 0, .upper = 1}},
                              .sides = [bound](const ParameterPoint& point) {
                                return LemmaClaim::Sides{.left = number(point, "a"),
                                                         .right = bound};
                              }}};
}

inline Claim throwing(std::string id) {
  Claim claim = bounded_by(std::move(id), 1);
  std::get<LemmaClaim>(claim.check).sides = [](const ParameterPoint&) -> LemmaClaim::Sides {
    throw std::runtime_error("no value at this point");
  };
  return claim;
}

// "Every (1, 0)-DP mechanism errs by at least the bound", of one that errs by a half.
inline Claim erring_half(std::string id, double bound) {
  Claim claim = bounded_by(std::move(id), 1);
  claim.check = FloorClaim{
      .problem = "every outcome is an error of one half",
      .mechanism = [](const Dataset&, Releases&) -> VectorXd { return VectorXd::Zero(1); },
      .guarantee = {.epsilon = 1, .delta = 0},
      .draw =
          [](RandomStream&) {
            return Instance{.data = {Matrix::Zero(1, 1), VectorXd::Zero(1)},
                            .error = [](const VectorXd&) { return 0.5; }};
          },
      .bound = bound};
  return claim;
}

// "On average the first error is less than the second", by errors of 1 and `second`.
inline Claim comparing_errors(std::string id, double second, Plan smallest_plan) {
  Claim claim = bounded_by(std::move(id), 1);
  claim.check =
      ExperimentClaim{.problem = "errors of 1, but for a hundredth, and others",
                      .places = {"the first error", "the second error"},
                      .errors =
                          [second](std::uint64_t, Index trial) {
                            return std::vector{1 + 0.01 * static_cast<double>(trial % 3), second};
                          },
                      .alternatives = {{{0, 1, 1}}},
                      .smallest_plan = smallest_plan,
                      .trials = 9};
  return claim;
}

inline std::vector<Claim> claims_as_expected() {
  return {bounded_by("test.bounded.lemma.corrected", 2, Expectation::holds, Edition::corrected),
          bounded_by("test.bounded.lemma.loose.mutant", 0.5, Expectation::refuted, Edition::mutant),
          bounded_by("test.bounded.lemma.printed", 0.5, Expectation::refuted)};
}

// Every field has a value, and every kind of number occurs.
inline Evidence full_evidence(std::string claim, Verdict verdict) {
  return {
      .claim = std::move(claim),
      .verdict = verdict,
      .method = "by hand",
      .estimate = infinity,
      .interval = Interval{.lower = -infinity, .upper = 1.0 / 3, .level = 0.95},
      .claimed = 0.1,
      .tightness = verdict == Verdict::refuted ? infinity : 1e-300,
      .ceiling = std::numeric_limits<double>::quiet_NaN(),
      .smallest_fault = 1.25,
      .strength = Strength::exact_on_searched_pairs,
      .reading = "vacuous",
      .measurements = {{.name = "exponent", .value = -0.5}, {.name = "zero", .value = -0.0}},
      .tables = {{.name = "sweep", .columns = {"n", "risk"}, .rows = {{10, 0.5}, {20, infinity}}}},
      .channels = {{.channel = "exact",
                    .verdict = Verdict::refuted,
                    .epsilon_lower = 2,
                    .ceiling = infinity,
                    .samples = 0,
                    .reason = "known"},
                   {.channel = "black-box",
                    .verdict = Verdict::not_run,
                    .epsilon_lower = {},
                    .ceiling = {},
                    .samples = 5,
                    .reason = "not asked"}},
      .witness = Witness{.parameters = {{"epsilon", 1}, {"a", infinity}},
                         .pair = make_pair({{1, 2, 3}, {4, 1e300, 5e-324}}, 1, {0, -0.0, 7}),
                         .outcome_seed = 9007199254740991,
                         .outcomes = {0, 5},
                         .explanation = "these two \"differ\""},
      .samples = 12,
      .seed = 3,
      .reason = "because",
      .reproduce = "./dpverify verify --only x"};
}

inline Report small_report() {
  return make_report(describe(CheckContext{}), claims_as_expected(),
                     {full_evidence("test.bounded.lemma.printed", Verdict::refuted),
                      full_evidence("test.bounded.lemma.corrected", Verdict::inconclusive),
                      full_evidence("test.bounded.lemma.loose.mutant", Verdict::refuted)},
                     {.threads = 2,
                      .started = "2024-02-29T12:00:00Z",
                      .seconds = 1.5,
                      .claims = {{"test.bounded.lemma.printed", 0.5}}});
}

}  // namespace dpverify
