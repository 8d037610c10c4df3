#include "reports/progress_line.hpp"

#include <fmt/format.h>

#include <ostream>
#include <string>

#include "reports/program.hpp"

namespace dpverify {

void ProgressLine::show(std::string_view state, std::string_view detail) {
  if (console_.err_is_terminal) {
    // A line as long as the terminal's would wrap, and could not be rewritten.
    const std::string line = fmt::format("{}{}", state, detail);
    console_.err << "\r\033[K" << line.substr(0, console_.err_columns - 1) << std::flush;
  } else if (std::chrono::duration<double>(Clock::now() - last_).count() >= console_.heartbeat) {
    last_ = Clock::now();
    console_.err << program().name << ": " << state << std::endl;
  }
}

void ProgressLine::clear() {
  if (console_.err_is_terminal) console_.err << "\r\033[K" << std::flush;
}

}  // namespace dpverify
