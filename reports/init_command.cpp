// `dpverify init`: a project of one's own to start from.
#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <ostream>
#include <system_error>
#include <vector>

#include "algorithms/core/checked.hpp"
#include "reports/atomic_file.hpp"
#include "reports/commands.hpp"
#include "reports/example_projects.hpp"

namespace dpverify {
namespace {

namespace fs = std::filesystem;

// Removes what a failed start has made, last first.
void remove_made(const std::vector<fs::path>& made) {
  std::error_code ignored;
  for (auto path = made.rbegin(); path != made.rend(); ++path) fs::remove(*path, ignored);
}

void make_folder(const fs::path& folder, std::vector<fs::path>& made) {
  if (folder.empty() || fs::is_directory(folder)) return;
  make_folder(folder.parent_path(), made);
  if (fs::create_directory(folder)) made.push_back(folder);
}

// All of the files or none of them.
void write_project(const fs::path& folder, std::span<const ExampleFile> files) {
  std::vector<fs::path> made;
  try {
    for (const ExampleFile& file : files) {
      const fs::path path = folder / file.path;
      make_folder(path.parent_path(), made);
      write_atomically(path, file.text);
      made.push_back(path);
    }
  } catch (...) {
    remove_made(made);
    throw;
  }
}

int init_command(const std::string& name, bool python, const Console& console) {
  require(!name.empty(), "DIR", "''", "a folder that is empty or not there yet");
  const fs::path folder(name);
  const bool there = fs::exists(fs::symlink_status(folder));
  require(!there || (fs::is_directory(folder) && fs::is_empty(folder)), "DIR",
          fmt::format("'{}', which {}", name,
                      fs::is_directory(folder) ? "is not empty" : "is no folder"),
          "a folder that is empty or not there yet");
  const std::span<const ExampleFile> files =
      python ? example_projects().python : example_projects().cpp;
  write_project(folder, files);
  for (const ExampleFile& file : files) console.out << (folder / file.path).string() << "\n";
  console.out << (python ? "Its tests: python -m unittest in that folder, with dpverify "
                           "(docs/python.md). "
                         : "How to build it: docs/library.md. ")
              << "Edit OWNER in .github/workflows/dpverify.yml.\n";
  return as_expected_code;
}

}  // namespace

Command add_init(CLI::App& app, const Console& console) {
  struct Arguments {
    std::string folder;
    bool python = false, cpp = false;
  };
  const auto arguments = std::make_shared<Arguments>();
  CLI::App* command = app.add_subcommand(
      "init", "Start a project of your own: a mechanism, its claims, a test, a CI file");
  command->add_option("DIR", arguments->folder, "A folder that is empty or not there yet")
      ->required();
  auto* python = command->add_flag("--python", arguments->python, "In Python (docs/python.md)");
  command->add_flag("--cpp", arguments->cpp, "In C++ (docs/library.md); the default")
      ->excludes(python);
  return {command,
          [=, &console] { return init_command(arguments->folder, arguments->python, console); }};
}

}  // namespace dpverify
