// The values of one feature on two samples, sorted.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "audits/black_box/features.hpp"

namespace dpverify::black_box {

// Values in their order, -0 before 0 and NaN last, as numbers below `no_key`.
inline constexpr std::uint64_t no_key = UINT64_MAX;
std::uint64_t key_of(double value);
double value_of(std::uint64_t key);

// Sorts from the smallest on; of many keys faster than by comparisons.
void sort_keys(std::vector<std::uint64_t>& keys);

// How many outputs of either sample.
struct Cell {
  Index in_first = 0;
  Index in_second = 0;

  Index total() const { return in_first + in_second; }
  Cell& operator+=(Cell other) {
    in_first += other.in_first;
    in_second += other.in_second;
    return *this;
  }
  friend Cell operator+(Cell a, Cell b) { return a += b; }
  friend Cell operator-(Cell a, Cell b) {
    return {a.in_first - b.in_first, a.in_second - b.in_second};
  }
};

// Of the outputs with an even and with an odd number: either half can judge what the other has
// learnt.
using Halves = std::array<Cell, 2>;

class Column {
 public:
  Column(const Feature& feature, const OutputRange& first, const OutputRange& second);

  const Feature& feature() const { return feature_; }
  const Halves& sizes() const { return sizes_; }
  Cell size() const { return sizes_[0] + sizes_[1]; }
  bool is_constant() const { return constant_; }

  // How many values are at most, or less than, this number. NaN is neither.
  Halves at_most(double number) const;
  Halves below(double number) const;

  // Calls visit(key, halves) for every value there is, from the smallest on.
  template <typename Visit>
  void walk(const Visit& visit) const {
    if (constant_) {
      visit(only_key_, sizes_);
      return;
    }
    std::array<const std::uint64_t*, 4> next, end;
    std::array<std::uint64_t, 4> keys;
    for (std::size_t k = 0; k < 4; ++k) {
      next[k] = keys_[k].data();
      end[k] = next[k] + keys_[k].size();
      keys[k] = next[k] < end[k] ? *next[k] : no_key;
    }
    while (true) {
      const std::uint64_t key = std::min(std::min(keys[0], keys[1]), std::min(keys[2], keys[3]));
      if (key == no_key) return;
      std::array<Index, 4> counts;
      for (std::size_t k = 0; k < 4; ++k) {
        const std::uint64_t* const from = next[k];
        while (keys[k] == key) keys[k] = ++next[k] < end[k] ? *next[k] : no_key;
        counts[k] = next[k] - from;
      }
      visit(key, Halves{Cell{counts[0], counts[1]}, Cell{counts[2], counts[3]}});
    }
  }

 private:
  Halves before(std::uint64_t key) const;  // with a smaller key

  const Feature& feature_;
  std::array<std::vector<std::uint64_t>, 4>
      keys_;  // even first, even second, odd first, odd second
  Halves sizes_;
  bool constant_ = false;
  std::uint64_t only_key_ = no_key;
};

}  // namespace dpverify::black_box
