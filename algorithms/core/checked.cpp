#include "algorithms/core/checked.hpp"

#include <fmt/format.h>

namespace dpverify {

std::string to_text(double value) {
  return std::isnan(value) ? "nan" : fmt::format("{}", value);  // whatever the sign of a NaN
}

void require(bool good, std::string_view what, double value, std::string_view allowed) {
  if (!good) require(false, what, to_text(value), allowed);
}

void require(bool good, std::string_view what, std::string_view value, std::string_view allowed) {
  if (!good)
    throw std::invalid_argument(fmt::format("{} is {}, but must be {}", what, value, allowed));
}

void require(const Domain& domain, std::string_view what, double value) {
  require(domain.holds(value), what, value, domain.words);
}

}  // namespace dpverify
