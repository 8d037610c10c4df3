// `rates --figure ID`: re-runs one panel of a paper's figure.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "algorithms/core/types.hpp"
#include "reports/command_line.hpp"
#include "reports/shard.hpp"

namespace dpverify {

struct FigureArguments {
  std::string id;  // "hu.1a"; "list": prints the ids and does nothing else
  std::filesystem::path out = "out";
  std::uint64_t seed = 20240229;
  int threads = 1;
  Index trials = 0;            // 0: the panel's own
  double records_divisor = 1;  // >= 1, for a quick look
  Shard shard;                 // not all of it: its trials are kept, and nothing else is written
};

// Measures the panel, prints its tables, what the null controls show and what the text's statements
// get, and writes <out>/<id>.json, <id>.gnuplot, <id>.svg, and the last two again as <id>-noise:
// the noise and what it hides. Trials finished by an earlier run of the same program that was
// killed are taken from <out>/figure-trials. Without gnuplot one line on `err` says so, and the
// pictures are left out. Returns 0: a statement that the figures contradict is a finding, not a
// failure. Throws std::invalid_argument for an unknown id or options out of their domains,
// FileError.
int figure_command(const FigureArguments& arguments, const std::vector<figures::Panel>& panels,
                   const Console& console);

}  // namespace dpverify
