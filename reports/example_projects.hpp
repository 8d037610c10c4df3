// Projects of their own that check their mechanisms with dpverify, as text: docs/example/project
// and docs/example/python_project, as they were when this was built.
#pragma once

#include <span>
#include <string_view>

namespace dpverify {

struct ExampleFile {
  std::string_view path;  // in the project
  std::string_view text;
};

struct ExampleProjects {
  std::span<const ExampleFile> cpp;
  std::span<const ExampleFile> python;
};

ExampleProjects example_projects();  // defined by the build

}  // namespace dpverify
