// The numbers of a mechanism or a lemma with their names: what a search moves and a report shows.
// What they mean is known to the table of fields that made them (fields.hpp).
#pragma once

#include <cstddef>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

namespace dpverify {

// In the order of the table; no name twice.
class ParameterPoint {
 public:
  using Entry = std::pair<std::string, double>;

  ParameterPoint() = default;
  ParameterPoint(std::initializer_list<Entry> entries) : entries_(entries) {}

  void add(std::string name, double value) { entries_.emplace_back(std::move(name), value); }

  std::vector<Entry>::const_iterator begin() const { return entries_.begin(); }
  std::vector<Entry>::const_iterator end() const { return entries_.end(); }
  std::size_t size() const { return entries_.size(); }
  bool empty() const { return entries_.empty(); }

  bool operator==(const ParameterPoint&) const = default;

 private:
  std::vector<Entry> entries_;
};

}  // namespace dpverify
