// The version of the headers; build_info().version is that of the library.
#pragma once

#include "algorithms/core/build_info.hpp"

namespace dpverify {

inline constexpr int version_major = 0;
inline constexpr int version_minor = 1;
inline constexpr int version_patch = 0;

}  // namespace dpverify
