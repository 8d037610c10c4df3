#pragma once

#include <limits>

namespace dpverify {

inline constexpr double infinity = std::numeric_limits<double>::infinity();

}  // namespace dpverify
