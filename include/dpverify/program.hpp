// A program of one's own with the whole command line: registry() to define, with dpverify::main; or
// run_program() in a main() of one's own.
#pragma once

#include "reports/program.hpp"
#include "reports/registry.hpp"
