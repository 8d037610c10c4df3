#include "reports/json_text.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <stdexcept>
#include <string>

namespace dpverify {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

std::string nested(int depth, const std::string& inside = "") {
  return std::string(static_cast<std::size_t>(depth), '[') + inside +
         std::string(static_cast<std::size_t>(depth), ']');
}

std::string complaint(const std::string& text) {
  try {
    parse_json(text);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "none";
}

TEST(JsonText, IsRefusedBeyondTheDeepestNesting) {
  EXPECT_EQ(complaint(nested(deepest_json)), "none");
  EXPECT_EQ(complaint(nested(deepest_json + 1)),
            "not to be read: arrays and objects are nested more than 100 deep, at byte 101");
  EXPECT_THAT(complaint(nested(1'000'000)), HasSubstr("100 deep, at byte 101"));
  EXPECT_THAT(complaint(std::string(1'000'000, '[')), HasSubstr("100 deep"));
  std::string objects;
  for (int i = 0; i < 100'000; ++i) objects += "{\"a\": ";
  EXPECT_THAT(complaint(objects), HasSubstr("100 deep, at byte 601"));
  // Siblings and brackets inside texts are not depth.
  std::string siblings = "[[]";
  for (int i = 0; i < 1000; ++i) siblings += ", [\"\\\"[[[[\\\\\"]";
  EXPECT_EQ(complaint(siblings + "]"), "none");
}

TEST(JsonText, OneLineSaysWhatIsWrong) {
  EXPECT_THAT(complaint("{"), AllOf(StartsWith("not JSON: "), HasSubstr("line 1")));
  EXPECT_THAT(complaint(""), StartsWith("not JSON: "));
  EXPECT_THAT(complaint(std::string("\0\x01\xff", 3)), StartsWith("not JSON: "));
  EXPECT_THAT(complaint("[1e999]"), AllOf(StartsWith("not to be read: "), HasSubstr("1e999")));
  EXPECT_LT(complaint("[\"" + std::string(1'000'000, 'x')).size(), 400U);
}

TEST(JsonText, IntegersAreNotCutToSize) {
  constexpr std::uint64_t largest = std::numeric_limits<std::int64_t>::max();
  EXPECT_EQ(read_integer(parse_json("9223372036854775807"), largest), largest);
  for (const char* text :
       {"9223372036854775808", "18446744073709551616", "1e30", "-1", "1.5", "\"1\"", "null", "[]"})
    EXPECT_THROW(read_integer(parse_json(text), largest), std::invalid_argument) << text;
}

}  // namespace
}  // namespace dpverify
