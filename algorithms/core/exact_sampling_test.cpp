#include "algorithms/core/exact_sampling.hpp"

#include <gtest/gtest.h>

#include <boost/multiprecision/cpp_bin_float.hpp>
#include <cmath>
#include <initializer_list>
#include <vector>

#include "algorithms/core/numbers.hpp"
#include "algorithms/core/test_statistics.hpp"

namespace dpverify {
namespace {

// Wide enough for every sum of doubles below that differ by up to 2^300.
using Wide = boost::multiprecision::number<boost::multiprecision::cpp_bin_float<700>>;

constexpr std::uint64_t ones = ~std::uint64_t{0};
constexpr std::uint64_t first_bit = std::uint64_t{1} << 63;

// The words that are given, then none.
class ScriptedBits final : public BitSource {
 public:
  ScriptedBits(std::initializer_list<std::uint64_t> words) : words_(words) {}
  std::uint64_t bits() override { return words_.at(used_++); }
  std::size_t used() const { return used_; }

 private:
  std::vector<std::uint64_t> words_;
  std::size_t used_ = 0;
};

StreamBits exact_bits(std::string_view purpose) {
  return StreamBits(RandomStream({.seed = 1, .claim = "exact sampling", .purpose = purpose}));
}

double approximately(const LazyReal& z) {
  const double size =
      static_cast<double>(z.whole) + std::ldexp(static_cast<double>(z.fraction.at(0)), -64);
  return z.negative ? -size : size;
}

std::vector<double> sample_of(LazyReal (*law)(BitSource&), std::string_view purpose) {
  StreamBits bits = exact_bits(purpose);
  std::vector<double> samples;
  for (int k = 0; k < 200'000; ++k) {
    LazyReal z = law(bits);
    if (z.fraction.empty()) z.fraction.push_back(bits.bits());
    samples.push_back(approximately(z));
  }
  return samples;
}

TEST(ExactSampling, LawsAreThose) {
  EXPECT_TRUE(samples_follow(sample_of(exact_exponential, "exponential"),
                             [](double x) { return -std::expm1(-x); }));
  EXPECT_TRUE(samples_follow(sample_of(exact_laplace, "laplace"), [](double x) {
    return x < 0 ? std::exp(x) / 2 : 1 - std::exp(-x) / 2;
  }));
  EXPECT_TRUE(samples_follow(sample_of(exact_normal, "normal"),
                             [](double x) { return std::erfc(-x / std::sqrt(2)) / 2; }));
}

// Far out, where distribution functions are alike: the share of |z| that rounds down to k.
TEST(ExactSampling, WholePartsAreThoseOfTheLaws) {
  std::vector<Index> normal(7), exponential(9);
  for (const double z : sample_of(exact_normal, "whole normal"))
    ++normal[static_cast<std::size_t>(std::min(6.0, std::floor(std::abs(z))))];
  for (const double z : sample_of(exact_exponential, "whole exponential"))
    ++exponential[static_cast<std::size_t>(std::min(8.0, std::floor(z)))];
  VectorXd of_normal(7), of_exponential(9);
  for (Index k = 0; k < 7; ++k) {
    const auto above = [](Index x) { return std::erfc(static_cast<double>(x) / std::sqrt(2)); };
    of_normal[k] = above(k) - (k < 6 ? above(k + 1) : 0);
  }
  for (Index k = 0; k < 9; ++k) {
    const auto above = [](Index x) { return std::exp(-static_cast<double>(x)); };
    of_exponential[k] = above(k) - (k < 8 ? above(k + 1) : 0);
  }
  EXPECT_TRUE(counts_follow(normal, of_normal));
  EXPECT_TRUE(counts_follow(exponential, of_exponential));
}

TEST(ExactSampling, IndicesAreUniform) {
  StreamBits bits = exact_bits("index");
  std::vector<Index> counts(7);
  for (int k = 0; k < 100'000; ++k) ++counts[static_cast<std::size_t>(exact_index(7, bits))];
  EXPECT_TRUE(counts_follow(counts, VectorXd::Constant(7, 1.0 / 7)));
  // 2^64 is 1 more than a multiple of 3: one of its words would make 0 more likely, and is skipped.
  ScriptedBits script{0, 1, 2, 3, ones};
  for (const Index wanted : {1, 2, 0, 0}) EXPECT_EQ(exact_index(3, script), wanted);
  ScriptedBits all{0, ones};
  EXPECT_EQ(exact_index(1, all), 0);
  EXPECT_EQ(exact_index(1, all), 0);
}

TEST(ExactSampling, TheSystemsBitsDiffer) {
  SystemBits bits, others;
  std::vector<Index> set(64);
  std::uint64_t before = others.bits();
  for (int k = 0; k < 5000; ++k) {  // beyond a buffer
    const std::uint64_t word = bits.bits();
    EXPECT_NE(word, before);
    before = word;
    for (std::size_t j = 0; j < 64; ++j) set[j] += static_cast<Index>(word >> j & 1);
  }
  for (const Index count : set)
    EXPECT_TRUE(counts_follow({count, 5000 - count}, VectorXd::Constant(2, 0.5)));
}

// ---- Sums with a variable whose digits are known
// --------------------------------------------------

Wide of(const LazyReal& z, std::size_t words) {
  Wide size = z.whole;
  for (std::size_t k = 0; k < words; ++k)
    size += ldexp(Wide(z.fraction[k]), -64 * static_cast<int>(k + 1));
  return z.negative ? Wide(-size) : size;
}

// In decimal-like arithmetic of 700 digits, with four words of the fraction.
double slowly_rounded(double value, double scale, const LazyReal& z) {
  const Wide step = noise_grid(scale);
  return static_cast<double>(
      Wide(floor((Wide(value) + Wide(scale) * of(z, 4)) / step + 0.5) * step));
}

TEST(RoundedToGrid, IsTheMultipleNextToTheSum) {
  StreamBits bits = exact_bits("sums");
  RandomStream stream({.seed = 2, .claim = "exact sampling", .purpose = "values"});
  int doubles = 0;
  for (int k = 0; k < 2000; ++k) {
    const double value = stream.normal() * std::pow(10, stream.uniform(-20, 20));
    const double scale = std::pow(10, stream.uniform(-20, 20));
    LazyReal z = exact_normal(bits);
    while (z.fraction.size() < 4) z.fraction.push_back(bits.bits());
    const double found = rounded_to_grid(value, scale, z, bits);
    const double wanted = slowly_rounded(value, scale, z);
    // Beyond 2^53 steps most multiples are no doubles.
    const bool is_double = std::abs(wanted) < 0x1p53 * noise_grid(scale);
    EXPECT_LE(std::abs(found - wanted), is_double ? 0 : 0x1p-52 * std::abs(wanted))
        << value << " " << scale;
    doubles += is_double ? 1 : 0;
  }
  EXPECT_GT(doubles, 1000);
}

// Between two multiples one word may not decide; then the next one does.
TEST(RoundedToGrid, DrawsAsManyDigitsAsItNeeds) {
  const double step = noise_grid(1);
  EXPECT_EQ(step, 0x1p-30);
  const std::uint64_t half_a_step = std::uint64_t{1} << 33;  // of 2^-64
  for (const auto& [second, wanted] : {std::pair{std::uint64_t{5}, step}, std::pair{ones, step}}) {
    ScriptedBits script{second};
    LazyReal z{.negative = false, .whole = 0, .fraction = {half_a_step}};
    EXPECT_EQ(rounded_to_grid(0, 1, z, script), wanted);
    EXPECT_EQ(script.used(), 0U) << "from half a step up: up, whatever follows";
  }
  for (const auto& [second, wanted] : {std::pair{std::uint64_t{0}, 0.0}, std::pair{ones, step}}) {
    // Half a step less 2^-64, and 2^-80 more: the next word says on which side.
    ScriptedBits script{second, 1};
    LazyReal z{.negative = false, .whole = 0, .fraction = {half_a_step - 1}};
    EXPECT_EQ(rounded_to_grid(0x1p-80, 1, z, script), wanted);
    EXPECT_EQ(script.used(), 1U);
  }
}

// What an attack on the low bits would look for: whatever the value, outcomes are multiples of a
// step that the scale alone decides, and moving the value by steps moves the outcome by as many.
TEST(RoundedToGrid, TheGridDoesNotDependOnTheValue) {
  StreamBits bits = exact_bits("grid");
  RandomStream stream({.seed = 3, .claim = "exact sampling", .purpose = "values"});
  for (const double scale : {0.3, 1.0, 7e-9, 4e12}) {
    const double step = noise_grid(scale);
    EXPECT_LE(step, scale * 0x1p-30);
    EXPECT_GT(step, scale * 0x1p-31);
    for (int k = 0; k < 500; ++k) {
      const double value = scale * stream.normal();
      LazyReal z = exact_laplace(bits);
      const double outcome = rounded_to_grid(value, scale, z, bits);
      EXPECT_EQ(std::fmod(outcome, step), 0);
      const double on_grid = step * std::floor(value / step);
      LazyReal same = z, moved = z;
      EXPECT_EQ(rounded_to_grid(on_grid + 1000 * step, scale, moved, bits),
                rounded_to_grid(on_grid, scale, same, bits) + 1000 * step);
    }
  }
}

TEST(RoundedToGrid, ExtremeScalesAndValues) {
  StreamBits bits = exact_bits("extremes");
  for (const double scale : {5e-324, 1e-300, 1e300})
    for (const double value : {0.0, 5e-324, -1e-300, 1.0, 1e300}) {
      LazyReal z = exact_normal(bits);
      const double outcome = rounded_to_grid(value, scale, z, bits);
      EXPECT_LE(std::abs(outcome - value), 10 * scale + 1e-15 * std::abs(value)) << value << scale;
      EXPECT_GT(noise_grid(scale), 0);
    }
}

// ---- Comparisons
// ----------------------------------------------------------------------------------

TEST(Comparisons, AreThoseOfRealNumbers) {
  StreamBits bits = exact_bits("comparisons");
  RandomStream stream({.seed = 4, .claim = "exact sampling", .purpose = "values"});
  for (int k = 0; k < 2000; ++k) {
    const double factor = stream.uniform(0, 3), high = stream.normal(),
                 scale = stream.uniform(0, 9);
    const double low = high - stream.gamma(1);
    LazyReal x = exact_exponential(bits), y = exact_normal(bits);
    for (LazyReal* z : {&x, &y})
      while (z->fraction.size() < 4) z->fraction.push_back(bits.bits());
    EXPECT_EQ(exceeds(x, factor, high, low, bits),
              of(x, 4) > Wide(factor) * (Wide(high) - Wide(low)));
    EXPECT_EQ(is_larger(high, x, low, y, scale, bits),
              Wide(high) + Wide(scale) * of(x, 4) > Wide(low) + Wide(scale) * of(y, 4));
  }
}

TEST(Comparisons, OfAllButEqualNumbersAreDecidedByLaterDigits) {
  for (const auto& [second, above] :
       {std::pair{std::uint64_t{2}, true}, std::pair{std::uint64_t{0}, false}}) {
    // 1/2 and a little against 1/2 + 2^-128: the double nearest to the bound is 1/2 itself.
    ScriptedBits script{second};
    LazyReal z{.negative = false, .whole = 0, .fraction = {first_bit}};
    EXPECT_EQ(exceeds(z, 1, 0.5, -0x1p-128, script), above);
    EXPECT_EQ(script.used(), 1U);
  }
  for (const auto& [own, other, above] : {std::tuple{std::uint64_t{5}, std::uint64_t{3}, true},
                                          std::tuple{std::uint64_t{3}, std::uint64_t{5}, false}}) {
    ScriptedBits script{own, other};
    LazyReal x{.negative = true, .whole = 1, .fraction = {first_bit}}, y = x;
    // Both negative: the one with more digits is the smaller.
    EXPECT_EQ(is_larger(0.1, x, 0.1, y, 3, script), !above);
    EXPECT_EQ(script.used(), 2U);
  }
}

}  // namespace
}  // namespace dpverify
