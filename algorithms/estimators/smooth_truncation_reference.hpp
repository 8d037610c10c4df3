// The closed form of the smoothed truncation in 100-digit arithmetic: slow, and right.
#pragma once

namespace dpverify {

// E phi(a + b Z) by the printed closed form (Hu et al., (5) and appendix), evaluated with 100
// digits and rounded to double. Terms of size (|a| + b)^3 cancel, so |a| + b <= 1e20 leaves 40
// digits. b > 0; throws std::invalid_argument beyond these ranges.
double smooth_truncation_reference(double a, double b);

}  // namespace dpverify
