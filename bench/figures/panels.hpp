// Every panel that can be run again.
#pragma once

#include <string_view>
#include <vector>

#include "bench/figures/panel.hpp"

namespace dpverify::figures {

// Every panel, in the order of the paper. Throws std::invalid_argument for an id that is none of
// theirs.
const std::vector<Panel>& panels();
const Panel& panel(std::string_view id);

}  // namespace dpverify::figures
