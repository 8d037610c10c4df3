// The program dpverify: linked into it and its tests, and not part of the library.
#include <filesystem>
#include <source_location>

#include "reports/program.hpp"

namespace dpverify {
namespace {

// As the compiler names this file, less what it is below that folder.
std::string folder_of_the_sources(
    const std::source_location& here = std::source_location::current()) {
  return std::filesystem::path(here.file_name()).parent_path().parent_path().string();
}

}  // namespace

const Program& program() {
  static const Program own{.name = "dpverify",
                           .version = build_info().version,
                           .git = git_state(),
                           .sources = folder_of_the_sources()};
  return own;
}

}  // namespace dpverify
