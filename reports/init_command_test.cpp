#include <filesystem>

#include "reports/example_projects.hpp"
#include "reports/test_commands.hpp"

namespace dpverify {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

class InitCommand : public CommandTest {
 protected:
  std::string in_folder(const char* name) const { return (folder_ / name).string(); }
};

TEST_F(InitCommand, WritesTheExamples) {
  for (const bool python : {false, true}) {
    const fs::path project = folder_ / (python ? "a/python" : "cpp");
    const Result started = run({"init", project.string(), python ? "--python" : "--cpp"});
    EXPECT_EQ(started.code, 0) << started.err;
    const auto files = python ? example_projects().python : example_projects().cpp;
    EXPECT_GE(files.size(), 3U);
    for (const ExampleFile& file : files) {
      EXPECT_EQ(read_file(project / file.path), file.text);
      EXPECT_THAT(started.out, HasSubstr((project / file.path).string() + "\n"));
    }
  }
  EXPECT_EQ(read_file(folder_ / "cpp/means.cpp"),
            read_file(fs::path(build_info().source_folder) / "docs/example/project/means.cpp"));
}

TEST_F(InitCommand, TakesAnEmptyFolder) {
  fs::create_directories(folder_ / "empty");
  EXPECT_EQ(run({"init", in_folder("empty")}).code, 0);
  EXPECT_TRUE(fs::exists(folder_ / "empty/CMakeLists.txt"));
}

TEST_F(InitCommand, WritesOverNothing) {
  write("file", "mine");
  fs::create_directories(folder_ / "full");
  write("full/means.cpp", "mine");
  fs::create_symlink("nowhere", folder_ / "link");
  for (const char* name : {"file", "full", "link", "file/below"}) {
    const Result refused = run({"init", in_folder(name)});
    EXPECT_EQ(refused.code, 2) << name;
    EXPECT_EQ(std::ranges::count(refused.err, '\n'), 1) << refused.err;
  }
  EXPECT_EQ(read_file(folder_ / "full/means.cpp"), "mine");
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_ / "full"), {}), 1);
  expect_complaint(run({"init", ""}), "DIR is ''");
  expect_complaint(run({"init", in_folder("two"), "--python", "--cpp"}), "--cpp");
  EXPECT_FALSE(fs::exists(folder_ / "two"));
}

}  // namespace
}  // namespace dpverify
