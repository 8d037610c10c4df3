// The program that this library is linked into, as its reports and messages name it.
#pragma once

#include <optional>
#include <source_location>
#include <string>
#include <string_view>

#include "algorithms/core/build_info.hpp"

namespace dpverify {

struct Program {
  std::string name;     // of its file: "mean_checks"
  std::string version;  // its own, not this library's; may be empty
  GitState git;         // of its own sources
  std::string sources;  // folder that the names of its source files start with; empty: not known
};

// Defined by the program: the CMake function dpverify_program(TARGET) does so. The library's own
// definition, taken where the program has none, gives the name of the running file and no commit.
const Program& program();

// Where a claim is stated, for whoever has the program's sources.
struct SourcePlace {
  std::string file;  // below the folder of the sources: "checks/means.cpp"
  unsigned line = 1;
};
// Nothing if the place is not known, or not among the program's sources.
std::optional<SourcePlace> place_in_sources(const std::source_location& stated);

// "./NAME words": a line for a shell that starts the program in the folder it is in.
std::string command(std::string_view words);

}  // namespace dpverify
