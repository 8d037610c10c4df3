#include "algorithms/claims/parameter_point.hpp"

#include <gmock/gmock.h>

namespace dpverify {
namespace {

using ::testing::ThrowsMessage;

TEST(ParameterPoint, GivesTheNumberOfAName) {
  ParameterPoint point{{"epsilon", 0.5}, {"beta", 2}};
  EXPECT_EQ(point.at("epsilon"), 0.5);
  point["beta"] = 3;
  EXPECT_EQ(point.at("beta"), 3);
  EXPECT_EQ(point, (ParameterPoint{{"beta", 3}, {"epsilon", 0.5}}));
}

TEST(ParameterPoint, SaysWhichNameIsMissingAndWhichThereAre) {
  const ParameterPoint point{{"epsilon", 0.5}, {"beta", 2}};
  EXPECT_THAT([&] { return point.at("epsilonn"); },
              ThrowsMessage<std::invalid_argument>(
                  "parameter looked up is 'epsilonn', but must be one of 'beta', 'epsilon'"));
  EXPECT_THAT([] { return ParameterPoint{}.at("beta"); },
              ThrowsMessage<std::invalid_argument>(
                  "parameter looked up is 'beta', but must be set (nothing is)"));
}

TEST(ParameterPoint, MergeKeepsWhatIsThere) {
  ParameterPoint point{{"epsilon", 0.5}};
  point.merge({{"epsilon", 1}, {"beta", 2}});
  EXPECT_EQ(point, (ParameterPoint{{"beta", 2}, {"epsilon", 0.5}}));
  EXPECT_EQ(point.size(), 2U);
}

}  // namespace
}  // namespace dpverify
