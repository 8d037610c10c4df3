// Starts a program, reads what it prints, and leaves nothing of it running.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace dpverify {

struct ProcessLimits {
  double seconds = 60;                          // from start to end, > 0
  std::size_t memory = std::size_t{4} << 30;    // bytes of address space a process
  std::size_t printed = std::size_t{64} << 20;  // bytes on standard output
};

// How a program ended.
//   exited:    by itself, with this exit status.
//   signalled: by this signal, which it did not get from here.
//   time, printed: stopped here, at that limit.
//   stopped:   stopped here, because `more` had seen enough.
struct ProcessEnd {
  enum class Kind { exited, signalled, time, printed, stopped } kind = Kind::exited;
  int code = 0;

  bool is_success() const { return kind == Kind::exited && code == 0; }
};
// "exit status 3", "killed by signal 11 (Segmentation fault)", "not finished after 60 s", ...
std::string in_words(const ProcessEnd& end, const ProcessLimits& limits);

struct ProcessRun {
  ProcessEnd end;
  std::string printed;    // on standard output, up to the limit
  std::string complaint;  // the last line on standard error, shortened and printable
};

// Runs the program `words[0]` (looked up in PATH unless it holds a slash) with these words, without
// a shell: standard input empty, in a process group of its own, no core file. When it ends, when a
// limit is reached, when `more` (called with all that is printed so far) returns false, and when
// this program dies, however it does, every process is killed that it has started and that is left.
// May be called from several threads at once. Throws std::invalid_argument if there is no such
// program or it cannot be started, std::system_error if the machine has no process to give.
ProcessRun run_process(const std::vector<std::string>& words, const ProcessLimits& limits,
                       const std::function<bool(std::string_view printed)>& more = {});

}  // namespace dpverify
