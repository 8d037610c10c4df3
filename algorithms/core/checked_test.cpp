#include "algorithms/core/checked.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>

namespace dpverify {
namespace {

using ::testing::ThrowsMessage;

TEST(Checked, MessageHasWhatValueAndAllowed) {
  EXPECT_THAT(
      [] { require(false, "epsilon", -0.5, "positive and finite"); },
      ThrowsMessage<std::invalid_argument>("epsilon is -0.5, but must be positive and finite"));
  EXPECT_THAT([] { require(false, "loss", "cubic", "squared"); },
              ThrowsMessage<std::invalid_argument>("loss is cubic, but must be squared"));
}

TEST(Checked, GoodArgumentPasses) {
  EXPECT_NO_THROW(require(true, "epsilon", 1.0, "positive"));
  EXPECT_NO_THROW(require(true, "loss", "squared", "squared"));
}

TEST(Checked, TextReadsBackAsTheSameDouble) {
  for (const double value : {0.1, 1.0 / 3, 5e-324, 1.7976931348623157e308, -1e-7, 123456789.0})
    EXPECT_EQ(std::strtod(to_text(value).c_str(), nullptr), value) << to_text(value);
  EXPECT_EQ(to_text(0.1), "0.1");
  EXPECT_EQ(to_text(3), "3");
}

TEST(Checked, TextOfValuesThatAreNotFinite) {
  const double infinity = std::numeric_limits<double>::infinity();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(to_text(infinity), "inf");
  EXPECT_EQ(to_text(-infinity), "-inf");
  EXPECT_EQ(to_text(nan), "nan");
  EXPECT_EQ(to_text(std::copysign(nan, -1.0)), "nan");  // what 0/0 gives on x86
}

}  // namespace
}  // namespace dpverify
