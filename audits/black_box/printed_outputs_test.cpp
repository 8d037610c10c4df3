#include "audits/black_box/printed_outputs.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <vector>

namespace dpverify {
namespace {

bool same(const VectorXd& a, const VectorXd& b) {
  if (a.size() != b.size()) return false;
  for (Index i = 0; i < a.size(); ++i)
    if (std::bit_cast<std::uint64_t>(a[i]) != std::bit_cast<std::uint64_t>(b[i])) return false;
  return true;
}

TEST(PrintedOutputs, ReadsNumbersAsTheyAre) {
  PrintedOutputs outputs;
  EXPECT_EQ(outputs.read("1.5"), VectorXd::Constant(1, 1.5));
  EXPECT_EQ(outputs.read("  -2e3\r"), VectorXd::Constant(1, -2000));
  EXPECT_EQ(outputs.read("+0.25"), VectorXd::Constant(1, 0.25));
  EXPECT_EQ(outputs.read("\"1\", \"2\""), (VectorXd(2) << 1, 2).finished());
  EXPECT_EQ(outputs.read("1,2, 3"), (VectorXd(3) << 1, 2, 3).finished());
  EXPECT_EQ(outputs.read("1 2\t3"), (VectorXd(3) << 1, 2, 3).finished());
  EXPECT_EQ(outputs.read("inf")[0], std::numeric_limits<double>::infinity());
  EXPECT_TRUE(std::isnan(outputs.read("NaN")[0]));
  EXPECT_EQ(outputs.read("nan").size(), 1);
  EXPECT_FALSE(same(outputs.read("-0"), outputs.read("0")));
}

// Every two of them are told apart, whatever was read before.
TEST(PrintedOutputs, TellsTextsMissingValuesAndFailuresApart) {
  const std::vector<std::string> lines{"",
                                       "1",
                                       "nan",
                                       "inf",
                                       "-inf",
                                       "yes",
                                       "no",
                                       "1,",
                                       ",1",
                                       ",",
                                       "1,2",
                                       "1,2,3",
                                       "yes,1",
                                       "no,1",
                                       "1e999",
                                       "1e-999",
                                       "0",
                                       "9007199254740992",
                                       "9007199254740993",
                                       "0.1",
                                       "0.10000000000000000001",
                                       "exit status 3",
                                       "\xff"};
  PrintedOutputs forward, backward;
  std::vector<VectorXd> read(lines.size()), again(lines.size());
  for (std::size_t k = 0; k < lines.size(); ++k) read[k] = forward.read(lines[k]);
  for (std::size_t k = lines.size(); k-- > 0;) again[k] = backward.read(lines[k]);
  read.push_back(forward.failure("exit status 3"));
  again.push_back(backward.failure("exit status 3"));
  for (std::size_t k = 0; k < read.size(); ++k)
    for (std::size_t j = 0; j < read.size(); ++j)
      EXPECT_EQ(same(read[k], again[j]), k == j) << k << " " << j;
}

// A number that no double stands for is told from its neighbours by its text.
TEST(PrintedOutputs, TakesNumbersBetweenTheDoublesForTextsToo) {
  // 2^53, 2^60; 0.1 in 17 digits, in full, in six; the smallest double; pi as %.20f prints it.
  for (const char* good :
       {"9007199254740992", "1152921504606846976", "1.152921504606847e+18", "0.10000000000000001",
        "0.1000000000000000055511151231257827021181583404541015625", "0.100000", "0", "-0.0",
        "4.9406564584124654e-324", "5e-324", "3.14159265358979311600", "100000000000000000000000",
        "123456789012345", "1e300", "2.2250738585072014e-308"})
    EXPECT_EQ(PrintedOutputs().read(good).size(), 1) << good;
  for (const char* bad : {"9007199254740993", "1152921504606846970", "0.1000000000000000000001",
                          "3.14159265358979323846", "1.00000000000000001", "6e-324", "1e-400",
                          "12345678901234567890"})
    EXPECT_EQ(PrintedOutputs().read(bad).size(), 2) << bad;
}

TEST(PrintedOutputs, PutsTextsInPlaceOfTheirCodes) {
  PrintedOutputs outputs;
  const VectorXd yes = outputs.read("yes");
  outputs.failure("exit status 3");
  ASSERT_EQ(yes.size(), 2);
  EXPECT_EQ(
      outputs.with_texts("output[1] = " + std::to_string(static_cast<long long>(yes[1])) + "!"),
      "output[1] = 'yes'!");
}

TEST(PrintedOutputs, SeesWhetherNumbersAreWrittenInFull) {
  PrintedOutputs full, few;
  for (int k = 0; k < 4; ++k) full.read(k % 2 == 0 ? "0.1234567890123456" : "0.5");
  for (int k = 0; k < 4; ++k) few.read(k == 0 ? "0.1234567890123456" : "0.5");
  EXPECT_TRUE(full.full_precision());
  EXPECT_FALSE(few.full_precision());
}

}  // namespace
}  // namespace dpverify
