// Decides what a panel's text says about the measured curves.
#pragma once

#include <vector>

#include "bench/figures/figure.hpp"
#include "bench/figures/panel.hpp"

namespace dpverify::figures {

// The panel's statements, for each method that is no comparator.
std::vector<Judgement> judge(const std::vector<Statement>& statements, const Figure& figure);
std::vector<NullTest> null_tests(const Figure& figure);

}  // namespace dpverify::figures
