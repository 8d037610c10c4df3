#include "audits/accounting/certify.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "algorithms/core/gaussian.hpp"
#include "algorithms/core/numbers.hpp"

namespace dpverify {
namespace {

using ::testing::HasSubstr;

// Laplace noise on a clipped sum over each of `parts` parts, or over everything `parts` times: each
// release is 0.3-DP.
Mechanism sums(Index parts, bool whole) {
  return [=](const Dataset& data, Releases& releases) {
    VectorXd out(parts);
    for (Index t = 1; t <= parts; ++t) {
      const DataView view = whole ? data.all() : data.part(t, parts);
      const double sum = view.labels.cwiseMax(-1).cwiseMin(1).sum();
      out[t - 1] = releases.release(LaplaceNoise{VectorXd::Constant(1, sum), 2, 2 / 0.3})[0];
    }
    return out;
  };
}

Certificate certified(const Mechanism& mechanism, double delta, Index records = 12) {
  return certify(mechanism, records, 2, delta, RandomStream({.seed = 1, .claim = "certify test"}));
}

// k Gaussian releases of a clipped sum, and `laplace` Laplace ones.
Mechanism noisy_sums(Index k, Index laplace) {
  return [=](const Dataset& data, Releases& releases) {
    VectorXd out = VectorXd::Zero(1);
    const VectorXd sum = VectorXd::Constant(1, data.labels.cwiseMax(-1).cwiseMin(1).sum());
    for (Index t = 0; t < k; ++t) out += releases.release(GaussianNoise{sum, 2, 8});
    for (Index t = 0; t < laplace; ++t) out += releases.release(LaplaceNoise{sum, 2, 20});
    return out;
  };
}

TEST(Certify, PartsNotTouchedAreNotPaidFor) {
  // 11 records, 3 parts of 3: records 9 and 10 belong to no part.
  const Certificate parts = certified(sums(3, false), 0, 11);
  EXPECT_EQ(parts.releases, 3);
  EXPECT_EQ(parts.paid, 1);
  EXPECT_NEAR(parts.epsilon, 0.3, 1e-9);
  EXPECT_EQ(parts.advanced, 0);  // delta = 0
}

TEST(Certify, WholeDataPaysForEveryRelease) {
  const Certificate pure = certified(sums(3, true), 0);
  EXPECT_EQ(pure.paid, 3);
  EXPECT_NEAR(pure.epsilon, 0.9, 1e-9);

  // At delta > 0: the (epsilon, delta) curve of three randomised responses of 0.3 from its four
  // outcomes by hand. p = e^0.3/(1 + e^0.3); the loss is 0.9, 0.3, -0.3 or -0.9, and for epsilon in
  // (0.3, 0.9) delta = p^3 - e^epsilon (1 - p)^3.
  const double p = std::exp(0.3) / (1 + std::exp(0.3));
  const double delta = 0.05;
  const double expected = std::log((std::pow(p, 3) - delta) / std::pow(1 - p, 3));
  ASSERT_GT(expected, 0.3);
  EXPECT_NEAR(certified(sums(3, true), delta).epsilon, expected, 1e-8);
  // Advanced composition: sqrt(2 * 3 * 0.09 log 20) + 0.9 (e^0.3 - 1) = 1.59 is worse than the sum.
  EXPECT_NEAR(certified(sums(3, true), delta).advanced, 0.9, 1e-12);
}

TEST(Certify, TheCostliestRecordCounts) {
  // The first half of the data answers two releases, the second half one.
  const Mechanism uneven = [](const Dataset& data, Releases& releases) {
    VectorXd out(3);
    for (Index k = 0; k < 3; ++k) {
      const double sum = data.part(k < 2 ? 1 : 2, 2).labels.cwiseMax(-1).cwiseMin(1).sum();
      out[k] = releases.release(
          LaplaceNoise{VectorXd::Constant(1, sum), 2, k < 2 ? 2 / 0.25 : 2 / 0.4})[0];
    }
    return out;
  };
  const Certificate certificate = certified(uneven, 0);
  EXPECT_NEAR(certificate.epsilon, 0.5, 1e-9);
  EXPECT_EQ(certificate.paid, 2);
}

// The half that is dearer may be tried first or last, and pays for one release as the other does.
TEST(Certify, TheDearestRecordCountsWhereverItStands) {
  for (const double first : {0.2, 0.7}) {
    const Mechanism halves = [first](const Dataset& data, Releases& releases) {
      double out = 0;
      for (const Index k : {1, 2}) {
        const double sum = data.part(k, 2).labels.cwiseMax(-1).cwiseMin(1).sum();
        const double epsilon = k == 1 ? first : 0.9 - first;
        out += releases.release(LaplaceNoise{VectorXd::Constant(1, sum), 2, 2 / epsilon})[0];
      }
      return VectorXd(VectorXd::Constant(1, out));
    };
    const Certificate certificate = certified(halves, 0);
    EXPECT_NEAR(certificate.epsilon, 0.7, 1e-9) << first;
    EXPECT_EQ(certificate.paid, 1);
  }
}

TEST(Certify, ReleasesThatOnlyReadEarlierOutcomesCostNothing) {
  const Mechanism postprocessing = [](const Dataset& data, Releases& releases) {
    const VectorXd first = releases.release(
        LaplaceNoise{VectorXd::Constant(1, data.labels.cwiseMax(-1).cwiseMin(1).sum()), 2, 10});
    return releases.release(LaplaceNoise{3 * first, 1, 1});
  };
  const Certificate certificate = certified(postprocessing, 0);
  EXPECT_EQ(certificate.releases, 2);
  EXPECT_NEAR(certificate.epsilon, 0.2, 1e-9);
}

TEST(Certify, EveryKindOfPureLawCostsWhatItDeclares) {
  const Mechanism mixed = [](const Dataset& data, Releases& releases) {
    const double x = data.labels.cwiseMax(-1).cwiseMin(1).sum();
    VectorXd scores(2);
    scores << x, -x;
    const Index a = releases.select(ExponentialMechanism::with_epsilon(scores, 2, 0.1));
    const Index b = releases.select(NoisyMax{scores, 2, 20});                       // 4/20
    const VectorXd c = releases.release(LaplaceNoise{scores.head(1), 2, 2 / 0.4});  // 0.4
    return VectorXd::Constant(1, static_cast<double>(a + b) + c[0]);
  };
  EXPECT_NEAR(certified(mixed, 0).epsilon, 0.7, 1e-9);
}

TEST(Certify, ALeakCertifiesNothing) {
  const Mechanism honest = sums(2, true);
  const Mechanism output = [&honest](const Dataset& data, Releases& releases) -> VectorXd {
    return honest(data, releases) * data.labels[0];
  };
  const auto problem = [](const Mechanism& mechanism) {
    const Certificate certificate = certified(mechanism, 0.1);
    EXPECT_EQ(certificate.epsilon, infinity);
    return certificate.problem;
  };
  EXPECT_THAT(problem(output), HasSubstr("the final output still differs"));
  const Mechanism noise = [](const Dataset& data, Releases& releases) {
    const double scale = 1 + std::abs(data.labels.maxCoeff());
    return releases.release(LaplaceNoise{VectorXd::Zero(1), 1, scale});
  };
  EXPECT_THAT(problem(noise), HasSubstr("of release 1 depends on the data"));
  const Mechanism control_flow = [](const Dataset& data, Releases& releases) {
    const LaplaceNoise law{VectorXd::Zero(1), 1, 1};
    VectorXd out = releases.release(law);
    if (data.labels.maxCoeff() > 100) out += releases.release(law);
    return out;
  };
  EXPECT_THAT(problem(control_flow), HasSubstr("release 2 differs in kind"));
}

TEST(Certify, NothingMovedShowsNothing) {
  const Mechanism constant = [](const Dataset&, Releases& releases) {
    return releases.release(LaplaceNoise{VectorXd::Zero(1), 1, 1});
  };
  EXPECT_EQ(certified(constant, 0.1).epsilon, infinity);
  EXPECT_EQ(certified(constant, 0.1).problem, "no replaced record moved any release");
}

// Two releases, of which the second moves only as `second` says.
Mechanism with_second(const std::function<double(const Dataset&)>& second) {
  return [second](const Dataset& data, Releases& releases) {
    VectorXd out(2);
    const double sum = data.labels.cwiseMax(-1).cwiseMin(1).sum();
    out[0] = releases.release(LaplaceNoise{VectorXd::Constant(1, sum), 2, 2 / 0.3})[0];
    out[1] = releases.release(LaplaceNoise{VectorXd::Constant(1, second(data)), 1, 1 / 0.4})[0];
    return out;
  };
}

// The second release reads a record only where its feature and its label are large and agree in
// sign: not among normal records, nor among those whose label is minus the feature.
TEST(Certify, AReleaseThatFewRecordsReachIsPaidFor) {
  const Certificate certificate = certified(with_second([](const Dataset& data) {
                                              double most = 0;
                                              for (Index i = 0; i < data.size(); ++i)
                                                if (data.labels[i] > 100)
                                                  most = std::max(most, data.features(i, 0));
                                              return std::min(1.0, most / 100);
                                            }),
                                            0);
  EXPECT_EQ(certificate.paid, 2);
  EXPECT_NEAR(certificate.epsilon, 0.7, 1e-9);
}

// The second release reads a feature only between two numbers of one order of magnitude, on either
// side of 0.
TEST(Certify, AReleaseThatReadsOneOrderOfMagnitudeIsPaidFor) {
  for (const double sign : {1, -1}) {
    const Certificate certificate = certified(
        with_second([sign](const Dataset& data) {
          const auto scaled = sign * data.features.col(0).array();
          return (scaled > 2e-3 && scaled < 9e-3 && data.labels.array() > 1e3).any() ? 1.0 : 0.0;
        }),
        0, 30);
    EXPECT_EQ(certificate.paid, 2) << sign;
  }
}

// The second release moves only where all the other records are equal.
TEST(Certify, AReleaseThatMovesOnFewDatasetsIsPaidFor) {
  const Certificate certificate = certified(with_second([](const Dataset& data) {
                                              double equal = 0;
                                              for (Index i = 0; i < data.size(); ++i)
                                                if ((data.labels.array() == data.labels[i]).all())
                                                  equal = 1;
                                              return equal;
                                            }),
                                            0);
  EXPECT_EQ(certificate.paid, 2);
  EXPECT_NEAR(certificate.epsilon, 0.7, 1e-9);
}

// In whatever order: each record reports once.
TEST(Certify, AShuffledRecordPaysForItsOwnReport) {
  const Mechanism shuffled = [](const Dataset& data, Releases& releases) {
    const VectorXd order = releases.release(UniformPermutation{data.size()});
    VectorXd out(data.size());
    for (Index k = 0; k < data.size(); ++k) {
      const double x = std::clamp(data.labels[static_cast<Index>(order[k])], -1.0, 1.0);
      out[k] = releases.release(LaplaceNoise{VectorXd::Constant(1, x), 2, 2 / 0.3})[0];
    }
    return out;
  };
  const Certificate certificate = certified(shuffled, 0);
  EXPECT_EQ(certificate.releases, 13);
  EXPECT_NEAR(certificate.epsilon, 0.3, 1e-9);
}

TEST(Certify, AProgramIsBeyondCertificates) {
  const Mechanism program = [](const Dataset& data, Releases& releases) {
    const double sum = data.labels.cwiseMax(-1).cwiseMin(1).sum();
    return releases.release(HiddenRelease{.size = 1, .draw = [sum](RandomStream& stream) {
                                            return VectorXd::Constant(1, sum + stream.laplace());
                                          }});
  };
  const Certificate certificate = certified(program, 0.1);
  EXPECT_FALSE(certificate.declared);
  EXPECT_EQ(certificate.epsilon, infinity);
  // Gaussian noise declares a cost, though none at delta = 0.
  EXPECT_TRUE(certified(noisy_sums(1, 0), 0).declared);
}

// A loss whose derivative vanishes for large residuals: random records of size 10 move nothing, a
// small one does.
TEST(Certify, FindsTheRecordsThatARedescendingLossStillFeels) {
  const Mechanism redescending = [](const Dataset& data, Releases& releases) {
    double sum = 0;
    for (Index i = 0; i < data.size(); ++i)
      if (std::abs(data.labels[i]) < 0.5) sum += data.labels[i];
    return releases.release(LaplaceNoise{VectorXd::Constant(1, sum), 1, 2});
  };
  EXPECT_NEAR(certified(redescending, 0).epsilon, 0.5, 1e-9);
}

TEST(Certify, GaussianNoiseIsNotPure) {
  const Mechanism gaussian = [](const Dataset& data, Releases& releases) {
    const double sum = data.labels.cwiseMax(-1).cwiseMin(1).sum();
    return releases.release(GaussianNoise{VectorXd::Constant(1, sum), 2, 100});
  };
  EXPECT_EQ(certified(gaussian, 0).epsilon, infinity);
  EXPECT_EQ(certified(gaussian, 0.1).epsilon, 0);
}

// Datasets, neighbours and outcomes are those of the stream.
TEST(Certify, TheSameStreamGivesTheSameRuns) {
  const auto seen = [](std::uint64_t seed) {
    std::vector<double> numbers;
    const Mechanism mechanism = [&](const Dataset& data, Releases& releases) {
      const VectorXd sum = VectorXd::Constant(1, data.labels.cwiseMax(-1).cwiseMin(1).sum());
      const VectorXd out = releases.release(LaplaceNoise{sum, 2, 20});
      for (const double x : {data.features.sum(), data.labels.sum(), out[0]}) numbers.push_back(x);
      return out;
    };
    certify(mechanism, 4, 2, 0, RandomStream({.seed = seed, .claim = "certify test"}));
    return numbers;
  };
  EXPECT_EQ(seen(1), seen(1));
  EXPECT_NE(seen(1), seen(2));
}

TEST(Certify, GaussianReleasesComposeExactly) {
  const Certificate certificate = certified(noisy_sums(9, 0), 1e-6);
  EXPECT_EQ(certificate.paid, 9);
  EXPECT_NEAR(certificate.epsilon, gaussian_epsilon(3 * 0.25, 1e-6), 1e-10);
  EXPECT_EQ(certificate.advanced, 0);  // not pure
  EXPECT_EQ(certified(noisy_sums(1, 0), 0).epsilon, infinity);
}

TEST(Certify, AReleaseThatCostsNothingAtThisDeltaIsCertified) {
  const Certificate certificate = certified(noisy_sums(1, 0), 0.5);  // mu = 1/4
  EXPECT_EQ(certificate.epsilon, 0);
  EXPECT_EQ(certificate.paid, 1);
}

TEST(Certify, MixedReleasesGetTheBetterOfTwoBounds) {
  const double mixed = certified(noisy_sums(1, 2), 1e-6).epsilon;
  EXPECT_GT(mixed, gaussian_epsilon(0.25, 1e-6));
  EXPECT_LE(mixed, gaussian_epsilon(0.25, 5e-7) + 0.2 + 1e-9);
  EXPECT_LE(mixed, zcdp_epsilon(0.25 * 0.25 / 2 + 2 * 0.1 * 0.1 / 2, 1e-6) + 1e-12);
}

// Half the noise where many labels are 0, which no replacement of one record changes: the dearer of
// the two laws is what the release costs, whichever comes first.
TEST(Certify, AReleaseWhoseNoiseDependsOnTheDatasetCostsItsDearestLaw) {
  const auto with_less_noise_if = [](bool many) {
    return certified(
        [=](const Dataset& data, Releases& releases) {
          const bool many_zeros = (data.labels.array() == 0).count() >= 4;
          const double sum = data.labels.cwiseMax(-1).cwiseMin(1).sum();
          return releases.release(
              GaussianNoise{VectorXd::Constant(1, sum), 2, many_zeros == many ? 4.0 : 8.0});
        },
        1e-5);
  };
  const double dear = gaussian_epsilon(0.5, 1e-5);
  EXPECT_NEAR(with_less_noise_if(true).epsilon, dear, 1e-6 * dear);
  EXPECT_NEAR(with_less_noise_if(false).epsilon, dear, 1e-6 * dear);
}

TEST(Certify, ALawWithoutACostCertifiesNothing) {
  const ReleaseCost pure{.declared = {.epsilon = 0.1, .rho = 0.005}};
  EXPECT_EQ(composed_epsilon(std::vector<ReleaseCost>{pure, {}}, 1e-5), infinity);
  const ReleaseCost concentrated{.declared = {.rho = 0.01}};
  EXPECT_NEAR(composed_epsilon(std::vector<ReleaseCost>{concentrated}, 1e-5),
              zcdp_epsilon(0.01, 1e-5), 1e-15);
}

}  // namespace
}  // namespace dpverify
