// A figure as pictures.
#pragma once

#include <string>

#include "bench/figures/figure.hpp"

namespace dpverify::figures {

// gnuplot commands with the data in them, which write one SVG to the standard output: a column for
// each edition and one for the comparators.
std::string figure_plot(const Figure& figure);
// The same for noise and signal at the first release.
std::string noise_plot(const Figure& figure);

}  // namespace dpverify::figures
