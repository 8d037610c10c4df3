// For tests: the numbers of a point by name, and a lemma at one point.
#pragma once

#include <map>
#include <stdexcept>
#include <string>

#include "algorithms/registry.hpp"

namespace dpverify {

// Throws std::invalid_argument if there is no parameter of that name.
inline double number(const ParameterPoint& point, const std::string& name) {
  for (const auto& [known, value] : point)
    if (known == name) return value;
  throw std::invalid_argument("no parameter " + name);
}

using LemmaPoint = std::map<std::string, double>;

// Both sides of the lemma of the registry; parameters that are not given are at their simplest.
// Throws std::invalid_argument for an id or a parameter that there is not.
inline LemmaClaim::Sides sides(const std::string& id, LemmaPoint given) {
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
