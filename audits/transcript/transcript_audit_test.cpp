#include "audits/transcript/transcript_audit.hpp"

#include <gtest/gtest.h>

#include <boost/math/distributions/binomial.hpp>
#include <cmath>
#include <memory>
#include <set>
#include <string_view>

#include "algorithms/core/gaussian.hpp"
#include "algorithms/core/numbers.hpp"
#include "audits/exact/privacy_curve.hpp"
#include "audits/transcript/mean_bounds.hpp"

namespace dpverify {
namespace {

NeighbouringPair labels(double here, double there) {
  return {Dataset{Matrix::Zero(1, 1), VectorXd::Constant(1, here)},
          Dataset{Matrix::Zero(1, 1), VectorXd::Constant(1, there)}, 0};
}

Mechanism gaussian(double standard_deviation, int times) {
  return [=](const Dataset& data, Releases& releases) {
    VectorXd out = VectorXd::Zero(1);
    for (int t = 0; t < times; ++t)
      out += releases.release(GaussianNoise{data.labels, 1, standard_deviation});
    return out;
  };
}

Mechanism laplace(double scale) {
  return [=](const Dataset& data, Releases& releases) {
    return releases.release(LaplaceNoise{data.labels, 1, scale});
  };
}

RandomStream::Key key(std::uint64_t seed = 1) { return {.seed = seed, .claim = "transcript_test"}; }

// A program that shows a bit: 1 with the probability that belongs to the first label.
Mechanism bit(double if_0, double if_1) {
  return [=](const Dataset& data, Releases& releases) {
    const double one = data.labels[0] == 0 ? if_0 : if_1;
    return VectorXd::Constant(
        1,
        static_cast<double>(releases.select(HiddenSelection{
            2, [=](RandomStream& stream) { return stream.uniform() < one ? Index{1} : Index{0}; },
            [=] { return VectorXd(Eigen::Vector2d(std::log(1 - one), std::log(one))); }})));
  };
}

// Where all contributions are equal the bounds are known: 0 where nothing differs, 1 where nothing
// agrees. Each of the four receives a fourth of the significance, and so do those of the curve.
TEST(TranscriptAudit, GivesEachBoundAFourthOfTheSignificance) {
  constexpr double significance = 0.2, share = significance / 4;
  for (const Index samples : {3, 90}) {
    const std::vector<double> zeros(static_cast<std::size_t>(samples), 0.0),
        ones(static_cast<std::size_t>(samples), 1.0);
    const double upper = std::min(1.0, mean_upper(zeros, 3, share));
    const TranscriptAudit same =
        audit_transcripts(bit(0.5, 0.5), labels(0, 1), {1, 0.01}, samples, significance, key());
    const TranscriptAudit apart =
        audit_transcripts(bit(0, 1), labels(0, 1), {1, 0.01}, samples, significance, key());
    for (const Interval& interval : {same.forward, same.backward}) {
      EXPECT_EQ(interval.lower, 0);
      EXPECT_EQ(interval.upper, upper);
      EXPECT_EQ(interval.level, 1 - 2 * share);
    }
    for (const Interval& interval : {apart.forward, apart.backward}) {
      EXPECT_EQ(interval.lower, mean_lower(ones, share));
      EXPECT_EQ(interval.upper, 1);
    }
    for (const auto& row : same.curve.rows) {
      EXPECT_EQ(row[3], upper);
      EXPECT_EQ(row[6], upper);
    }
    for (const auto& row : apart.curve.rows) {
      EXPECT_EQ(row[2], mean_lower(ones, share));
      EXPECT_EQ(row[5], mean_lower(ones, share));
    }
  }
  EXPECT_LT(mean_upper(std::vector<double>(90, 0.0), 3, share), 1) << "the larger case is no limit";
}

// The draws of a program do not depend on the claim, so that the epsilon that one claim gives is
// where the next one's verdict changes: one level for both.
TEST(TranscriptAudit, TheBoundOnEpsilonIsWhereTheVerdictChanges) {
  const auto audit = [](double epsilon) {
    return audit_transcripts(bit(0.5, 0.1), labels(0, 1), {epsilon, 0.2}, 300, 0.05, key());
  };
  const double epsilon = audit(0.5).epsilon_lower;
  EXPECT_GT(epsilon, 0.5);
  EXPECT_LT(epsilon, std::log(3));
  EXPECT_EQ(audit(0.99 * epsilon).verdict, Verdict::refuted);
  EXPECT_NE(audit(1.01 * epsilon).verdict, Verdict::refuted);
}

// P = (1/2, 1/2) against Q = (9/10, 1/10): delta(1/2) is 0.335 one way and 0.076 the other, the
// largest losses log 5 and log(9/5). The worse direction counts, whichever dataset comes first.
TEST(TranscriptAudit, TheWorseDirectionCounts) {
  const double worse = 0.5 - std::exp(0.5) / 10, better = 0.9 - std::exp(0.5) / 2;
  for (const bool forward : {true, false}) {
    const NeighbouringPair pair = forward ? labels(0, 1) : labels(1, 0);
    const auto audit = [&](PrivacyGuarantee claimed, Index samples, Index most = 0) {
      return audit_transcripts(bit(0.5, 0.1), pair, claimed, samples, 1e-9, key(), most);
    };
    const TranscriptAudit found = audit({0.5, 0.2}, 3'000);
    EXPECT_EQ(found.verdict, Verdict::refuted);
    EXPECT_GT(found.epsilon_lower, 0.6);
    EXPECT_NEAR(found.delta, worse, 0.05);
    EXPECT_NEAR(found.largest_loss, std::log(5), 1e-12);
    // The row of the claimed epsilon.
    EXPECT_NEAR(found.curve.rows[4][forward ? 1 : 4], worse, 0.05);
    EXPECT_NEAR(found.curve.rows[4][forward ? 4 : 1], better, 0.05);
    EXPECT_LE((forward ? found.backward : found.forward).lower, better);
    // A pure claim is refuted by the first look at the worse direction.
    const TranscriptAudit pure = audit({1, 0}, 30, 8'000);
    EXPECT_EQ(pure.verdict, Verdict::refuted);
    EXPECT_EQ(pure.samples, 30U);
  }
}

// Outcomes of a uniform number on the dataset: one where the shift is read off, 16 of the pilots
// and one a transcript. All differ, and those of other seeds, claims and sides.
TEST(TranscriptAudit, EveryRunHasNoiseOfItsOwn) {
  const auto outcomes = [](std::uint64_t seed, std::string_view claim, double side) {
    const auto seen = std::make_shared<std::set<double>>();
    const Mechanism mechanism = [=](const Dataset& data, Releases& releases) {
      const VectorXd out = releases.release(HiddenRelease{
          1, [](RandomStream& stream) { return VectorXd::Constant(1, stream.uniform()); },
          [](const VectorXd&) { return 0.0; }});
      if (data.labels[0] == side) seen->insert(out[0]);
      return out;
    };
    audit_transcripts(mechanism, labels(0, 1), {1, 0.5}, 30, 0.05, {.seed = seed, .claim = claim});
    return *seen;
  };
  // Either dataset replays the runs of the other.
  const std::set<double> all = outcomes(1, "a", 0);
  EXPECT_EQ(all.size(), 2U * (1 + 16 + 30));
  EXPECT_EQ(outcomes(1, "a", 0), all);
  for (const auto& others : {outcomes(2, "a", 0), outcomes(1, "b", 0)})
    for (const double x : others) EXPECT_FALSE(all.contains(x));
}

// A value that is moved by no finite amount is not moved: it shows itself.
TEST(TranscriptAudit, InfinitelyFarValuesAreAnInfiniteLoss) {
  const TranscriptAudit audit =
      audit_transcripts(laplace(1), labels(-1e308, 1e308), {1, 0.01}, 30, 0.05, key());
  EXPECT_EQ(audit.verdict, Verdict::refuted);
  EXPECT_EQ(audit.epsilon_lower, infinity);
  EXPECT_EQ(audit.leak, "");
}

// Four releases of mu = 1/2 each are one of mu = 1. The stated significance, 1e-12, is the
// probability of a false failure.
TEST(TranscriptAudit, ReachesDeltasOfAMillionth) {
  const double delta = 1e-6, epsilon = gaussian_epsilon(1, delta);
  const TranscriptAudit audit =
      audit_transcripts(gaussian(2, 4), labels(0, 1), {epsilon, delta}, 6'000, 1e-12, key());
  EXPECT_EQ(audit.verdict, Verdict::consistent) << audit.reason;
  EXPECT_LE(audit.forward.lower, delta * 1.001);
  EXPECT_GE(audit.forward.upper, delta * 0.999);
  EXPECT_GE(audit.forward.lower, delta * 0.6);
  EXPECT_NEAR(audit.delta, delta, 0.15 * delta);
  EXPECT_LE(audit.epsilon_lower, epsilon * (1 + 1e-9));
  EXPECT_GE(audit.epsilon_lower, 0.95 * epsilon);
  EXPECT_EQ(audit.ceiling, infinity);
  for (const auto& row : audit.curve.rows) {
    EXPECT_LE(row[2], gaussian_delta(1, row[0]) * 1.001);
    EXPECT_GE(row[3], gaussian_delta(1, row[0]) * 0.999);
  }
}

TEST(TranscriptAudit, RefutesHalfTheNoise) {
  const PrivacyGuarantee claimed{gaussian_epsilon(0.5, 1e-6), 1e-6};
  const TranscriptAudit audit =
      audit_transcripts(gaussian(1, 1), labels(0, 1), claimed, 1'000, 1e-9, key());
  EXPECT_EQ(audit.verdict, Verdict::refuted);
  EXPECT_GT(audit.epsilon_lower, 1.5 * claimed.epsilon);
}

// A coin that names the dataset, once in a thousand: a loss of log 2 that a hundred transcripts
// hardly ever see, and that further ones do see, for no significance.
TEST(TranscriptAudit, GoesOnUntilAPureLossIsSeen) {
  const Mechanism rare = [](const Dataset& data, Releases& releases) {
    VectorXd scores(2);
    scores << 0, std::log(data.labels[0] == 0 ? 1e-3 : 2e-3);
    return VectorXd::Constant(
        1, static_cast<double>(releases.select(ExponentialMechanism{scores, 1, 1})));
  };
  const PrivacyGuarantee claimed{0.5, 0};
  int first = 0, later = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const auto refutes = [&](Index most) {
      const TranscriptAudit audit =
          audit_transcripts(rare, labels(0, 1), claimed, 30, 1e-9, key(seed), most);
      if (audit.verdict != Verdict::refuted) {
        EXPECT_EQ(audit.samples, most == 0 ? 30U : 7'680U);
      } else {
        EXPECT_NEAR(audit.epsilon_lower, std::log(2), 2e-3);
      }
      return audit.verdict == Verdict::refuted;
    };
    first += refutes(0) ? 1 : 0;
    later += refutes(8'000) ? 1 : 0;
  }
  EXPECT_LE(first, 10);
  EXPECT_EQ(later, 20);
  // A true claim is asked to the end.
  EXPECT_EQ(audit_transcripts(laplace(1), labels(0, 1), {1, 0}, 30, 1e-9, key(), 120).samples,
            120U);
  // Where a positive delta is claimed, the number is what was asked for.
  EXPECT_EQ(audit_transcripts(rare, labels(0, 1), {0.5, 1e-2}, 30, 1e-9, key(), 8'000).samples,
            30U);
}

// A loss is known exactly: one transcript in a tail is enough at delta = 0.
TEST(TranscriptAudit, PureLossesAreExact) {
  const TranscriptAudit tight =
      audit_transcripts(laplace(1), labels(0, 1), {1, 0}, 100, 1e-9, key());
  EXPECT_EQ(tight.verdict, Verdict::consistent);
  EXPECT_NEAR(tight.epsilon_lower, 1, 1e-8);
  EXPECT_EQ(audit_transcripts(laplace(0.9), labels(0, 1), {1, 0}, 100, 1e-9, key()).verdict,
            Verdict::refuted);
}

// Adaptive: the second selection's scores depend on the first. Against enumeration; the intervals
// fail with probability at most 1e-12.
TEST(TranscriptAudit, AgreesWithEnumeration) {
  const Mechanism mechanism = [](const Dataset& data, Releases& releases) {
    const double x = data.labels[0];
    const Index first = releases.select(ExponentialMechanism{Eigen::Vector3d(x, -x, 0), 1, 0.5});
    const Index second = releases.select(
        ExponentialMechanism{Eigen::Vector2d(x * static_cast<double>(first + 1), 0), 1, 0.5});
    return VectorXd(Eigen::Vector2d(static_cast<double>(first), static_cast<double>(second)));
  };
  const NeighbouringPair pair = labels(0, 1);
  const OutputPair exact = output_pair(mechanism, pair);
  const double epsilon = 0.4;
  const TranscriptAudit audit =
      audit_transcripts(mechanism, pair, {epsilon, 0.01}, 9'000, 1e-12, key());
  for (const auto& [interval, direction] : {std::pair(audit.forward, Direction::forward),
                                            std::pair(audit.backward, Direction::backward)}) {
    const double truth = delta_at(exact, epsilon, direction);
    EXPECT_LE(interval.lower, truth);
    EXPECT_GE(interval.upper, truth);
    EXPECT_LE(interval.upper - interval.lower, 0.08);
  }
  EXPECT_LE(audit.epsilon_lower, smallest_epsilon(exact, 0.01) + 1e-9);
}

TEST(TranscriptAudit, ALeakIsAnInfiniteLoss) {
  const Mechanism leaky = [](const Dataset& data, Releases& releases) {
    return VectorXd(releases.release(LaplaceNoise{data.labels, 1, 1}) + data.labels);
  };
  const TranscriptAudit audit = audit_transcripts(leaky, labels(0, 1), {1, 0}, 10, 1e-9, key());
  EXPECT_EQ(audit.verdict, Verdict::refuted);
  EXPECT_EQ(audit.epsilon_lower, infinity);
  EXPECT_FALSE(audit.leak.empty());
}

// (strong convexity/2) ||theta||^2 + <linear, theta> on R^d.
class Quadratic final : public Objective {
 public:
  explicit Quadratic(VectorXd linear) : linear_(std::move(linear)) {}
  Index dimension() const override { return linear_.size(); }
  double radius() const override { return infinity; }
  double strong_convexity() const override { return 0.5; }
  VectorXd gradient(const VectorXd& theta) const override { return 0.5 * theta + linear_; }
  Matrix hessian(const VectorXd&) const override {
    return 0.5 * Matrix::Identity(dimension(), dimension());
  }
  std::shared_ptr<const Objective> without_data() const override {
    return std::make_shared<Quadratic>(VectorXd::Zero(dimension()));
  }

 private:
  VectorXd linear_;
};

// The minimiser of a perturbed quadratic is its linear term plus the noise, times a constant: the
// Gaussian mechanism, here of mu = 5/4.
TEST(TranscriptAudit, MovesObjectivesOfSeveralDimensions) {
  const Mechanism mechanism = [](const Dataset& data, Releases& releases) {
    return releases.release(ObjectivePerturbation{
        std::make_shared<Quadratic>(data.labels[0] * Eigen::Vector3d(3, 0, -4)), 5, 4});
  };
  const double delta = 1e-6, epsilon = gaussian_epsilon(1.25, delta);
  const TranscriptAudit audit =
      audit_transcripts(mechanism, labels(0, 1), {epsilon, delta}, 3'000, 1e-12, key());
  EXPECT_EQ(audit.verdict, Verdict::consistent) << audit.reason;
  EXPECT_NEAR(audit.delta, delta, 0.2 * delta);
  EXPECT_LE(audit.forward.lower, delta * 1.001);
  EXPECT_GE(audit.forward.lower, delta * 0.5);
  EXPECT_LE(audit.epsilon_lower, epsilon * (1 + 1e-9));
  EXPECT_GE(audit.epsilon_lower, 0.95 * epsilon);
  EXPECT_EQ(audit_transcripts(mechanism, labels(0, 1), {0.9 * epsilon, delta}, 3'000, 1e-9, key())
                .verdict,
            Verdict::refuted);
}

// A program cannot be moved: a delta far below 1/samples is out of reach, and the audit says so.
TEST(TranscriptAudit, SaysWhenTheTailIsOutOfReach) {
  const Mechanism mechanism = [](const Dataset& data, Releases& releases) {
    const double value = data.labels[0];
    return releases.release(HiddenRelease{
        1, [value](RandomStream& stream) { return VectorXd::Constant(1, value + stream.normal()); },
        [value](const VectorXd& x) { return -(x[0] - value) * (x[0] - value) / 2; }});
  };
  const PrivacyGuarantee claimed{gaussian_epsilon(1, 1e-6), 1e-6};
  const TranscriptAudit audit =
      audit_transcripts(mechanism, labels(0, 1), claimed, 300, 1e-9, key());
  EXPECT_EQ(audit.verdict, Verdict::inconclusive) << audit.reason;
  EXPECT_GT(audit.samples_needed, 1e6);
  EXPECT_EQ(
      audit_transcripts(mechanism, labels(0, 1), {gaussian_epsilon(1, 0.2), 0.2}, 900, 1e-9, key())
          .verdict,
      Verdict::consistent);
}

// Moving the scores down reaches values below the lowest score, impossible on this dataset. What
// the mechanism would do there is no evidence.
TEST(TranscriptAudit, ImpossibleOutcomesAreNoLeak) {
  const Mechanism mechanism = [](const Dataset& data, Releases& releases) {
    const VectorXd out =
        releases.release(NoisyMaxValue{data.labels, 1, 1, MaxNoise::exponential, false});
    return out[0] < 0 ? VectorXd(data.labels) : out;
  };
  EXPECT_TRUE(audit_transcripts(mechanism, labels(0, 1), {1, 0.5}, 300, 1e-9, key()).leak.empty());
}

// Supports that move: the density of some outcomes is zero on one side.
TEST(TranscriptAudit, ImpossibleOutcomesAreInfiniteLosses) {
  const Mechanism mechanism = [](const Dataset& data, Releases& releases) {
    return releases.release(NoisyMaxValue{data.labels, 1, 1, MaxNoise::exponential, false});
  };
  const TranscriptAudit audit =
      audit_transcripts(mechanism, labels(0, 1), {1, 0.01}, 300, 1e-9, key());
  EXPECT_EQ(audit.verdict, Verdict::refuted);
  EXPECT_EQ(audit.epsilon_lower, infinity);
}

TEST(TranscriptAudit, SaysWhenTooFewTranscriptsCount) {
  const double epsilon = gaussian_epsilon(1, 1e-3);
  const TranscriptAudit audit =
      audit_transcripts(gaussian(1, 1), labels(0, 1), {epsilon, 1e-3}, 30, 1e-9, key());
  EXPECT_EQ(audit.verdict, Verdict::inconclusive) << audit.reason;
  EXPECT_GT(audit.samples_needed, 30);
  EXPECT_NE(audit.reason.find("would tell"), std::string::npos);
}

// Mechanisms whose claim is exactly tight, at significance 0.05: rejections over 1,000 seeds within
// the binomial quantile at 1e-12. Bets are cautious, and far fewer are seen: a level that is a few
// times too large shows in the tests above, an invalid bet here.
TEST(TranscriptAudit, RejectsTightClaimsAtMostAtItsLevel) {
  constexpr int seeds = 1'000;
  const double laplace_delta = -std::expm1((0.5 - 1) / 2);  // of epsilon 1 noise at 0.5
  const double logit = std::log(3.0);
  const Mechanism response = [logit](const Dataset& data, Releases& releases) {
    return VectorXd::Constant(1, static_cast<double>(releases.select(ExponentialMechanism{
                                     Eigen::Vector2d(0, logit * (2 * data.labels[0] - 1)), 1, 1})));
  };
  // P(1) is 3/4 and 1/4: delta(log 2) = 3/4 - 2/4.
  int laplace_rejected = 0, response_rejected = 0, pure_rejected = 0;
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    const auto rejects = [&](const Mechanism& mechanism, PrivacyGuarantee claimed) {
      return audit_transcripts(mechanism, labels(0, 1), claimed, 90, 0.05, key(seed)).verdict ==
             Verdict::refuted;
    };
    laplace_rejected += rejects(laplace(1), {0.5, laplace_delta});
    response_rejected += rejects(response, {std::log(2.0), 0.25});
    pure_rejected += rejects(response, {logit, 0});
  }
  const boost::math::binomial_distribution<> rejected(seeds, 0.05);
  const double most = boost::math::quantile(boost::math::complement(rejected, 1e-12));
  EXPECT_LE(laplace_rejected, most);
  EXPECT_LE(response_rejected, most);
  EXPECT_EQ(pure_rejected, 0);
}

TEST(TranscriptAudit, RefusesNoTranscripts) {
  EXPECT_THROW(audit_transcripts(laplace(1), labels(0, 1), {1, 0}, 0, 0.05, key()),
               std::invalid_argument);
}

// A delta of 1e-9 would be seen once in 10^9 transcripts; moved to where it arises, a tenth of them
// and more count.
TEST(TranscriptAudit, MovesTheTranscriptsToWhereTheDeltaArises) {
  const double epsilon = gaussian_epsilon(1, 1e-9);
  const TranscriptAudit audit =
      audit_transcripts(gaussian(1, 1), labels(0, 1), {epsilon, 1e-9}, 3000, 0.05, key());
  EXPECT_EQ(audit.verdict, Verdict::consistent);
  EXPECT_GT(audit.effective_samples, 300);
  EXPECT_NEAR(audit.delta, 1e-9, 2e-10);
}

}  // namespace
}  // namespace dpverify
