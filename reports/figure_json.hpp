// A figure as JSON, see envelope.hpp.
#pragma once

#include <string>
#include <string_view>

#include "bench/figures/figure.hpp"
#include "reports/context.hpp"

namespace dpverify::figures {

// Names as in Figure; curves with mean, interval and number of trials. Equal but for `timings`
// whenever two runs measured the same.
std::string figure_json(const Context& context, const Figure& figure);

// What such a text says the figure shows; empty: it is none.
std::string figure_title(std::string_view json);

}  // namespace dpverify::figures
