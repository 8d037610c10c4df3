#include "algorithms/core/parameter_point.hpp"

#include "algorithms/core/checked.hpp"

namespace dpverify {

const double& ParameterPoint::at(const std::string& name) const {
  return look_up(values_, "parameter looked up", name);
}

double& ParameterPoint::at(const std::string& name) {
  return look_up(values_, "parameter looked up", name);
}

}  // namespace dpverify
