// A figure in words.
#pragma once

#include <string>

#include "bench/figures/figure.hpp"

namespace dpverify::figures {

// Tables, what the null controls show, and what the text's statements get.
std::string figure_text(const Figure& figure);

}  // namespace dpverify::figures
