#include "audits/black_box/column.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <map>

#include "algorithms/core/numbers.hpp"
#include "algorithms/core/random.hpp"
#include "audits/black_box/hull.hpp"

namespace dpverify::black_box {
namespace {

constexpr double no_number = std::numeric_limits<double>::quiet_NaN();

RandomStream column_stream(const char* purpose) {
  return RandomStream({.seed = 1, .claim = "columns", .purpose = purpose});
}

TEST(Column, KeysAreInTheOrderOfTheirValues) {
  const std::vector<double> values{-infinity, -1e300, -1,    -5e-324,  -0.0,     0.0,
                                   5e-324,    1,      1e300, infinity, no_number};
  for (std::size_t a = 0; a < values.size(); ++a) {
    for (std::size_t b = 0; b < values.size(); ++b)
      EXPECT_EQ(key_of(values[a]) < key_of(values[b]), a < b) << values[a] << " " << values[b];
    EXPECT_LT(key_of(values[a]), no_key);
    EXPECT_EQ(std::bit_cast<std::uint64_t>(value_of(key_of(values[a]))),
              std::bit_cast<std::uint64_t>(values[a]));
  }
  EXPECT_EQ(key_of(-no_number), key_of(no_number));
}

TEST(Column, SortsAsComparisonsDo) {
  RandomStream stream = column_stream("keys");
  for (const std::size_t size : {0U, 1U, 100U, 4096U, 20'000U})
    for (const int shift : {0, 11, 40, 63}) {
      std::vector<std::uint64_t> keys(size);
      for (std::uint64_t& key : keys) key = stream.bits() >> shift << (shift / 2);
      std::vector<std::uint64_t> sorted = keys;
      std::sort(sorted.begin(), sorted.end());
      sort_keys(keys);
      EXPECT_EQ(keys, sorted) << size << " " << shift;
    }
}

TEST(Column, WalksAndCountsAsAMapDoes) {
  const Feature feature{"output[0]", [](const Output& x) { return x[0]; }};
  RandomStream stream = column_stream("values");
  for (const Index values : {1, 3, 50, 100'000}) {
    std::array<std::vector<double>, 2> numbers;
    for (const std::size_t side : {0U, 1U})
      for (std::size_t k = 0; k < (side == 0 ? 901U : 400U); ++k) {
        const auto v = static_cast<double>(stream.index(values));
        numbers[side].push_back(v == 1 ? no_number : v == 2 ? -0.0 : v);
      }
    std::map<std::uint64_t, Halves> expected;
    for (const std::size_t side : {0U, 1U})
      for (std::size_t k = 0; k < numbers[side].size(); ++k) {
        Cell& cell = expected[key_of(numbers[side][k])][k % 2];
        ++(side == 0 ? cell.in_first : cell.in_second);
      }
    const Outputs first(numbers[0], 1), second(numbers[1], 1);
    const Column column(feature, first, second);
    const auto same = [](const Halves& a, const Halves& b) {
      for (const std::size_t half : {0U, 1U})
        if (a[half].in_first != b[half].in_first || a[half].in_second != b[half].in_second)
          return false;
      return true;
    };
    EXPECT_TRUE(same(column.sizes(), {Cell{451, 200}, Cell{450, 200}}));
    EXPECT_EQ(column.is_constant(), values == 1);
    auto next = expected.begin();
    column.walk([&](std::uint64_t key, const Halves& halves) {
      ASSERT_NE(next, expected.end());
      EXPECT_EQ(key, next->first);
      EXPECT_TRUE(same(halves, next->second));
      ++next;
    });
    EXPECT_EQ(next, expected.end());
    for (const double number : {-1.0, -0.0, 0.0, 0.5, 3.0, 1e9, infinity}) {
      Halves at_most{}, below{};
      for (const auto& [key, halves] : expected)
        for (const std::size_t half : {0U, 1U}) {
          if (value_of(key) <= number) at_most[half] += halves[half];
          if (value_of(key) < number) below[half] += halves[half];
        }
      EXPECT_TRUE(same(column.at_most(number), at_most)) << values << " " << number;
      EXPECT_TRUE(same(column.below(number), below)) << values << " " << number;
    }
  }
}

// The best of all nested events is on the hull.
TEST(Hull, HoldsTheBestOfNestedEvents) {
  RandomStream stream = column_stream("hull");
  // Of so many outputs: what betting on the event grows by, and log of a lower over an upper bound.
  const auto growth = [](double p, double q) {
    const double mean = p - 2 * q;
    return mean <= 0 ? mean : mean * mean / (p + 4 * q + 1);
  };
  const auto bound = [](double p, double q) {
    return std::log(std::max(p + 2 - 4 * std::sqrt(p + 1), 1e-300) /
                    (q + 2 + 4 * std::sqrt(q + 1)));
  };
  for (int trial = 0; trial < 300; ++trial)
    for (const bool favours_first : {true, false}) {
      Hull hull(favours_first);
      NestedEvent event;
      const Index most = 1 + stream.index(40);
      std::array<double, 2> best{-infinity, -infinity}, found = best;
      const auto judge = [&](std::array<double, 2>& so_far, Cell inside) {
        auto p = static_cast<double>(inside.in_first), q = static_cast<double>(inside.in_second);
        if (!favours_first) std::swap(p, q);
        so_far[0] = std::max(so_far[0], growth(p, q));
        so_far[1] = std::max(so_far[1], bound(p, q));
      };
      for (Index k = 0, size = 2 + stream.index(300); k < size; ++k) {
        judge(best, event.inside);
        hull.add(event);
        event.inside += Cell{stream.index(most), stream.index(most)};
      }
      for (const NestedEvent& kept : hull.events()) judge(found, kept.inside);
      EXPECT_EQ(found, best);
    }
}

}  // namespace
}  // namespace dpverify::black_box
