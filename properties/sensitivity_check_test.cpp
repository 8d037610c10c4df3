#include "properties/sensitivity_check.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

#include "algorithms/claims/test_lemmas.hpp"
#include "algorithms/registry.hpp"

namespace dpverify {
namespace {

using ::testing::HasSubstr;

const Claim& claim(std::string_view id) {
  const auto found =
      std::find_if(claims().begin(), claims().end(), [&id](const Claim& c) { return c.id == id; });
  if (found == claims().end()) throw std::invalid_argument("no claim " + std::string(id));
  return *found;
}

TEST(SensitivityCheck, PrintedClosedFormInDoublesIsRefutedByOneOutlier) {
  const Claim& closed_form = claim("hu.dp_frank_wolfe.sensitivity.closed_form.printed");
  const Evidence evidence = check_sensitivity(closed_form, {});
  EXPECT_EQ(evidence.verdict, Verdict::refuted);
  ASSERT_TRUE(evidence.witness && evidence.witness->pair);
  const NeighbouringPair& pair = *evidence.witness->pair;
  EXPECT_LE(pair.data.size(), 2);
  // The gradient over the scale at w = 0 (squared loss, the first iteration): 2 x y/s.
  const double scale = number(evidence.witness->parameters, "scale");
  double largest = 0;
  for (const Dataset* data : {&pair.data, &pair.neighbour})
    for (Index i = 0; i < data->size(); ++i)
      largest = std::max(
          largest, 2 * (data->features.row(i) * data->labels[i] / scale).cwiseAbs().maxCoeff());
  EXPECT_GE(largest, 1e5);
}

TEST(SensitivityCheck, TightnessOfTheShippedAlgorithms) {
  const auto tightness = [](const std::string& id) {
    const Evidence evidence = check_sensitivity(claim(id), {});
    EXPECT_EQ(evidence.verdict, Verdict::consistent) << id << ": " << evidence.reason;
    return *evidence.tightness;
  };
  // beta = 100 leaves nearly the whole range: erf(sqrt 50)/2 = 0.5; beta = 1 alone gives 0.3413.
  EXPECT_NEAR(tightness("hu.dp_frank_wolfe.sensitivity.printed"), 0.5, 1e-6);
  EXPECT_NEAR(tightness("hu.dp_frank_wolfe.sensitivity.corrected"), 1, 1e-9);
  EXPECT_NEAR(tightness("wang_xu.l1_regression_second_moment.sensitivity.printed"), 0.5, 1e-9);
  EXPECT_NEAR(tightness("wang_xu.l1_regression_second_moment.sensitivity.corrected"), 1, 1e-9);
}

// A count that moves by half of what it may until so many runs of it are over: a stand-in for a
// pair that the first search misses.
TEST(SensitivityCheck, ABoundThatTheFirstSearchDoesNotReachIsSearchedForLonger) {
  int runs = 0;
  const auto half_at_first = [&runs](int half, bool attained) -> Claim {
    const MechanismFamily family = [&runs, half](const ParameterPoint&) -> Mechanism {
      return [&runs, half](const Dataset& data, Releases& releases) {
        const double share = ++runs <= half ? 0.5 : 1;
        const auto count = static_cast<double>((data.labels.array() > 0).count());
        return releases.release(LaplaceNoise{VectorXd::Constant(1, share * count), 1, 1});
      };
    };
    return {.id = "test.late.sensitivity.printed",
            .check = SensitivityClaim{family, {}, 1, 1, {{{}, 3, 1}, {{}, 5, 1}}, attained}};
  };
  const auto evaluations = [](const Evidence& evidence) {
    return std::ranges::find(evidence.measurements, "search evaluations", &Measurement::name)
        ->value;
  };
  const Evidence first = check_sensitivity(half_at_first(1 << 30, false), {});
  EXPECT_EQ(first.tightness, 0.5);
  const int runs_of_the_first = std::exchange(runs, 0);
  const Evidence evidence = check_sensitivity(half_at_first(runs_of_the_first, true), {});
  EXPECT_EQ(evidence.verdict, Verdict::consistent) << evidence.reason;
  EXPECT_EQ(evidence.tightness, 1);
  EXPECT_EQ(evidence.smallest_fault, 1);
  EXPECT_GT(evaluations(evidence), evaluations(first));
  // The table has the best of a setting's searches.
  for (const std::vector<double>& row : evidence.tables.at(0).rows) EXPECT_EQ(row.back(), 1);
  runs = 0;
  EXPECT_EQ(check_sensitivity(half_at_first(1 << 30, true), {}).verdict, Verdict::inconclusive);
}

TEST(SensitivityCheck, PolytopesAwayFromTheOriginAndAForgottenTruncationAreRefuted) {
  for (const char* id : {"hu.dp_frank_wolfe.sensitivity.any_polytope.printed",
                         "hu.dp_frank_wolfe.sensitivity.no_truncation.mutant"}) {
    const Evidence evidence = check_sensitivity(claim(id), {});
    EXPECT_EQ(evidence.verdict, Verdict::refuted) << id;
    EXPECT_LE(evidence.witness->pair->data.size(), 2) << id;
    // The pair shown is the one that the figure speaks of.
    EXPECT_THAT(evidence.witness->explanation,
                HasSubstr(fmt::format("{:.6g} times the declared", *evidence.tightness)))
        << id;
  }
}

// A count of positive labels: sensitivity 1/n for the mean of indicators.
Claim count_claim(double declared, bool attained,
                  std::function<VectorXd(VectorXd, const Dataset&)> after = nullptr) {
  const MechanismFamily family = [=](const ParameterPoint&) -> Mechanism {
    return [=](const Dataset& data, Releases& releases) {
      const double mean = (data.labels.array() > 0).cast<double>().mean();
      VectorXd out = releases.release(LaplaceNoise{VectorXd::Constant(1, mean),
                                                   declared / static_cast<double>(data.size()), 1});
      return after ? after(out, data) : out;
    };
  };
  return {.id = "test.count.sensitivity.printed",
          .check = SensitivityClaim{family, {}, 1, 2, {{{}, 3, 1}}, attained}};
}

TEST(SensitivityCheck, KnownMechanism) {
  EXPECT_EQ(check_sensitivity(count_claim(1, true), {}).verdict, Verdict::consistent);
  const Evidence loose = check_sensitivity(count_claim(2, false), {});
  EXPECT_EQ(loose.verdict, Verdict::consistent);
  EXPECT_EQ(loose.tightness, 0.5);
  EXPECT_EQ(loose.smallest_fault, 2) << "half of the declared sensitivity would do";
  // Claimed equality that is not there: not refuted, but not confirmed either.
  EXPECT_EQ(check_sensitivity(count_claim(2, true), {}).verdict, Verdict::inconclusive);
  const Evidence short_of = check_sensitivity(count_claim(0.999, false), {});
  EXPECT_EQ(short_of.verdict, Verdict::refuted);
  EXPECT_EQ(short_of.witness->pair->data.size(), 1);
}

// Ten thousand amounts up to 10^6 sum to above 2^33, where single precision knows multiples of 1024
// alone: each further 10^6 counts for 1000448. A double rounds such sums by a billionth of that.
TEST(SensitivityCheck, ASumThatRoundsByMoreThanItsSensitivityIsFound) {
  const auto sum_claim = [](auto zero) -> Claim {
    const MechanismFamily family = [=](const ParameterPoint&) -> Mechanism {
      return [=](const Dataset& data, Releases& releases) {
        auto sum = zero;
        for (const double x : data.labels)
          sum += static_cast<decltype(sum)>(std::clamp(x, 0., 1e6));
        return releases.release(
            LaplaceNoise{VectorXd::Constant(1, static_cast<double>(sum)), 1e6, 1e6});
      };
    };
    return {.id = "test.sum.sensitivity.printed",
            .check = SensitivityClaim{family, {}, 1, 1, {{{}, 10'000, 1}}, false}};
  };
  const Evidence rounded = check_sensitivity(sum_claim(0.F), {});
  EXPECT_EQ(rounded.verdict, Verdict::refuted) << rounded.reason;
  EXPECT_NEAR(*rounded.tightness, 1.000448, 1e-12);
  const Evidence in_doubles = check_sensitivity(sum_claim(0.), {});
  EXPECT_EQ(in_doubles.verdict, Verdict::consistent) << in_doubles.reason;
  EXPECT_NEAR(*in_doubles.tightness, 1, 1e-12);
}

TEST(SensitivityCheck, ALeakIsRefutedThoughTheSensitivityHolds) {
  const Evidence evidence = check_sensitivity(
      count_claim(1, false,
                  [](VectorXd out, const Dataset& data) { return VectorXd(out * data.labels[0]); }),
      {});
  EXPECT_EQ(evidence.verdict, Verdict::refuted);
  EXPECT_NE(evidence.reason.find("final output still differs"), std::string::npos)
      << evidence.reason;
}

TEST(SensitivityCheck, AValueThatIsNotANumberIsRefuted) {
  const MechanismFamily family = [](const ParameterPoint&) -> Mechanism {
    return [](const Dataset& data, Releases& releases) {
      return releases.release(
          LaplaceNoise{VectorXd::Constant(1, std::sqrt(data.labels.sum())), 1e300, 1});
    };
  };
  const Evidence evidence = check_sensitivity(
      {.id = "test.root.sensitivity.printed", .check = SensitivityClaim{family, {}, 1, 1, {}}}, {});
  EXPECT_EQ(evidence.verdict, Verdict::refuted);
}

}  // namespace
}  // namespace dpverify
