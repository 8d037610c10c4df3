#include "algorithms/core/noisy_max.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
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

// Calls node(x, log weight) over the nodes of panels of at most one unit.
template <class Node>
void integrate(double from, double to, const Node& node) {
  for (const QuadratureNode& at : quadrature_nodes(from, to)) node(at.x, std::log(at.weight));
}

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

VectorXd laplace_noise(const VectorXd& s) {
  const Index count = s.size();
  std::vector<double> kinks(s.begin(), s.end());
  std::sort(kinks.begin(), kinks.end());
  kinks.erase(std::unique(kinks.begin(), kinks.end()), kinks.end());

  LogSum total(count);
  // log of: density of v at x times the distribution functions of all others at x.
  VectorXd cdf(count);
  const auto add_node = [&](double x, double log_weight) {
    double all = 0;
    for (Index u = 0; u < count; ++u) all += cdf[u] = laplace_log_cdf(x - s[u]);
    for (Index v = 0; v < count; ++v)
      total.add(v, log_weight + log_half - std::abs(x - s[v]) + all - cdf[v]);
  };
  // Between kinks the integrand is a product of exponentials and 1 - exponentials: smooth, so that
  // Gauss-Legendre panels of at most one scale are accurate to rounding.
  // Below the smallest score every factor is a pure exponential.
  const double lowest = kinks.front();
  for (Index v = 0; v < count; ++v)
    total.add(v, static_cast<double>(count) * (log_half + lowest) - s.sum() -
                     std::log(static_cast<double>(count)));
  for (std::size_t k = 0; k + 1 < kinks.size(); ++k) {
    const double from = kinks[k], to = kinks[k + 1];
    if (to - from <= 2 * reach) {
      integrate(from, to, add_node);
      continue;
    }
    // A wide gap: near its middle the factors of the scores below are 1 or pure exponentials, so
    // the integrand of v is exp(rate (x - middle)) times its value there.
    integrate(from, from + reach, add_node);
    integrate(to - reach, to, add_node);
    const double middle = from + (to - from) / 2, half = (to - from) / 2 - reach;
    double all = 0;
    Index above = 0;
    for (Index u = 0; u < count; ++u) {
      all += cdf[u] = laplace_log_cdf(middle - s[u]);
      above += s[u] >= to;
    }
    for (Index v = 0; v < count; ++v) {
      const auto rate = static_cast<double>(s[v] >= to ? above : above - 1);
      // integral of exp(rate t) over |t| <= half
      const double length = rate == 0
                                ? std::log(2 * half)
                                : rate * half + std::log(-std::expm1(-2 * rate * half) / rate);
      total.add(v, log_half - std::abs(middle - s[v]) + all - cdf[v] + length);
    }
  }
  // Above the largest score, until the density has fallen by e^-reach; the rest is its own tail.
  integrate(kinks.back(), kinks.back() + reach, add_node);
  for (Index v = 0; v < count; ++v) total.add(v, log_half - std::abs(kinks.back() + reach - s[v]));
  return total.log();
}

double draw(MaxNoise noise, RandomStream& stream) {
  if (noise == MaxNoise::laplace) return stream.laplace();
  const double exponential = -std::log(stream.uniform());
  return noise == MaxNoise::exponential ? exponential : -std::log(exponential);
}

}  // namespace

NoisyLargest draw_noisy_max(const VectorXd& scores, double scale, MaxNoise noise,
                            RandomStream& stream) {
  VectorXd noisy = scores;
  for (double& x : noisy) x += scale * draw(noise, stream);
  NoisyLargest out;
  out.value = noisy.maxCoeff(&out.index);
  return out;
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
      return laplace_noise(s);
    case MaxNoise::exponential:
      return exponential_noise(s);
    case MaxNoise::gumbel:
      break;
  }
  return s.array() - std::log(s.array().exp().sum());
}

}  // namespace dpverify
