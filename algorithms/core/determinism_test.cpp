#include "algorithms/core/determinism.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <random>

namespace dpverify {
namespace {

using ::testing::HasSubstr;

const Dataset zeros{Matrix::Zero(2, 1), VectorXd::Zero(2)};

VectorXd one(double x) { return VectorXd::Constant(1, x); }

TEST(OwnRandomness, IsNoneInAFunctionOfDataAndOutcomes) {
  EXPECT_EQ(own_randomness(
                [](const Dataset& data, Releases& releases) -> VectorXd {
                  return releases.release(LaplaceNoise{one(data.labels.sum()), 1, 1}) * 2;
                },
                zeros),
            "");
  EXPECT_EQ(own_randomness([](const Dataset&, Releases&) { return one(3); }, zeros), "");
  // A program's noise is inside its release.
  EXPECT_EQ(
      own_randomness(
          [](const Dataset&, Releases& releases) {
            return releases.release(HiddenRelease{
                .size = 1, .draw = [](RandomStream& stream) { return one(stream.normal()); }});
          },
          zeros),
      "");
}

TEST(OwnRandomness, ShowsInTheOutput) {
  const auto generator = std::make_shared<std::mt19937_64>(1);
  EXPECT_THAT(own_randomness(
                  [generator](const Dataset& data, Releases&) {
                    return one(data.labels.sum() + std::normal_distribution<>()(*generator));
                  },
                  zeros),
              HasSubstr("outside its releases"));
}

TEST(OwnRandomness, ShowsInAPreNoiseValueAndInTheNumberOfReleases) {
  const auto runs = std::make_shared<int>(0);
  EXPECT_THAT(own_randomness(
                  [runs](const Dataset&, Releases& releases) -> VectorXd {
                    releases.release(LaplaceNoise{one(++*runs), 1, 1});
                    return releases.release(LaplaceNoise{one(0), 1, 1}) * 0;
                  },
                  zeros),
              HasSubstr("keeps a state"));
  EXPECT_THAT(own_randomness(
                  [runs](const Dataset&, Releases& releases) {
                    for (int k = ++*runs % 2; k < 2; ++k)
                      releases.release(LaplaceNoise{one(0), 1, 1});
                    return one(0);
                  },
                  zeros),
              HasSubstr("keeps a state"));
}

TEST(OwnRandomness, IsNotSeenWhereARunFails) {
  EXPECT_EQ(own_randomness(
                [](const Dataset&, Releases& releases) {
                  return releases.release(LaplaceNoise{one(std::nan("")), 1, 1});
                },
                zeros),
            "");
}

// One run is recorded, and as many as asked for are compared with it.
TEST(OwnRandomness, ComparesAsManyRunsAsItIsTold) {
  for (const int repeats : {0, 1, 5}) {
    int runs = 0;
    EXPECT_EQ(
        own_randomness([&](const Dataset&, Releases&) { return ++runs, one(3); }, zeros, repeats),
        "");
    EXPECT_EQ(runs, repeats + 1);
  }
}

// A fair coin of the mechanism's own: missed with probability 2^-16 only.
TEST(OwnRandomness, ShowsInACoinToss) {
  const auto generator = std::make_shared<std::mt19937_64>(1);
  for (int trial = 0; trial < 200; ++trial)
    EXPECT_NE(own_randomness(
                  [generator](const Dataset&, Releases&) {
                    return one(static_cast<double>((*generator)() & 1));
                  },
                  zeros),
              "");
}

}  // namespace
}  // namespace dpverify
