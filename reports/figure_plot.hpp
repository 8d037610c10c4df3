// A figure as pictures.
#pragma once

#include <string>
#include <string_view>

#include "bench/figures/figure.hpp"

namespace dpverify::figures {

// gnuplot commands with the data in them, which write one SVG to the standard output: a column for
// each edition and one for the comparators. `commit` is that of the program; it may be empty. What
// the paper's text prints of its own curve is marked.
std::string figure_plot(const Figure& figure, std::string_view commit);
// The same for noise and signal at the first release.
std::string noise_plot(const Figure& figure, std::string_view commit);

}  // namespace dpverify::figures
