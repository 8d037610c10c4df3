// For tests: a lemma's sides by its id.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "algorithms/claims/claims.hpp"

namespace dpverify {

// Both sides at a point; parameters not given are at their simplest.
inline LemmaClaim::Sides lemma_sides(const std::vector<Claim>& claims, const std::string& id,
                                     const ParameterPoint& point) {
  for (const Claim& claim : claims) {
    if (claim.id != id) continue;
    const auto& check = std::get<LemmaClaim>(claim.check);
    ParameterPoint all;
    for (const ParameterRange& range : check.ranges) all[range.name] = range.simplest;
    for (const auto& [name, value] : point) all.at(name) = value;
    return check.sides(all);
  }
  throw std::invalid_argument("no lemma " + id);
}

}  // namespace dpverify
