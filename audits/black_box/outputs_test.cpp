#include "audits/black_box/outputs.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <vector>

#include "algorithms/core/numbers.hpp"
#include "algorithms/core/random.hpp"

namespace dpverify {
namespace {

std::vector<std::uint64_t> bits_of(const Output& x) {
  std::vector<std::uint64_t> bits;
  for (const double number : x) bits.push_back(std::bit_cast<std::uint64_t>(number));
  return bits;
}

void expect_same(const Outputs& found, const std::vector<VectorXd>& expected) {
  ASSERT_EQ(found.size(), expected.size());
  std::size_t k = 0;
  for (const Output x : found) {
    EXPECT_EQ(bits_of(x), bits_of(expected[k])) << k;
    EXPECT_EQ(bits_of(found[k]), bits_of(expected[k])) << k;
    ++k;
  }
}

// Every NaN that starts with the 16 bits of a reference, and its neighbours.
std::vector<double> odd_numbers() {
  std::vector<double> out{0.0, -0.0, infinity, -infinity, std::nan("")};
  for (const std::uint64_t head : {0x7ff4, 0x7ff5, 0x7ff6, 0x7ff8, 0xfff5})
    for (const std::uint64_t tail : {0x0, 0x1, 0x7, 0xffff})
      out.push_back(std::bit_cast<double>(head << 48 | tail));
  return out;
}

TEST(BlackBoxOutputs, KeepWhatTheyAreGivenBitByBit) {
  std::vector<VectorXd> given;
  for (const double number : odd_numbers()) {
    given.push_back(VectorXd::Constant(1, number));
    given.push_back(VectorXd{{number, 1.0}});
    given.push_back(VectorXd{{1.0, number}});
  }
  given.push_back(VectorXd{});
  given.push_back(VectorXd::Constant(70, 2.5));
  for (std::size_t first = 0; first < given.size(); ++first) {  // each as the first once
    std::vector<VectorXd> order(given.begin() + static_cast<std::ptrdiff_t>(first), given.end());
    order.insert(order.end(), given.begin(), given.begin() + static_cast<std::ptrdiff_t>(first));
    Outputs outputs;
    EXPECT_TRUE(outputs.empty());
    for (const VectorXd& x : order) outputs.push_back(x);
    expect_same(outputs, order);
    outputs.prepend(VectorXd{{7.0, 8.0}});
    order.insert(order.begin(), VectorXd{{7.0, 8.0}});
    for (std::size_t k = 0; k + 5 < order.size(); k += 3) {
      outputs.swap(k, k + 5);
      order[k].swap(order[k + 5]);
    }
    outputs.append(Outputs(outputs));
    const std::vector<VectorXd> again = order;
    order.insert(order.end(), again.begin(), again.end());
    expect_same(outputs, order);
  }
}

TEST(BlackBoxOutputs, OfOneArray) {
  const std::vector<double> numbers = odd_numbers();
  std::vector<VectorXd> singles, pairs;
  for (const double x : numbers) singles.push_back(VectorXd::Constant(1, x));
  std::vector<double> even = numbers;
  even.resize(numbers.size() / 2 * 2);
  for (std::size_t k = 0; k < even.size(); k += 2)
    pairs.push_back(VectorXd{{even[k], even[k + 1]}});
  expect_same(Outputs(numbers, 1), singles);
  expect_same(Outputs(even, 2), pairs);
  EXPECT_EQ(Outputs(std::vector<double>{}, 1).size(), 0U);
}

// A header or a text at the start does not make all that follows odd, and lengths that vary do no
// harm.
TEST(BlackBoxOutputs, FindTheirUsualLength) {
  RandomStream stream({.seed = 1, .claim = "outputs"});
  for (const Index lengths : {1, 2, 40}) {
    Outputs outputs({VectorXd{{1.0, 2.0, 3.0}}});
    std::vector<VectorXd> expected{VectorXd{{1.0, 2.0, 3.0}}};
    for (int k = 0; k < 5000; ++k) {
      expected.push_back(stream.normal_vector(lengths == 1 ? 1 : stream.index(lengths)));
      outputs.push_back(expected.back());
    }
    expect_same(outputs, expected);
    EXPECT_EQ(OutputRange(outputs).dimension(), lengths == 40 ? 39 : 3);
  }
}

TEST(BlackBoxOutputs, RangesOfThem) {
  std::vector<double> numbers(10);
  for (std::size_t k = 0; k < 10; ++k) numbers[k] = static_cast<double>(k);
  const Outputs outputs(numbers, 1);
  const auto values = [](const OutputRange& range) {
    std::vector<double> out;
    for (const Output x : range) out.push_back(x[0]);
    EXPECT_EQ(out.size(), range.size());
    for (std::size_t k = 0; k < out.size(); ++k) EXPECT_EQ(range[k][0], out[k]);
    return out;
  };
  using ::testing::ElementsAre;
  const OutputRange all(outputs);
  EXPECT_THAT(values(all.part(1, 100, 2)), ElementsAre(1, 3, 5, 7, 9));
  EXPECT_THAT(values(all.part(0, 3, 2)), ElementsAre(0, 2, 4));
  EXPECT_THAT(values(all.part(4, 100).part(1, 100, 3)), ElementsAre(5, 8));
  EXPECT_THAT(values(all.part(1, 100, 2).part(1, 100, 2)), ElementsAre(3, 7));
  EXPECT_TRUE(values(all.part(10, 5)).empty());
  EXPECT_EQ(OutputRange().dimension(), 0);
  const Outputs ragged{VectorXd{{1.0}}, VectorXd{{1.0, 2.0}}, VectorXd{{1.0}}};
  EXPECT_EQ(OutputRange(ragged).dimension(), 2);
  EXPECT_EQ(OutputRange(ragged).part(0, 9, 2).dimension(), 1);
}

}  // namespace
}  // namespace dpverify
