// The losses of a record that enters a sum by chance, with Gaussian noise of standard deviation 1.
#pragma once

#include <functional>

#include "audits/exact/privacy_loss.hpp"

namespace dpverify {

// (1 - rate) N(0, 1) + rate N(with, 1) against (1 - rate) N(0, 1) + rate N(without, 1).
struct MixturePair {
  double rate = 1;     // in (0, 1]
  double with = 0;     // shifts, in standard deviations: in [-20, 20], and one of
  double without = 0;  // (s, 0), (s, -s) and (2s, s), or the other way round, |s| >= 1e-3
};
// Throws std::invalid_argument for another pair. A negative s counts as |s|.
LossLaw mixture_loss(const MixturePair& pair);

// The loss law, for losses in both directions, that has this delta(epsilon) for the epsilon >= 0
// on the grid k step up to `highest`, in between and beyond at least that of every law whose delta
// is at most these bounds, so that its composition bounds theirs from above. Both bounds are
// continuous and agree at 0. (Doroshenko et al., 2022: the piecewise linear function of e^epsilon
// through the bounds is a delta(epsilon) itself, once it falls and is convex.)
LossLaw loss_of_bounds(const std::function<double(double)>& forward,
                       const std::function<double(double)>& backward, double step, double highest);

}  // namespace dpverify
