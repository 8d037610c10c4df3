#include "algorithms/core/numbers.hpp"

#include <fmt/format.h>

namespace dpverify {

std::string in_digits(double value) {
  std::string text = fmt::format("{:.6g}", value);
  if (text != "1" || value == 1) return text;
  return value < 1 ? fmt::format("1 - {:.3g}", 1 - value) : fmt::format("1 + {:.3g}", value - 1);
}

}  // namespace dpverify
