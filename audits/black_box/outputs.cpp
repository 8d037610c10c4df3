#include "audits/black_box/outputs.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <map>
#include <utility>

namespace dpverify {
namespace {

constexpr int place_bits = 48;
constexpr std::uint64_t reference_mark = 0x7ff5;  // of the bits above: a NaN without the quiet bit

}  // namespace

bool Outputs::is_reference(double number) {
  return std::bit_cast<std::uint64_t>(number) >> place_bits == reference_mark;
}

std::size_t Outputs::place_of(double number) {
  return std::bit_cast<std::uint64_t>(number) & ((std::uint64_t{1} << place_bits) - 1);
}

double Outputs::reference_to(std::size_t place) {
  return std::bit_cast<double>(reference_mark << place_bits | place);
}

Outputs::Outputs(std::initializer_list<VectorXd> outputs) {
  for (const VectorXd& output : outputs) push_back(output);
}

Outputs::Outputs(std::vector<double> numbers, Index dimension)
    : width_(static_cast<std::size_t>(dimension)), slots_(std::move(numbers)) {
  for (std::size_t at = 0; at < slots_.size(); at += width_) {
    if (!is_reference(slots_[at])) continue;
    odd_.emplace_back(Eigen::Map<const VectorXd>(&slots_[at], dimension));
    slots_[at] = reference_to(odd_.size() - 1);
  }
}

void Outputs::reserve(std::size_t count, Index dimension) {
  slots_.reserve(count * static_cast<std::size_t>(std::max<Index>(1, dimension)));
}

void Outputs::push_back(const Output& output) {
  if (width_ == 0) width_ = static_cast<std::size_t>(std::max<Index>(1, output.size()));
  if (output.size() == static_cast<Index>(width_) && !is_reference(output[0])) {
    slots_.insert(slots_.end(), output.data(), output.data() + width_);
  } else {
    odd_.emplace_back(output);
    slots_.resize(slots_.size() + width_, 0);
    slots_[slots_.size() - width_] = reference_to(odd_.size() - 1);
    if (size() >= next_fit_ && 2 * odd_.size() > size()) fit_width();
  }
}

// To the length that most of the outputs have: the first one may be odd.
void Outputs::fit_width() {
  std::map<Index, std::size_t> lengths;
  for (const Output output : *this) ++lengths[output.size()];
  const Index usual =
      std::ranges::max_element(lengths, {}, [](const auto& entry) { return entry.second; })->first;
  next_fit_ = 2 * size();
  if (usual == static_cast<Index>(width_) || usual == 0) return;
  const Outputs before = std::exchange(*this, Outputs());
  next_fit_ = before.next_fit_;
  width_ = static_cast<std::size_t>(usual);
  slots_.reserve(2 * before.size() * width_);
  append(before);
}

void Outputs::prepend(const Output& output) {
  push_back(output);
  std::rotate(slots_.begin(), slots_.end() - static_cast<std::ptrdiff_t>(width_), slots_.end());
}

void Outputs::append(const Outputs& more) {
  for (const Output output : more) push_back(output);
}

void Outputs::swap(std::size_t one, std::size_t other) {
  std::swap_ranges(&slots_[one * width_], &slots_[one * width_] + width_, &slots_[other * width_]);
}

Index OutputRange::dimension() const {
  if (count_ == 0) return 0;
  if (!all_->has_odd()) return (*this)[0].size();
  Index longest = 0;
  for (const Output output : *this) longest = std::max(longest, output.size());
  return longest;
}

OutputRange OutputRange::part(std::size_t first, std::size_t count, std::size_t step) const {
  OutputRange out = *this;
  out.first_ += first * step_;
  out.step_ *= step;
  const std::size_t left = count_ > first ? (count_ - first + step - 1) / step : 0;
  out.count_ = std::min(count, left);
  return out;
}

}  // namespace dpverify
