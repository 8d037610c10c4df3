#include "reports/gnuplot.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <optional>

#include "reports/atomic_file.hpp"

namespace dpverify {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

// Sets a variable of the environment while it lives.
class Variable {
 public:
  Variable(const char* name, const std::string& value) : name_(name) {
    if (const char* before = std::getenv(name)) before_ = before;
    setenv(name, value.c_str(), 1);
  }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;
  ~Variable() { before_ ? setenv(name_, before_->c_str(), 1) : unsetenv(name_); }

 private:
  const char* name_;
  std::optional<std::string> before_;
};

constexpr const char* tiny_plot = "set terminal svg\nplot x\n";

TEST(Gnuplot, TellsAMissingGnuplotFromAFailedOne) {
  ASSERT_EQ(std::system("gnuplot --version >/dev/null 2>&1"), 0) << "one of packages.txt";
  EXPECT_EQ(run_gnuplot("set terminal svg\n\nno such command\n").failure,
            "gnuplot failed: line 3: invalid command");
  EXPECT_EQ(run_gnuplot("no such command").svg, "");
  EXPECT_EQ(run_gnuplot("").failure, "gnuplot failed: no picture, and not a word why");
  const Variable path("PATH", "/nowhere");
  EXPECT_EQ(run_gnuplot(tiny_plot).failure,
            "gnuplot is not installed (Debian package gnuplot-nox)");
}

TEST(Gnuplot, StartsGnuplotWithoutAShellOrTheUsersSettings) {
  ASSERT_EQ(std::system("gnuplot --version >/dev/null 2>&1"), 0) << "one of packages.txt";
  const fs::path folder =
      fs::path(::testing::TempDir()) / ("gnuplot_test_" + std::to_string(getpid()));
  const fs::path before = fs::current_path(), temporary = folder / "a';touch X;'";
  fs::create_directories(temporary);
  write_atomically(folder / ".gnuplot", "set print 'settings'\nprint 'read'\nunset print\n");
  fs::current_path(folder);
  {
    const Variable home("HOME", folder.string());
    for (const fs::path& each : {temporary, folder / "missing"}) {
      const Variable variable("TMPDIR", each.string());
      const Picture picture = run_gnuplot(tiny_plot);
      EXPECT_THAT(picture.svg, HasSubstr("</svg>"));
      EXPECT_EQ(picture.failure, "");
    }
  }
  fs::current_path(before);
  EXPECT_FALSE(fs::exists(folder / "X"));
  EXPECT_FALSE(fs::exists(folder / "settings"));
  EXPECT_TRUE(fs::is_empty(temporary));
  fs::remove_all(folder);
}

TEST(Gnuplot, NumbersOnAnAxisDoNotTouch) {
  EXPECT_EQ(spaced_xtics({1, 10, 100}, 1, 100, true, 300),
            "set xtics ('1' 1, '10' 10, '100' 100)\n");
  // At 0, 30 and 300 pixels, each number 30 wide and more.
  EXPECT_EQ(spaced_xtics({1000, 1100, 2000}, 1000, 2000, false, 300),
            "set xtics ('1000' 1000, '' 1100, '2000' 2000)\n");
}

TEST(Gnuplot, ATextIsShownAsItIs) {
  EXPECT_EQ(gnuplot_text("it's\nso"), "'it''s so'");
  const Picture picture = run_gnuplot("set terminal svg\nset title " +
                                      gnuplot_text("Lemma 9's 'x'") + " noenhanced\nplot x\n");
  EXPECT_THAT(picture.svg, HasSubstr("Lemma 9's 'x'")) << picture.failure;
}

TEST(Gnuplot, AHeadingIsWrappedAboveThePicture) {
  const Heading one = heading("title", {}, 400, 300),
                long_one = heading(std::string(100, 'a'), {"detail"}, 400, 300);
  EXPECT_THAT(one.script, HasSubstr("set label 1 'title' at screen"));
  EXPECT_THAT(long_one.script, HasSubstr("'detail'"));
  EXPECT_GT(long_one.height, 3 * one.height / 2);
  const Picture picture =
      run_gnuplot("set terminal svg size 400,300\n" + long_one.script + "plot x\n");
  EXPECT_EQ(picture.failure, "");
}

}  // namespace
}  // namespace dpverify
