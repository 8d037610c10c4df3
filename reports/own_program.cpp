// The program dpverify: linked into it and its tests, and not part of the library.
#include "reports/program.hpp"

namespace dpverify {

const Program& program() {
  static const Program own{.name = "dpverify", .version = build_info().version, .git = git_state()};
  return own;
}

}  // namespace dpverify
