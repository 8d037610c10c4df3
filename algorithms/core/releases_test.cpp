#include "algorithms/core/releases.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>

#include "algorithms/core/enumerate.hpp"
#include "algorithms/core/test_statistics.hpp"

namespace dpverify {
namespace {

using ::testing::HasSubstr;

VectorXd one(double x) { return VectorXd::Constant(1, x); }

RandomStream stream(std::uint64_t trial = 0) {
  return RandomStream({.seed = 1, .claim = "releases_test", .purpose = "releases", .trial = trial});
}

// Three records with one feature; the neighbour replaces label 3 by 5.
NeighbouringPair three_records() { return make_pair({{1, 1}, {2, 2}, {3, 3}}, 2, {3, 5}); }

// An honest mechanism that uses every kind of law: a noisy sum of the labels, then a choice and a
// Gaussian release that both look at the data and at the outcome before.
VectorXd honest(const Dataset& data, Releases& releases) {
  const double sum = data.labels.sum();
  const double noisy = releases.release(LaplaceNoise{one(sum), 2, 4})[0];
  const Index v = releases.select(ExponentialMechanism{
      .scores = (VectorXd(2) << sum, noisy).finished(), .sensitivity = 4, .coefficient = 0.25});
  const VectorXd last = releases.release(GaussianNoise{one(sum * sum), 100, 10});
  return (VectorXd(3) << noisy, static_cast<double>(v), last[0]).finished();
}

Transcript record_of(const Mechanism& mechanism) {
  return record(mechanism, three_records().data, stream());
}

Replay replay_of(const Mechanism& mechanism) {
  return replay(mechanism, three_records().neighbour, record_of(mechanism));
}

TEST(Releases, SamplingAndRecordingDrawTheSame) {
  SamplingReleases releases(stream());
  const VectorXd output = honest(three_records().data, releases);
  const Transcript transcript = record_of(honest);
  EXPECT_EQ(transcript.output, output);
  ASSERT_EQ(transcript.entries.size(), 3u);
  EXPECT_EQ(law_name(transcript.entries[0].law), "Laplace noise");
  EXPECT_EQ(law_name(transcript.entries[1].law), "exponential mechanism");
  EXPECT_EQ(law_name(transcript.entries[2].law), "Gaussian noise");
  EXPECT_EQ(std::get<VectorXd>(transcript.entries[0].outcome)[0], output[0]);
  EXPECT_EQ(static_cast<double>(std::get<Index>(transcript.entries[1].outcome)), output[1]);
}

TEST(Releases, NoiselessGivesTheBestChoiceAndTheValue) {
  NoiselessReleases releases;
  const VectorXd output = honest(three_records().data, releases);
  EXPECT_EQ(output, (VectorXd(3) << 6, 0, 36).finished());  // a tie goes to the first
  EXPECT_EQ(
      NoiselessReleases().select(ExponentialMechanism{(VectorXd(3) << 1, 5, 2).finished(), 1, 1}),
      1);
}

TEST(Releases, DataFreeRunDoesNotDependOnTheData) {
  const NeighbouringPair pair = three_records();
  DataFreeReleases here(stream()), there(stream());
  EXPECT_EQ(honest(pair.data, here), honest(pair.neighbour, there));
  // Its noise is that of the law: a selection with score 1000 is uniform, false failure 1e-11.
  DataFreeReleases releases(stream(1));
  std::vector<Index> counts(3);
  for (int i = 0; i < 60000; ++i)
    ++counts[static_cast<std::size_t>(
        releases.select(ExponentialMechanism{(VectorXd(3) << 1000, 0, 0).finished(), 1, 1}))];
  EXPECT_TRUE(counts_follow(counts, VectorXd::Constant(3, 1.0 / 3)));
}

// A noisy sum, then a choice, whose values are computed if they are read.
struct Lazy {
  int computed = 0;
  VectorXd operator()(const Dataset& data, Releases& releases) {
    const auto counted = [&](VectorXd value) {
      ++computed;
      return value;
    };
    const double sum = data.labels.sum();
    const double noisy = releases.release(LaplaceNoise{VectorXd::Zero(1), 2, 4},
                                          [&] { return counted(one(sum)); })[0];
    const Index v = releases.select(ExponentialMechanism{VectorXd::Zero(2), 4, 0.25}, [&] {
      return counted((VectorXd(2) << sum, noisy).finished());
    });
    return (VectorXd(2) << noisy, static_cast<double>(v)).finished();
  }
};

TEST(Releases, AValueIsComputedIfItIsRead) {
  const Mechanism eager = [](const Dataset& data, Releases& releases) {
    return VectorXd(honest(data, releases).head(2));
  };
  Lazy lazy;
  const NeighbouringPair pair = three_records();
  SamplingReleases sampling(stream()), same(stream());
  EXPECT_EQ(lazy(pair.data, sampling), eager(pair.data, same));
  EXPECT_EQ(lazy.computed, 2);
  DataFreeReleases without(stream()), without_too(stream());
  EXPECT_EQ(lazy(pair.data, without), eager(pair.data, without_too));
  EXPECT_EQ(lazy.computed, 2);
  EXPECT_THROW(sampling.release(LaplaceNoise{VectorXd::Zero(1), 2, 4},
                                [] { return VectorXd(VectorXd::Zero(2)); }),
               std::logic_error);
}

TEST(Enumerate, AsksForTheLawAfterAPrefixOnce) {
  int computed = 0;
  const Mechanism three_choices = [&](const Dataset& data, Releases& releases) {
    VectorXd out(3);
    double sum = data.labels[0];
    for (double& choice : out) {
      choice =
          static_cast<double>(releases.select(ExponentialMechanism{VectorXd::Zero(2), 1, 0.5}, [&] {
            ++computed;
            return VectorXd((VectorXd(2) << sum, 0).finished());
          }));
      sum += choice;
    }
    return out;
  };
  const auto paths = enumerate(three_choices, three_records().data);
  ASSERT_EQ(paths.size(), 8U);
  EXPECT_EQ(computed, 7);  // of 1 + 2 + 4 prefixes
  double all = 0;
  for (const OutcomePath& path : paths) {
    double sum = 1, probability = 1;
    for (const double choice : path.output) {
      const double first = 1 / (1 + std::exp(-0.5 * sum));
      probability *= choice == 0 ? first : 1 - first;
      sum += choice;
    }
    EXPECT_NEAR(std::exp(path.log_probability), probability, 1e-14);
    all += std::exp(path.log_probability);
  }
  EXPECT_NEAR(all, 1, 1e-14);
}

TEST(Replay, OnTheSameDataNothingChanges) {
  const Replay result = replay(honest, three_records().data, record_of(honest));
  EXPECT_EQ(result.leak, "");
  EXPECT_EQ(result.log_likelihood_ratio, 0);
  EXPECT_EQ(result.worst_ratio, 0);
  EXPECT_EQ(result.worst_step, 0u);
  EXPECT_EQ(result.steps.size(), 3u);
}

TEST(Replay, LikelihoodRatiosByHand) {
  // Sums of the labels: 6 on the data, 8 on the neighbour.
  const Transcript transcript = record_of(honest);
  const Replay result = replay(honest, three_records().neighbour, transcript);
  EXPECT_EQ(result.leak, "");
  ASSERT_EQ(result.steps.size(), 3u);
  const double noisy = transcript.output[0], v = transcript.output[1], last = transcript.output[2];

  const double laplace = (std::abs(noisy - 8) - std::abs(noisy - 6)) / 4;
  // P(0) = 1/(1 + exp((noisy - sum)/4)), P(1) = 1/(1 + exp((sum - noisy)/4)).
  const double sign = v == 0 ? 1 : -1;
  const double selection =
      std::log((1 + std::exp(sign * (noisy - 8) / 4)) / (1 + std::exp(sign * (noisy - 6) / 4)));
  const double gaussian = (std::pow(last - 64, 2) - std::pow(last - 36, 2)) / (2 * 100);
  EXPECT_NEAR(result.steps[0].log_likelihood_ratio, laplace, 1e-14);
  EXPECT_NEAR(result.steps[1].log_likelihood_ratio, selection, 1e-14);
  EXPECT_NEAR(result.steps[2].log_likelihood_ratio, gaussian, 1e-13);
  EXPECT_NEAR(result.log_likelihood_ratio, laplace + selection + gaussian, 1e-13);

  EXPECT_EQ(result.steps[0].change.distance, 2);
  EXPECT_EQ(result.steps[1].change.distance, 2);
  EXPECT_EQ(result.steps[2].change.distance, 28);
  EXPECT_EQ(result.steps[0].declared_sensitivity, 2);
  EXPECT_EQ(result.worst_ratio, 1);  // 2/2, 2/4, 28/100
  EXPECT_EQ(result.worst_step, 0u);
  // Nobody who skips the ratios waits for them.
  const Replay skipped = replay(honest, three_records().neighbour, transcript, LogRatios::skip);
  EXPECT_EQ(skipped.log_likelihood_ratio, 0);
  EXPECT_EQ(skipped.worst_ratio, 1);
}

TEST(Replay, MeasuresAViolatedSensitivity) {
  const Replay result = replay_of([](const Dataset& data, Releases& releases) {
    releases.release(LaplaceNoise{one(data.labels.sum()), 2, 1});
    return releases.release(LaplaceNoise{one(data.labels.sum()), 0.5, 1});
  });
  EXPECT_EQ(result.leak, "");
  EXPECT_EQ(result.worst_ratio, 4);
  EXPECT_EQ(result.worst_step, 1u);
}

TEST(Replay, SensitivityZeroThatMovesIsInfinitelyWrong) {
  const Replay result = replay_of([](const Dataset& data, Releases& releases) {
    return releases.release(LaplaceNoise{one(data.labels.sum()), 0, 1});
  });
  EXPECT_EQ(result.worst_ratio, std::numeric_limits<double>::infinity());
}

TEST(Replay, ValueThatIsNotFiniteOnTheNeighbour) {
  const Replay result = replay_of([](const Dataset& data, Releases& releases) {
    const double value = data.labels[2] > 4 ? std::nan("") : 1;
    return releases.release(LaplaceNoise{one(value), 1, 1});
  });
  EXPECT_EQ(result.worst_ratio, std::numeric_limits<double>::infinity());
  EXPECT_EQ(result.log_likelihood_ratio, std::numeric_limits<double>::infinity());
}

TEST(LeakCheck, OutputThatReadsTheData) {
  const Replay result = replay_of([](const Dataset& data, Releases& releases) {
    const double step = 1 / (1 + data.labels.maxCoeff());  // a step size taken from the data
    return VectorXd(step * releases.release(LaplaceNoise{one(data.labels.sum()), 2, 1}));
  });
  EXPECT_THAT(result.leak, HasSubstr("the final output still differs"));
}

// Outputs are compared bit for bit: the last one can carry a record.
TEST(LeakCheck, OutputThatDiffersInItsLastBit) {
  const Replay result = replay_of([](const Dataset& data, Releases& releases) {
    const double noisy = releases.release(LaplaceNoise{one(data.labels.sum()), 2, 1})[0];
    return one(data.labels[2] > 4 ? std::nextafter(noisy, 1e300) : noisy);
  });
  EXPECT_THAT(result.leak, HasSubstr("the final output still differs"));
}

TEST(LeakCheck, AnOutputThatIsNotANumber) {
  const auto leak_of = [](double on_data, double on_neighbour) {
    return replay_of([=](const Dataset& data, Releases& releases) {
             releases.release(LaplaceNoise{one(data.labels.sum()), 2, 1});
             return one(data.labels[2] > 4 ? on_neighbour : on_data);
           })
        .leak;
  };
  EXPECT_EQ(leak_of(std::nan(""), std::nan("")), "");
  EXPECT_THAT(leak_of(std::nan(""), 1), HasSubstr("the final output still differs"));
  EXPECT_THAT(leak_of(1, std::nan("")), HasSubstr("the final output still differs"));
}

TEST(LeakCheck, OutputOfAnotherLength) {
  const Replay result = replay_of([](const Dataset& data, Releases& releases) {
    const double noisy = releases.release(LaplaceNoise{one(data.labels.sum()), 2, 1})[0];
    return VectorXd(VectorXd::Constant(static_cast<Index>(data.labels[2]), noisy));
  });
  EXPECT_THAT(result.leak, HasSubstr("the final output still differs"));
}

TEST(LeakCheck, NumberOfReleasesThatDependsOnTheData) {
  // Label of record 2: 3 on the data, 5 on the neighbour.
  const auto releases_while = [](bool more_on_neighbour) {
    return [more_on_neighbour](const Dataset& data, Releases& releases) {
      const Index runs = (data.labels[2] > 4) == more_on_neighbour ? 3 : 2;
      for (Index i = 0; i < runs; ++i) releases.release(LaplaceNoise{one(0), 1, 1});
      return one(0);
    };
  };
  EXPECT_THAT(replay_of(releases_while(false)).leak,
              HasSubstr("the number of releases differs: 3 on one dataset, 2 on the other"));
  EXPECT_THAT(replay_of(releases_while(true)).leak, HasSubstr("release 3 differs in kind"));
}

TEST(LeakCheck, NoiseScaleThatDependsOnTheData) {
  const Replay result = replay_of([](const Dataset& data, Releases& releases) {
    releases.release(LaplaceNoise{one(0), 1, 1});
    return releases.release(LaplaceNoise{one(0), 1, data.labels.maxCoeff()});
  });
  EXPECT_THAT(result.leak, HasSubstr("declared sensitivity of release 2 depends on the data"));
}

TEST(LeakCheck, DeclaredSensitivityThatDependsOnTheData) {
  const Replay result = replay_of([](const Dataset& data, Releases& releases) {
    return releases.release(LaplaceNoise{one(0), data.labels.maxCoeff(), 1});
  });
  EXPECT_THAT(result.leak, HasSubstr("declared sensitivity of release 1 depends on the data"));
}

TEST(LeakCheck, KindOrSizeOfAReleaseThatDependsOnTheData) {
  const Replay kind = replay_of([](const Dataset& data, Releases& releases) {
    return data.labels[2] > 4 ? releases.release(LaplaceNoise{one(0), 1, 1})
                              : releases.release(GaussianNoise{one(0), 1, 1});
  });
  EXPECT_THAT(kind.leak, HasSubstr("release 1 differs in kind"));
  const Replay size = replay_of([](const Dataset& data, Releases& releases) {
    releases.select(ExponentialMechanism{VectorXd::Zero(static_cast<Index>(data.labels[2])), 1, 1});
    return one(0);
  });
  EXPECT_THAT(size.leak, HasSubstr("release 1 differs in kind"));
}

TEST(LeakCheck, HonestMechanismIsNeverAccused) {
  const NeighbouringPair pair = three_records();
  for (std::uint64_t trial = 0; trial < 200; ++trial) {
    const Transcript transcript = record(honest, pair.data, stream(trial));
    EXPECT_EQ(replay(honest, pair.neighbour, transcript).leak, "") << trial;
  }
}

}  // namespace
}  // namespace dpverify
