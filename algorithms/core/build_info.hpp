// What the binary was built from and with. The build generates the definitions.
#pragma once

#include <string>

namespace dpverify {

struct BuildInfo {
  std::string version;   // of this project
  std::string compiler;  // "GNU 12.2.0"
  std::string flags;
  std::string rapidcheck_version;
  std::string eigen_version;  // its macros count otherwise from version 5 on
  std::string source_folder;  // where it was built; may be gone
};

struct GitState {
  std::string commit;  // "unknown" if built outside a git checkout
  bool dirty = false;  // source files differed from the commit
};

BuildInfo build_info();
GitState git_state();

}  // namespace dpverify
