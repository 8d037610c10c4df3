// What the text says of each panel, as claims.
#pragma once

#include <vector>

#include "algorithms/claims/claims.hpp"
#include "bench/figures/panel.hpp"

namespace dpverify {

// Of every panel and every statement, with the parameters that the experiments section prints.
// Their trials are the panel's own, of `rates --figure` with the same seed.
std::vector<Claim> panel_claims(const std::vector<figures::Panel>& panels);

}  // namespace dpverify
