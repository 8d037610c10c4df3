#include <unistd.h>

#include <csignal>
#include <iostream>

#include "algorithms/registry.hpp"
#include "reports/catalogue.hpp"
#include "reports/command_line.hpp"

int main(int argc, char** argv) {
  // A reader that stops reading is an output that cannot be written, as a full disk is.
  std::signal(SIGPIPE, SIG_IGN);
  return dpverify::run_command_line(
      argc, argv,
      {.out = std::cout,
       .err = std::cerr,
       .out_is_terminal = isatty(STDOUT_FILENO) == 1,
       .err_is_terminal = isatty(STDERR_FILENO) == 1},
      {.algorithms = dpverify::algorithms, .claims = dpverify::every_claim});
}
