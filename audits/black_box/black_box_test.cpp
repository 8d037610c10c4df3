#include "audits/black_box/black_box.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "audits/black_box/test_pairs.hpp"

namespace dpverify::black_box {
namespace {

BlackBoxAudit audit(const Pair& pair, Index count, PrivacyGuarantee claimed, double significance,
                    std::uint64_t seed = 1) {
  const RandomStream::Key key{.seed = seed, .claim = pair.name};
  RandomStream::Key first = key, second = key, selection = key;
  first.purpose = "first";
  second.purpose = "second";
  selection.purpose = "selection";
  return audit_outputs(draw_outputs(pair.first, count, first),
                       draw_outputs(pair.second, count, second), claimed, significance,
                       RandomStream(selection), pair.model);
}

void fixed_calibration(Index seeds) {
  constexpr double significance = 0.05;
  count_false_refutations(seeds, significance, [](const Pair& pair, std::uint64_t seed) {
    return audit(pair, 300, {pair.epsilon, pair.delta}, significance, seed).verdict ==
           Verdict::refuted;
  });
}

// False-failure probability 1e-12 a mechanism. The one over 2000 seeds takes minutes, too long for
// every change: disabled here, and run by .ci/nightly.
TEST(BlackBox, TrueClaimsAreRefutedAtTheSignificanceAtMost) { fixed_calibration(200); }
TEST(BlackBox, DISABLED_TrueClaimsAreRefutedAtTheSignificanceAtMost) { fixed_calibration(2000); }

// `held` outputs a side learn, `counted` further ones are given in parts.
BlackBoxAudit audit_of_many(const Pair& pair, Index held, Index counted, PrivacyGuarantee claimed,
                            double significance, std::uint64_t seed = 1) {
  std::array<RandomStream::Key, 2> keys;
  keys.fill({.seed = seed, .claim = pair.name});
  keys[0].purpose = "first";
  keys[1].purpose = "second";
  const std::array samplers{pair.first, pair.second};
  std::array<Index, 2> drawn{held, held};
  const auto further = [&](std::size_t side) {
    const Index next = std::min<Index>(70, held + counted - drawn[side]);
    RandomStream::Key key = keys[side];
    key.trial = static_cast<std::uint64_t>(drawn[side]);
    drawn[side] += next;
    return draw_outputs(samplers[side], next, key);
  };
  return audit_outputs(draw_outputs(pair.first, held, keys[0]),
                       draw_outputs(pair.second, held, keys[1]), further, claimed, significance,
                       RandomStream({.seed = seed, .claim = pair.name, .purpose = "selection"}),
                       pair.model);
}

TEST(BlackBox, OfMoreThanAreHeldTrueClaimsAreRefutedAtTheSignificanceAtMost) {
  constexpr double significance = 0.05;
  count_false_refutations(200, significance, [](const Pair& pair, std::uint64_t seed) {
    return audit_of_many(pair, 150, 300, {pair.epsilon, pair.delta}, significance, seed).verdict ==
           Verdict::refuted;
  });
}

// All further outputs are counted, on their own side, at half of the significance a direction.
TEST(BlackBox, OfMoreThanAreHeldTheFurtherOnesAreCounted) {
  for (const bool swapped : {false, true}) {
    const Sampler at_one = laplace(1, 1), at_zero = laplace(0, 1);
    const Pair pair{"moved", swapped ? at_zero : at_one, swapped ? at_one : at_zero, 1,
                    OutputModel::reals};
    const BlackBoxAudit audit = audit_of_many(pair, 2000, 40'000, {0.5, 0}, 0.05);
    EXPECT_EQ(audit.verdict, Verdict::refuted);
    EXPECT_GT(audit.epsilon_lower, 0.9);
    EXPECT_LT(audit.epsilon_lower, 1);
    ASSERT_EQ(audit.bounds.size(), 2U);
    for (const EventBound& bound : audit.bounds) {
      EXPECT_EQ(bound.counts.first_size, 40'000);
      EXPECT_EQ(bound.counts.second_size, 40'000);
      EXPECT_EQ(bound.epsilon_lower, epsilon_lower(bound.counts, 0, 0.025));
    }
    EXPECT_EQ(audit.ceiling, epsilon_ceiling(40'000, 40'000, 0, 0.025));
  }
}

// A tool that bounds the event on the outputs that chose it reports more than twice the truth.
TEST(BlackBox, SelectionDoesNotInflateTheBound) {
  constexpr Index outcomes = 2000, count = 10'000, seeds = 20;
  const double truth = 0.1;
  // Five outputs an outcome: by chance some outcome has 15 on one side and 1 on the other.
  VectorXd p = VectorXd::Constant(outcomes, 1.0 / outcomes), q = p;
  p[0] *= std::exp(truth);
  p /= p.sum();
  const Pair pair{"uniform", finite(p.array().log()), finite(q.array().log()), truth};
  const double tight = (p.array() / q.array()).log().abs().maxCoeff();
  Index ours_above = 0, naive_doubles = 0;
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    if (audit(pair, count, {tight, 0}, 0.05, seed).epsilon_lower > tight) ++ours_above;
    std::vector<Index> first(outcomes), second(outcomes);
    for (std::vector<Index>* counts : {&first, &second})
      for (const VectorXd& x :
           draw_outputs(counts == &first ? pair.first : pair.second, count,
                        {.seed = seed, .claim = counts == &first ? "first" : "second"}))
        ++(*counts)[static_cast<std::size_t>(x[0])];
    double naive = 0;
    for (std::size_t v = 0; v < outcomes; ++v)
      for (const auto& [a, b] : {std::pair{first[v], second[v]}, {second[v], first[v]}})
        if (a > b + 5) naive = std::max(naive, epsilon_lower({a, count, b, count}, 0, 0.05));
    if (naive > 2 * tight) ++naive_doubles;
  }
  EXPECT_GE(naive_doubles, seeds / 2);
  EXPECT_LT(ours_above, binomial_limit(seeds, 0.05));
}

// ---- Power -------------------------------------------------------------------------------------

// What is expected of so many outputs a side if all count the best event that there is, x <= 0, and
// no other: 1/2 against exp(-2)/2.
double best_fixed_bound(double count) {
  const auto n = static_cast<Index>(count);
  return epsilon_lower(
      {static_cast<Index>(count / 2), n, static_cast<Index>(count * std::exp(-2) / 2), n}, 0, 0.05);
}

double mean_bound(Index count, std::uint64_t seeds) {
  double sum = 0;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    std::array<Outputs, 2> sides;
    for (const std::size_t side : {0U, 1U}) {
      RandomStream stream({.seed = seed, .claim = "half", .purpose = side == 0 ? "one" : "other"});
      std::vector<double> numbers(static_cast<std::size_t>(count));
      for (double& x : numbers) x = static_cast<double>(side) + stream.laplace() / 2;
      sides[side] = Outputs(std::move(numbers), 1);
    }
    sum += audit_outputs(std::move(sides[0]), std::move(sides[1]), {.epsilon = 1, .delta = 0}, 0.05,
                         RandomStream({.seed = seed, .claim = "half"}), OutputModel::reals)
               .epsilon_lower;
  }
  return sum / static_cast<double>(seeds);
}

// Half of the noise that is claimed: half of the outputs, a fourth of the significance and not
// knowing the event cost less than four times the outputs. (An audit that judges cells by the
// outputs that chose them needs more.)
TEST(BlackBox, FourTimesTheOutputsOfTheBestEventSuffice) {
  const double found = mean_bound(200'000, 4);
  EXPECT_GT(found, best_fixed_bound(200'000.0 / 4));
  EXPECT_LT(found, 2);
  EXPECT_GT(mean_bound(100'000, 1), 0.95 * best_fixed_bound(100'000));
  EXPECT_GT(mean_bound(1'000'000, 1), 0.95 * best_fixed_bound(1'000'000));
}

// ---- Outputs that are easily got wrong ---------------------------------------------------------

TEST(BlackBox, DisjointSupportsReachTheCeiling) {
  const std::vector<Pair> pairs{
      {"constants", constant(scalar(0)), constant(scalar(1))},
      {"scalars", laplace(0, 0.001), laplace(1, 0.001)},
      {"vectors", laplace(0, 0.001, 3), laplace(1, 0.001, 3)},
      {"NaN", constant(scalar(nan)), constant(scalar(1))},
      {"lengths", constant(VectorXd{}), constant(scalar(1))},
      {"integers", [](RandomStream& s) { return scalar(2.0 * static_cast<double>(s.index(9))); },
       [](RandomStream& s) { return scalar(2.0 * static_cast<double>(s.index(9)) + 1); }}};
  for (const Pair& pair : pairs) {
    const BlackBoxAudit found = audit(pair, 2000, {.epsilon = 1, .delta = 0}, 0.05);
    EXPECT_EQ(found.verdict, Verdict::refuted) << pair.name;
    EXPECT_TRUE(std::isfinite(found.epsilon_lower)) << pair.name;
    EXPECT_LE(found.epsilon_lower, found.ceiling) << pair.name;
    EXPECT_GT(found.epsilon_lower, found.ceiling - 0.5) << pair.name << ": " << found.reason;
  }
  // Of the scalars and vectors, every kind of event finds it (no value repeats: its bits do).
  for (const Pair& pair : {pairs[1], pairs[2]}) {
    const BlackBoxAudit found = audit(pair, 2000, {.epsilon = 1, .delta = 0}, 0.05);
    // What half of a half can show at the level at which a thousand events are compared.
    const double learnt = epsilon_ceiling(500, 500, 0, 0.05 / 4 / 1000);
    EXPECT_EQ(found.found.size(), pair.name == "vectors" ? 12U : 8U);
    for (const TrainingEvent& event : found.found)
      EXPECT_GT(event.epsilon, learnt - 0.1) << event.distinguisher << ": " << event.event;
  }
}

TEST(BlackBox, EqualOutputsShowNothing) {
  for (const VectorXd& output : {scalar(3), scalar(nan), VectorXd{}, VectorXd{{1.0, -infinity}}}) {
    const BlackBoxAudit found = audit({"one output", constant(output), constant(output)}, 500,
                                      {.epsilon = 0, .delta = 0}, 0.05);
    EXPECT_EQ(found.verdict, Verdict::consistent);
    EXPECT_EQ(found.epsilon_lower, 0);
    EXPECT_EQ(found.mu_lower, 0);
    EXPECT_EQ(found.samples_needed, infinity);
    EXPECT_GT(found.ceiling, 3);
  }
}

// Two outputs apart in frequency only, as numbers and as ties in every feature.
TEST(BlackBox, Ties) {
  const Pair pair{"ties", finite(VectorXd{{0.9, 0.1}}.array().log()),
                  finite(VectorXd{{0.1, 0.9}}.array().log())};
  const BlackBoxAudit found = audit(pair, 20'000, {.epsilon = 1, .delta = 0}, 1e-6);
  EXPECT_EQ(found.verdict, Verdict::refuted);
  EXPECT_LT(found.epsilon_lower, std::log(9.0));
  EXPECT_GT(found.epsilon_lower, std::log(9.0) - 0.3);
  // Two halves and two directions share the significance.
  EXPECT_EQ(found.bounds.size(), 4U);
  for (const EventBound& bound : found.bounds)
    EXPECT_EQ(bound.epsilon_lower, epsilon_lower(bound.counts, 0, 1e-6 / 4)) << bound.event;
  EXPECT_EQ(found.epsilon_lower, found.best.epsilon_lower);
  // Outputs that decide, with the frequencies seen, at the same share: twice those of one half.
  const auto needed = [](const BlackBoxAudit& of, PrivacyGuarantee claimed, double significance) {
    const EventCounts& c = of.best.counts;
    return 2 * size_needed(static_cast<double>(c.in_first) / static_cast<double>(c.first_size),
                           static_cast<double>(c.in_second) / static_cast<double>(c.second_size),
                           claimed, significance / 4);
  };
  EXPECT_EQ(found.samples_needed, needed(found, {.epsilon = 1, .delta = 0}, 1e-6));
  const PrivacyGuarantee near{.epsilon = 2, .delta = 0};
  const BlackBoxAudit few = audit(pair, 400, near, 1e-6);
  EXPECT_EQ(few.verdict, Verdict::consistent);
  EXPECT_EQ(few.samples_needed, needed(few, near, 1e-6));
  EXPECT_TRUE(std::isfinite(few.samples_needed));
  // The best of the four draws the trade-off curve: each of its bounds holds at a share of a
  // fourth.
  const double share = 1e-6 / 4 / static_cast<double>(found.trade_off.rows.size()) / 2;
  for (const std::vector<double>& row : found.trade_off.rows) {
    const auto size = 10'000.0;
    EXPECT_EQ(row[1], probability_upper(std::lround(row[0] * size), 10'000, share));
    EXPECT_NEAR(row[3], probability_upper(std::lround(row[2] * size), 10'000, share), 1e-10);
  }
}

TEST(BlackBox, ClaimAboveTheCeilingIsInconclusive) {
  const Pair pair{"disjoint", constant(scalar(0)), constant(scalar(1))};
  const PrivacyGuarantee claimed{.epsilon = 6, .delta = 0.01};
  const BlackBoxAudit few = audit(pair, 500, claimed, 0.05);
  EXPECT_EQ(few.verdict, Verdict::inconclusive);
  EXPECT_LT(few.ceiling, claimed.epsilon);
  EXPECT_GT(few.samples_needed, 500);
  // The stated number of samples decides, 1 % fewer do not.
  const auto enough = static_cast<Index>(few.samples_needed);
  EXPECT_EQ(audit(pair, enough, claimed, 0.05).verdict, Verdict::refuted);
  EXPECT_EQ(audit(pair, enough - enough / 100 - 2, claimed, 0.05).verdict, Verdict::inconclusive);
  // delta = 1 allows everything.
  EXPECT_EQ(audit(pair, 500, {.epsilon = 0, .delta = 1}, 0.05).verdict, Verdict::inconclusive);
}

TEST(BlackBox, SortedSamplesAreShuffled) {
  RandomStream stream({.seed = 1, .claim = "sorted"});
  std::vector<double> first, second;
  for (int i = 0; i < 4000; ++i) {
    first.push_back(stream.normal());
    second.push_back(stream.normal());
  }
  std::sort(first.begin(), first.end());
  std::sort(second.begin(), second.end(), std::greater());
  EXPECT_EQ(audit_outputs(Outputs(first, 1), Outputs(second, 1), {.epsilon = 0.5, .delta = 0}, 1e-6,
                          stream)
                .verdict,
            Verdict::consistent);
}

// Outputs that come sorted, of two laws of which the first half looks alike: half of the outputs
// learns an event that the other half shows, because the halves are random.
TEST(BlackBox, SortedSamplesStillShowWhatTheyHold) {
  Outputs rare, even;
  for (int i = 0; i < 4000; ++i) {
    rare.push_back(scalar(i < 3600 ? 0 : 1));
    even.push_back(scalar(i < 2000 ? 0 : 1));
  }
  const RandomStream selection({.seed = 1, .claim = "sorted"});
  const PrivacyGuarantee claimed{.epsilon = 1, .delta = 0};
  EXPECT_EQ(audit_outputs(rare, even, claimed, 1e-6, selection).verdict, Verdict::refuted);
  EXPECT_EQ(audit_outputs(even, rare, claimed, 1e-6, selection).verdict, Verdict::refuted);
}

// The larger of what an event can show in either direction.
TEST(BlackBox, TheCeilingIsThatOfTheBetterDirection) {
  const auto ceiling = [](Index first, Index second) {
    const RandomStream::Key key{.claim = "ceiling"};
    return audit_outputs(draw_outputs(laplace(0, 1), first, key),
                         draw_outputs(laplace(1, 1), second, key), {.epsilon = 1, .delta = 0}, 0.05,
                         RandomStream(key), OutputModel::reals)
        .ceiling;
  };
  const double best = epsilon_ceiling(50, 2000, 0, 0.05 / 4);
  ASSERT_GT(best, epsilon_ceiling(2000, 50, 0, 0.05 / 4) + 1);
  EXPECT_EQ(ceiling(100, 4000), best);
  EXPECT_EQ(ceiling(4000, 100), best);
}

TEST(BlackBox, DeltaIsAllowedFor) {
  // Fails openly with probability 0.01: (0, 0.01)-private and not better.
  const Pair pair{"fails", finite(VectorXd{{0.99, 0.01}}.array().log()), constant(scalar(0))};
  EXPECT_EQ(audit(pair, 40'000, {.epsilon = 1, .delta = 0}, 1e-3).verdict, Verdict::refuted);
  EXPECT_EQ(audit(pair, 40'000, {.epsilon = 1, .delta = 0.005}, 1e-3).verdict, Verdict::refuted);
  const PrivacyGuarantee claimed{.epsilon = 1, .delta = 0.01};
  const BlackBoxAudit found = audit(pair, 40'000, claimed, 1e-3);
  EXPECT_EQ(found.verdict, Verdict::consistent);
  for (const EventBound& bound : found.bounds)
    EXPECT_EQ(bound.p_value, p_value(bound.counts, claimed)) << bound.event;
}

TEST(BlackBox, BadInputIsRefused) {
  const Outputs none, one{scalar(0)}, two{scalar(0), scalar(1)};
  const RandomStream stream({});
  const PrivacyGuarantee claimed{.epsilon = 1, .delta = 0};
  EXPECT_THROW(audit_outputs(none, two, claimed, 0.05, stream), std::invalid_argument);
  EXPECT_THROW(audit_outputs(two, one, claimed, 0.05, stream), std::invalid_argument);
  EXPECT_THROW(audit_outputs(two, two, {.epsilon = nan, .delta = 0}, 0.05, stream),
               std::invalid_argument);
  EXPECT_THROW(audit_outputs(two, two, claimed, 1, stream), std::invalid_argument);
  EXPECT_EQ(audit_outputs(two, two, claimed, 0.05, stream).verdict, Verdict::inconclusive);
  try {
    audit_outputs(none, two, claimed, 0.05, stream);
  } catch (const std::invalid_argument& error) {
    EXPECT_EQ(std::string(error.what()),
              "number of outputs of the first sample is 0, but must be at least 2");
  }
}

TEST(BlackBox, DrawsDoNotDependOnThreads) {
  const RandomStream::Key key{.seed = 3, .claim = "threads", .purpose = "draws", .trial = 7};
  const Outputs one = draw_outputs(laplace(0, 1, 2), 1000, key, 1);
  const Outputs three = draw_outputs(laplace(0, 1, 2), 1000, key, 3);
  ASSERT_EQ(three.size(), one.size());
  for (std::size_t k = 0; k < one.size(); ++k) EXPECT_EQ(one[k], three[k]) << k;
  RandomStream::Key later = key;
  later.trial += 999;
  EXPECT_EQ(one.back(), draw_outputs(laplace(0, 1, 2), 1, later)[0]);
  EXPECT_TRUE(draw_outputs(laplace(0, 1), 0, key).empty());
}

// ---- Trade-off curve
// -----------------------------------------------------------------------------

TEST(BlackBox, GaussianTradeOff) {
  const double mu = 1.5;
  const Pair pair{"Gaussian", [](RandomStream& s) { return scalar(s.normal()); },
                  [=](RandomStream& s) { return scalar(mu + s.normal()); }, infinity,
                  OutputModel::reals};
  const BlackBoxAudit found = audit(pair, 40'000, {.epsilon = 1, .delta = 1e-5}, 1e-6);
  EXPECT_EQ(found.verdict, Verdict::refuted);
  EXPECT_LE(found.mu_lower, mu);
  EXPECT_GT(found.mu_lower, mu - 0.2);
  EXPECT_NEAR(found.mu_estimate, mu, 0.1);
  ASSERT_GE(found.trade_off.rows.size(), 8U);
  double from_bounds = 0;
  for (const std::vector<double>& row : found.trade_off.rows) {
    const double alpha = row[0], alpha_upper = row[1], beta = row[2], beta_upper = row[3];
    from_bounds =
        std::max(from_bounds, normal_quantile_of(1 - beta_upper) - normal_quantile_of(alpha_upper));
    EXPECT_LE(alpha, alpha_upper);
    EXPECT_LE(beta, beta_upper);
    // The band lies above the true curve: no test is better than it.
    EXPECT_GE(beta_upper, normal_probability(-normal_quantile_of(alpha_upper) - mu));
    if (found.best.distinguisher == "threshold") {
      EXPECT_NEAR(row[4], normal_probability(-normal_quantile_of(alpha) - mu), 0.02);
    }
  }
  // Of the bounds and not of the estimates.
  EXPECT_LE(found.mu_lower, from_bounds);
  EXPECT_NEAR(found.mu_lower, from_bounds, 2e-9);
}

TEST(BlackBox, FloatingPointHoles) {
  for (const int bits : {24, 32, 53}) {
    const Pair pair{"naive", naive_laplace(0, 10, bits), naive_laplace(1, 10, bits)};
    const BlackBoxAudit found = audit(pair, 20'000, {.epsilon = 0.1, .delta = 0}, 1e-6);
    EXPECT_EQ(found.verdict, Verdict::refuted) << bits;
    EXPECT_GT(found.epsilon_lower, 1) << found.reason;
  }
  // As real numbers they are private.
  Pair pair{"naive", naive_laplace(0, 10, 53), naive_laplace(1, 10, 53)};
  pair.model = OutputModel::reals;
  EXPECT_EQ(audit(pair, 20'000, {.epsilon = 0.1, .delta = 0}, 1e-6).verdict, Verdict::consistent);
}

// The density ratio is e^(5/scale) = e^0.25 where the output is small, and the claim 0.1.
TEST(BlackBox, NoisyMaximumReturnsItsValue) {
  const Pair pair{"maximum", noisy_maximum(0, 20, false), noisy_maximum(1, 20, false), 0.25,
                  OutputModel::reals};
  const BlackBoxAudit found = audit(pair, 400'000, {.epsilon = 0.1, .delta = 0}, 0.01);
  EXPECT_EQ(found.verdict, Verdict::refuted) << found.reason;
  EXPECT_LT(found.epsilon_lower, 0.25);
}

// Exponential noise moves the end of the support: P(maximum < 1) is 0.0095 against 0.
TEST(BlackBox, EndOfTheSupport) {
  const Pair pair{"support", noisy_maximum(0, 2, true), noisy_maximum(1, 2, true), infinity,
                  OutputModel::reals};
  const BlackBoxAudit found = audit(pair, 200'000, {.epsilon = 1, .delta = 0}, 0.05);
  EXPECT_EQ(found.verdict, Verdict::refuted);
  EXPECT_GT(found.epsilon_lower, 5) << found.reason;
}

TEST(BlackBox, HistogramWithTheInverseScale) {
  const Pair pair{"histogram", laplace(0, 0.1, 3), laplace(1, 0.1, 3), 10, OutputModel::reals};
  const BlackBoxAudit found = audit(pair, 50'000, {.epsilon = 0.1, .delta = 0}, 1e-6);
  EXPECT_EQ(found.verdict, Verdict::refuted);
  EXPECT_GT(found.epsilon_lower, 6) << found.reason;
  EXPECT_LT(found.epsilon_lower, 10);
}

TEST(BlackBox, SeedOfOneByte) {
  const Pair pair{"one byte", one_byte_seed(0), one_byte_seed(1), infinity, OutputModel::reals};
  const BlackBoxAudit found = audit(pair, 2000, {.epsilon = 1, .delta = 0}, 1e-6);
  EXPECT_EQ(found.verdict, Verdict::refuted);
  EXPECT_EQ(found.best.distinguisher, "values") << found.reason;
  EXPECT_GT(found.epsilon_lower, found.ceiling - 0.2);
}

TEST(BlackBox, HalfOfTheNoise) {
  const Pair pair{"half", laplace(0, 0.5), laplace(1, 0.5), 2, OutputModel::reals};
  const BlackBoxAudit found = audit(pair, 5000, {.epsilon = 1, .delta = 0}, 1e-6);
  EXPECT_EQ(found.verdict, Verdict::refuted);
  EXPECT_LT(found.epsilon_lower, 2);
}

}  // namespace
}  // namespace dpverify::black_box
