#include "algorithms/core/exact_releases.hpp"

#include <cmath>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "algorithms/core/checked.hpp"
#include "algorithms/core/numbers.hpp"

namespace dpverify {
namespace {

using RealLaw = LazyReal (*)(BitSource&);

VectorXd with_noise(const VectorXd& value, double scale, RealLaw law, BitSource& bits) {
  VectorXd out(value.size());
  for (Index j = 0; j < value.size(); ++j) {
    LazyReal z = law(bits);
    out[j] = rounded_to_grid(value[j], scale, z, bits);
  }
  return out;
}

// Of a uniform candidate, kept with probability exp(-coefficient (largest score - its own)).
Index exponential(const VectorXd& scores, double coefficient, BitSource& bits) {
  const double largest = scores.maxCoeff();
  for (;;) {
    const Index v = exact_index(scores.size(), bits);
    LazyReal z = exact_exponential(bits);
    if (exceeds(z, coefficient, largest, scores[v], bits)) return v;
  }
}

Index largest_with_noise(const NoisyMax& law, double scale, RealLaw noise, BitSource& bits) {
  Index best = 0;
  LazyReal of_best = noise(bits);
  for (Index v = 1; v < law.scores.size(); ++v) {
    LazyReal z = noise(bits);
    if (!is_larger(law.scores[v], z, law.scores[best], of_best, scale, bits)) continue;
    best = v;
    of_best = std::move(z);
  }
  return best;
}

// A uniform order of 0..count - 1 (Fisher and Yates), one element at a time.
class Order {
 public:
  explicit Order(Index count) : left_(static_cast<std::size_t>(count)) {
    std::iota(left_.begin(), left_.end(), Index{0});
  }
  Index next(BitSource& bits) {
    std::swap(left_[static_cast<std::size_t>(exact_index(std::ssize(left_), bits))], left_.back());
    const Index out = left_.back();
    left_.pop_back();
    return out;
  }

 private:
  std::vector<Index> left_;
};

// What each law gives; nothing for one that is not known how to draw.
struct Exactly {
  BitSource& bits;
  double room;

  std::optional<Outcome> operator()(const LaplaceNoise& law) const {
    return with_noise(law.value, law.scale * room, exact_laplace, bits);
  }
  std::optional<Outcome> operator()(const GaussianNoise& law) const {
    return with_noise(law.value, law.standard_deviation * room, exact_normal, bits);
  }
  std::optional<Outcome> operator()(const ExponentialMechanism& law) const {
    return exponential(law.scores, law.coefficient / room, bits);
  }
  std::optional<Outcome> operator()(const NoisyMax& law) const {
    switch (law.noise) {
      case MaxNoise::laplace:
        return largest_with_noise(law, law.scale * room, exact_laplace, bits);
      case MaxNoise::exponential:
        return largest_with_noise(law, law.scale * room, exact_exponential, bits);
      case MaxNoise::gumbel:
        break;
    }
    return std::nullopt;
  }
  std::optional<Outcome> operator()(const PermuteAndFlip& law) const {
    const double largest = law.scores.maxCoeff();
    Order order(law.scores.size());
    for (;;) {  // the candidate of the largest score is kept
      const Index v = order.next(bits);
      LazyReal z = exact_exponential(bits);
      if (exceeds(z, law.coefficient / room, largest, law.scores[v], bits)) return v;
    }
  }
  std::optional<Outcome> operator()(const UniformPermutation& law) const {
    Order order(law.count);
    VectorXd out(law.count);
    for (double& place : out) place = static_cast<double>(order.next(bits));
    return out;
  }
  std::optional<Outcome> operator()(const auto&) const { return std::nullopt; }
};

}  // namespace

ExactReleases::ExactReleases(BitSource& bits, double room) : bits_(bits), room_(room) {
  require(room >= 1 && std::isfinite(room), "room for rounding", room, "at least 1 and finite");
}

Outcome ExactReleases::decide(const Law& law) {
  validate(law);
  if (auto outcome = std::visit(Exactly{bits_, room_}, law)) return *std::move(outcome);
  in_floating_point_.insert(law_name(law));
  RandomStream stream({.seed = bits_.bits(), .claim = "a release", .trial = bits_.bits()});
  return sample(law, stream);
}

double rounding_room(Index records, Index features) {
  const auto n = static_cast<double>(records), d = static_cast<double>(features);
  require(n >= 1, "records", n, "at least 1");
  require(d >= 0, "features", d, "at least 0");
  return std::nextafter(1 + std::ldexp(n * (n + d + 16), -50), infinity);
}

}  // namespace dpverify
