#include "algorithms/claims/fields.hpp"

#include <gmock/gmock.h>

namespace dpverify {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;
using ::testing::ThrowsMessage;

enum class Colour { red, green, blue };

struct Parameters {
  double epsilon = 0.5;
  Index steps = 2;
  bool split = true;
  Colour colour = Colour::green;
  std::optional<double> scale;
  std::optional<Index> blocks;
  double guess = 3;
  bool operator==(const Parameters&) const = default;
};

const Fields<Parameters> table{
    field("epsilon", &Parameters::epsilon)
        .range(1.0, 0.01, 10.0, Scale::logarithmic)
        .option("privacy parameter", positive),
    field("steps", &Parameters::steps).range(1, 1, 4).option("T"),
    field("split", &Parameters::split).range(true, false, true),
    field("colour", &Parameters::colour, {{"red", Colour::red}, {"green", Colour::green}})
        .range(Colour::red, Colour::red, Colour::blue)
        .option("red or green"),
    field("scale", &Parameters::scale).range(1.0, 0.5, 2.0).option("s; auto: 1", positive),
    field("blocks", &Parameters::blocks).option("m; auto: as needed", at_least_one),
    field("guess", &Parameters::guess).option("a public guess")};

RunOptions options(std::map<std::string, std::string> given) {
  std::map<std::string, std::string> texts;
  for (const RunOption& option : table.options()) texts[option.name] = option.default_text;
  for (const auto& [name, text] : given) texts.at(name) = text;
  return RunOptions(texts);
}

TEST(Fields, RangesAreThoseOfTheTableInItsOrder) {
  const std::vector<ParameterRange> ranges = table.ranges();
  ASSERT_EQ(ranges.size(), 5U);
  EXPECT_EQ(ranges[0].name, "epsilon");
  EXPECT_EQ(ranges[0].simplest, 1);
  EXPECT_EQ(ranges[0].lower, 0.01);
  EXPECT_EQ(ranges[0].upper, 10);
  EXPECT_EQ(ranges[0].scale, Scale::logarithmic);
  for (const std::size_t k : {1U, 2U, 3U}) EXPECT_EQ(ranges[k].scale, Scale::integer) << k;
  EXPECT_EQ(ranges[3].upper, 2);
  EXPECT_EQ(ranges[4].scale, Scale::linear);
}

TEST(Fields, APointHoldsWhatIsClaimedAndIsReadBack) {
  const Parameters p{
      .epsilon = 2, .steps = 3, .split = false, .colour = Colour::blue, .scale = 1.5};
  const ParameterPoint point = table.point(p);
  EXPECT_THAT(std::vector(point.begin(), point.end()),
              ElementsAre(Pair("epsilon", 2), Pair("steps", 3), Pair("split", 0), Pair("colour", 2),
                          Pair("scale", 1.5)));
  EXPECT_EQ(table.read(point), p);
}

TEST(Fields, WhatAPointDoesNotHoldIsAsInTheDefault) {
  EXPECT_EQ(table.read(ParameterPoint{{"steps", 4}}).steps, 4);
  EXPECT_EQ(table.read(ParameterPoint{{"steps", 4}}).epsilon, 0.5);
}

TEST(Fields, APointOfAnotherTableIsRefused) {
  const auto complaint = ThrowsMessage<std::logic_error>(HasSubstr("no parameter of this table"));
  EXPECT_THAT([] { table.read(ParameterPoint{{"epsilonn", 1}}); }, complaint);
  EXPECT_THAT([] { table.read(ParameterPoint{{"steps", 1}, {"epsilon", 1}}); }, complaint);
  EXPECT_THAT([] { table.read(ParameterPoint{{"guess", 1}}); }, complaint);  // claims say nothing
}

TEST(Fields, AnotherRangeOfOneField) {
  const Fields<Parameters> narrow = table.within(&Parameters::epsilon, 0.2, 0.1, 0.3);
  EXPECT_EQ(narrow.ranges()[0].upper, 0.3);
  EXPECT_EQ(narrow.ranges()[0].scale, Scale::logarithmic);
  EXPECT_EQ(table.ranges()[0].upper, 10);
  EXPECT_EQ(narrow.ranges()[1].upper, 4);
  const Fields<Parameters> fewer = table.without(&Parameters::steps);
  EXPECT_EQ(fewer.ranges().size(), 4U);
  EXPECT_EQ(fewer.point({.scale = 1}).size(), 4U);
  EXPECT_EQ(fewer.options().size(), table.options().size());
  const Fields<Parameters> only_epsilon{field("epsilon", &Parameters::epsilon)};
  EXPECT_THROW(only_epsilon.without(&Parameters::guess), std::logic_error);
}

TEST(Fields, OptionsHaveTheDefaultsOfTheStruct) {
  std::vector<std::pair<std::string, std::string>> seen;
  for (const RunOption& option : table.options())
    seen.emplace_back(option.name, option.default_text);
  EXPECT_THAT(seen, ElementsAre(Pair("epsilon", "0.5"), Pair("steps", "2"), Pair("colour", "green"),
                                Pair("scale", "auto"), Pair("blocks", "auto"), Pair("guess", "3")));
  EXPECT_EQ(table.read(options({})), Parameters{});
}

TEST(Fields, OptionsAreRead) {
  const Parameters p = table.read(options({{"epsilon", "2"}, {"colour", "red"}, {"blocks", "7"}}));
  EXPECT_EQ(p.epsilon, 2);
  EXPECT_EQ(p.colour, Colour::red);
  EXPECT_EQ(p.blocks, 7);
  EXPECT_EQ(p.scale, std::nullopt);
  EXPECT_THAT(table.texts(p),
              ElementsAre(Pair("epsilon", "2"), Pair("steps", "2"), Pair("colour", "red"),
                          Pair("scale", "auto"), Pair("blocks", "7"), Pair("guess", "3")));
}

TEST(Fields, OptionsOutOfTheirDomainsAreNamed) {
  const auto complaint = [](const char* option, const char* text, const char* message) {
    EXPECT_THAT(
        [&] {
          table.read(options({{option, text}}));
        },
        ThrowsMessage<std::invalid_argument>(message));
  };
  complaint("epsilon", "0", "--epsilon is 0, but must be positive");
  complaint("scale", "-1", "--scale is -1, but must be positive");
  complaint("blocks", "0", "--blocks is 0, but must be at least 1");
  complaint("blocks", "1.5", "--blocks is '1.5', but must be an integer");
  complaint("colour", "blue", "--colour is 'blue', but must be one of red, green");
  complaint("guess", "x", "--guess is 'x', but must be a number");
}

}  // namespace
}  // namespace dpverify
