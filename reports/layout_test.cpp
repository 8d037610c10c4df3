#include "reports/layout.hpp"

#include <gtest/gtest.h>

#include "reports/envelope.hpp"

namespace dpverify {
namespace {

TEST(Printable, IsOneLineThatNoTerminalObeys) {
  EXPECT_EQ(printable("plain 'text', \"quoted\" \\ caf\xC3\xA9"),
            "plain 'text', \"quoted\" \\ caf\xC3\xA9");
  EXPECT_EQ(printable("\x1b[2J\r\n\t\x7f"), "\\x1b[2J\\r\\n\\t\\x7f");
  EXPECT_EQ(printable(std::string("a\0b", 3)), "a\\x00b");
  EXPECT_EQ(printable("\xC2\x9B"), "\\x9b");                      // one byte to some terminals: CSI
  EXPECT_EQ(printable("\xE2\x80\xAE"), "\\u202e");                // turns the direction of writing
  EXPECT_EQ(printable("caf\xE9, \xF0\x28"), "caf\\xe9, \\xf0(");  // not UTF-8
  EXPECT_EQ(printable(""), "");
}

TEST(Printable, LinesKeepTheirEnds) {
  EXPECT_EQ(printable_lines("a\x1b\n\nb"), "a\\x1b\n\nb");
  EXPECT_EQ(printable_lines("a\n"), "a\n");
  EXPECT_EQ(printable_lines(""), "");
}

TEST(Printable, ParagraphsAre) {
  EXPECT_EQ(paragraph("a\x1b", "b\x1b\nVerdict: c"), "  a\\x1b: b\\x1b Verdict: c\n");
}

TEST(Printable, JsonIs) {
  const std::string text = "a\x1b\x7f\xC2\x9B\xC2\xA0";
  const std::string written = json_as_text(Json{{text, text}});
  EXPECT_EQ(written,
            "{\n  \"a\\u001b\\u007f\\u009b\xC2\xA0\": \"a\\u001b\\u007f\\u009b\xC2\xA0\"\n}\n");
  EXPECT_EQ(Json::parse(written)[text], text);
}

}  // namespace
}  // namespace dpverify
