// What a panel's text says, as comparisons of mean errors, and what measured curves say of it.
#pragma once

#include <compare>
#include <string>
#include <vector>

#include "bench/comparisons.hpp"
#include "bench/figures/figure.hpp"
#include "bench/figures/panel.hpp"

namespace dpverify::figures {

// Where a statement looks: at a method's run, or at it without noise, at the number `x` of the
// panel's x of one series; or at a number that the text prints, if no method is named.
struct Place {
  std::string method;
  Quantity quantity = Quantity::run;
  std::size_t x = 0;
  double series = 0;
  double printed = 0;
  auto operator<=>(const Place&) const = default;
};

struct StatedComparisons {
  std::vector<Place> places;
  std::vector<std::vector<ErrorComparison>> alternatives;
};

// Of a statement on the method's curves at these x and series.
StatedComparisons comparisons_of(const Statement& statement, const std::string& method,
                                 const std::vector<double>& x, const std::vector<double>& series);

// The panel's statements, for each method that is no comparator.
std::vector<Judgement> judge(const std::vector<Statement>& statements, const Figure& figure);
std::vector<NullTest> null_tests(const Figure& figure);

}  // namespace dpverify::figures
