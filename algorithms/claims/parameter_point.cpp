#include "algorithms/claims/parameter_point.hpp"

#include <algorithm>
#include <map>

#include "algorithms/core/checked.hpp"

namespace dpverify {

std::vector<ParameterPoint::Entry>::const_iterator ParameterPoint::find(
    const std::string& name) const {
  return std::find_if(begin(), end(), [&](const Entry& entry) { return entry.first == name; });
}

bool ParameterPoint::contains(const std::string& name) const { return find(name) != end(); }

const double& ParameterPoint::at(const std::string& name) const {
  const auto found = find(name);
  if (found == end()) {
    const std::map<std::string, double> known(begin(), end());
    look_up(known, "parameter looked up", name);
  }
  return found->second;
}

double& ParameterPoint::at(const std::string& name) {
  return const_cast<double&>(std::as_const(*this).at(name));
}

double& ParameterPoint::operator[](const std::string& name) {
  if (!contains(name)) add(name, 0);
  return at(name);
}

void ParameterPoint::merge(const ParameterPoint& other) {
  for (const auto& [name, value] : other)
    if (!contains(name)) add(name, value);
}

}  // namespace dpverify
