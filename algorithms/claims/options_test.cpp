#include <gmock/gmock.h>

#include "algorithms/claims/algorithm.hpp"

namespace dpverify {
namespace {

using ::testing::ThrowsMessage;

const RunOptions options({{"epsilon", "0.25"},
                          {"scale", "1e3"},
                          {"iterations", "12"},
                          {"radius", "auto"},
                          {"word", "ten"},
                          {"trailing", "1.5x"},
                          {"empty", ""},
                          {"infinite", "inf"},
                          {"nan", "nan"},
                          {"huge", "1e999"},
                          {"fraction", "2.5"},
                          {"long", "99999999999999999999"}});

TEST(Options, NumbersAndIntegers) {
  EXPECT_EQ(options.number("epsilon"), 0.25);
  EXPECT_EQ(options.number("scale"), 1000);
  EXPECT_EQ(options.number("iterations"), 12);
  EXPECT_EQ(options.integer("iterations"), 12);
}

TEST(Options, Auto) {
  EXPECT_TRUE(options.is_auto("radius"));
  EXPECT_FALSE(options.is_auto("epsilon"));
  EXPECT_EQ(options.text("radius"), "auto");
}

TEST(Options, AMissingOptionIsNamedBesideThoseThereAre) {
  const RunOptions two({{"epsilon", "1"}, {"delta", "auto"}});
  const auto complaint = ThrowsMessage<std::invalid_argument>(
      "option looked up is 'epsilonn', but must be one of 'delta', 'epsilon'");
  EXPECT_THAT([&] { two.number("epsilonn"); }, complaint);
  EXPECT_THAT([&] { two.is_auto("epsilonn"); }, complaint);
}

TEST(Options, TextThatIsNoNumber) {
  EXPECT_THAT([] { options.number("word"); },
              ThrowsMessage<std::invalid_argument>("--word is 'ten', but must be a number"));
  for (const char* name : {"trailing", "empty", "huge", "radius"})
    EXPECT_THROW(options.number(name), std::invalid_argument) << name;
  EXPECT_THAT([] { options.number("infinite"); },
              ThrowsMessage<std::invalid_argument>("--infinite is inf, but must be finite"));
  EXPECT_THROW(options.number("nan"), std::invalid_argument);
}

TEST(Options, TextThatIsNoInteger) {
  EXPECT_THAT([] { options.integer("fraction"); },
              ThrowsMessage<std::invalid_argument>("--fraction is '2.5', but must be an integer"));
  for (const char* name : {"word", "scale", "long", "empty", "radius"})
    EXPECT_THROW(options.integer(name), std::invalid_argument) << name;
}

}  // namespace
}  // namespace dpverify
