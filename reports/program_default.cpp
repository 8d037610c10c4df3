// In a file of its own: the linker takes it from the library only if the program defines none.
#include <filesystem>
#include <system_error>

#include "reports/program.hpp"

namespace dpverify {

const Program& program() {
  static const Program running = [] {
    std::error_code unreadable;
    const auto file = std::filesystem::read_symlink("/proc/self/exe", unreadable);
    return Program{.name = unreadable ? "program" : file.filename().string(),
                   .version = "",
                   .git = {.commit = "unknown"}};
  }();
  return running;
}

}  // namespace dpverify
