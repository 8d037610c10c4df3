#include "algorithms/core/random.hpp"

#define XXH_INLINE_ALL
#include <Random123/philox.h>
#include <xxhash.h>

#include <algorithm>
#include <boost/random/exponential_distribution.hpp>
#include <boost/random/normal_distribution.hpp>
#include <cmath>

#include "algorithms/core/checked.hpp"

namespace dpverify {
namespace {

std::uint64_t hash(std::string_view text) { return XXH3_64bits(text.data(), text.size()); }

// A stream as the library's distributions take it.
struct Words {
  using result_type = std::uint64_t;
  static constexpr result_type min() { return 0; }
  static constexpr result_type max() { return UINT64_MAX; }
  result_type operator()() { return stream.bits(); }
  RandomStream& stream;
};

}  // namespace

RandomStream::RandomStream(const Key& key)
    : counter_{0, key.trial, hash(key.purpose), key.part}, key_{key.seed, hash(key.claim)} {}

// After the first block four at once, which the processor works on side by side.
void RandomStream::refill() {
  const std::size_t size = counter_[0] == 0 ? 4 : words_.size();
  r123::Philox4x64 philox;
  for (std::size_t at = 0; at < size; at += 4) {
    const r123::Philox4x64::ctr_type out =
        philox({{counter_[0], counter_[1], counter_[2], counter_[3]}}, {{key_[0], key_[1]}});
    std::copy(out.begin(), out.end(), words_.begin() + static_cast<std::ptrdiff_t>(at));
    ++counter_[0];
  }
  used_ = 0;
  filled_ = static_cast<unsigned>(size);
}

std::uint64_t RandomStream::bits() {
  if (used_ == filled_) refill();
  return words_[used_++];
}

double RandomStream::uniform() { return (static_cast<double>(bits() >> 12) + 0.5) * 0x1p-52; }

double RandomStream::uniform(double lower, double upper) {
  return lower + (upper - lower) * uniform();
}

Index RandomStream::index(Index count) {
  require(count >= 1, "number of choices", static_cast<double>(count), "at least 1");
  // Rejection of the incomplete last run of multiples makes the result exactly uniform.
  const auto range = static_cast<std::uint64_t>(count);
  const std::uint64_t limit = UINT64_MAX - UINT64_MAX % range;
  std::uint64_t draw = bits();
  while (draw >= limit) draw = bits();
  return static_cast<Index>(draw % range);
}

bool RandomStream::coin() {
  if (coins_left_ == 0) {
    coins_ = bits();
    coins_left_ = 64;
  }
  --coins_left_;
  const bool out = (coins_ & 1) != 0;
  coins_ >>= 1;
  return out;
}

// By ziggurats (Marsaglia and Tsang, 2000), whose tables are the library's, so that a processor's
// or a C library's own log and sincos decide only what falls next to the edge of a layer.
double RandomStream::normal() {
  Words words{*this};
  return boost::random::normal_distribution<double>()(words);
}

double RandomStream::exponential() {
  Words words{*this};
  double x = 0;
  while (x == 0) x = boost::random::exponential_distribution<double>()(words);
  return x;
}

double RandomStream::laplace() {
  const double size = exponential();
  const std::array<double, 2> signed_sizes{-size, size};  // no branch, which would be mispredicted
  return signed_sizes[coin() ? 1 : 0];
}

// Rejection from a cubed normal (Marsaglia and Tsang, 2000): most are accepted without a logarithm.
double RandomStream::gamma(double shape) {
  require(positive, "shape of a gamma variable", shape);
  if (shape < 1) {
    const double larger = gamma(shape + 1);
    return larger * std::pow(uniform(), 1 / shape);
  }
  const double d = shape - 1.0 / 3, c = 1 / std::sqrt(9 * d);
  while (true) {
    const double x = normal();
    const double root = 1 + c * x;
    if (root <= 0) continue;
    const double v = root * root * root, u = uniform(), square = x * x;
    if (u < 1 - 0.0331 * square * square) return d * v;
    if (std::log(u) < square / 2 + d - d * v + d * std::log(v)) return d * v;
  }
}

VectorXd RandomStream::normal_vector(Index size) {
  VectorXd out(size);
  for (Index i = 0; i < size; ++i) out[i] = normal();
  return out;
}

}  // namespace dpverify
