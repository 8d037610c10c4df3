// Does an inequality hold over its whole claimed range, and how sharp is it?
#pragma once

#include "algorithms/claims/evidence.hpp"

namespace dpverify {

// Decides a claim whose check is a LemmaClaim: left <= right at random points, at the simplest
// values and the ends of the ranges, along edges, and where pattern searches from the best of
// these lead. A failure is shrunk. Where nothing fails, the tightness is left/right at the point
// nearest to failing (right/left if both are negative, none if no two sides have one sign), and the
// smallest fault its inverse: any smaller share of the right side would have been refuted there.
// Sides within 1e-9 of each other are compared in 100 digits where they can be had.
Evidence check_lemma(const Claim& claim, const CheckContext& context);

}  // namespace dpverify
