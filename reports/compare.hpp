// What differs between two reports.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "reports/json.hpp"

namespace dpverify {

enum class Change {
  verdict,
  lost,      // the newer report has no evidence on the claim
  added,     // the older one has none
  estimate,  // by more than sampling explains: the intervals are apart, or there are none
  power      // the smallest fault that would have been seen is larger by a tenth or more
};
inline constexpr std::array all_changes{Change::verdict, Change::lost, Change::added,
                                        Change::estimate, Change::power};
// "verdict", ...
std::string_view name(Change change);

struct Difference {
  std::string claim;
  Change change = Change::verdict;
  std::string in_words;  // "consistent -> refuted"
};

struct Comparison {
  std::vector<Difference> differences;  // by kind of change, then by claim
  std::size_t same = 0;                 // claims of both with equal figures
  std::size_t within_noise = 0;         // claims of both whose figures differ by less than that
};

// By claim id. Estimates differ where both have a sampling interval and these do not meet, or where
// one has none and they are more than 1e-9 of the larger apart.
Comparison compare(const Measured& older, const Measured& newer);

}  // namespace dpverify
