#include "reports/progress_line.hpp"

#include <gtest/gtest.h>

#include <sstream>

namespace dpverify {
namespace {

TEST(ProgressLine, IsOneLineOfATerminal) {
  std::ostringstream out, err;
  const Console console{.out = out, .err = err, .err_is_terminal = true, .err_columns = 10};
  ProgressLine line(console);
  line.show("1/2", ", a claim");
  EXPECT_EQ(err.str(), "\r\033[K1/2, a cl");
  line.clear();
  EXPECT_EQ(err.str(), "\r\033[K1/2, a cl\r\033[K");
}

TEST(ProgressLine, IsALineNowAndThenInALog) {
  std::ostringstream out, err;
  const Console seldom_console{.out = out, .err = err, .heartbeat = 3600};
  ProgressLine seldom(seldom_console);
  seldom.show("1/2", ", a claim");
  EXPECT_EQ(err.str(), "");
  const Console often_console{.out = out, .err = err, .heartbeat = 0};
  ProgressLine often(often_console);
  often.show("1/2", ", a claim");
  EXPECT_EQ(err.str().substr(err.str().find(": ")), ": 1/2\n");
  often.clear();
}

}  // namespace
}  // namespace dpverify
