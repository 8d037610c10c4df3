// Steps of the proofs of Theorems 8 and 9 of Tao, Wu, Cheng and Wang that one inequality decides.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "algorithms/claims/lemmas.hpp"
#include "algorithms/core/binomial.hpp"
#include "algorithms/tao/dp_sco.hpp"

namespace dpverify::tao {
namespace {

using enum Edition;
using enum Expectation;
using enum Scale;

// ---- Lemmas 14 and 15 --------------------------------------------------------------------------

// M laws, each 0 with probability 1 - p and else a point of its own, at equal distances.
struct Laws {
  double words = 16, n = 100, p = 0.5, epsilon = 1, log_delta = 1e4;
  static Fields<Laws> fields() {
    return {field("M", &Laws::words).range(16.0, 2.0, 1e6, integer),
            field("n", &Laws::n).range(100, 1, 200, integer),
            field("p", &Laws::p).range(0.5, 1e-4, 0.999, logarithmic),
            field("epsilon", &Laws::epsilon).range(1.0, 0.01, 1.0, logarithmic),
            field("log(1/delta)", &Laws::log_delta).range(1e4, 20.0, 1e4, logarithmic)};
  }
};

// The exponential mechanism on the counts of the points, epsilon/2 a record, names the wrong law
// with this probability. It is epsilon-DP, so (epsilon, delta)-DP for every delta.
double wrong_law(const Laws& x) {
  double wrong = 0;
  for (double k = 0; k <= x.n; ++k)
    wrong += binomial_probability(x.n, k, x.p) * (x.words - 1) /
             (x.words - 1 + std::exp(x.epsilon * k / 2));
  return wrong;
}

// Lemma 15's bound on the error in units of alpha, its second term, with rho for
// epsilon^2/(4 log(1/delta)).
double fano(const Laws& x, double rho) {
  return (1 - (rho * (x.n * x.n * x.p * x.p + x.n * x.p * (1 - x.p)) + std::numbers::ln2) /
                  std::log(x.words)) /
         2;
}

void add_private_fano(LemmaList& lemmas) {
  const std::vector<std::string> points{"laws with points of their own, n <= 200"};
  lemmas.add<Laws>(
      "private_fano_pure",
      [](const Laws& x) {
        const double exponent = std::log(x.words) - 10 * x.epsilon * x.n * x.p;
        return 0.4 * std::exp(std::min(0.0, exponent));
      },
      {{printed, holds, "Lemma 14",
        "The exponential mechanism, epsilon-DP, tells M laws at distance p apart wrongly with "
        "probability at least 0.4 min{1, M e^(-10 epsilon n p)}.",
        wrong_law}},
      points);
  lemmas.add<Laws>(
      "private_fano",
      [](const Laws& x) { return fano(x, x.epsilon * x.epsilon / (4 * x.log_delta)); },
      {{printed, refuted, "Lemma 15, by which Theorems 8, 9 and 11 treat (epsilon, delta)-DP",
        "Every (epsilon, delta)-DP algorithm, epsilon much smaller than log(1/delta), names a "
        "wrong one of M laws, from n records and on average over the laws, with probability at "
        "least (1 - (epsilon^2/(4 log(1/delta)) (n^2 p^2 + n p (1 - p)) + log 2)/log M)/2, if any "
        "two laws are at total variation distance p. (Checked for epsilon <= log(1/delta)/20 on "
        "laws that are 0 with probability 1 - p and else a point of their own.)",
        wrong_law}},
      points);
  lemmas.add<Laws>(
      "private_fano", [](const Laws& x) { return fano(x, x.epsilon * x.epsilon / 8); },
      {{corrected, holds, "Lemma 15 for rho-zCDP",
        "Every rho-zCDP algorithm tells M laws at distance p apart wrongly with probability at "
        "least (1 - (rho (n^2 p^2 + n p (1 - p)) + log 2)/log M)/2; for the exponential mechanism "
        "rho = epsilon^2/8.",
        wrong_law}},
      points);
}

// ---- Theorem 8's packing: (u/p)^(1/(1+v)) times a word with probability p, else 0 --------------

// Two words at Hamming distance `distance` d.
template <class Real>
struct Distance {
  Real distance;
  static Fields<Distance> fields() {
    return {field("distance", &Distance::distance).range(1.0, 0.125, 1.0)};
  }
};

template <class Real>
struct Mass {
  Real d;
  static Fields<Mass> fields() { return {field("d", &Mass::d).range(2, 2, 1000, integer)}; }
  // Where Lemma 14 becomes empty.
  Real largest() const { return 7 * log(Real(2)) / 1280; }
  // What Lemma 14 leaves of alpha with p = constant * d/(n epsilon) and 2^(7d/128) words.
  Real left(const Real& constant) const {
    const Real exponent = 7.0 / 128 * d * log(Real(2)) - 10 * constant * d;
    return 0.4 * exp(min(Real(0), exponent));
  }
};

void add_packing(LemmaList& lemmas) {
  const auto apart = [](const auto& x) { return sqrt(2 * x.distance); };
  lemmas.add<Distance>(
      "packing_distance", 2,
      {{printed, refuted, "proof of Theorem 8",
        "Means of words of weight d/2 at Hamming distance d/8 or more are at least 2 iota apart, "
        "iota = ||mu|| being the norm of every mean. (In the counterexample distance is the "
        "Hamming distance divided by d, and the sides are in units of iota.)",
        apart}});
  lemmas.add<Distance>("packing_distance", 0.5,
                       {{corrected, holds, "proof of Theorem 8 with iota/2",
                         "Means of words of weight d/2 at Hamming distance d/8 or more are at "
                         "least iota/2 apart, iota = ||mu||.",
                         apart}});
  lemmas.add<Mass>(
      "packing_mass", 0.05,
      {{printed, refuted, "proofs of Theorems 8 and 9, p = d/(n epsilon), by Lemma 14",
        "With p = d/(n epsilon) and 2^(7d/128) words, alpha apart, Lemma 14 gives an error of the "
        "order of alpha: 0.4 min{1, 2^(7d/128) e^(-10 epsilon n p)} is at least 1/20. (The proofs "
        "write p = Omega(min{1, d/(n epsilon)}); its constant 1 and the 1/20 are this check's.)",
        [](const auto& x) { return x.left(1); }},
       {corrected, holds, "proofs of Theorems 8 and 9, p = (7 log 2/1280) d/(n epsilon)",
        "With p = (7 log 2/1280) d/(n epsilon) and 2^(7d/128) words Lemma 14 leaves an error of at "
        "least alpha/20.",
        [](const auto& x) { return x.left(x.largest()); }}});
}

// ||mu|| = iota at the smallest n that the theorem allows, p = d/(n epsilon) for epsilon-DP, else
// sqrt(d log(1/delta))/(n epsilon).
template <class Real>
struct Smallest {
  Real v, d, epsilon, u, delta;
  bool pure;
  static Fields<Smallest> fields() {
    return {field("v", &Smallest::v).range(1.0, 0.05, 1.0),
            field("d", &Smallest::d).range(10.0, 1.0, 1e4, integer),
            field("epsilon", &Smallest::epsilon).range(1.0, 0.01, 1.0, logarithmic),
            field("u", &Smallest::u).range(1.0, 0.01, 100.0, logarithmic),
            field("delta", &Smallest::delta).range(1e-5, 1e-12, 0.1, logarithmic),
            field("pure", &Smallest::pure).range(1, 0, 1)};
  }
  Real iota() const {
    const Real logarithm = -log(delta);
    const Real n = pow(u, 1 / v) * pow(d, ((pure ? 3 : 2) * v + 1) / (2 * v)) *
                   (pure ? Real(1) : sqrt(logarithm)) / epsilon;
    const Real mass = (pure ? d : sqrt(d * logarithm)) / (n * epsilon);
    return pow(u, 1 / (1 + v)) * pow(mass, v / (1 + v)) * sqrt(d / 2);
  }
};

// A record and a parameter of one coordinate.
template <class Real>
struct Pair {
  Real w, x;
  static Fields<Pair> fields() {
    return {field("w", &Pair::w).range(0.5, -1.0, 1.0), field("x", &Pair::x).range(1, -10, 10)};
  }
};

// u = 1.
template <class Real>
struct Packing {
  Real p, d, v;
  static Fields<Packing> fields() {
    return {field("p", &Packing::p).range(0.01, 1e-6, 1.0, logarithmic),
            field("d", &Packing::d).range(2.0, 2.0, 1e3, integer),
            field("v", &Packing::v).range(1.0, 0.01, 1.0)};
  }
  Real size() const { return pow(p, -1 / (1 + v)); }
  Real iota() const { return p * size() * sqrt(d / 2); }
};

void add_conditions(LemmaList& lemmas) {
  lemmas.add<Smallest>(
      "iota", [](const auto& x) { return x.iota(); },
      {{printed, holds, "Theorem 8, conditions on n",
        "At the smallest n that Theorem 8 allows the means lie in the unit ball, iota <= 1.", 1}});
  using P = Packing<double>;
  lemmas.add<Packing>(
      "gradient_moment", [](const auto& x) { return (1 - x.p) + x.p * pow(1 + x.size(), 1 + x.v); },
      {{printed, refuted, "Theorem 8: E|grad_j|^(1+v) <= u for every w",
        "For the loss ||w - x||^2/2 and the law of Theorem 8's proof, where x_j is (u/p)^(1/(1+v)) "
        "with probability p and else 0, E|grad_j|^(1+v) = E|w_j - x_j|^(1+v) is at most u for "
        "every w in the unit ball. (Checked for u = 1 at w = -e_j, e_j the j-th unit vector.)",
        1, P::fields().within(&P::p, 0.01, 1e-6, 0.5).without(&P::d)}});
  lemmas.add<Pair>("gradient_sign", [](const auto& at) { return pow(at.x - at.w, 2) / 2; },
                   {{printed, refuted, "proof of Theorem 8",
                     "The gradient of (x - w)^2/2 in w is x - w, so that a small step along x - w "
                     "does not lower the loss. (The step is 0.001 (x - w); the loss before it is "
                     "on the left, after it on the right.)",
                     [](const auto& at) {
                       const double h = 1e-3;
                       return pow(at.x - at.w - h * (at.x - at.w), 2) / 2;
                     }}});
}

// ---- Theorem 8 itself ---------------------------------------------------------------------------

// u = 1, an odd number of blocks.
struct Estimate {
  Index half_blocks = 1, block = 10, half_d = 1;
  double p = 0.1, epsilon = 0.5, v = 0.5;
  static Fields<Estimate> fields() {
    return {field("half blocks", &Estimate::half_blocks).range(1, 1, 4),
            field("block", &Estimate::block).range(10, 1, 40),
            field("half d", &Estimate::half_d).range(1, 1, 100),
            field("p", &Estimate::p).range(0.1, 1e-4, 0.999, logarithmic),
            field("epsilon", &Estimate::epsilon).range(0.5, 1e-3, 1.0, logarithmic),
            field("v", &Estimate::v).range(0.5, 0.01, 1.0)};
  }
  Index blocks() const { return 2 * half_blocks + 1; }
  Index n() const { return blocks() * block; }
  double d() const { return static_cast<double>(2 * half_d); }
  Packing<double> law() const { return {p, d(), v}; }
};

double theorem_8(const Estimate& x) {
  const double log_words = 7.0 / 128 * x.d() * std::numbers::ln2;
  const double exponent = log_words - 10 * x.epsilon * static_cast<double>(x.n()) * x.p;
  const double bound = 0.4 * x.law().iota() / 2 * std::exp(std::min(0.0, exponent));
  return bound * bound;
}

// E(median - target)^2 of one coordinate that is `size` with probability p, kept by the truncation.
double median_risk(const Estimate& x, double target) {
  const auto blocks = static_cast<double>(x.blocks()), block = static_cast<double>(x.block);
  double risk = 0, below = 0, before = 0;  // P(a block's count <= k), P(the median's count < k)
  for (double k = 0; k <= block; ++k) {
    below = std::min(1.0, below + binomial_probability(block, k, x.p));
    double at_most = below < 1 ? 0 : 1;
    if (below < 1)
      for (double j = (blocks + 1) / 2; j <= blocks; ++j)
        at_most += binomial_probability(blocks, j, below);
    risk += (at_most - before) * std::pow(k * x.law().size() / block - target, 2);
    before = at_most;
  }
  return risk;
}

// E||A(x) - mu||^2 for Algorithm 3, delta = 1e-9.
double risk_of_algorithm_3(const Estimate& x) {
  const MedianOfMeansParameters algorithm{
      .truncation =
          std::pow(x.epsilon * static_cast<double>(x.n()) / std::sqrt(x.d()), 1 / (1 + x.v)),
      .blocks = x.blocks(),
      .epsilon = x.epsilon,
      .delta = 1e-9};
  const double deviation = noise_deviation(algorithm, x.n(), 2 * x.half_d);
  const double target = x.p * x.law().size();
  const bool kept = x.law().size() <= algorithm.truncation;
  return x.d() * deviation * deviation +
         x.d() / 2 * (kept ? median_risk(x, target) : target * target);
}

double risk_of_mean(const Estimate& x) {
  return x.d() / 2 * x.law().size() * x.law().size() * x.p * (1 - x.p) / static_cast<double>(x.n());
}

void add_theorem_8(LemmaList& lemmas) {
  const std::string bound =
      " has E||A(x) - mu||^2 >= (0.2 iota min{1, 2^(7d/128) e^(-10 epsilon n p)})^2.";
  lemmas.add<Estimate>(
      "lower_bound", theorem_8,
      {{printed, holds, "Theorem 8 by Lemma 14, with its constants and separation iota/2",
        "On the packing of Theorem 8 Algorithm 3" + bound, risk_of_algorithm_3}},
      {"u = 1, m odd, n <= 360"});
  lemmas.add<Estimate>(
      "lower_bound", theorem_8,
      {{mutant, refuted,
        "Theorem 8 by Lemma 14, for the mean without truncation and noise, which is too good to be "
        "private",
        "On the packing of Theorem 8 the mean without truncation and noise" + bound, risk_of_mean}},
      {"u = 1, n <= 360"});
}

}  // namespace

std::vector<Claim> dp_sco_lower_bound_lemmas() {
  LemmaList lemmas("tao.dp_sco", Text::tao);
  add_private_fano(lemmas);
  add_packing(lemmas);
  add_conditions(lemmas);
  add_theorem_8(lemmas);
  return lemmas.take();
}

}  // namespace dpverify::tao
