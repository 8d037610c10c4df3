#include "algorithms/core/noisy_max.hpp"

#include <algorithm>
#include <boost/math/quadrature/gauss.hpp>
#include <cmath>
#include <limits>
#include <vector>

namespace dpverify {
namespace {

// Beyond this many scales from every score a factor differs from its limit by less than e^-40.
constexpr double reach = 40;
constexpr double log_half = -0.693147180559945309;

double log_cdf(double z) {  // of a unit Laplace variable
  return z < 0 ? log_half + z : std::log1p(-0.5 * std::exp(-z));
}

// Sums exp(terms) coordinate by coordinate in the log domain.
class LogSum {
 public:
  explicit LogSum(Index size)
      : largest_(VectorXd::Constant(size, -std::numeric_limits<double>::infinity())),
        sum_(VectorXd::Zero(size)) {}
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

}  // namespace

VectorXd noisy_max_log_probabilities(const VectorXd& scores, double scale) {
  const Index count = scores.size();
  // In units of the scale, from the largest score downwards: only differences matter.
  const VectorXd s = (scores.array() - scores.maxCoeff()) / scale;
  std::vector<double> kinks(s.begin(), s.end());
  std::sort(kinks.begin(), kinks.end());
  kinks.erase(std::unique(kinks.begin(), kinks.end()), kinks.end());

  LogSum total(count);
  // log of: density of v at x times the distribution functions of all others at x.
  VectorXd cdf(count);
  const auto add_node = [&](double x, double log_weight) {
    double all = 0;
    for (Index u = 0; u < count; ++u) all += cdf[u] = log_cdf(x - s[u]);
    for (Index v = 0; v < count; ++v)
      total.add(v, log_weight + log_half - std::abs(x - s[v]) + all - cdf[v]);
  };
  // Between kinks the integrand is a product of exponentials and 1 - exponentials: smooth, so that
  // Gauss-Legendre panels of at most one scale are accurate to rounding.
  using Rule = boost::math::quadrature::gauss<double, 20>;
  const auto integrate = [&](double from, double to) {
    const auto panels = std::max(1.0, std::ceil(to - from));
    const double half = (to - from) / panels / 2;
    if (!(half > 0)) return;
    for (double panel = 0; panel < panels; ++panel) {
      const double middle = from + (2 * panel + 1) * half;
      for (std::size_t k = 0; k < Rule::abscissa().size(); ++k) {
        const double log_weight = std::log(half * Rule::weights()[k]);
        add_node(middle - half * Rule::abscissa()[k], log_weight);
        add_node(middle + half * Rule::abscissa()[k], log_weight);
      }
    }
  };

  // Below the smallest score every factor is a pure exponential.
  const double lowest = kinks.front();
  for (Index v = 0; v < count; ++v)
    total.add(v, static_cast<double>(count) * (log_half + lowest) - s.sum() -
                     std::log(static_cast<double>(count)));
  for (std::size_t k = 0; k + 1 < kinks.size(); ++k) {
    const double from = kinks[k], to = kinks[k + 1];
    if (to - from <= 2 * reach) {
      integrate(from, to);
      continue;
    }
    // A wide gap: near its middle the factors of the scores below are 1 or pure exponentials, so
    // the integrand of v is exp(rate (x - middle)) times its value there.
    integrate(from, from + reach);
    integrate(to - reach, to);
    const double middle = from + (to - from) / 2, half = (to - from) / 2 - reach;
    double all = 0;
    Index above = 0;
    for (Index u = 0; u < count; ++u) {
      all += cdf[u] = log_cdf(middle - s[u]);
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
  integrate(kinks.back(), kinks.back() + reach);
  for (Index v = 0; v < count; ++v) total.add(v, log_half - std::abs(kinks.back() + reach - s[v]));
  return total.log();
}

}  // namespace dpverify
