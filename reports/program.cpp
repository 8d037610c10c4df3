#include "reports/program.hpp"

#include <fmt/format.h>

namespace dpverify {

std::string command(std::string_view words) {
  return fmt::format("./{} {}", program().name, words);
}

}  // namespace dpverify
