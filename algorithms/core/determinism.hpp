// Is a mechanism what every interpreter takes it to be: a deterministic function of its dataset and
// of the outcomes of its releases?
#pragma once

#include <string>

#include "algorithms/core/releases.hpp"

namespace dpverify {

// Records one run on the dataset and repeats it `repeats` times on the same dataset with every
// outcome pinned. Empty if nothing differs; otherwise one sentence: the mechanism draws random
// numbers outside its releases, or keeps a state, and no comparison of two datasets by pinned
// outcomes means anything. A difference that shows in a share p of runs is missed with probability
// (1 - p)^repeats. A run that ends in a value that is not finite shows nothing.
std::string own_randomness(const Mechanism& mechanism, const Dataset& data, int repeats = 16);

}  // namespace dpverify
