#include "audits/black_box/features.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <map>
#include <string>

#include "algorithms/core/numbers.hpp"

namespace dpverify::black_box {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

double value(const std::string& name, const VectorXd& output, Index dimension = 3) {
  for (const Feature& feature : features(dimension, OutputModel::doubles))
    if (feature.name == name) return feature.value(output);
  ADD_FAILURE() << "no feature " << name;
  return nan;
}

TEST(Features, OfAnOutputByHand) {
  const VectorXd x{{0.75, -2, 0.75}};
  const std::map<std::string, double> expected{{"output[0]", 0.75},
                                               {"output[1]", -2},
                                               {"length", 3},
                                               {"number of coordinates that are not finite", 0},
                                               {"sum", -0.5},
                                               {"Euclidean norm", std::sqrt(5.125)},
                                               {"largest coordinate", 0.75},
                                               {"place of the largest coordinate", 0},
                                               {"smallest coordinate", -2},
                                               {"place of the smallest coordinate", 1},
                                               {"number of distinct coordinates", 2}};
  for (const auto& [name, number] : expected) EXPECT_DOUBLE_EQ(value(name, x), number) << name;
  const VectorXd odd{{infinity, nan, -infinity}};
  EXPECT_EQ(value("number of coordinates that are not finite", odd), 3);
  EXPECT_TRUE(std::isnan(value("output[2]", VectorXd{{1.0, 2}})));
  EXPECT_TRUE(std::isnan(value("largest coordinate", VectorXd{})));
  EXPECT_EQ(value("length", VectorXd{}), 0);
}

// Where floating-point noise shows.
TEST(Features, OfTheBitsOfANumber) {
  const auto bits = [](const char* what, double x) {
    return value(std::string(what) + " of output[0]", VectorXd::Constant(1, x), 1);
  };
  const double smallest = std::numeric_limits<double>::denorm_min();
  for (const auto& [x, exponent] : {std::pair(0.75, -2.0), std::pair(-2.0, 1.0),
                                    std::pair(1.0, 0.0), std::pair(std::nextafter(1.0, 2), -52.0),
                                    std::pair(smallest, -1074.0), std::pair(2 * smallest, -1073.0)})
    EXPECT_EQ(bits("lowest set bit", x), exponent) << x;
  EXPECT_EQ(bits("lowest set bit", 0), infinity);
  EXPECT_TRUE(std::isnan(bits("lowest set bit", infinity)));
  EXPECT_EQ(bits("lowest byte", 1 + std::ldexp(0x1a5, -52)), 0xa5);
  EXPECT_EQ(bits("lowest byte", -1), 0);
  // 64 times the biased exponent and the zero bits at the end of the mantissa, whatever the sign.
  EXPECT_EQ(bits("binade and trailing zero bits", -2), 64 * 1024 + 52);
  EXPECT_EQ(bits("binade and trailing zero bits", 0.75), 64 * 1022 + 51);
}

// Codes are only equal or not.
TEST(Features, CodesOfSignsAndOfTheWholeOutput) {
  const auto signs = [](double x) { return value("signs of the coordinates", VectorXd{{x, 1.0}}); };
  EXPECT_EQ(signs(0.1), signs(7));
  EXPECT_EQ(signs(0.0), signs(-0.0));
  const std::vector<double> kinds{1, -1, 0, infinity, -infinity, nan};
  for (const double a : kinds)
    for (const double b : kinds)
      EXPECT_EQ(signs(a) == signs(b), &a == &b || (std::isnan(a) && std::isnan(b)) || a == b)
          << a << " " << b;
  const auto whole = [](const VectorXd& x) { return value("whole output", x); };
  EXPECT_EQ(whole(VectorXd{{1.0, 2}}), whole(VectorXd{{1.0, 2}}));
  EXPECT_NE(whole(VectorXd{{1.0, 2}}), whole(VectorXd{{2.0, 1}}));
  EXPECT_NE(whole(VectorXd{{0.0, 2}}), whole(VectorXd{{-0.0, 2}}));
  EXPECT_NE(whole(VectorXd{{1.0, 2}}), whole(VectorXd{{1.0, std::nextafter(2.0, 3)}}));
}

TEST(Features, OfNumbersAloneIfTheirBitsAreNotLookedAt) {
  for (const Feature& feature : features(2, OutputModel::reals))
    EXPECT_EQ(feature.name.find("bit"), std::string::npos) << feature.name;
  EXPECT_EQ(features(1, OutputModel::doubles).size(), features(1, OutputModel::reals).size() + 3);
}

// Of 0..4 the quartiles are 1, 2 and 3; what is not finite counts for nothing.
TEST(Features, ScalingIsByTheQuartilesOfBothSamples) {
  const Outputs first{VectorXd{{4.0, 9}}, VectorXd{{0.0, 9}}, VectorXd{{nan, 9}}};
  const Outputs second{VectorXd{{1.0, 9}}, VectorXd{{3.0, 9}}, VectorXd{{infinity, 9}},
                       VectorXd{{2.0}}};
  const Scaling scale = scaling(first, second, 2);
  EXPECT_EQ(scale.centre, Eigen::Vector2d(2, 9));
  EXPECT_EQ(scale.scale, Eigen::Vector2d(2, 1));  // no range: none
  EXPECT_DOUBLE_EQ(scale.at(VectorXd{{6.0, 9}}, 0), std::asinh(2));
  EXPECT_EQ(scale.at(VectorXd{{nan, 9}}, 0), 0);
  EXPECT_EQ(scale.at(VectorXd{{6.0}}, 1), 0);
  EXPECT_EQ(scale.at(VectorXd{{-infinity, 9}}, 0), -40);
}

// Larger where the first sample is.
TEST(Features, LearntOnesPointToTheFirstSample) {
  Outputs first, second;
  for (int k = 0; k < 40; ++k) {
    first.push_back(VectorXd{{1 + 0.01 * k, 0.02 * k}});
    second.push_back(VectorXd{{-1 - 0.01 * k, 0.02 * k}});
  }
  const Scaling scale = scaling(first, second, 2);
  const Feature line = linear_direction(first, second, scale),
                near = neighbours(first, second, scale);
  EXPECT_GT(line.value(first[7]), line.value(second[7]));
  EXPECT_EQ(near.value(first[7]), 15);
  EXPECT_EQ(near.value(second[7]), 0);
}

}  // namespace
}  // namespace dpverify::black_box
