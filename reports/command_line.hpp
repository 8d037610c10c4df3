// The dpverify command: arguments in, text and an exit code out.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <iosfwd>
#include <span>
#include <string>
#include <vector>

#include "algorithms/claims/algorithm.hpp"
#include "algorithms/claims/results.hpp"

namespace dpverify {

namespace figures {
struct Panel;
}

// 0: every verdict as expected. 1: some verdict is not. 2: usage, bad input, a file or standard
// output that cannot be written, or not enough memory or processes. 3: every verdict as expected,
// but a time limit left some claims out. 4: every verdict as expected, but a rate is worse than in
// the baseline. 5: a fault of this program. Errors are one line on `err`.
enum ExitCode {
  as_expected_code = 0,
  unexpected_code = 1,
  bad_input_code = 2,
  partial_code = 3,
  regression_code = 4,
  internal_code = 5
};

struct Console {
  std::ostream& out;
  std::ostream& err;
  bool out_is_terminal = false;  // then colours
  bool err_is_terminal = false;  // then progress
  double heartbeat = 60;         // seconds between two lines of progress where it is none
  std::size_t columns = 0;       // of `out`, to which its text is fitted; 0: no limit (a log)
  std::size_t err_columns = 80;  // of `err`, if it is a terminal; at least 1
};

// What the commands work on.
struct Catalogue {
  std::function<const std::vector<Algorithm>&()> algorithms;
  std::function<const std::vector<Claim>&()> claims;
  // Of `rates --figure`; empty: the program has none, nor the option.
  std::function<const std::vector<figures::Panel>&()> figures;
  std::filesystem::path baseline;         // of the rates, unless --baseline names one; empty: none
  std::span<const NumberedPaper> papers;  // whose results `coverage` lists; empty: no such command
  bool starts_projects = false;           // with the command `init`
  std::string more_commands;              // of whatever starts the program, for its --help
};

int run_command_line(int argc, const char* const* argv, const Console& console,
                     const Catalogue& catalogue);

}  // namespace dpverify
