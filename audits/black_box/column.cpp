#include "audits/black_box/column.hpp"

#include <bit>
#include <cmath>
#include <limits>
#include <utility>

namespace dpverify::black_box {
namespace {

constexpr std::uint64_t sign_bit = std::uint64_t{1} << 63;
constexpr std::uint64_t nan_key = no_key - 1;

}  // namespace

std::uint64_t key_of(double value) {
  if (std::isnan(value)) return nan_key;
  const auto bits = std::bit_cast<std::uint64_t>(value);
  return (bits & sign_bit) != 0 ? ~bits : bits | sign_bit;
}

double value_of(std::uint64_t key) {
  if (key >= nan_key) return std::numeric_limits<double>::quiet_NaN();
  return std::bit_cast<double>((key & sign_bit) != 0 ? key & ~sign_bit : ~key);
}

// By their bytes, the lowest first; those that are the same in all of them need no pass.
void sort_keys(std::vector<std::uint64_t>& keys) {
  constexpr std::size_t bytes = 8, values = 256, few = 4096;
  if (keys.size() < few) {
    std::sort(keys.begin(), keys.end());
    return;
  }
  const auto byte_of = [](std::uint64_t key, std::size_t byte) { return key >> (8 * byte) & 0xff; };
  std::array<std::array<std::size_t, values>, bytes> counts{};
  for (const std::uint64_t key : keys)
    for (std::size_t byte = 0; byte < bytes; ++byte) ++counts[byte][byte_of(key, byte)];
  std::vector<std::uint64_t> sorted(keys.size());
  for (std::size_t byte = 0; byte < bytes; ++byte) {
    if (counts[byte][byte_of(keys[0], byte)] == keys.size()) continue;
    std::array<std::size_t, values> places{};
    for (std::size_t v = 1; v < values; ++v) places[v] = places[v - 1] + counts[byte][v - 1];
    for (const std::uint64_t key : keys) sorted[places[byte_of(key, byte)]++] = key;
    std::swap(keys, sorted);
  }
}

Column::Column(const Feature& feature, const OutputRange& first, const OutputRange& second)
    : feature_(feature) {
  std::size_t part = 0;
  only_key_ = key_of(feature.value(first[0]));
  constant_ = true;
  for (const std::size_t parity : {0U, 1U})
    for (const OutputRange* sample : {&first, &second}) {
      const OutputRange half = sample->part(parity, sample->size(), 2);
      std::vector<std::uint64_t>& keys = keys_[part++];
      keys.reserve(half.size());
      for (const Output x : half) {
        keys.push_back(key_of(feature.value(x)));
        constant_ = constant_ && keys.back() == only_key_;
      }
      const auto size = static_cast<Index>(half.size());
      (sample == &first ? sizes_[parity].in_first : sizes_[parity].in_second) = size;
    }
  for (std::vector<std::uint64_t>& keys : keys_) {
    if (constant_)
      keys = {};
    else
      sort_keys(keys);
  }
}

Halves Column::before(std::uint64_t key) const {
  if (constant_) return only_key_ < key ? sizes_ : Halves{};
  const auto count = [&](std::size_t part) {
    return std::lower_bound(keys_[part].begin(), keys_[part].end(), key) - keys_[part].begin();
  };
  return {Cell{count(0), count(1)}, Cell{count(2), count(3)}};
}

// -0 and 0 are the same number with two keys.
Halves Column::at_most(double number) const { return before(key_of(number == 0 ? 0 : number) + 1); }
Halves Column::below(double number) const { return before(key_of(number == 0 ? -0.0 : number)); }

}  // namespace dpverify::black_box
