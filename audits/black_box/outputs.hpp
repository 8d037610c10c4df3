// The outputs of many runs of a mechanism, ten million numbers in 80 MB.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <vector>

#include "algorithms/core/types.hpp"

namespace dpverify {

// One output, where it is stored: a vector of doubles, each kept bit by bit. Valid as long as that
// stays as it is.
class Output : public Eigen::Map<const VectorXd> {
 public:
  Output(const double* numbers, Index size) : Map(numbers, size) {}
  Output(const VectorXd& x) : Map(x.data(), x.size()) {}
};

class Outputs;

class OutputIterator {
 public:
  using value_type = Output;
  using difference_type = std::ptrdiff_t;
  OutputIterator() = default;
  OutputIterator(const Outputs* all, std::size_t place, std::size_t step)
      : all_(all), place_(place), step_(step) {}
  Output operator*() const;
  OutputIterator& operator++() {
    place_ += step_;
    return *this;
  }
  OutputIterator operator++(int) {
    const OutputIterator before = *this;
    ++*this;
    return before;
  }
  bool operator==(const OutputIterator& other) const { return place_ == other.place_; }

 private:
  const Outputs* all_ = nullptr;
  std::size_t place_ = 0;
  std::size_t step_ = 1;
};

// Outputs in the order of the runs. They may differ in length and hold NaN or infinity. Those of
// one length stand in one array, eight bytes a number; the odd ones, of other lengths, apart.
class Outputs {
 public:
  Outputs() = default;
  Outputs(std::initializer_list<VectorXd> outputs);
  // An output every `dimension` >= 1 numbers.
  Outputs(std::vector<double> numbers, Index dimension);

  void reserve(std::size_t count, Index dimension);
  void push_back(const Output& output);
  void push_back(const VectorXd& output) { push_back(Output(output)); }
  void prepend(const Output& output);  // moves all others
  void append(const Outputs& more);
  void swap(std::size_t one, std::size_t other);

  std::size_t size() const { return width_ == 0 ? 0 : slots_.size() / width_; }
  bool empty() const { return slots_.empty(); }
  bool has_odd() const { return !odd_.empty(); }
  Output operator[](std::size_t k) const {
    const double* const slot = &slots_[k * width_];
    if (is_reference(*slot)) return odd_[place_of(*slot)];
    return {slot, static_cast<Index>(width_)};
  }
  Output back() const { return (*this)[size() - 1]; }
  OutputIterator begin() const { return {this, 0, 1}; }
  OutputIterator end() const { return {this, size(), 1}; }

 private:
  // A slot that does not hold its output starts with a signalling NaN that no arithmetic gives,
  // whose lower bits are the output's place among the odd ones. An output that starts like this is
  // odd itself.
  static bool is_reference(double number);
  static std::size_t place_of(double number);
  static double reference_to(std::size_t place);
  void fit_width();

  std::size_t width_ = 0;  // of a slot, at least 1 once there is one
  std::vector<double> slots_;
  std::vector<VectorXd> odd_;
  std::size_t next_fit_ = 1024;
};

inline Output OutputIterator::operator*() const { return (*all_)[place_]; }

// Some of these outputs: every `step`-th from one on.
class OutputRange {
 public:
  OutputRange() = default;
  OutputRange(const Outputs& all) : all_(&all), count_(all.size()) {}

  std::size_t size() const { return count_; }
  Output operator[](std::size_t k) const { return (*all_)[first_ + k * step_]; }
  Index dimension() const;  // the largest of them

  // At most `count` of them, every `step`-th from number `first` on.
  OutputRange part(std::size_t first, std::size_t count, std::size_t step = 1) const;

  OutputIterator begin() const { return {all_, first_, step_}; }
  OutputIterator end() const { return {all_, first_ + count_ * step_, step_}; }

 private:
  const Outputs* all_ = nullptr;
  std::size_t first_ = 0;
  std::size_t count_ = 0;
  std::size_t step_ = 1;
};

}  // namespace dpverify
