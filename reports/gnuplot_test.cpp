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

}  // namespace
}  // namespace dpverify
