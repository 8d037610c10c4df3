// Theorem 9, the lower bound beside Algorithm 5.
#include <cmath>
#include <numbers>

#include "algorithms/claims/lemmas.hpp"
#include "algorithms/core/log_gamma.hpp"
#include "algorithms/hu/sparse_optimization.hpp"
#include "algorithms/problems/hard_laws.hpp"

namespace dpverify::hu {
namespace {

using enum Edition;
using enum Expectation;
using enum Scale;

template <class P>
Fields<P> chain_fields() {
  return {field("epsilon", &P::epsilon).range(0.5, 0.01, 1.0, logarithmic),
          field("delta", &P::delta).range(1e-5, 1e-12, 1e-4, logarithmic),
          field("s", &P::s).range(2, 2, 40, integer),
          field("d", &P::d).range(100.0, 100.0, 1e5, logarithmic)};
}

// The chain of inequalities of the proof of Theorem 9.
template <class Real>
struct Chain {
  Real epsilon = 0.5, delta = 1e-5, s = 2, d = 100;
  static Fields<Chain> fields() { return chain_fields<Chain>(); }

  Real log_words() const { return s / 2 * log((d - s) / (s / 2)); }  // log |V|
  // n p, which must lie in [0, n].
  Real drawn() const {
    return min(log_words() - epsilon, log(-expm1(-epsilon) / (4 * delta)) - epsilon) / epsilon;
  }
  // e^{-eps(np+1)}/4 (|V| - 1)/(1 + (|V| - 1) e^{-eps(np+1)}).
  Real last_fraction() const {
    const Real log_others = log_words() + log1p(-exp(-log_words()));
    const Real x = exp(log_others - epsilon * (drawn() + 1));
    return x / (4 * (1 + x));
  }
  // For a free p = 1/n, where only epsilon counts, in units of p tau: (rho*)^2/(p tau) =
  // `separation` times the fraction.
  Real free_bound(const Real& separation) const {
    const Real words = exp(log_words()), e = exp(-epsilon);
    return separation * (words - 1) * (e / 2 - delta) / (1 + (words - 1) * e);
  }
  // For the whole class with undivided words, in units of tau/(n epsilon): (rho*/2)^2 = p tau s/8
  // times the last fraction, at least 1/12.
  Real class_bound() const { return s / 96 * epsilon * drawn(); }
  // (11), in the same units.
  Real stated_bound() const { return min(s * log(d), -log(delta)); }
};

// e^{-eps ceil(np)}/2 - delta (1 - e^{-eps ceil(np)})/(1 - e^{-eps}).
double middle(const Chain<double>& p) {
  const double e = std::exp(-p.epsilon * std::ceil(p.drawn()));
  return e / 2 - p.delta * (1 - e) / -std::expm1(-p.epsilon);
}

template <class Real>
struct HardInstance {
  Real epsilon = 0.5, delta = 1e-5, s = 2, d = 100;
  bool peeling = false;  // else the constant 0
  static Fields<HardInstance> fields() {
    return chain_fields<HardInstance>().with(
        field("estimator", &HardInstance::peeling).range(false, false, true));
  }
  // In units of p tau ||v||^2: of the constant 0, exactly, and of Peeling on the mean of the
  // records clipped at their largest entry, at least its noise 2 s b^2. An entry of the mean moves
  // by lambda = 2 sqrt(tau ||v||^2/(p s))/n, b = 2 lambda sqrt(3 s log(1/delta))/epsilon.
  Real risk() const {
    const Real budget = epsilon * Chain<Real>{epsilon, delta, s, d}.drawn();  // n p epsilon
    return peeling ? 96 * s * -log(delta) / (budget * budget) : Real(1);
  }
};

template <class Real>
struct AnyDimension {
  Real s = 7, zeros = 3, epsilon = 0.5, delta = 1e-5;
  static Fields<AnyDimension> fields() {
    using P = AnyDimension;
    return {field("s", &P::s).range(7, 1, 100, integer),
            field("zeros", &P::zeros).range(3.0, 1.0, 1e6, logarithmic),
            field("epsilon", &P::epsilon).range(0.5, 0.01, 10.0, logarithmic),
            field("delta", &P::delta).range(1e-5, 1e-12, 0.5, logarithmic)};
  }
  Real drawn() const { return Chain<Real>{epsilon, delta, s, s + zeros}.drawn(); }
};

template <class Real>
struct HighDimension {
  Real s = 2, ratio = 4, epsilon = 0.5, delta_share = 1;
  static Fields<HighDimension> fields() {
    using P = HighDimension;
    return {field("s", &P::s).range(2, 2, 100, integer),
            field("ratio", &P::ratio).range(4.0, 4.0, 1e5, logarithmic),
            field("epsilon", &P::epsilon).range(0.5, 0.01, 1.0, logarithmic),
            field("delta_share", &P::delta_share).range(1.0, 1e-9, 1.0, logarithmic)};
  }
  Real drawn() const {
    const Real delta = delta_share * -expm1(-epsilon) / (4 * exp(epsilon));
    return Chain<Real>{epsilon, delta, s, ratio * s}.drawn();
  }
};

// log of the size of H(s), the words of s entries +-1 in d places, and of a ball in it: the words
// at a Hamming distance below s/2 from one of them. k swapped places count twice, f turned signs
// once.
struct Packing {
  double s = 2, zeros = 2;
  static Fields<Packing> fields() {
    return {field("s", &Packing::s).range(2, 1, 100, integer),
            field("zeros", &Packing::zeros).range(2.0, 0.0, 1e6, integer)};
  }
  double dimension() const { return s + zeros; }
  double log_words() const {
    const double d = dimension();
    return log_gamma(d + 1) - log_gamma(s + 1) - log_gamma(d - s + 1) + s * std::log(2.0);
  }
  double log_ball() const {
    const double radius = std::ceil(s / 2) - 1, d = dimension();
    double sum = 0, swaps = 1;  // C(s, k) C(d - s, k) 2^k
    for (double k = 0; 2 * k <= radius; ++k) {
      double signs = 1;  // C(s - k, f)
      for (double f = 0; 2 * k + f <= radius; ++f) {
        sum += swaps * signs;
        signs *= (s - k - f) / (f + 1);
      }
      swaps *= 2 * (s - k) * (d - s - k) / ((k + 1) * (k + 1));
    }
    return std::log(sum);
  }
};

struct Testing {
  double n = 1, p = 0.5, words = 2, epsilon = 0.5, delta = 1e-5;
  static Fields<Testing> fields() {
    return {field("n", &Testing::n).range(1, 1, 100, integer),
            field("p", &Testing::p).range(0.5, 0.01, 0.99, logarithmic),
            field("words", &Testing::words).range(2.0, 2.0, 1e6, integer),
            field("epsilon", &Testing::epsilon).range(0.5, 0.01, 10.0, logarithmic),
            field("delta", &Testing::delta).range(1e-5, 1e-12, 0.1, logarithmic)};
  }
  double floor(double of_words) const { return testing_floor(of_words, {epsilon, delta}, n * p); }
  // How often the exponential mechanism over the words, scored by the number of records that are
  // the word's point mass (epsilon-DP: coefficient epsilon/2, one record moves two scores by 1),
  // misses the true word: n records, each informative with probability p.
  double exponential_mechanism_error() const {
    double error = 0, probability = std::pow(1 - p, n);
    for (double k = 0; k <= n; ++k) {
      error += probability * (words - 1) / (words - 1 + std::exp(epsilon * k / 2));
      probability *= (n - k) / (k + 1) * p / (1 - p);
    }
    return error;
  }
};

// Two words of H(s), s = 4j, that differ in j of their places: Hamming distance s/2 exactly. The
// distance of their multiples by 1/sqrt(2s).
template <class Real>
Real word_distance(const Real& quarter) {
  return sqrt(2 * quarter / (2 * (4 * quarter)));
}

template <class Real>
struct DividedWords {
  Real quarter = 1;
  static Fields<DividedWords> fields() {
    return {field("quarter", &DividedWords::quarter).range(1, 1, 1000, integer)};
  }
};

template <class Real>
struct UndividedWords {
  Real quarter = 1, p = 0.5, tau = 1;
  bool moment = true;  // else the separation
  static Fields<UndividedWords> fields() {
    using P = UndividedWords;
    return {field("quarter", &P::quarter).range(1, 1, 1000, integer),
            field("p", &P::p).range(0.5, 1e-6, 1.0, logarithmic),
            field("tau", &P::tau).range(1.0, 0.01, 100.0, logarithmic),
            field("moment", &P::moment).range(true, false, true)};
  }
  Real entry() const { return sqrt(tau / p); }
  Real divided_separation() const {  // times 2s
    const Real divided = word_distance(quarter);
    return 2 * (4 * quarter) * p * tau * divided * divided;
  }
  Real separation() const {
    const Real places = 4 * quarter / 2;  // in which two words differ, by 1 each
    return p * p * entry() * entry() * places;
  }
};

// In units of tau/(n epsilon).
template <class Real>
struct Optimality {
  Real s = 1000, d = 1e5, delta = 1e-5;
  static Fields<Optimality> fields() {
    return {field("s", &Optimality::s).range(1000.0, 1.0, 1e4, logarithmic),
            field("d", &Optimality::d).range(1e5, 2e4, 1e8, logarithmic),
            field("delta", &Optimality::delta).range(1e-5, 1e-300, 0.1, logarithmic)};
  }
  Real l() const { return -log(delta); }
  Real lower_bound() const { return min(s * log(d), l()); }
  Real upper_bound() const { return pow(s, 1.5) * log(d) * sqrt(l()); }
};

template <class Real>
struct Sign {
  Real q = 0.5;
  static Fields<Sign> fields() { return {field("q", &Sign::q).range(0.5, 0.01, 0.99)}; }
};

void add_words(LemmaList& lemmas) {
  lemmas.add<Packing>(
      "packing_size",
      [](const auto& p) { return p.s / 2 * std::log((p.dimension() - p.s) / (p.s / 2)); },
      {{printed, holds, "Lemma 11",
        "For every s <= d some words of H(s), at Hamming distance at least s/2 from each other, "
        "number at least exp(s/2 log((d - s)/(s/2))): a greedy choice finds |H(s)|/|ball| words, "
        "counted exactly; the sides are logarithms.",
        [](const auto& p) { return p.log_words() - p.log_ball(); }}});
  lemmas.add<DividedWords>(
      "packing_distance", std::numbers::sqrt2,
      {{printed, refuted, "proof of Theorem 9",
        "Words of H(s), which have s entries +-1 and else 0, at a Hamming distance of at least s/2 "
        "and divided by sqrt(2s), are at least sqrt 2 apart. (Two words that differ by 1 in each "
        "of s/2 places are this check's; quarter is s/4.)",
        [](const auto& p) { return word_distance(p.quarter); }},
       {corrected, holds, "proof of Theorem 9 with 1/2 for sqrt 2",
        "Words of Hamming distance at least s/2, divided by sqrt(2s), are at least 1/2 apart, and "
        "some are no further.",
        [](const auto& p) { return word_distance(p.quarter); }, std::nullopt,
        GenericSide<DividedWords>(0.5)}});
  lemmas.add<UndividedWords>(
      "undivided_words",
      [](const auto& p) { return p.moment ? p.p * p.entry() * p.entry() : p.divided_separation(); },
      {{corrected, holds, "proof of Theorem 9 without the factor 1/sqrt(2s)",
        "Point masses at sqrt(tau/p) times the words themselves keep E X_j^2 <= tau, with "
        "equality, and the squared distance of their means is 2s times that of the divided words: "
        "Theorem 9 is loose by s.",
        [](const auto& p) { return p.moment ? p.tau : p.separation(); }}});
}

void add_probability(LemmaList& lemmas) {
  lemmas.add<AnyDimension>(
      "probability", 0.0,
      {{printed, refuted, "proof of Theorem 9",
        "p = min{s/2 log((d - s)/(s/2)) - epsilon, log((1 - e^-epsilon)/(4 delta e^epsilon))}/(n "
        "epsilon) is a probability, and so at least 0, for every s <= d, epsilon and delta. (The "
        "right side is n p; zeros is d - s.)",
        [](const auto& p) { return p.drawn(); }}});
  lemmas.add<HighDimension>(
      "probability", [](const auto& p) { return p.epsilon; },
      {{corrected, holds, "proof of Theorem 9 for 2 <= s <= d/4, epsilon <= 1, small delta",
        "p = min{s/2 log((d - s)/(s/2)) - epsilon, log((1 - e^-epsilon)/(4 delta "
        "e^epsilon))}/(n epsilon) is at least 0 for 2 <= s <= d/4, epsilon <= 1 and delta <= (1 - "
        "e^-epsilon)/(4 e^epsilon): epsilon is at most each logarithm.",
        [](const auto& p) { return (p.drawn() + 1) * p.epsilon; }}});
}

void add_testing(LemmaList& lemmas) {
  lemmas.add<Testing>(
      "private_testing", [](const auto& p) { return p.floor(2); },
      {{printed, refuted, "Lemma 3, (10), second inequality",
        "For every (epsilon, delta)-DP estimate theta-hat the mean over V of P(rho(theta-hat, "
        "theta_v) >= rho*), rho* the least distance between two theta_v, is at least the fraction "
        "of (10). (Two words and the estimate that always is their midpoint are this check's; the "
        "fraction is the left side, and words does not matter here.)",
        0.0},
       {corrected, holds, "Lemma 3 with rho*/2: an error in the choice of a word",
        "The fraction of (10) is at most the probability that the exponential mechanism over the "
        "words (epsilon-DP) chooses a wrong one, summed exactly.",
        [](const auto& p) { return p.exponential_mechanism_error(); }, std::nullopt,
        Side<Testing>([](const auto& p) { return p.floor(p.words); })}});
}

void add_chain(LemmaList& lemmas) {
  lemmas.add<Chain<double>>(
      "middle_step", [](const auto& p) { return std::exp(-p.epsilon * (p.drawn() + 1)) / 4; },
      {{printed, holds, "proof of Theorem 9",
        "With p = min{...}/(n epsilon): e^{-epsilon ceil(np)}/2 - delta (1 - e^{-epsilon "
        "ceil(np)})/(1 - e^-epsilon) >= e^{-epsilon (np + 1)}/4.",
        middle}});
  const auto last = [](const auto& p) { return p.last_fraction(); };
  lemmas.add<Chain>("last_step", 0.125,
                    {{printed, refuted, "proof of Theorem 9",
                      "The last fraction of the proof of Theorem 9, e^(-epsilon (np + 1))/4 (|V| - "
                      "1)/(1 + (|V| - 1) e^(-epsilon (np + 1))) with the p chosen there and |V| = "
                      "exp(s/2 log((d - s)/(s/2))), is at least 1/8.",
                      last},
                     {corrected, holds, "proof of Theorem 9 with 1/12, |V| >= 2",
                      "The last fraction of the proof of Theorem 9 is at least 1/12.", last,
                      std::nullopt, GenericSide<Chain>(1.0 / 12)}});
  const std::string chain = "The bound of the proof of Theorem 9 for n p = 1, with ";
  const std::string risk = ", is at most the risk p tau/2 of the estimator that always returns 0.";
  lemmas.add<Chain>(
      "constant_estimator", [](const auto& p) { return p.free_bound(2); },
      {{printed, refuted, "proof of Theorem 9",
        chain + "its separation rho*^2 = 2 p tau" + risk +
            " (n p = 1 is this check's, and the sides are in units of p tau.)",
        0.5},
       {corrected, holds, "proof of Theorem 9 with half the guaranteed separation",
        chain + "(rho*/2)^2, rho* = sqrt(p tau)/2, for the separation" + risk, 0.5, std::nullopt,
        GenericSide<Chain>([](const auto& p) { return p.free_bound(1.0 / 16); })}});
  lemmas.add<HardInstance>(
      "lower_bound", 0.25,
      {{printed, holds, "Theorem 9, last display of its proof",
        "tau/4 p is at most the risk, on its own instance, of the constant 0 (p tau/2) and of "
        "Peeling on the clipped mean (at least its noise 2 s b^2).",
        [](const auto& p) { return p.risk() / 2; }},
       {corrected, holds, "Theorem 9 with undivided words, (rho*/2)^2 and 1/12",
        "With undivided words s tau/96 p is at most the risk, on its own instance, of the constant "
        "0 and of Peeling on the clipped mean (at least its noise 2 s b^2).",
        [](const auto& p) { return p.s * p.risk(); }, std::nullopt,
        GenericSide<HardInstance>([](const auto& p) { return p.s / 96; })}});
}

void add_size(LemmaList& both) {
  both.add<Chain>(
      "lower_bound_size", [](const auto& p) { return p.s * p.stated_bound() / 290; },
      {{corrected, holds, "Theorem 9 with undivided words",
        "The chain of the proof of Theorem 9 gives Omega(tau s* min{s* log d, log 1/delta}/(n "
        "epsilon)), with constant 1/290.",
        [](const auto& p) { return p.class_bound(); }}});
  both.add<Optimality>(
      "conclusions_lower_bound", [](const auto& p) { return p.s * log(p.d); },
      {{printed, refuted, "conclusions: s* log d/(n epsilon)",
        "The lower bound s* log d/(n epsilon) of the conclusions is that of Theorem 9, tau min{s* "
        "log d, log(1/delta)}/(n epsilon), up to a constant. (The constant 10 is this check's; s "
        "is s*, and the sides are in units of tau/(n epsilon).)",
        [](const auto& p) { return 10 * p.lower_bound(); },
        Optimality<double>::fields()
            .within(&Optimality<double>::s, 20.0, 1.0, 1e4)
            .within(&Optimality<double>::d, 1e5, 1e5, 1e8)}});
  both.add<Optimality>(
      "near_optimality", [](const auto& p) { return p.upper_bound() / p.lower_bound(); },
      {{printed, refuted, "after Theorem 9: a gap of O-tilde(sqrt s*) between Theorems 8 and 9",
        "Between the upper bound tau s^(3/2) log d sqrt(log(1/delta))/(n epsilon) of Theorem 8 and "
        "the lower bound tau min{s log d, log(1/delta)}/(n epsilon) of Theorem 9 there is a gap of "
        "O-tilde(sqrt(s)): their ratio is at most 10 sqrt(s) log d sqrt(log(1/delta)). (This "
        "constant and the logarithms are this check's; s is s*.)",
        [](const auto& p) { return 10 * sqrt(p.s) * log(p.d) * sqrt(p.l()); }},
       {corrected, holds, "after Theorem 9, with undivided words",
        "tau s^(3/2) log d sqrt(log 1/delta)/(n epsilon) over tau s min{s log d, log 1/delta}/(n "
        "epsilon) is at most sqrt(s) log d sqrt(log 1/delta): with the corrected lower bound the "
        "stated gap holds.",
        [](const auto& p) { return sqrt(p.s) * log(p.d) * sqrt(p.l()); }, std::nullopt,
        GenericSide<Optimality>(
            [](const auto& p) { return p.upper_bound() / (p.s * p.lower_bound()); })}});
  both.add<Sign>("zero_minimum", [](const auto& p) { return 4 * p.q * (1 - p.q); },
                 {{printed, refuted, "before Theorem 9: min_w L_D(w) = 0",
                   "The least population risk of mean estimation, min_w E||x - w||^2, is 0. (x = 1 "
                   "with probability q and -1 with 1 - q is this check's.)",
                   0.0}});
}

}  // namespace

std::vector<Claim> lower_bound_lemmas() {
  const std::string id = "hu.sparse_optimization";
  LemmaList preprint(id, Text::hu_preprint), both(id, Text::hu);
  add_words(preprint);
  add_probability(preprint);
  add_chain(preprint);
  add_testing(both);
  add_size(both);
  ClaimList claims(id);
  claims.append(preprint.take());
  claims.append(both.take());
  return claims.take();
}

}  // namespace dpverify::hu
