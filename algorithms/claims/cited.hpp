// The papers that claims cite: one key and one name each, whichever of its texts is meant.
#pragma once

#include <string_view>

#include "algorithms/claims/claims.hpp"

namespace dpverify {

struct CitedPaper {
  std::string_view key;    // "hu": an identifier
  std::string_view name;   // "Hu, Ni, Xiao and Wang"
  std::string_view text;   // "preprint"; empty: there is but one
  std::string_view title;  // of the papers whose algorithms are here; else empty
};
CitedPaper cited_paper(Text text);

}  // namespace dpverify
