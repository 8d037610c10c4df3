// Pictures of rate curves, as scripts of gnuplot.
#pragma once

#include <string>

#include "algorithms/claims/evidence.hpp"

namespace dpverify {

// What the heading of a picture says beside the evidence.
struct RateHeading {
  std::string claim;   // id
  std::string source;  // paper and theorem
  std::string commit;  // of the program that measured it; may be empty
};

// A script that makes an SVG of two panels over the varied quantity, all axes logarithmic. Above:
// the excess risk, with the bound scaled to it, the controls and what else was run. Below: its
// ratio to the bound, which is flat where the theorem's rate is attained; in the shaded band are
// the runs that are worse by less than what the check would have seen. Empty, if the evidence holds
// no curve that can be shown.
std::string rate_plot_script(const RateHeading& about, const Evidence& evidence);

}  // namespace dpverify
