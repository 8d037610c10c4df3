#include "algorithms/core/random.hpp"

#include <gmock/gmock.h>

#include <array>
#include <boost/math/special_functions/gamma.hpp>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <set>

#include "algorithms/core/test_statistics.hpp"

namespace dpverify {
namespace {

using Word = std::uint64_t;

// High half of a 128-bit product, from 32-bit halves.
Word high_product(Word a, Word b) {
  constexpr Word mask = 0xFFFFFFFF;
  const Word low = (a & mask) * (b & mask);
  const Word middle = (a >> 32) * (b & mask) + (low >> 32);
  const Word cross = (a & mask) * (b >> 32) + (middle & mask);
  return (a >> 32) * (b >> 32) + (middle >> 32) + (cross >> 32);
}

// Philox4x64-10 written from the paper (Salmon et al., 2011, Section 3.3), apart from the library.
std::array<Word, 4> philox(std::array<Word, 4> c, std::array<Word, 2> k) {
  constexpr Word m0 = 0xD2E7470EE14C6C93, m1 = 0xCA5A826395121157;
  for (int round = 0; round < 10; ++round) {
    c = {high_product(m1, c[2]) ^ c[1] ^ k[0], m1 * c[2], high_product(m0, c[0]) ^ c[3] ^ k[1],
         m0 * c[0]};
    k[0] += 0x9E3779B97F4A7C15;
    k[1] += 0xBB67AE8584CAA73B;
  }
  return c;
}

TEST(Random, TwinGivesThePublishedVectors) {
  // Known answers published with Random123.
  constexpr Word ones = ~Word{0};
  EXPECT_EQ(philox({0, 0, 0, 0}, {0, 0}),
            (std::array<Word, 4>{0x16554d9eca36314c, 0xdb20fe9d672d0fdc, 0xd7e772cee186176b,
                                 0x7e68b68aec7ba23b}));
  EXPECT_EQ(philox({ones, ones, ones, ones}, {ones, ones}),
            (std::array<Word, 4>{0x87b092c3013fe90b, 0x438c3c67be8d0224, 0x9cc7d7c69cd777b6,
                                 0xa09caebf594f0ba0}));
  EXPECT_EQ(philox({0x243f6a8885a308d3, 0x13198a2e03707344, 0xa4093822299f31d0, 0x082efa98ec4e6c89},
                   {0x452821e638d01377, 0xbe5466cf34e90c6c}),
            (std::array<Word, 4>{0xa528f45403e61d95, 0x38c72dbd566e9788, 0xa5a1610e72fd18b5,
                                 0x57bd43b5e52b7fe6}));
}

TEST(Random, StreamIsPhiloxOfKeyAndCounter) {
  // Published XXH3 (64 bit) values of "", "a" and "abc".
  constexpr Word hash_empty = 0x2d06800538d394c2, hash_a = 0xe6c632b61e964e1f,
                 hash_abc = 0x78af5f94892f3950;
  RandomStream plain({.seed = 17, .claim = "", .purpose = "", .trial = 5});
  RandomStream named({.seed = 17, .claim = "a", .purpose = "abc", .trial = 5, .part = 9});
  for (Word block = 0; block < 3; ++block) {
    for (const Word word : philox({block, 5, hash_empty, 0}, {17, hash_empty}))
      EXPECT_EQ(plain.bits(), word);
    for (const Word word : philox({block, 5, hash_abc, 9}, {17, hash_a}))
      EXPECT_EQ(named.bits(), word);
  }
}

TEST(Random, EveryPartOfTheKeyMattersAndOrderDoesNot) {
  const std::array<RandomStream::Key, 6> keys{
      {{.seed = 1, .claim = "c", .purpose = "p", .trial = 0},
       {.seed = 2, .claim = "c", .purpose = "p", .trial = 0},
       {.seed = 1, .claim = "d", .purpose = "p", .trial = 0},
       {.seed = 1, .claim = "c", .purpose = "q", .trial = 0},
       {.seed = 1, .claim = "c", .purpose = "p", .trial = 1},
       {.seed = 1, .claim = "c", .purpose = "p", .trial = 0, .part = 1}}};
  std::set<Word> seen;
  std::vector<std::vector<Word>> forward;
  for (const auto& key : keys) {
    RandomStream stream(key);
    forward.emplace_back();
    for (int i = 0; i < 9; ++i) seen.insert(forward.back().emplace_back(stream.bits()));
  }
  EXPECT_EQ(seen.size(), 54u);
  // Interleaved and last stream first: the same numbers.
  std::vector<RandomStream> streams(keys.begin(), keys.end());
  for (std::size_t i = 0; i < 9; ++i)
    for (std::size_t k = keys.size(); k-- > 0;) EXPECT_EQ(streams[k].bits(), forward[k][i]);
}

// One stream a test, so that no draw is shared. Each check of a law below fails for a right law
// with probability at most false_failure = 1e-11.
constexpr Index draws = 200000;

std::vector<double> sampled(std::string_view purpose, double (RandomStream::*draw)()) {
  RandomStream stream({.seed = 1, .claim = "random_test", .purpose = purpose});
  std::vector<double> samples(static_cast<std::size_t>(draws));
  for (double& x : samples) x = (stream.*draw)();
  return samples;
}

double normal_cdf(double x) { return std::erfc(-x / std::numbers::sqrt2) / 2; }
double laplace_cdf(double x) { return x < 0 ? std::exp(x) / 2 : 1 - std::exp(-x) / 2; }

// Of the checks themselves: what was never drawn, or is no number, follows no law.
TEST(Random, NothingFollowsNoLaw) {
  const double nan = std::nan("");
  EXPECT_FALSE(samples_follow({}, normal_cdf));
  EXPECT_FALSE(samples_follow({nan, nan, nan}, normal_cdf));
  EXPECT_FALSE(samples_follow({-1, 0, 1}, [nan](double) { return nan; }));
  EXPECT_FALSE(counts_follow({0, 0}, VectorXd::Constant(2, 0.5)));
  EXPECT_FALSE(counts_follow({1, 1}, VectorXd::Constant(2, nan)));
}

TEST(Random, Uniform) {
  const auto samples =
      sampled("uniform", static_cast<double (RandomStream::*)()>(&RandomStream::uniform));
  EXPECT_TRUE(samples_follow(samples, [](double x) { return x; }));
  for (const double x : samples) {
    const double scaled = x * 0x1p53;  // exact
    ASSERT_EQ(std::fmod(scaled, 2), 1) << "not an odd multiple of 2^-53";
  }
  RandomStream stream({.seed = 1, .claim = "random_test", .purpose = "uniform on an interval"});
  std::vector<double> shifted(static_cast<std::size_t>(draws));
  for (double& x : shifted) x = stream.uniform(-3, 5);
  EXPECT_TRUE(samples_follow(shifted, [](double x) { return (x + 3) / 8; }));
}

TEST(Random, Normal) {
  const auto samples = sampled("normal", &RandomStream::normal);
  EXPECT_TRUE(samples_follow(samples, normal_cdf));
  // The check has teeth: a standard deviation wrong by 5 % and a mean wrong by 0.03 fail.
  EXPECT_FALSE(samples_follow(samples, [](double x) { return normal_cdf(x / 1.05); }));
  EXPECT_FALSE(samples_follow(samples, [](double x) { return normal_cdf(x - 0.03); }));
}

TEST(Random, ConsecutiveNormalsAreIndependent) {
  // The sum of two over sqrt 2 is normal if and only if they are independent. In each of the two
  // groups of sums no draw is used twice.
  const auto samples = sampled("normal pairs", &RandomStream::normal);
  for (const std::size_t first : {0u, 1u}) {
    std::vector<double> sums;
    for (std::size_t i = first; i + 1 < samples.size(); i += 2)
      sums.push_back((samples[i] + samples[i + 1]) / std::numbers::sqrt2);
    EXPECT_TRUE(samples_follow(sums, normal_cdf));
    EXPECT_FALSE(samples_follow(sums, [](double x) { return normal_cdf(x / 1.1); }));
  }
}

// Beyond its last layer a ziggurat draws in another way.
TEST(Random, TailsOfZiggurats) {
  RandomStream stream({.seed = 1, .claim = "random_test", .purpose = "tails"});
  constexpr int many = 4'000'000;
  constexpr double far = 3.2, late = 7;
  std::vector<double> normal, exponential;
  for (int k = 0; k < many; ++k) {
    if (const double x = std::abs(stream.normal()); x > far) normal.push_back(x);
    if (const double x = stream.exponential(); x > late) exponential.push_back(x);
  }
  const auto share_follows = [](std::size_t found, double p) {
    const auto times = static_cast<Index>(found);
    return counts_follow({times, many - times}, (VectorXd(2) << p, 1 - p).finished());
  };
  const double beyond = 2 * normal_cdf(-far);
  EXPECT_TRUE(share_follows(normal.size(), beyond));
  EXPECT_TRUE(samples_follow(normal, [&](double x) { return 1 - 2 * normal_cdf(-x) / beyond; }));
  EXPECT_TRUE(share_follows(exponential.size(), std::exp(-late)));
  EXPECT_TRUE(samples_follow(exponential, [](double x) { return -std::expm1(late - x); }));
}

TEST(Random, Exponential) {
  const auto samples = sampled("exponential", &RandomStream::exponential);
  EXPECT_TRUE(samples_follow(samples, [](double x) { return -std::expm1(-x); }));
  for (const double x : samples) ASSERT_TRUE(std::isfinite(x) && x > 0);
}

TEST(Random, CoinsAreFairAndOneBitEach) {
  const RandomStream::Key key{.seed = 1, .claim = "random_test", .purpose = "coins"};
  RandomStream stream(key), words(key);
  std::vector<Index> quadruples(16);
  for (int word = 0; word < 20'000; ++word) {
    const Word bits = words.bits();
    for (unsigned k = 0; k < 64; k += 4) {
      std::size_t four = 0;
      for (unsigned i = 0; i < 4; ++i) {
        const bool coin = stream.coin();
        ASSERT_EQ(coin, (bits >> (k + i) & 1) != 0);
        four = 2 * four + (coin ? 1 : 0);
      }
      ++quadruples[four];
    }
  }
  EXPECT_TRUE(counts_follow(quadruples, VectorXd::Constant(16, 1.0 / 16)));
}

TEST(Random, Gamma) {
  for (const double shape : {0.2, 1.0, 1.3, 4.0, 300.0}) {
    RandomStream stream(
        {.seed = 1, .claim = "random_test", .purpose = "gamma", .trial = static_cast<Word>(shape)});
    std::vector<double> samples(static_cast<std::size_t>(draws));
    for (double& x : samples) x = stream.gamma(shape);
    EXPECT_TRUE(samples_follow(samples, [&](double x) { return boost::math::gamma_p(shape, x); }))
        << shape;
    EXPECT_FALSE(samples_follow(samples, [&](double x) {
      return boost::math::gamma_p(shape, x * (1 + 0.1 / std::sqrt(shape)));
    })) << shape;
  }
}

TEST(Random, NormalVectorIsASequenceOfNormals) {
  RandomStream one({.seed = 3, .claim = "random_test", .purpose = "vector"});
  RandomStream other = one;
  for (const Index size : {3, 1, 4}) {
    const VectorXd vector = one.normal_vector(size);
    ASSERT_EQ(vector.size(), size);
    for (Index i = 0; i < size; ++i) EXPECT_EQ(vector[i], other.normal());
  }
}

TEST(Random, Laplace) {
  const auto samples = sampled("laplace", &RandomStream::laplace);
  EXPECT_TRUE(samples_follow(samples, laplace_cdf));
  EXPECT_FALSE(samples_follow(samples, [](double x) { return laplace_cdf(x / 1.1); }));
  for (const double x : samples) ASSERT_TRUE(std::isfinite(x) && x != 0);
}

TEST(Random, Index) {
  for (const Index count : {1, 2, 3, 7, 100}) {
    RandomStream stream(
        {.seed = 1, .claim = "random_test", .purpose = "index", .trial = static_cast<Word>(count)});
    std::vector<Index> counts(static_cast<std::size_t>(count));
    for (Index i = 0; i < draws; ++i) {
      const Index v = stream.index(count);
      ASSERT_TRUE(v >= 0 && v < count);
      ++counts[static_cast<std::size_t>(v)];
    }
    const auto size = static_cast<double>(count);
    EXPECT_TRUE(counts_follow(counts, VectorXd::Constant(count, 1 / size)));
    if (count > 1) {
      VectorXd skewed = VectorXd::Constant(count, 1 / size);
      skewed[0] *= 1.3;
      EXPECT_FALSE(counts_follow(counts, skewed));
    }
  }
}

TEST(Random, IndexOfALargeRangeIsNotBiased) {
  // 3 * 2^61 does not divide 2^64: a bare remainder would hit the thirds of the range with
  // probabilities 3/8, 3/8 and 2/8.
  const Index count = Index{3} << 61;
  RandomStream stream({.seed = 1, .claim = "random_test", .purpose = "large index"});
  std::vector<Index> thirds(3);
  for (Index i = 0; i < draws; ++i) ++thirds[static_cast<std::size_t>(stream.index(count) >> 61)];
  EXPECT_TRUE(counts_follow(thirds, VectorXd::Constant(3, 1.0 / 3)));
  EXPECT_FALSE(counts_follow(thirds, (VectorXd(3) << 3.0 / 8, 3.0 / 8, 2.0 / 8).finished()));
}

TEST(Random, IndexOfNothing) {
  RandomStream stream({.seed = 1, .claim = "random_test", .purpose = "none"});
  EXPECT_THAT([&] { stream.index(0); }, ::testing::ThrowsMessage<std::invalid_argument>(
                                            "number of choices is 0, but must be at least 1"));
  EXPECT_THROW(stream.index(-1), std::invalid_argument);
}

}  // namespace
}  // namespace dpverify
