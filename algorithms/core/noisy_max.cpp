#include "algorithms/core/noisy_max.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <utility>
#include <vector>

#include "algorithms/core/numbers.hpp"
#include "algorithms/core/quadrature.hpp"

namespace dpverify {
namespace {

// Beyond this many scales from every score a factor differs from its limit by less than e^-40.
constexpr double reach = 40;
constexpr double log_half = -0.693147180559945309;

double laplace_log_cdf(double z) { return z < 0 ? log_half + z : std::log1p(-0.5 * std::exp(-z)); }

// log(1 - exp(-z)), z > 0
double exponential_log_cdf(double z) {
  return z < -log_half ? std::log(-std::expm1(-z)) : std::log1p(-std::exp(-z));
}

// Sums exp(terms) coordinate by coordinate in the log domain.
class LogSum {
 public:
  explicit LogSum(Index size)
      : largest_(VectorXd::Constant(size, -infinity)), sum_(VectorXd::Zero(size)) {}
  void add(Index v, double term) {
    if (term > largest_[v]) {
      sum_[v] = sum_[v] * std::exp(largest_[v] - term) + 1;
      largest_[v] = term;
    } else {
      sum_[v] += std::exp(term - largest_[v]);
    }
  }
  VectorXd log() const { return largest_.array() + sum_.array().log(); }

 private:
  VectorXd largest_, sum_;
};

// The largest is above every score: with s <= 0 measured from the largest score and z = exp(-x),
// P(v) = exp(s_v) * integral over z in (0, 1) of prod_{u != v} (1 - exp(s_u) z), a polynomial.
VectorXd exponential_noise(const VectorXd& s) {
  const Index count = s.size();
  LogSum total(count);
  VectorXd factor(count);
  // 20 nodes are exact up to degree 39; beyond, the polynomial falls by e^8 a panel at most.
  const double panel = count <= 40 ? 1 : 8 / static_cast<double>(count);
  for (const QuadratureNode& node : quadrature_nodes(0, 1, panel)) {
    double all = std::log(node.weight);
    for (Index u = 0; u < count; ++u) all += factor[u] = std::log1p(-std::exp(s[u]) * node.x);
    for (Index v = 0; v < count; ++v) total.add(v, s[v] + all - factor[v]);
  }
  return total.log();
}

// log(e^a + e^b)
double log_add(double a, double b) {
  if (a < b) std::swap(a, b);
  return b == -infinity ? a : a + std::log1p(std::exp(b - a));
}

// Laplace noise, scores s <= 0 measured in scales from the largest: with F the distribution
// function of the noise, f its density and all(x) = prod_u F(x - s_u), P(v) is the integral of
// all(x) times f/F of v, which is 1 below s_v and sum_j (e^(-(x - s_v))/2)^j above. So what the
// scores share at x is a few sums of powers, carried from one score to the next, and the cost grows
// like their number:
//   at the score k, upwards:    Q_j = sum of e^(-j (k - s_u)) over the scores u up to k;
//   at the score k, downwards:  R_j = integral over x > k of all(x) e^(-j (x - k)).
class LaplaceMax {
 public:
  explicit LaplaceMax(const VectorXd& s) : scores_(s), kinks_(s.begin(), s.end()) {
    std::sort(kinks_.begin(), kinks_.end());
    kinks_.erase(std::unique(kinks_.begin(), kinks_.end()), kinks_.end());
    count_scores();
  }

  VectorXd log_probabilities() {
    go_up();
    go_down();
    VectorXd out(scores_.size());
    for (Index v = 0; v < out.size(); ++v) {
      const auto k = static_cast<std::size_t>(
          std::lower_bound(kinks_.begin(), kinks_.end(), scores_[v]) - kinks_.begin());
      out[v] = log_add(below_[k], above_[k]);
    }
    return out;
  }

 private:
  // 2^-j of them: nothing is left of 10^6 scores beyond.
  static constexpr int powers = 72;
  using Powers = std::array<double, powers + 1>;  // from j = 1 on

  struct Place {  // x, between two kinks: either distance may be the one that keeps its digits
    double from_below, from_above;
  };
  struct Node {
    double distance;  // of x from the kink below
    double log_mass;  // of all(x) dx
  };
  struct Gap {  // from a kink to the next, or to `reach` above the last one
    std::vector<Node> nodes;
    // In a wide gap all(x) is an exponential between its nodes: log of its integral, and of that of
    // all(x) e^(-(x - kink)).
    double log_middle = -infinity, log_first_power = -infinity;
  };

  void count_scores() {
    at_.assign(kinks_.size(), 0);
    for (const double score : scores_)
      ++at_[static_cast<std::size_t>(std::lower_bound(kinks_.begin(), kinks_.end(), score) -
                                     kinks_.begin())];
    higher_.assign(kinks_.size(), 0);
    higher_by_.assign(kinks_.size(), 0);
    for (std::size_t k = kinks_.size() - 1; k-- > 0;) {
      higher_[k] = higher_[k + 1] + at_[k + 1];
      higher_by_[k] = higher_by_[k + 1] + higher_[k] * (kinks_[k + 1] - kinks_[k]);
    }
  }

  // So many powers of y = e^-distance/2 matter: beside the first, which is y times a score at
  // least, the rest is below 2^-60.
  int powers_at(double distance) const {
    const double enough = -60 * log_half + std::log(static_cast<double>(scores_.size()));
    return std::min(powers, 2 + static_cast<int>(enough / (distance - log_half)));
  }
  // log all at a place above kink k, whose sums of powers are q.
  double log_all(std::size_t k, const Place& x, const Powers& q) const {
    const double y = std::exp(-x.from_below) / 2;
    double lower = 0;
    for (int j = powers_at(x.from_below); j >= 1; --j) lower = (lower + q[j] / j) * y;
    return higher_[k] == 0 ? -lower
                           : higher_[k] * (log_half - x.from_above) - higher_by_[k + 1] - lower;
  }
  // Its derivative, which falls with x.
  double slope(std::size_t k, double distance, const Powers& q) const {
    const double y = std::exp(-distance) / 2;
    double lower = 0;
    for (int j = powers_at(distance); j >= 1; --j) lower = (lower + q[j]) * y;
    return higher_[k] + lower;
  }

  // Of the part of the gap within `length` of the kink below or, if `at_top`, of that above.
  void add_nodes(Gap& gap, std::size_t k, double width, double length, bool at_top,
                 const Powers& q) const {
    // all(x) grows by e^rate a unit at least: what lies far below the end is nothing beside the
    // rest.
    const double rate = slope(k, at_top ? width : length, q);
    const double kept = rate > 2 ? std::min(length, reach / (rate - 1)) : length;
    for (const QuadratureNode& at : quadrature_nodes(0, kept, std::min(1.0, 8 / rate))) {
      const double from_end = kept - at.x;
      const Place x = at_top ? Place{width - from_end, from_end}
                             : Place{length - from_end, width - length + from_end};
      gap.nodes.push_back({x.from_below, std::log(at.weight) + log_all(k, x, q)});
    }
  }

  // Near the middle of a wide gap the factors of the scores below are 1.
  void add_middle(Gap& gap, std::size_t k, double width, const Powers& q) const {
    const double half = width / 2 - reach;
    const auto length = [half](double rate) {  // log of the integral of e^(rate t) over |t| <= half
      return rate == 0 ? std::log(2 * half)
                       : rate * half + std::log(-std::expm1(-2 * rate * half) / rate);
    };
    const double all = log_all(k, {width / 2, width / 2}, q);
    gap.log_middle = all + length(higher_[k]);
    gap.log_first_power = all - width / 2 + length(higher_[k] - 1);
  }

  // below_: what each kink's scores get from x below them.
  void go_up() {
    // Below the lowest score every factor is an exponential.
    const auto count = static_cast<double>(scores_.size());
    double total = -(higher_by_[0] - count * log_half) - std::log(count);
    Powers q{};
    for (std::size_t k = 0; k < kinks_.size(); ++k) {
      below_.push_back(total);
      for (int j = 1; j <= powers; ++j) q[j] += at_[k];
      Gap gap;
      const bool last = k + 1 == kinks_.size();
      const double width = last ? reach : kinks_[k + 1] - kinks_[k];
      if (width <= 2 * reach) {
        add_nodes(gap, k, width, width, true, q);
      } else {
        add_nodes(gap, k, width, reach, false, q);
        add_nodes(gap, k, width, reach, true, q);
        add_middle(gap, k, width, q);
      }
      for (const Node& node : gap.nodes) total = log_add(total, node.log_mass);
      total = log_add(total, gap.log_middle);
      gaps_.push_back(std::move(gap));
      const double factor = std::exp(-width);
      double power = 1;
      for (int j = 1; j <= powers; ++j) q[j] *= power *= factor;
    }
  }

  // above_: what they get from x above them. R_j is e^scale times r_j, and none is larger than R_1.
  void go_down() {
    above_.assign(kinks_.size(), 0);
    double scale = -reach;  // beyond `reach` above the largest score all(x) is 1
    Powers r{};
    r[1] = 1;
    for (std::size_t k = kinks_.size(); k-- > 0;) {
      const Gap& gap = gaps_[k];
      const bool last = k + 1 == kinks_.size();
      if (!last) {  // from x - (the next kink) to x - (this kink)
        const double width = kinks_[k + 1] - kinks_[k];
        scale -= width;
        const double factor = std::exp(-width);
        double power = 1;
        for (int j = 2; j <= powers; ++j) r[j] *= power *= factor;
      }
      double largest = std::max(scale, gap.log_first_power);
      for (const Node& node : gap.nodes) largest = std::max(largest, node.log_mass - node.distance);
      for (int j = 1; j <= powers; ++j) r[j] *= std::exp(scale - largest);
      scale = largest;
      r[1] += std::exp(gap.log_first_power - scale);
      for (const Node& node : gap.nodes) {
        double mass = std::exp(node.log_mass - node.distance - scale);
        const double power = std::exp(-node.distance);
        for (int j = 1; j <= powers && mass > 1e-30; ++j, mass *= power) r[j] += mass;
      }
      double sum = 0;
      for (int j = powers; j >= 1; --j) sum = (sum + r[j]) / 2;
      above_[k] = scale + std::log(sum);
    }
  }

  const VectorXd& scores_;
  std::vector<double> kinks_;      // the different scores, growing
  std::vector<double> at_;         // how many scores are at the kink,
  std::vector<double> higher_;     // above it,
  std::vector<double> higher_by_;  // and by how much, together
  std::vector<Gap> gaps_;
  std::vector<double> below_, above_;
};

double draw(MaxNoise noise, RandomStream& stream) {
  if (noise == MaxNoise::laplace) return stream.laplace();
  const double exponential = stream.exponential();
  return noise == MaxNoise::exponential ? exponential : -std::log(exponential);
}

// The largest so far.
struct Leader {
  NoisyLargest largest{.index = 0, .value = -infinity};
  void meet(Index v, double value) {
    if (value > largest.value) largest = {.index = v, .value = value};
  }
};

// Of many scores, noise with an exponential tail. Above a threshold that about eight variables
// pass, what passes is known without the rest: the gaps between their places are geometric, and
// what each has above it is exponential. Then only scores within a threshold of the largest can
// still win, and those that passed are not among them.
NoisyLargest draw_largest_by_tail(const VectorXd& scores, double scale, MaxNoise noise,
                                  RandomStream& stream) {
  const auto count = static_cast<double>(scores.size());
  const double passing = 8 / count;
  const double threshold = -std::log(noise == MaxNoise::laplace ? 2 * passing : passing);
  Leader leader;
  const double gap = -1 / std::log1p(-passing);
  for (double at = std::floor(stream.exponential() * gap); at < count;
       at += 1 + std::floor(stream.exponential() * gap)) {
    const auto v = static_cast<Index>(at);
    leader.meet(v, scores[v] + scale * (threshold + stream.exponential()));
  }
  for (Index v = 0; v < scores.size(); ++v) {
    if (scores[v] + scale * threshold <= leader.largest.value) continue;
    double z = draw(noise, stream);
    while (z > threshold) z = draw(noise, stream);
    leader.meet(v, scores[v] + scale * z);
  }
  return leader.largest;
}

}  // namespace

NoisyLargest draw_noisy_max(const VectorXd& scores, double scale, MaxNoise noise,
                            RandomStream& stream) {
  constexpr Index many = 64;
  if (scores.size() >= many && noise != MaxNoise::gumbel)
    return draw_largest_by_tail(scores, scale, noise, stream);
  Leader leader;
  for (Index v = 0; v < scores.size(); ++v) leader.meet(v, scores[v] + scale * draw(noise, stream));
  return leader.largest;
}

double max_noise_log_density(MaxNoise noise, double z) {
  switch (noise) {
    case MaxNoise::laplace:
      return -std::abs(z) - std::numbers::ln2;
    case MaxNoise::exponential:
      return z < 0 ? -infinity : -z;
    case MaxNoise::gumbel:
      break;
  }
  return -z - std::exp(-z);
}

double max_noise_log_cdf(MaxNoise noise, double z) {
  switch (noise) {
    case MaxNoise::laplace:
      return laplace_log_cdf(z);
    case MaxNoise::exponential:
      return z > 0 ? exponential_log_cdf(z) : -infinity;
    case MaxNoise::gumbel:
      break;
  }
  return -std::exp(-z);
}

VectorXd noisy_max_log_probabilities(const VectorXd& scores, double scale, MaxNoise noise) {
  // In units of the scale, from the largest score downwards: only differences matter.
  const VectorXd s = (scores.array() - scores.maxCoeff()) / scale;
  switch (noise) {
    case MaxNoise::laplace:
      return LaplaceMax(s).log_probabilities();
    case MaxNoise::exponential:
      return exponential_noise(s);
    case MaxNoise::gumbel:
      break;
  }
  return s.array() - std::log(s.array().exp().sum());
}

}  // namespace dpverify
