#include "algorithms/core/exact_sampling.hpp"

#include <sys/random.h>

#include <algorithm>
#include <boost/multiprecision/cpp_int.hpp>
#include <cerrno>
#include <cmath>
#include <stdexcept>

#include "algorithms/core/numbers.hpp"

namespace dpverify {
namespace {

using Integer = boost::multiprecision::cpp_int;

constexpr int word_bits = 64;
constexpr std::uint64_t half = std::uint64_t{1} << 63;  // the first word of 1/2

// ---- Uniform variables on [0, 1), by their words ------------------------------------------------

using Words = std::vector<std::uint64_t>;

void extend(Words& words, std::size_t count, BitSource& bits) {
  while (words.size() < count) words.push_back(bits.bits());
}

bool is_below(Words& a, Words& b, BitSource& bits) {
  for (std::size_t k = 0;; ++k) {
    extend(a, k + 1, bits);
    extend(b, k + 1, bits);
    if (a[k] != b[k]) return a[k] < b[k];
  }
}

// How many uniform variables, drawn one after the other, each below the one before, is even or odd:
// after a first of value x it is even with probability 1 - x + x^2/2! - ... = exp(-x). `last` is
// the one before, and `length` how many there were.
bool is_even_run(Words last, int length, BitSource& bits) {
  for (;; ++length) {
    Words next;
    if (!is_below(next, last, bits)) return length % 2 == 0;
    last = std::move(next);
  }
}

// With probability exp(-x), of an x whose words are given and may become more.
bool survives(Words& x, BitSource& bits) {
  Words first;
  return !is_below(first, x, bits) || is_even_run(std::move(first), 1, bits);
}

// With probability exp(-1): every first variable is below 1.
bool survives_one(BitSource& bits) { return is_even_run({}, 1, bits); }

// With probability exp(-1/2): half of the first variables are below 1/2.
bool survives_half(BitSource& bits) {
  Words first{bits.bits()};
  return first[0] >= half || is_even_run(std::move(first), 1, bits);
}

// ---- Real numbers, exactly ----------------------------------------------------------------------

// mantissa 2^exponent.
struct Dyadic {
  Integer mantissa;
  int exponent = 0;
};

Dyadic dyadic(double x) {
  int exponent = 0;
  const double mantissa = std::frexp(x, &exponent);
  return {Integer(static_cast<std::int64_t>(std::ldexp(mantissa, 53))), exponent - 53};
}

Dyadic operator*(const Dyadic& a, const Dyadic& b) {
  return {a.mantissa * b.mantissa, a.exponent + b.exponent};
}

Integer mantissa_at(const Dyadic& x, int exponent) {  // exponent <= x.exponent
  return x.mantissa << (x.exponent - exponent);
}

Dyadic operator+(const Dyadic& a, const Dyadic& b) {
  const int exponent = std::min(a.exponent, b.exponent);
  return {mantissa_at(a, exponent) + mantissa_at(b, exponent), exponent};
}

Dyadic operator-(const Dyadic& a, const Dyadic& b) { return a + Dyadic{-b.mantissa, b.exponent}; }

bool is_positive(const Dyadic& x) { return x.mantissa > 0; }

// The largest integer that is not above x.
Integer floor(const Dyadic& x) {
  if (x.exponent >= 0) return x.mantissa << x.exponent;
  if (x.mantissa >= 0) return x.mantissa >> -x.exponent;
  return -((-x.mantissa + (Integer(1) << -x.exponent) - 1) >> -x.exponent);
}

// One of the doubles next to x, or infinite beyond them all.
double as_double(const Dyadic& x) {
  constexpr int most = 128;  // bits, far more than a double has and far fewer than it can stand for
  const Integer size = abs(x.mantissa);
  const int bits = size == 0 ? 0 : static_cast<int>(msb(size)) + 1,
            spare = std::max(0, bits - most);
  const double out = std::ldexp(Integer(size >> spare).convert_to<double>(), x.exponent + spare);
  return x.mantissa < 0 ? -out : out;
}

// Where a variable lies: in [lower, upper], of which it is neither end but with probability 0.
struct Interval {
  Dyadic lower;
  Dyadic upper;
};

// By the first `words` words of its fraction.
Interval interval_of(LazyReal& z, std::size_t words, BitSource& bits) {
  extend(z.fraction, words, bits);
  Integer digits = z.whole;
  for (std::size_t k = 0; k < words; ++k) digits = (digits << word_bits) | z.fraction[k];
  const int exponent = -word_bits * static_cast<int>(words);
  if (z.negative) return {{-digits - 1, exponent}, {-digits, exponent}};
  return {{digits, exponent}, {digits + 1, exponent}};
}

Interval scaled_and_moved(const Interval& z, const Dyadic& scale, const Dyadic& value) {
  return {value + scale * z.lower, value + scale * z.upper};
}

// With probability exp(-x (2k + x)/2), of an x in [0, 1).
bool survives_square(std::uint64_t k, LazyReal& x, BitSource& bits) {
  LazyReal bound = exact_exponential(bits);
  for (std::size_t words = 1;; ++words) {
    const Interval e = interval_of(bound, words, bits), at = interval_of(x, words, bits);
    const auto rate = [&](const Dyadic& point) {
      const Dyadic twice = point * (Dyadic{2 * Integer(k), 0} + point);
      return Dyadic{twice.mantissa, twice.exponent - 1};
    };
    if (!is_positive(rate(at.upper) - e.lower)) return true;
    if (!is_positive(e.upper - rate(at.lower))) return false;
  }
}

double approximate(const LazyReal& z) {
  const double size = static_cast<double>(z.whole) +
                      std::ldexp(static_cast<double>(z.fraction.empty() ? 0 : z.fraction[0]), -64);
  return z.negative ? -size : size;
}

}  // namespace

std::uint64_t SystemBits::bits() {
  if (used_ == buffer_.size()) {
    auto* bytes = reinterpret_cast<unsigned char*>(buffer_.data());
    for (std::size_t done = 0; done < sizeof buffer_;) {
      const ssize_t count = getrandom(bytes + done, sizeof buffer_ - done, 0);
      if (count < 0 && errno == EINTR) continue;
      if (count <= 0) throw std::runtime_error("the operating system gives no random bits");
      done += static_cast<std::size_t>(count);
    }
    used_ = 0;
  }
  const std::uint64_t out = buffer_[used_];
  buffer_[used_++] = 0;  // what has been used is not kept
  return out;
}

Index exact_index(Index count, BitSource& bits) {
  const auto size = static_cast<std::uint64_t>(count);
  const std::uint64_t remainder = (~size + 1) % size;  // 2^64 mod size
  for (;;) {
    const std::uint64_t x = bits.bits();
    if (x >= remainder) return static_cast<Index>(x % size);
  }
}

LazyReal exact_exponential(BitSource& bits) {
  LazyReal z;
  while (survives_one(bits)) ++z.whole;
  do z.fraction.clear();
  while (!survives(z.fraction, bits));
  return z;
}

LazyReal exact_laplace(BitSource& bits) {
  LazyReal z = exact_exponential(bits);
  z.negative = bits.bits() >= half;
  return z;
}

// k + x, of density proportional to exp(-(k + x)^2/2) = exp(-k/2) exp(-k (k-1)/2) exp(-x (2k+x)/2).
LazyReal exact_normal(BitSource& bits) {
  for (;;) {
    LazyReal x;
    std::uint64_t k = 0;
    while (survives_half(bits)) ++k;
    bool kept = true;
    for (std::uint64_t left = k == 0 ? 0 : k * (k - 1); left > 0 && kept; --left)
      kept = survives_half(bits);
    if (!kept || !survives_square(k, x, bits)) continue;
    x.whole = k;
    x.negative = bits.bits() >= half;
    return x;
  }
}

bool exceeds(LazyReal& z, double factor, double high, double low, BitSource& bits) {
  const Dyadic bound = dyadic(factor) * (dyadic(high) - dyadic(low));
  for (std::size_t words = 1;; ++words) {
    const Interval at = interval_of(z, words, bits);
    if (!is_positive(bound - at.lower)) return true;
    if (!is_positive(at.upper - bound)) return false;
  }
}

bool is_larger(double a, LazyReal& x, double b, LazyReal& y, double scale, BitSource& bits) {
  // Where doubles, with far more than their rounding to spare, decide it.
  extend(x.fraction, 1, bits);
  extend(y.fraction, 1, bits);
  const double of_x = scale * approximate(x), of_y = scale * approximate(y);
  const double size = std::abs(a) + std::abs(b) + std::abs(of_x) + std::abs(of_y);
  const double difference = (a + of_x) - (b + of_y);
  if (std::isfinite(size) && std::abs(difference) > 1e-12 * size) return difference > 0;

  const Dyadic s = dyadic(scale);
  for (std::size_t words = 1;; ++words) {
    const Interval first = scaled_and_moved(interval_of(x, words, bits), s, dyadic(a));
    const Interval second = scaled_and_moved(interval_of(y, words, bits), s, dyadic(b));
    if (!is_positive(second.upper - first.lower)) return true;
    if (!is_positive(first.upper - second.lower)) return false;
  }
}

double noise_grid(double scale) {
  constexpr int digits = 30, least = -1074;
  return std::ldexp(1.0, std::max(std::ilogb(scale) - digits, least));
}

double rounded_to_grid(double value, double scale, LazyReal& z, BitSource& bits) {
  const int step = std::ilogb(noise_grid(scale));
  const Dyadic in_steps{1, -step}, middle{1, -1};
  for (std::size_t words = 1;; ++words) {
    const Interval sum =
        scaled_and_moved(interval_of(z, words, bits), dyadic(scale), dyadic(value));
    const Integer lower = floor(sum.lower * in_steps + middle);
    if (lower == floor(sum.upper * in_steps + middle)) return as_double({lower, step});
  }
}

}  // namespace dpverify
