// Are outputs, in the order in which they came, runs that know nothing of each other?
#pragma once

#include <string>

#include "audits/black_box/distinguishers.hpp"

namespace dpverify {

// An audit of outputs counts independent runs. In every coordinate, whether an output lies above
// the median is tested in two ways against a random order of the outputs: how often it changes from
// one output to the next (Wald and Wolfowitz), and how often it is so in the first half (Fisher).
// Both tests are exact, whatever the outputs' law. Empty if nothing is found; otherwise what was
// found, in words that follow a file's name. Says so of independent outputs with probability at
// most `significance`, over all coordinates. Does not see what does not depend on the order:
// several scores of one run that share what is random in it look independent.
std::string dependence(const Outputs& outputs, double significance);

}  // namespace dpverify
