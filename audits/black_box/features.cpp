#include "audits/black_box/features.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "algorithms/core/numbers.hpp"

namespace dpverify::black_box {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr std::uint64_t mantissa_bits = (std::uint64_t{1} << 52) - 1;

unsigned binade(double x) { return std::bit_cast<std::uint64_t>(x) >> 52 & 0x7ff; }

int trailing_zeros(double x) {
  return std::min(52, std::countr_zero(std::bit_cast<std::uint64_t>(x) & mantissa_bits));
}

// The e for which 2^e is the largest power of two that x is a multiple of: infinity for 0, NaN if
// x is not finite.
double lowest_set_bit(double x) {
  if (x == 0) return infinity;
  if (!std::isfinite(x)) return nan;
  return static_cast<int>(std::max(binade(x), 1U)) - 1075 + trailing_zeros(x);
}

// A code of the whole output, exact as a double.
double code_of(const Output& output, const std::function<std::uint64_t(double)>& code) {
  std::uint64_t hash = 0x9e3779b97f4a7c15 + static_cast<std::uint64_t>(output.size());
  for (const double x : output) {  // the finaliser of splitmix64, chained
    hash ^= code(x);
    hash = (hash ^ (hash >> 30)) * 0xbf58476d1ce4e5b9;
    hash = (hash ^ (hash >> 27)) * 0x94d049bb133111eb;
    hash ^= hash >> 31;
  }
  return static_cast<double>(hash >> 11);
}

std::uint64_t sign_code(double x) {
  if (std::isnan(x)) return 5;
  if (std::isinf(x)) return x > 0 ? 4 : 3;
  if (x == 0) return 2;
  return x > 0 ? 1 : 0;
}

}  // namespace

std::vector<Feature> features(Index dimension, OutputModel model) {
  std::vector<Feature> all;
  for (Index i = 0; i < dimension; ++i) {
    const std::string name = fmt::format("output[{}]", i);
    const auto at = [i](const Output& x) { return i < x.size() ? x[i] : nan; };
    all.push_back({name, at});
    if (model == OutputModel::reals) continue;
    all.push_back(
        {"lowest set bit of " + name, [at](const Output& x) { return lowest_set_bit(at(x)); }});
    all.push_back({"binade and trailing zero bits of " + name,
                   [at](const Output& x) {
                     return static_cast<double>(64 * binade(at(x))) + trailing_zeros(at(x));
                   },
                   false});
    all.push_back({"lowest byte of " + name,
                   [at](const Output& x) {
                     return static_cast<double>(std::bit_cast<std::uint64_t>(at(x)) & 0xff);
                   },
                   false});
  }
  all.push_back({"length", [](const Output& x) { return static_cast<double>(x.size()); }});
  all.push_back({"number of coordinates that are not finite", [](const Output& x) {
                   return static_cast<double>(std::count_if(
                       x.begin(), x.end(), [](double v) { return !std::isfinite(v); }));
                 }});
  if (dimension < 2) return all;
  const auto extreme = [](const Output& x, bool largest) {
    const auto place =
        largest ? std::max_element(x.begin(), x.end()) : std::min_element(x.begin(), x.end());
    return std::pair{static_cast<double>(place - x.begin()), x.size() > 0 ? *place : nan};
  };
  all.push_back({"sum", [](const Output& x) { return VectorXd(x).sum(); }});
  all.push_back({"Euclidean norm", [](const Output& x) { return VectorXd(x).stableNorm(); }});
  for (const bool largest : {true, false}) {
    const std::string which = largest ? "largest" : "smallest";
    all.push_back(
        {which + " coordinate", [=](const Output& x) { return extreme(x, largest).second; }});
    all.push_back({"place of the " + which + " coordinate",
                   [=](const Output& x) { return extreme(x, largest).first; }});
  }
  all.push_back({"number of distinct coordinates", [](const Output& x) {
                   std::vector<std::uint64_t> bits;
                   for (const double v : x) bits.push_back(std::bit_cast<std::uint64_t>(v));
                   std::sort(bits.begin(), bits.end());
                   return static_cast<double>(std::unique(bits.begin(), bits.end()) - bits.begin());
                 }});
  all.push_back(
      {"signs of the coordinates", [](const Output& x) { return code_of(x, sign_code); }, false});
  all.push_back({"whole output",
                 [](const Output& x) {
                   return code_of(x, [](double v) { return std::bit_cast<std::uint64_t>(v); });
                 },
                 false});
  return all;
}

}  // namespace dpverify::black_box
