// The curve of a rate claim as a picture.
#pragma once

#include <string>

#include "algorithms/claims/evidence.hpp"

namespace dpverify {

// A gnuplot script that writes an SVG to standard output: on logarithmic axes the measured points
// with their intervals, the theorem's bound through the point at the easy end, the data-free run,
// the zero vector, the non-private run, the comparators and a lower bound. Empty if the evidence
// holds no points.
std::string rate_plot_script(const Claim& claim, const Evidence& evidence);

// Either a picture, or in words why there is none: gnuplot is missing, or what it complained of
// first.
struct Picture {
  std::string svg;
  std::string failure;
};

// The SVG that gnuplot makes of a script. Throws FileError if there is no memory for it.
Picture run_gnuplot(const std::string& script);

}  // namespace dpverify
