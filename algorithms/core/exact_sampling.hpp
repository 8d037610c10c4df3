// Noise without rounding: variables of the exact law, whose binary digits are drawn as they are
// needed, from uniform bits. A double that is sampled in the usual way gives away in its low bits
// what was added to it (Mironov, 2012); here only the sum with the noise is ever rounded, to a grid
// that does not depend on the data, which is post-processing.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "algorithms/core/random.hpp"

namespace dpverify {

// Independent and uniform bits, 64 at a time.
class BitSource {
 public:
  virtual ~BitSource() = default;
  virtual std::uint64_t bits() = 0;
};

// From the operating system's cryptographic generator (getrandom). Throws std::runtime_error if it
// gives none.
class SystemBits final : public BitSource {
 public:
  std::uint64_t bits() override;

 private:
  std::array<std::uint64_t, 512> buffer_{};
  std::size_t used_ = buffer_.size();
};

// Repeatable.
class StreamBits final : public BitSource {
 public:
  explicit StreamBits(const RandomStream& stream) : stream_(stream) {}
  std::uint64_t bits() override { return stream_.bits(); }

 private:
  RandomStream stream_;
};

// (-1)^negative (whole + fraction), the fraction in [0, 1) known to 64 binary digits a word, the
// first ones first; more are drawn where a comparison or a rounding needs them.
struct LazyReal {
  bool negative = false;
  std::uint64_t whole = 0;
  std::vector<std::uint64_t> fraction;
};

// Uniform on 0..count - 1; count >= 1.
Index exact_index(Index count, BitSource& bits);
// Of density exp(-x) on x > 0 (von Neumann, 1951).
LazyReal exact_exponential(BitSource& bits);
// Of density exp(-|x|)/2.
LazyReal exact_laplace(BitSource& bits);
// Of mean 0 and variance 1 (Karney, 2016).
LazyReal exact_normal(BitSource& bits);

// Whether z > factor (high - low), without rounding; z and factor >= 0, all finite.
bool exceeds(LazyReal& z, double factor, double high, double low, BitSource& bits);
// Whether a + scale x > b + scale y, without rounding; all finite.
bool is_larger(double a, LazyReal& x, double b, LazyReal& y, double scale, BitSource& bits);

// The step of the grid that sums with noise of this scale are rounded to: the power of two next
// below scale/2^30, or the least double. scale > 0 and finite.
double noise_grid(double scale);
// The multiple of the grid's step next to value + scale z, without rounding before; beyond 2^53
// steps a double next to it.
double rounded_to_grid(double value, double scale, LazyReal& z, BitSource& bits);

}  // namespace dpverify
