#pragma once

#include <limits>
#include <string>

namespace dpverify {

inline constexpr double infinity = std::numeric_limits<double>::infinity();

// For sentences: at most 6 digits, and what these do not tell from 1 as "1 - 1e-06".
std::string in_digits(double value);

}  // namespace dpverify
