#include "algorithms/core/random.hpp"

#define XXH_INLINE_ALL
#include <Random123/philox.h>
#include <xxhash.h>

#include <cmath>
#include <numbers>

#include "algorithms/core/checked.hpp"

namespace dpverify {
namespace {

std::uint64_t hash(std::string_view text) { return XXH3_64bits(text.data(), text.size()); }

}  // namespace

RandomStream::RandomStream(const Key& key)
    : counter_{0, key.trial, hash(key.purpose), key.part}, key_{key.seed, hash(key.claim)} {}

std::uint64_t RandomStream::bits() {
  if (used_ == block_.size()) {
    r123::Philox4x64 philox;
    const r123::Philox4x64::ctr_type out =
        philox({{counter_[0], counter_[1], counter_[2], counter_[3]}}, {{key_[0], key_[1]}});
    for (unsigned i = 0; i < block_.size(); ++i) block_[i] = out[i];
    ++counter_[0];
    used_ = 0;
  }
  return block_[used_++];
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

double RandomStream::normal() {
  if (has_spare_normal_) {
    has_spare_normal_ = false;
    return spare_normal_;
  }
  const double radius = std::sqrt(-2 * std::log(uniform()));
  const double angle = 2 * std::numbers::pi * uniform();
  spare_normal_ = radius * std::sin(angle);
  has_spare_normal_ = true;
  return radius * std::cos(angle);
}

double RandomStream::laplace() {
  const double u = uniform() - 0.5;  // never 0: uniform() is an odd multiple of 2^-53
  return -std::copysign(std::log1p(-2 * std::abs(u)), u);
}

// Rejection from a cubed normal (Marsaglia and Tsang, 2000), with the exact test only.
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
    const double v = root * root * root;
    if (std::log(uniform()) < x * x / 2 + d - d * v + d * std::log(v)) return d * v;
  }
}

VectorXd RandomStream::normal_vector(Index size) {
  VectorXd out(size);
  for (Index i = 0; i < size; ++i) out[i] = normal();
  return out;
}

}  // namespace dpverify
