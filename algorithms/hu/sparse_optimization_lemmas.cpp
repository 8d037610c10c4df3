// Steps of the proof of Theorem 8 that one inequality decides.
#include <cmath>

#include "algorithms/claims/lemmas.hpp"
#include "algorithms/hu/contraction.hpp"
#include "algorithms/hu/sparse_optimization.hpp"

namespace dpverify::hu {
namespace {

using enum Edition;
using enum Expectation;
using enum Scale;

// The terms of the proof of Theorem 8 with every constant 1 (beta = gamma = 1, zeta = 0.05).
template <class Real>
struct TruncationScale {
  Real n = 1e6, s = 100, tau = 1, epsilon = 1, delta = 1e-5, iterations = 10;
  static Fields<TruncationScale> fields() {
    using P = TruncationScale;
    return {field("n", &P::n).range(1e6, 1e4, 1e15, logarithmic),
            field("s", &P::s).range(100.0, 1.0, 1e6, logarithmic),
            field("tau", &P::tau).range(1.0, 0.01, 100.0, logarithmic),
            field("epsilon", &P::epsilon).range(1.0, 0.01, 1.0, logarithmic),
            field("delta", &P::delta).range(1e-5, 1e-10, 0.1, logarithmic),
            field("iterations", &P::iterations).range(10, 1, 100, integer)};
  }
  Real logarithm() const { return log(iterations * s / 0.05); }
  Real l() const { return -log(delta); }
  // Noise, bias and deviation.
  Real error(const Real& k_squared) const {
    const Real t = iterations, budget = n * epsilon;
    const Real noise = pow(s * t * logarithm() / budget, 2) * k_squared * l();
    const Real bias = s * tau * tau / k_squared;
    const Real deviation = s * k_squared * pow(t * logarithm() / n, 2);
    return noise + bias + deviation;
  }
  Real bound() const {
    return tau * pow(s, 1.5) * iterations * logarithm() * sqrt(l()) / (n * epsilon);
  }
};

struct Records {
  double n = 1e6;
  static Fields<Records> fields() {
    return {field("n", &Records::n).range(1e6, 1e4, 1e12, logarithmic)};
  }
  // Peeling's Laplace scale at epsilon = 1, s* = 20, delta = n^-1.1, eta = 0.5, T = floor(log n).
  double noise_scale() const {
    const double t = std::floor(std::log(n)), s = 40;
    const double lambda = 4 * std::sqrt(2.0) * n * 0.5 / (n / t);
    return 2 * lambda * std::sqrt(3 * s * 1.1 * std::log(n));
  }
};

template <class Real>
struct Sparsity {
  Real s = 1;
  static Fields<Sparsity> fields() {
    return {field("s", &Sparsity::s).range(1.0, 1.0, 1e12, logarithmic)};
  }
};

void add_scales(LemmaList& preprint, LemmaList& both) {
  const std::string claim =
      " the noise, the bias and the deviation of Algorithm 5 are together O(tau s^(3/2) T "
      "log(Ts/zeta) sqrt(log 1/delta)/(n epsilon)), with constant ";
  const auto bound = [](double times) {
    return [times](const auto& p) { return times * p.bound(); };
  };
  const std::vector<std::string> mine{
      "every constant of the proof is 1; that of the bound is this project's choice"};
  both.add<TruncationScale>(
      "scale_theorem", [](const auto& p) { return p.error(p.n * p.epsilon * p.tau); },
      {{printed, refuted, "Theorem 8: k = sqrt(n epsilon tau)",
        "With the k of Theorem 8, sqrt(n epsilon tau)," + claim + "10.", bound(10)}},
      mine);
  preprint.add<TruncationScale>(
      "scale_proof",
      [](const auto& p) {
        return p.error(p.n * p.epsilon * p.tau / (p.s * p.iterations * sqrt(p.logarithm())));
      },
      {{printed, refuted,
        "proof of Theorem 8: k = (n^2 epsilon^2 tau^2/((sT)^2 log(Ts/zeta)))^(1/4)",
        "With the k of the proof of Theorem 8, (n^2 epsilon^2 tau^2/((sT)^2 "
        "log(Ts/zeta)))^(1/4)," +
            claim + "10.",
        bound(10)}},
      mine);
  preprint.add<TruncationScale>(
      "scale_experiments", [](const auto& p) { return p.error(pow(p.n * p.epsilon, 2)); },
      {{printed, refuted, "Section 6.2: k = c_2 n epsilon, c_2 = 1",
        "With the experiments' k = n epsilon" + claim + "10.", bound(10)}},
      mine);
  preprint.add<TruncationScale>(
      "scale",
      [](const auto& p) {
        return p.error(p.n * p.epsilon * p.tau /
                       (sqrt(p.s) * p.iterations * p.logarithm() * sqrt(p.l())));
      },
      {{corrected, holds, "Theorem 8 with the k that balances noise and bias",
        "With k = (n^2 epsilon^2 tau^2/(s T^2 log^2(Ts/zeta) log(1/delta)))^(1/4)" + claim +
            "2.45.",
        bound(2.45)}},
      mine);
}

}  // namespace

std::vector<Claim> sparse_optimization_lemmas() {
  const std::string id = "hu.sparse_optimization";
  LemmaList preprint(id, Text::hu_preprint), both(id, Text::hu);
  add_scales(preprint, both);
  preprint.add<Records>(
      "experiments_noise", [](const auto& p) { return p.noise_scale(); },
      {{printed, refuted, "Section 6.2: k = c_2 n epsilon, eta = 0.5, s = 2s*, T = floor(log n)",
        "With the experiments' k the Laplace scale of Peeling falls below 1, the norm of w*, for "
        "some n up to 10^12. (4 sqrt2 k eta/m cancels n: the scale grows like log(n)^(3/2).)",
        1.0}},
      {"epsilon = 1, s* = 20, delta = n^-1.1"});
  preprint.add<Contraction>("contraction", [](const auto& p) { return 1.0 / 12 / p.kappa; },
                            {{printed, refuted, "proof of Theorem 8, after (45): 1 - mu/(12 gamma)",
                              "(44) gives a contraction of at least mu/(12 gamma).",
                              [](const auto& p) { return p.gain(); }}});
  both.add<Sparsity>(
      "abstract", [](const auto& p) { return pow(p.s, 1.5); },
      {{reading, holds, "conclusions, and the published abstract, in the copies read here",
        "Theorem 8's s*^(3/2) is within s*^3, which is what the copies read here have in the "
        "conclusions and in the published abstract. They garble the exponent: Theorem 8, the "
        "preprint's abstract and both lists of contributions have 3/2.",
        [](const auto& p) { return pow(p.s, 3); }}});
  ClaimList claims(id);
  claims.append(preprint.take());
  claims.append(both.take());
  return claims.take();
}

}  // namespace dpverify::hu
