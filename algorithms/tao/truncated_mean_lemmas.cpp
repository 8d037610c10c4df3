// Steps of the proofs of Theorems 1 and 2 of Tao, Wu, Cheng and Wang that one inequality decides.
#include <algorithm>
#include <cmath>

#include "algorithms/claims/lemmas.hpp"
#include "algorithms/core/gaussian.hpp"
#include "algorithms/tao/truncated_mean.hpp"
#include "algorithms/tao/two_point.hpp"

namespace dpverify::tao {
namespace {

using enum Edition;
using enum Expectation;
using enum Scale;

// P(Z > x), Z standard normal.
template <class Real>
Real normal_above(const Real& x) {
  return erfc(x / sqrt(Real(2))) / 2;
}

struct Gaussian {
  double epsilon = 1, delta = 1e-5;
  static Fields<Gaussian> fields() {
    return {field("epsilon", &Gaussian::epsilon).range(1.0, 1e-6, 1.0, logarithmic),
            field("delta", &Gaussian::delta).range(1e-5, 1e-300, 1.0, logarithmic)};
  }
};

// Lemma 3.
void add_gaussian_mechanism(LemmaList& lemmas) {
  const std::string noise =
      "Noise of variance 2 Delta^2 log(1.25/delta)/epsilon^2 makes Delta (epsilon, delta)-DP";
  lemmas.add<Gaussian>(
      "gaussian_mechanism",
      [](const Gaussian& p) {  // the exact delta
        return gaussian_delta(p.epsilon / std::sqrt(2 * std::log(1.25 / p.delta)), p.epsilon);
      },
      {{printed, refuted, "Lemma 3 (Gaussian mechanism)",
        noise + ", for every epsilon > 0. (Checked for epsilon up to 20 at delta = 1e-5; Delta is "
                "the l2 sensitivity, and the left side is the exact delta.)",
        &Gaussian::delta,
        Gaussian::fields()
            .within(&Gaussian::epsilon, 1e-3, 1e-3, 20.0, linear)
            .without(&Gaussian::delta)},
       {proved, holds, "Lemma 3 (Gaussian mechanism), as Theorem 1 uses it",
        noise + ", for 0 < epsilon, delta <= 1.", &Gaussian::delta}});
}

struct Deviation : TwoPoint<double> {
  double xi = 0.1;
  static Fields<Deviation> fields() {
    return table<Deviation>().with(field("xi", &Deviation::xi).range(0.1, 1e-6, 0.5, logarithmic));
  }
};

// (5).
void add_bernstein(LemmaList& lemmas) {
  const std::string within =
      " the mean of n numbers in [-B, B] is within sqrt(2 B^(1-v) u log(1/xi)/n) + B "
      "log(1/xi)/(3n) of its expectation, on either side, for every xi in (0, 1).";
  lemmas.add<Deviation>(
      "bernstein",
      [](const Deviation& p) {
        const double logarithm = -std::log(p.xi);
        return tail(p, std::sqrt(2 * p.raw_moment() * logarithm / p.n) + logarithm / (3 * p.n));
      },
      {{printed, refuted, "(5), by Lemma 6",
        "With probability 1 - xi" + within +
            " (Here u = E|x|^(1+v). The left side is the probability of a larger deviation, "
            "exactly, on laws of two points.)",
        &Deviation::xi, Deviation::fields().within(&Deviation::xi, 0.999, 1e-6, 0.999)},
       // With 1 - xi it fails below 1/2 too: at n = 2, xi = 1/2, q = 0.4745 and a = -1.
       {corrected, holds, "(5) with the probability of Lemma 6 on both sides",
        "With probability 1 - 2 xi" + within, [](const Deviation& p) { return 2 * p.xi; },
        Deviation::fields().within(&Deviation::xi, 0.05, 1e-6, 0.999)}},
      {two_point_law[0], "B = 1"});
}

// The terms of (4) at u = 1.
template <class Real>
struct Error {
  Real xi = 0.05, delta = 1e-5, epsilon = 1, v = 0.5, n = 1e4;
  static Fields<Error> fields() {
    return {field("xi", &Error::xi).range(0.05, 1e-6, 0.999, logarithmic),
            field("delta", &Error::delta).range(1e-5, 1e-12, 1.0, logarithmic),
            field("epsilon", &Error::epsilon).range(1.0, 1e-3, 1.0, logarithmic),
            field("v", &Error::v).range(0.5, 0.01, 1.0),
            field("n", &Error::n).range(1e4, 1.0, 1e9, logarithmic)};
  }
  Real logarithm() const { return -log(xi); }
  Real noise() const { return sqrt(log(1.25 / delta)); }
  Real truncation() const { return pow(n * epsilon / (logarithm() * noise()), 1 / (1 + v)); }
  Real bound() const { return pow(logarithm() * noise() / (n * epsilon), v / (1 + v)); }  // (10)
  Real sum() const {
    const Real b = truncation();
    return sqrt(2 * pow(b, 1 - v) * logarithm() / n) + b * logarithm() / (3 * n) + pow(b, -v) +
           4 * sqrt(Real(2)) * b / (n * epsilon) * sqrt(log(1.25 / delta) * logarithm());
  }
  // (9) with an exponent of noise/(n epsilon).
  Real noise_term(const Real& exponent) const {
    return pow(noise() / (n * epsilon), exponent) * pow(logarithm(), (v - 1) / (2 * (1 + v)));
  }
};

// (4), by Lemma 5, and (9).
void add_noise(LemmaList& lemmas) {
  const Fields<Error<double>> only_xi{
      field("xi", &Error<double>::xi).range(0.1, 1e-12, 0.999, logarithmic)};
  const std::string noise =
      "the noise is at most 4 sqrt2 B/(n epsilon) sqrt(log(1.25/delta) log(1/xi))";
  lemmas.add<Error>(
      "noise_tail", [](const auto& p) { return 2 * normal_above(2 * sqrt(-log(p.xi))); },
      {{printed, holds, "(4), by Lemma 5", "With probability 1 - 2 xi " + noise + ".",
        [](const auto& p) { return 2 * p.xi; }, only_xi},
       {corrected, holds, "(4), by Lemma 5",
        "With probability 1 - xi^2 " + noise + ": sqrt2 of the factor 4 sqrt2 is to spare.",
        [](const auto& p) { return p.xi * p.xi; }, only_xi}});
  const std::string term = " 4 sqrt2 u^(1/(1+v)) (sqrt(log(1.25/delta))/(n epsilon))";
  const std::string logarithm = " log(1/xi)^((v-1)/(2(1+v))).";
  const auto of_noise = [](const auto& p) {
    return p.truncation() / (p.n * p.epsilon) * p.noise() * sqrt(p.logarithm());
  };
  lemmas.add<Error>(
      "noise_exponent", of_noise,
      {{printed, refuted, "(9), first line",
        "The noise term of (4), 4 sqrt2 B/(n epsilon) sqrt(log(1.25/delta) "
        "log(1/xi)), is at Algorithm 1's B" +
            term + "^(1/(1+v))" + logarithm +
            " (Checked: it is at most that, for u = 1. Both sides are shown without the 4 sqrt2.)",
        [](const auto& p) { return p.noise_term(1 / (1 + p.v)); }},
       {corrected,
        holds,
        "(9), first line, with the exponent v/(1+v)",
        "The noise term is" + term + "^(v/(1+v))" + logarithm +
            " Neither is more than 1 + 10^-12 times the other.",
        1 + 1e-12,
        {},
        [of_noise](const auto& p) {
          const auto share = of_noise(p) / p.noise_term(p.v / (1 + p.v));
          return max(share, 1 / share);
        }}});
}

// (8) and (10).
void add_error_terms(LemmaList& lemmas) {
  lemmas.add<Error>(
      "bias_term",
      [](const auto& p) {
        return pow(p.noise() * log(2 / p.xi) / (p.n * p.epsilon), p.v / (1 + p.v));
      },
      {{printed, refuted, "(8)",
        "u/B^v is u^(1/(1+v)) (sqrt(log(1.25/delta)) log(2/xi)/(n epsilon))^(v/(1+v)) at Algorithm "
        "1's B. (Checked: the second, on the left, is at most the first.)",
        [](const auto& p) { return p.bound(); }}},
      {"u = 1"});
  const std::string sum = "The four terms of (4) add up to at most ";
  const std::string bound =
      " u^(1/(1+v)) (sqrt(log(1.25/delta)) log(1/xi)/(n epsilon))^(v/(1+v)) for ";
  lemmas.add<Error>(
      "constant", [](const auto& p) { return p.sum(); },
      {{printed, refuted, "Theorem 1, (4) to (10)",
        sum + "9" + bound +
            "0 < epsilon, delta <= 1 and any xi in (0, 1). (u = 1 and Algorithm 1's B are taken.)",
        [](const auto& p) { return 9 * p.bound(); }},
       {corrected, holds, "(4) to (10) for log(1/xi) >= 1 and log(1.25/delta) >= 1",
        sum + "8.41" + bound + "epsilon <= 1, xi <= 1/e and delta <= 1.25/e.",
        [](const auto& p) { return 8.41 * p.bound(); },
        Error<double>::fields()
            .within(&Error<double>::xi, 0.05, 1e-6, 0.3678)
            .within(&Error<double>::delta, 1e-5, 1e-12, 0.4598)}});
}

// The law of Lemma 16 at u = 1: tau = p^(-1/(1+v)) with probability p, 0 otherwise.
struct HardLaw {
  double n = 10, p = 0.1, epsilon = 0.5, delta = 1e-5, xi = 0.05, v = 0.5;
  static Fields<HardLaw> fields() {
    return {field("n", &HardLaw::n).range(10, 1, 100, integer),
            field("p", &HardLaw::p).range(0.1, 1e-6, 0.999, logarithmic),
            field("epsilon", &HardLaw::epsilon).range(0.5, 1e-3, 1.0, logarithmic),
            field("delta", &HardLaw::delta).range(1e-5, 1e-12, 1.0, logarithmic),
            field("xi", &HardLaw::xi).range(0.05, 1e-6, 0.999, logarithmic),
            field("v", &HardLaw::v).range(0.5, 0.01, 1.0)};
  }
  double tau() const { return std::pow(p, -1 / (1 + v)); }
  TruncatedMeanParameters algorithm() const {
    return truncated_mean_from_theorem(static_cast<Index>(n), epsilon, delta, 1, v, xi);
  }
  double deviation() const { return noise_deviation(algorithm(), static_cast<Index>(n)); }
  bool kept() const { return tau() <= algorithm().truncation; }
};

// P(|error + N(0, deviation^2)| > radius).
double beyond(double radius, double error, double deviation) {
  return normal_above((radius - error) / deviation) + normal_above((radius + error) / deviation);
}

// `start` + P(|output - mean| > radius), exactly.
double misses(const HardLaw& law, double radius, double deviation, bool kept, double start) {
  const double tau = law.tau();
  double sum = start;
  for (double k = 0; k <= law.n; ++k)
    sum += binomial_probability(law.n, k, law.p) *
           beyond(radius, (kept ? k * tau / law.n : 0) - law.p * tau, deviation);
  return sum;
}

// The probability, on average, of an error of half the distance of the two means or more on the law
// of Lemma 16 and on a point mass at 0.
double testing_error(const HardLaw& law, bool is_private) {
  const double half = law.p * law.tau() / 2;
  const double deviation = is_private ? law.deviation() : 1e-9 * half;
  return misses(law, half, deviation, !is_private || law.kept(), beyond(half, 0, deviation)) / 2;
}

// Lemma 16 and Theorem 2.
void add_hard_laws(LemmaList& lemmas) {
  lemmas.add<HardLaw>(
      "utility",
      [](const HardLaw& x) {
        const double bound = truncated_mean_bound(x.n, x.epsilon, x.delta, 1, x.v, x.xi);
        return misses(x, 9 * bound, x.deviation(), x.kept(), 0);
      },
      {{printed, holds, "Theorem 1 with the 9 of (10); the proof gives the probability 1 - 3 xi",
        "On the law of Lemma 16 the error exceeds 9 times the bound with probability at most xi, "
        "for every xi in (0, 1).",
        &HardLaw::xi}},
      {"E|x|^(1+v) = 1", "n <= 100"});
  lemmas.add<HardLaw>(
      "hard_law", [](const HardLaw& law) { return law.algorithm().truncation; },
      {{printed, holds, "Theorem 2, with the law of Lemma 16 at p = 1/(n epsilon)",
        "On the law of Lemma 16 at p = 1/(n epsilon) Algorithm 1 errs by at least u^(1/(1+v)) "
        "(1/(n epsilon))^(v/(1+v)) with probability at least 1/2: the truncation removes every "
        "record that is not 0.",
        // B < tau: the output is N(0, noise), its error symmetric about the mean p tau.
        [](const HardLaw& law) {
          return std::pow(std::floor(law.n) * law.epsilon, 1 / (1 + law.v));
        },
        HardLaw::fields()
            .within(&HardLaw::n, 1e3, 10.0, 1e9, logarithmic)
            .without(&HardLaw::p)
            .within(&HardLaw::epsilon, 1.0, 0.2, 1.0)
            .within(&HardLaw::delta, 1e-5, 1e-12, 0.4)
            .within(&HardLaw::xi, 0.05, 1e-6, 0.3678)}},
      {"log(1/xi) >= 1, delta <= 0.4", "epsilon in [0.2, 1], n from 10 to 10^9"});
  const std::string hypotheses = "Between the law of Lemma 16 and a point mass at 0, alpha apart, ";
  const std::string floor =
      " errs by alpha/2 or more with an average probability of at least (0.9 e^(-10 n p epsilon) - "
      "10 n p delta)/2.";
  // Acharya, Sun and Zhang (2021), Theorem 1, for any (epsilon, delta)-DP test whose samples can be
  // coupled at n p expected differences.
  lemmas.add<HardLaw>(
      "lower_bound",
      [](const HardLaw& law) {
        return (0.9 * std::exp(-10 * law.epsilon * law.n * law.p) -
                10 * law.n * law.p * law.delta) /
               2;
      },
      {{printed, holds,
        "Theorem 2 and Lemma 16, with the constants of Acharya, Sun and Zhang (2021)",
        hypotheses + "Algorithm 1" + floor,
        [](const HardLaw& law) { return testing_error(law, true); }},
       {mutant, refuted,
        "Theorem 2 and Lemma 16 for the mean without truncation and noise, which is too good to be "
        "private",
        hypotheses + "the mean without truncation and noise" + floor,
        [](const HardLaw& law) { return testing_error(law, false); }}},
      {"n <= 100"});
}

struct Publishing {
  double n = 200, p = 0.5, delta = 0.5, share = 1;
  static Fields<Publishing> fields() {
    return {field("n", &Publishing::n).range(200, 2, 200, integer),
            field("p", &Publishing::p).range(0.5, 0.005, 0.5, logarithmic),
            field("delta", &Publishing::delta).range(0.5, 1e-6, 0.5, logarithmic)};
  }
};

// Each record published with probability delta: of n records, p of them 1 (in units of tau), the
// estimate is the number of published ones over n delta. P(it misses the mean p by p/2 or more).
double misses(const Publishing& x, double delta) {
  const double published = x.p * delta;
  return binomial_expectation(x.n, published, [&](double k) {
    return std::abs(k - x.n * published) >= x.n * published / 2;
  });
}

// Theorem 2 for every delta.
void add_any_delta(LemmaList& lemmas) {
  const std::string law = "On the law of Lemma 16 with p = 1/(n epsilon) ";
  const std::string errs =
      " errs by at least half of u^(1/(1+v)) (1/(n epsilon))^(v/(1+v)) with probability at least "
      "0.1";
  lemmas.add<Publishing>(
      "any_delta", 0.1,
      {{printed, refuted, "Theorem 2 and Lemma 16, part 2, any (epsilon, delta)-DP algorithm",
        law + "every (epsilon, delta)-DP algorithm" + errs +
            ", for every delta. Under that law a record is tau = (u/p)^(1/(1+v)) with probability "
            "p and else 0. (Theorem 2 says Omega and a constant probability; the half and the 0.1 "
            "are this check's. In the counterexample epsilon is 1/(n p).)",
        [](const Publishing& x) { return misses(x, x.delta); }},
       {corrected, holds, "Theorem 2 for delta <= epsilon",
        law + "the rescaled mean of records published with probability delta <= epsilon each" +
            errs + ".",
        [](const Publishing& x) {
          const double epsilon = 1 / (x.n * x.p);
          return misses(x, std::min(0.5, x.share * epsilon));
        },
        Publishing::fields()
            .without(&Publishing::delta)
            .with(field("delta/epsilon", &Publishing::share).range(1.0, 1e-6, 1.0, logarithmic))}},
      {"n <= 200"});
}

// Lemma 10 on the Pareto law of index a = 1 + v + 0.05.
template <class Real>
struct Pareto {
  Real v = 1, b = 1;
  static Fields<Pareto> fields() {
    return {field("v", &Pareto::v).range(1.0, 0.01, 1.0),
            field("B", &Pareto::b).range(1.0, 1.0, 1e9, logarithmic)};
  }
  Real index() const { return 1 + v + 0.05; }
  Real moment() const { return index() / 0.05; }
  Real expectation() const {  // E X 1{X > B}
    return index() / (index() - 1) * pow(b, 1 - index());
  }
  Real integral() const { return pow(b, 1 - index()) / (index() - 1); }  // of P(X > t) from B on
};

template <class Real>
struct Atom {
  Real v = 1, b = 1, q = 0.5;
  static Fields<Atom> fields() {
    return {field("v", &Atom::v).range(1.0, 0.01, 1.0),
            field("B", &Atom::b).range(1.0, 1e-6, 1e6, logarithmic),
            field("q", &Atom::q).range(0.5, 1e-9, 1.0, logarithmic)};
  }
  Real x() const { return b * (1 + 1e-9); }
};

// Lemma 10.
void add_truncation_bias(LemmaList& lemmas) {
  lemmas.add<Pareto>(
      "truncation_bias", [](const auto& x) { return x.expectation(); },
      {{printed, holds, "Lemma 10", "E X 1{|X| > B} <= u/B^v. Pareto laws of index 1 + v + 0.05.",
        [](const auto& x) { return x.moment() / pow(x.b, x.v); }}});
  lemmas.add<Atom>("truncation_bias_attained",
                   [](const auto& p) { return p.q * pow(p.x(), 1 + p.v) / pow(p.b, p.v); },
                   {{corrected, holds, "Lemma 10 is an equality for a two-point law",
                     "X = B (1 + 1e-9) with probability q: u/B^v <= E X 1{|X| > B} (1 + 1e-8).",
                     [](const auto& p) { return p.q * p.x() * (1 + 1e-8); }}});
  lemmas.add<Pareto>(
      "tail_integral", [](const auto& x) { return x.expectation(); },
      {{printed, refuted, "proof of Lemma 10",
        "The integral of P(|X| > t) over t >= B is E X 1{|X| > B}. (Checked on Pareto laws of "
        "index a = 1 + v + 0.05, P(X > t) = t^-a for t >= 1.)",
        [](const auto& x) { return x.integral(); }},
       {corrected, holds, "proof of Lemma 10 with the missing term",
        "B P(|X| > B) plus the integral of P(|X| > t) over t >= B is E |X| 1{|X| > B}. Pareto laws "
        "of index 1 + v + 0.05.",
        [](const auto& x) { return (pow(x.b, 1 - x.index()) + x.integral()) * (1 + 1e-12); }}});
}

}  // namespace

std::vector<Claim> truncated_mean_lemmas() {
  LemmaList lemmas("tao.truncated_mean", Text::tao);
  add_gaussian_mechanism(lemmas);
  add_bernstein(lemmas);
  add_noise(lemmas);
  add_error_terms(lemmas);
  add_hard_laws(lemmas);
  add_any_delta(lemmas);
  add_truncation_bias(lemmas);
  return lemmas.take();
}

}  // namespace dpverify::tao
