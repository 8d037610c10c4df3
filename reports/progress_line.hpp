// How far a command has come, on standard error.
#pragma once

#include <chrono>
#include <string_view>

#include "reports/command_line.hpp"

namespace dpverify {

// One line on a terminal, rewritten in place; in a log, one line now and then (Console::heartbeat).
// Not thread-safe. `console` must live on.
class ProgressLine {
 public:
  explicit ProgressLine(const Console& console) : console_(console) {}

  // `detail` is for a terminal alone, as far as there is room.
  void show(std::string_view state, std::string_view detail = {});
  // Takes the line off the terminal, for what comes next.
  void clear();

 private:
  using Clock = std::chrono::steady_clock;

  const Console& console_;
  Clock::time_point last_ = Clock::now();
};

}  // namespace dpverify
