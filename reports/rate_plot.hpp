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

}  // namespace dpverify
