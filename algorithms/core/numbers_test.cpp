#include "algorithms/core/numbers.hpp"

#include <gtest/gtest.h>

namespace dpverify {
namespace {

TEST(Numbers, InDigitsTellsFromOneWhatIsNotOne) {
  EXPECT_EQ(in_digits(1), "1");
  EXPECT_EQ(in_digits(0.999), "0.999");
  EXPECT_EQ(in_digits(1 - 1e-6), "0.999999");
  EXPECT_EQ(in_digits(1 - 1e-9), "1 - 1e-09");
  EXPECT_EQ(in_digits(1 + 2e-7), "1 + 2e-07");
  EXPECT_EQ(in_digits(-1), "-1");
  EXPECT_EQ(in_digits(1234567), "1.23457e+06");
  EXPECT_EQ(in_digits(infinity), "inf");
}

}  // namespace
}  // namespace dpverify
