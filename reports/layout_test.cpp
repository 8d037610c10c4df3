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

TEST(LaidOut, WrapsWordsBelowTheirTextAndLeavesNothingOut) {
  EXPECT_EQ(laid_out("  Repair: one two three four five\n", 20),
            "  Repair: one two\n    three four five\n");
  EXPECT_EQ(laid_out("  -x      one two three four\n", 20),
            "  -x      one two\n          three four\n");
  EXPECT_EQ(laid_out("abcdefghijklmnopqrstuvwxyz", 20), "abcdefghijklmnopqrst\n  uvwxyz");
  EXPECT_EQ(laid_out("\033[1;31mABCDEFGHIJ\033[0m klmnopqrs\n", 20),
            "\033[1;31mABCDEFGHIJ\033[0m klmnopqrs\n");
  EXPECT_EQ(laid_out("caf\xC3\xA9 caf\xC3\xA9 caf\xC3\xA9 caf\xC3\xA9.", 20),
            "caf\xC3\xA9 caf\xC3\xA9 caf\xC3\xA9 caf\xC3\xA9.");
  EXPECT_EQ(laid_out("", 20), "");
  EXPECT_EQ(laid_out("\n\n", 20), "\n\n");
}

TEST(LaidOut, ALogHasWholeLinesButForIndentedWords) {
  const std::string words(40, 'a'), line = words + " " + words + " " + words;
  EXPECT_EQ(laid_out(line, 0), line);
  EXPECT_EQ(laid_out("  ./dpverify " + line, 0), "  ./dpverify " + line);
  EXPECT_EQ(laid_out("  " + line, 0), "  " + words + " " + words + "\n    " + words);
}

TEST(LaidOut, ACommandStaysOne) {
  EXPECT_EQ(laid_out("  ./dpverify verify --only x\n", 20),
            "  ./dpverify \\\n    verify --only \\\n    x\n");
  EXPECT_EQ(laid_out("./p 'a b  c d' ee ff gg\n", 20), "./p 'a b  c d' ee \\\n  ff gg\n");
  // Further lines of a long word have no indent, in which the shell would see its end.
  EXPECT_EQ(laid_out("./p abcdefghijklmnopqrstuvwxyz\n", 20),
            "./p \\\n  abcdefghijklmnop\\\nqrstuvwxyz\n");
}

TEST(LaidOut, AListIsAlignedOrHasARowAText) {
  const std::string list = "ab\tc\tone two\na\t\tthree\n";
  EXPECT_EQ(laid_out(list, 0), "ab  c  one two\na      three\n");
  EXPECT_EQ(laid_out(list, 20), laid_out(list, 0));
  EXPECT_EQ(laid_out("a\tone two three four five six seven eight nine\nbb\tten\n", 30),
            "a   one two three four five\n    six seven eight nine\nbb  ten\n");
  EXPECT_EQ(laid_out("an.identifier\t\tone two three four\nan.other\tx\tsix\n", 24),
            "an.identifier  one two\n    three four\nan.other  x  six\n");
  const std::string coloured_list = "\033[32mab\033[0m\tc\n\033[31ma\033[0m\td\n";
  EXPECT_EQ(laid_out(coloured_list, 0), "\033[32mab\033[0m  c\n\033[31ma\033[0m   d\n");
}

TEST(LaidOut, ATableOfNumbersIsCutBetweenColumns) {
  const std::string table = "    n\trisk\tbound\n    100\t0.5\t2\n";
  EXPECT_EQ(laid_out(table, 0), "      n risk bound\n    100  0.5     2\n");
  EXPECT_EQ(laid_out("    n\tfirst risk\tother bound\n    100\t0.5\t2\n", 20),
            "      n first risk\n    100        0.5\n"
            "      n other bound\n    100           2\n");
}

TEST(ColouredVerdicts, HaveTheColourOfTheirMeaning) {
  const std::string text =
      "id\n  Verdict: consistent (so), as expected\n  Verdict: refuted, as expected\n"
      "  Verdict: refuted, UNEXPECTED\n  Verdict: inconclusive, UNEXPECTED\n  Reason: refuted\n"
      "  Verdict: not_run\n  Verdict: refuted (so)";
  EXPECT_EQ(with_coloured_verdicts(text, false), text);
  EXPECT_EQ(with_coloured_verdicts(text, true),
            "id\n  Verdict: \033[32mconsistent (so), as expected\033[0m\n"
            "  Verdict: \033[35mrefuted, as expected\033[0m\n"
            "  Verdict: \033[1;31mrefuted, UNEXPECTED\033[0m\n"
            "  Verdict: \033[33minconclusive, UNEXPECTED\033[0m\n  Reason: refuted\n"
            "  Verdict: \033[33mnot_run\033[0m\n  Verdict: \033[1;31mrefuted (so)\033[0m");
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
