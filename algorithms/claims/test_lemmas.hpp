// For tests: a lemma of the registry at one point.
#pragma once

#include <map>
#include <stdexcept>
#include <string>

#include "algorithms/registry.hpp"

namespace dpverify {

// Both sides of the lemma; parameters that are not given are at their simplest. Throws
// std::invalid_argument for an id or a parameter that there is not.
inline LemmaClaim::Sides sides(const std::string& id, std::map<std::string, double> given) {
  for (const Claim& claim : claims()) {
    if (claim.id != id) continue;
    const auto& check = std::get<LemmaClaim>(claim.check);
    ParameterPoint point;
    for (const ParameterRange& range : check.ranges) {
      const auto found = given.find(range.name);
      point.add(range.name, found == given.end() ? range.simplest : found->second);
      if (found != given.end()) given.erase(found);
    }
    if (!given.empty()) throw std::invalid_argument(id + " has no " + given.begin()->first);
    return check.sides(point);
  }
  throw std::invalid_argument("no lemma " + id);
}

}  // namespace dpverify
