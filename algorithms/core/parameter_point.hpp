// Numbers by name: "epsilon", "beta", ...
#pragma once

#include <cstddef>
#include <initializer_list>
#include <map>
#include <string>

namespace dpverify {

// A map whose look-up says, of a name that is not in it, which names are.
class ParameterPoint {
 public:
  using Map = std::map<std::string, double>;

  ParameterPoint() = default;
  ParameterPoint(std::initializer_list<Map::value_type> values) : values_(values) {}

  // Throws std::invalid_argument if there is no parameter of that name.
  const double& at(const std::string& name) const;
  double& at(const std::string& name);
  double& operator[](const std::string& name) { return values_[name]; }

  bool contains(const std::string& name) const { return values_.contains(name); }
  Map::const_iterator find(const std::string& name) const { return values_.find(name); }
  Map::const_iterator begin() const { return values_.begin(); }
  Map::const_iterator end() const { return values_.end(); }
  std::size_t size() const { return values_.size(); }
  bool empty() const { return values_.empty(); }

  // Adds the parameters of `other` whose names are not here yet.
  void merge(const ParameterPoint& other) { values_.insert(other.begin(), other.end()); }

  bool operator==(const ParameterPoint&) const = default;

 private:
  Map values_;
};

}  // namespace dpverify
