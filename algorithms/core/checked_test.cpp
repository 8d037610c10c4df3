#include "algorithms/core/checked.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>
#include <string>

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

// Which of the numbers below, in this order, are in a domain: one sign each.
TEST(Domains, HoldWhatTheyAreInWordsAndNoNaN) {
  constexpr double infinity = std::numeric_limits<double>::infinity(), tiny = 5e-324;
  const double numbers[] = {
      -infinity, -tiny,    -0.0,        0, tiny, std::nextafter(1, 0), 1, std::nextafter(1, 2),
      1e308,     infinity, std::nan("")};
  const auto held = [&](const Domain& domain) {
    std::string signs;
    for (const double x : numbers) signs += domain.holds(x) ? '+' : '.';
    return signs;
  };
  EXPECT_EQ(held(any_number), "+++++++++++");
  EXPECT_EQ(held(positive), "....++++++.");
  EXPECT_EQ(held(positive_and_finite), "....+++++..");
  EXPECT_EQ(held(not_negative), "..++++++++.");
  EXPECT_EQ(held(not_negative_and_finite), "..+++++++..");
  EXPECT_EQ(held(at_least_one), "......++++.");
  EXPECT_EQ(held(fraction), "....++.....");
  EXPECT_EQ(held(fraction_or_one), "....+++....");
  EXPECT_EQ(held(fraction_or_zero), "..++++.....");
  EXPECT_EQ(held(probability), "..+++++....");
}

TEST(Domains, AreWhatIsAllowed) {
  EXPECT_NO_THROW(require(fraction, "delta", 0.5));
  EXPECT_THAT([] { require(fraction, "delta", 1); },
              ThrowsMessage<std::invalid_argument>("delta is 1, but must be in (0, 1)"));
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
