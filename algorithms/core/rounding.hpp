#pragma once

namespace dpverify {

// Relative; sums of a few hundred doubles stay far below. A figure that exceeds a bound by less
// says nothing.
inline constexpr double rounding = 1e-9;

}  // namespace dpverify
