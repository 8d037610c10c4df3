#include "reports/figure_command.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "bench/figures/panels.hpp"
#include "reports/atomic_file.hpp"
#include "reports/validate.hpp"

namespace dpverify {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
namespace fs = std::filesystem;

struct TemporaryFolder {
  fs::path path = fs::path(testing::TempDir()) /
                  (std::string("dpverify figure ") +
                   testing::UnitTest::GetInstance()->current_test_info()->name());
  TemporaryFolder() { fs::remove_all(path); }
  ~TemporaryFolder() { fs::remove_all(path); }
};

TEST(FigureCommand, WritesJsonScriptsAndPictures) {
  const TemporaryFolder folder;
  std::ostringstream out, err;
  const Console console{out, err};
  EXPECT_EQ(figure_command({.id = "hu.1c", .out = folder.path, .trials = 2, .records_divisor = 1e3},
                           figures::panels(), console),
            0);
  EXPECT_THAT(out.str(), HasSubstr("what the text says"));
  const std::string text = read_file(folder.path / "hu.1c.json");
  EXPECT_THAT(validate_report(text), IsEmpty());
  const auto json = nlohmann::json::parse(text);
  EXPECT_EQ(json.at("kind"), "figure");
  EXPECT_EQ(json.at("figure").at("id"), "hu.1c");
  EXPECT_EQ(json.at("figure").at("trials"), 2);
  EXPECT_THAT(read_file(folder.path / "hu.1c.gnuplot"), HasSubstr("set multiplot"));
  EXPECT_EQ(err.str(), "") << "gnuplot-nox is one of packages.txt";
  for (const char* name : {"hu.1c.svg", "hu.1c-noise.svg"}) {
    const std::string picture = read_file(folder.path / name);
    EXPECT_THAT(picture, HasSubstr("hu.1c"));
    EXPECT_THAT(picture, HasSubstr("parameters of the theorem"));
    EXPECT_THAT(picture, HasSubstr("</svg>"));
  }
}

TEST(FigureCommand, ReplacesNothingButAnEarlierFigure) {
  const TemporaryFolder folder;
  const FigureArguments arguments{
      .id = "hu.1c", .out = folder.path, .trials = 2, .records_divisor = 1e3};
  fs::create_directories(folder.path);
  for (const char* name : {"hu.1c.svg", "hu.1c.json"}) {
    std::ofstream(folder.path / name) << "mine";
    std::ostringstream out, err;
    EXPECT_THROW(figure_command(arguments, figures::panels(), {out, err}), FileError);
    EXPECT_EQ(read_file(folder.path / name), "mine");
    fs::remove(folder.path / name);
  }
  for (int run = 0; run < 2; ++run) {
    std::ostringstream out, err;
    EXPECT_EQ(figure_command(arguments, figures::panels(), {out, err}), 0);
  }
}

TEST(FigureCommand, ListsThePanels) {
  std::ostringstream out, err;
  EXPECT_EQ(figure_command({.id = "list"}, figures::panels(), {out, err}), 0);
  EXPECT_THAT(out.str(), HasSubstr("hu.11c"));
}

TEST(FigureCommand, RefusesAnUnknownIdBeforeItWrites) {
  const TemporaryFolder folder;
  std::ostringstream out, err;
  EXPECT_THROW(figure_command({.id = "hu.99", .out = folder.path}, figures::panels(), {out, err}),
               std::invalid_argument);
  EXPECT_FALSE(fs::exists(folder.path));
}

}  // namespace
}  // namespace dpverify
