// Steps of the proofs of Theorems 5 to 7 of Tao, Wu, Cheng and Wang that one inequality decides.
#include <cmath>

#include "algorithms/claims/lemmas.hpp"
#include "algorithms/core/composition.hpp"
#include "algorithms/estimators/clipping.hpp"
#include "algorithms/estimators/thresholding.hpp"
#include "algorithms/tao/dp_sco.hpp"

namespace dpverify::tao {
namespace {

using enum Edition;
using enum Expectation;
using enum Scale;

struct Composition {
  Index m = 1;
  double epsilon = 0.5, delta = 1e-5;
  static Fields<Composition> fields() {
    return {field("m", &Composition::m).range(1, 1, 2000),
            field("epsilon", &Composition::epsilon).range(0.5, 1e-3, 0.999, logarithmic),
            field("delta", &Composition::delta).range(1e-5, 1e-12, 0.999, logarithmic)};
  }
};

// The delta of Lemma 1's m mechanisms together, by optimal composition.
double together(const Composition& p) {
  const auto m = static_cast<double>(p.m);
  const double step = p.epsilon / (2 * std::sqrt(2 * m * std::log(2 / p.delta)));
  const double pure = composed_delta({{step, p.m}}, p.epsilon);
  return -std::expm1(m * std::log1p(-p.delta / (2 * m)) + std::log1p(-pure));
}

// A step of Theorem 7 on n/T records, logarithms set aside, u = 1.
template <class Real>
struct Step {
  Real n, d, t, epsilon, v;
  static Fields<Step> fields() {
    return {field("n", &Step::n).range(1e6, 1e3, 1e12, logarithmic),
            field("d", &Step::d).range(100.0, 1.0, 1e4, integer),
            field("T", &Step::t).range(10, 1, 100, integer),
            field("epsilon", &Step::epsilon).range(1.0, 0.01, 1.0, logarithmic),
            field("v", &Step::v).range(1.0, 0.01, 1.0)};
  }
  Real budget() const { return n * epsilon; }
  // Theorem 3's, where tau^(1+v) is `power`.
  Real error(const Real& power) const {
    const Real tau = pow(power, 1 / (1 + v));
    return sqrt(d) * pow(tau, -v) + tau * d * t / budget();
  }
};

template <class Real>
struct Exponents {
  Real d, v;
  static Fields<Exponents> fields() {
    return {field("d", &Exponents::d).range(10.0, 1.0, 1e4, integer),
            field("v", &Exponents::v).range(1.0, 0.01, 1.0)};
  }
};

// Theorem 6, R = 1.
template <class Real>
struct Convex {
  Real n, d, epsilon, v, u;
  static Fields<Convex> fields() {
    return {field("n", &Convex::n).range(1e6, 1e2, 1e12, logarithmic),
            field("d", &Convex::d).range(1.0, 1.0, 1e3, integer),
            field("epsilon", &Convex::epsilon).range(1.0, 1e-3, 1.0, logarithmic),
            field("v", &Convex::v).range(0.5, 0.01, 1.0),
            field("u", &Convex::u).range(1.0, 1e-6, 1e3, logarithmic)};
  }
  // T before rounding.
  Real iterations(const Real& records) const {
    return pow(epsilon * records, 2 * v / (1 + v)) / pow(d, (1 + 4 * v) / (1 + v));
  }
  Real tau() const { return pow(epsilon * n / pow(d, 1.5), 1 / (1 + v)); }
  Real t() const { return pow(epsilon * n / (tau() * d * d), 2); }
  // Lemma 17 with Lemma 19's bias and variance, logarithms set aside, Delta = 1.
  Real risk() const {
    const Real eta = 1 / sqrt(t());
    const Real sampling =
        pow(u, 1 / (1 + v)) * pow(d, (1 + 3 * v) / (2 * (1 + v))) / pow(n, v / (1 + v));
    const Real bias = sampling + u * sqrt(d) / pow(tau(), v);
    const Real variance = pow(tau() * d * d / (epsilon * n), 2) * t() + sampling * sampling +
                          u * u * d / pow(tau(), 2 * v);
    return 1 / (2 * eta * t()) + eta / 2 + eta * variance / 2 + bias;
  }
  Real bound(const Real& moment) const { return 3.5 * moment * (pow(t(), -0.5) + pow(t(), -1.5)); }
};

template <class Real>
struct Blocks {
  Real d, n, v;
  static Fields<Blocks> fields() {
    return {field("d", &Blocks::d).range(100.0, 1.0, 1e3, integer),
            field("n", &Blocks::n).range(1e5, 1e2, 1e9, logarithmic),
            field("v", &Blocks::v).range(0.5, 0.01, 1.0)};
  }
};

template <class Real>
struct Noise {
  Real t, delta;
  static Fields<Noise> fields() {
    return {field("T", &Noise::t).range(10.0, 1.0, 1e6, integer),
            field("delta", &Noise::delta).range(1e-5, 1e-12, 0.5, logarithmic)};
  }
};

// Theorem 6's parameters, R = 1, Delta = 2, with the blocks of Corollary 1's xi = 0.1.
struct Printed {
  double n = 1e6, d = 1, epsilon = 0.999, v = 1, delta = 1e-5;
  static Fields<Printed> fields() {
    return {field("n", &Printed::n).range(1e6, 1e3, 1e11, logarithmic),
            field("d", &Printed::d).range(1.0, 1.0, 10.0, integer),
            field("epsilon", &Printed::epsilon).range(0.999, 1e-3, 0.999, logarithmic),
            field("v", &Printed::v).range(1.0, 0.01, 1.0),
            field("delta", &Printed::delta).range(1e-5, 1e-12, 1e-5, logarithmic)};
  }
  // eta/2 E||noise||^2 of a step.
  double noise_term() const {
    const auto records = static_cast<Index>(n), dimension = static_cast<Index>(d);
    const DpScoParameters p =
        convex_from_theorem(records, dimension, {.order = v}, epsilon, delta, 0.1);
    return p.step / 2 * d *
           std::pow(noise_deviation(estimator_parameters(p), records, dimension), 2);
  }
};

// Two records x and -x/2 of the loss (w - x)^2/2, at w and w + gamma.
struct Covering {
  double x = 1, w = 0, gamma = 0.01;
  static Fields<Covering> fields() {
    return {field("x", &Covering::x).range(1.0, -3.0, 3.0),
            field("w", &Covering::w).range(0.0, -1.0, 1.0),
            field("gamma", &Covering::gamma).range(0.01, 1e-6, 1.0, logarithmic)};
  }
};

// How far apart the means of the gradients are, cut off at 1.
Side<Covering> moved(Matrix (*cut)(const Eigen::Ref<const Matrix>&, double)) {
  return [cut](const Covering& p) {
    const Eigen::Vector2d records(p.x, -p.x / 2);
    const auto mean = [&](double w) {
      const Matrix gradients = (w - records.array()).matrix();
      return cut(gradients, 1).mean();
    };
    return std::abs(mean(p.w + p.gamma) - mean(p.w));
  };
}

// ---- Theorem 7 and its step --------------------------------------------------------------------

void add_strongly_convex(LemmaList& lemmas) {
  const auto claimed_error = [](const auto& p) {
    return 2 * pow(p.d, (1 + 2 * p.v) / (2 + 2 * p.v)) * pow(p.t / p.budget(), p.v / (1 + p.v));
  };
  const std::string error =
      " gives each of T steps, on n/T records, an error of at most 2 u^(1/(1+v)) "
      "d^((1+2v)/(2+2v)) (T/(epsilon n))^(v/(1+v)), logarithms set aside";
  lemmas.add<Step>("truncation",
                   [](const auto& p) { return p.error(p.budget() / (pow(p.d, 1.5) * sqrt(p.t))); },
                   {{printed, refuted, "Theorem 7's tau with Theorem 3",
                     "Theorem 7's tau = (u epsilon n/(d^(3/2) sqrt T))^(1/(1+v))" + error +
                         ", as Theorem 7's rate needs. (The error is the sum of the terms of "
                         "Theorem 3 in which tau stands.)",
                     claimed_error}},
                   {"u = 1; the constant 2 is this project's choice"});
  lemmas.add<Step>("truncation",
                   [](const auto& p) { return p.error(p.budget() / (p.t * sqrt(p.d))); },
                   {{corrected, holds, "Corollary 1's tau on n/T records",
                     "tau = (u epsilon n/(T sqrt d))^(1/(1+v))" + error + ".", claimed_error}},
                   {"u = 1; the constant 2 is this project's choice"});
  lemmas.add<Exponents>(
      "introduction", [](const auto& p) { return pow(p.d, (1 + 4 * p.v) / (1 + p.v)); },
      {{reading, refuted, "Section 1, strongly convex bound, in the copy read here",
        "d^((1+4v)/(1+v)), which the copy read here has for the strongly convex bound of the "
        "introduction, is at most 10 times d^((1+2v)/(1+v)) of Theorem 7. The copy garbles another "
        "exponent of that sentence. Nothing in the paper falls.",
        [](const auto& p) { return 10 * pow(p.d, (1 + 2 * p.v) / (1 + p.v)); }}});
  lemmas.add<Exponents>(
      "rates_match", [](const auto& p) { return pow(p.d, (1 + 2 * p.v) / (1 + p.v)); },
      {{corrected, holds, "Theorem 7 against Theorem 8, (epsilon, delta)",
        "In d Theorem 7's upper bound d^((1+2v)/(1+v)) is no larger than Theorem 8's lower bound d "
        "(sqrt d)^(2v/(1+v)): no factor Poly(d) is left.",
        [](const auto& p) { return p.d * pow(sqrt(p.d), 2 * p.v / (1 + p.v)) * (1 + 1e-12); },
        Exponents<double>::fields().within(&Exponents<double>::d, 10.0, 1.0, 1e6)}});
  lemmas.add<Exponents>(
      "pure_gap", [](const auto& p) { return pow(p.d, 2 * p.v / (1 + p.v)); },
      {{printed, holds, "after Theorem 9: the gap of Theorem 8",
        "In d the epsilon-DP bound of Theorem 8, d d^(2v/(1+v)), is at most d^(v/(1+v)) times its "
        "(epsilon, delta) bound, d (sqrt d)^(2v/(1+v)).",
        [](const auto& p) {
          return pow(p.d, p.v / (1 + p.v)) * pow(sqrt(p.d), 2 * p.v / (1 + p.v)) * (1 + 1e-12);
        }}});
  lemmas.add<Exponents>(
      "pure_gap_convex", [](const auto& p) { return pow(p.d, p.v / (1 + p.v)); },
      {{printed, holds, "after Theorem 9: the gap of Theorem 9",
        "In d the epsilon-DP bound of Theorem 9, sqrt(d) d^(v/(1+v)), is at most d^(v/(2+2v)) "
        "times its (epsilon, delta) bound, sqrt(d) (sqrt d)^(v/(1+v)).",
        [](const auto& p) {
          return pow(p.d, p.v / (2 + 2 * p.v)) * pow(sqrt(p.d), p.v / (1 + p.v)) * (1 + 1e-12);
        }}});
}

// ---- Theorem 6 ---------------------------------------------------------------------------------

void add_convex(LemmaList& lemmas) {
  using P = Convex<double>;
  const Fields<P> without_u =
      P::fields().within(&P::d, 10, 1, 100).within(&P::epsilon, 1.0, 0.1, 1.0).without(&P::u);
  lemmas.add<Convex>(
      "convex_iterations", 1,
      {{printed, refuted, "Theorem 6's T",
        "Theorem 6's number of steps, T = R^2 epsilon^2 n^2/(tau^2 d^4) with tau = (epsilon "
        "n/d^(3/2))^(1/(1+v)), is at least 1 for every n >= d, as it must be for Algorithm 2 to "
        "take a step: the theorem has no condition on n, d, epsilon and v. (R = 1, n from 100 to "
        "10^6 and d up to 100 are this check's.)",
        [](const auto& p) { return p.iterations(p.n); }, without_u.within(&P::n, 1e6, 1e2, 1e6)},
       {corrected, holds, "Theorem 6's T",
        "Theorem 6's T = R^2 epsilon^2 n^2/(tau^2 d^4) is at least 1 once epsilon n >= "
        "d^((1+4v)/(2v)) (2 percent above it: rounding).",
        [](const auto& p) {
          return p.iterations(1.02 * pow(p.d, (1 + 4 * p.v) / (2 * p.v)) / p.epsilon);
        },
        without_u.without(&P::n).within(&P::v, 0.5, 0.05, 1.0)}},
      {"R = 1"});
  lemmas.add<Convex>(
      "moment_power", [](const auto& p) { return p.risk(); },
      {{printed, refuted, "Theorem 6 by Lemmas 17 and 19",
        "At Theorem 6's T, eta and tau the excess risk is of the order Delta u^2 (T^(-1/2) + "
        "T^(-3/2)), logarithms set aside. (Checked: the sum of Lemma 17's four terms, with Lemma "
        "19's bias and variance, is at most 3.5 times that.)",
        [](const auto& p) { return p.bound(p.u * p.u); }},
       {corrected, holds, "Theorem 6 with max(1, u^2)",
        "At Theorem 6's parameters the four terms of Lemma 17 are at most 3.5 Delta max(1, u^2) "
        "(T^(-1/2) + T^(-3/2)), logarithms set aside.",
        [](const auto& p) { return p.bound(max(decltype(p.u)(1), p.u * p.u)); }}},
      {"R = Delta = 1; the constant 3.5 is this project's choice"});
  lemmas.add<Printed>(
      "convex_noise", 2,
      {{corrected, holds, "Theorem 6 with Lemma 17, at Theorem 6's own constants",
        "At Theorem 6's T, eta and tau, with the blocks of Algorithm 3 at Corollary 1's xi = 0.1, "
        "the term eta V^2/2 of Lemma 17 is at least R Delta, which no excess risk exceeds, for "
        "every n up to 10^11 and d up to 10: so far the logarithms that O-tilde hides leave "
        "nothing of the bound.",
        &Printed::noise_term}},
      {"R = 1, Delta = 2; delta up to 1e-5; V^2 without its other terms"});
}

void add_lemma_19(LemmaList& lemmas) {
  lemmas.add<Blocks>(
      "uniform_blocks",
      [](const auto& p) {
        return 4 * (log(2 * p.d) + 2 * p.d * log(2 * pow(p.n, p.v / (1 + p.v))));
      },
      {{printed, refuted, "proof of Lemma 19: xi = (gamma/Delta)^(2d), gamma = n^(-v/(1+v))",
        "The number of blocks that the proof of Lemma 19 needs, 4 (log(2d) + 2d log(Delta "
        "n^(v/(1+v)))), is the m = 4 log(2d/xi) with which Algorithm 2 calls Algorithm 3. "
        "(Algorithm 2 does not set xi; that xi is at least 1e-6 is this check's.)",
        [](const auto& p) { return 4 * log(2 * p.d / 1e-6); }}},
      {"Delta = 2"});
  const std::string noise =
      "At Lemma 1's epsilon' = epsilon/(2 sqrt(2T log(2/delta))) and delta' = delta/(2T), 8 "
      "log(1.25/delta')/epsilon'^2 is at most ";
  lemmas.add<Noise>(
      "noise_variance",
      [](const auto& p) { return 8 * log(2.5 * p.t / p.delta) * 8 * p.t * log(2 / p.delta); },
      {{printed, refuted, "proof of Lemma 19, second part",
        noise + "64 T log((2.5T + 2)/delta)/epsilon^2. T is the number of steps. (Both sides are "
                "shown times epsilon^2.)",
        [](const auto& p) { return 64 * p.t * log((2.5 * p.t + 2) / p.delta); }},
       {corrected, holds, "proof of Lemma 19, second part",
        noise + "64 T log(2/delta) log((2.5T + 2)/delta)/epsilon^2.", [](const auto& p) {
          return 64 * p.t * log(2 / p.delta) * log((2.5 * p.t + 2) / p.delta);
        }}});
  const auto beta_gamma = [](const Covering& p) { return p.gamma * (1 + 1e-9) + 1e-15; };
  const std::string two_points =
      " at two points gamma apart differ by at most beta gamma, if the loss is beta-smooth.";
  lemmas.add<Covering>("covering", moved(thresholded),
                       {{printed, refuted, "proof of Lemma 19, first term",
                         "Means of thresholded gradients" + two_points +
                             " (Checked at w and w + gamma for the two records x and -x/2.)",
                         beta_gamma}},
                       {"loss (w - x)^2/2, beta = 1, tau = 1"});
  lemmas.add<Covering>("covering", moved(clipped_entries),
                       {{corrected, holds, "proof of Lemma 19 with clipping for thresholding",
                         "Means of clipped gradients" + two_points, beta_gamma}},
                       {"loss (w - x)^2/2, beta = 1, limit 1"});
}

}  // namespace

std::vector<Claim> dp_sco_lemmas() {
  LemmaList lemmas("tao.dp_sco", Text::tao);
  lemmas.add<Composition>(
      "composition", together,
      {{printed, holds, "Lemma 1",
        "m mechanisms that are (epsilon/(2 sqrt(2m ln(2/delta))), delta/(2m))-DP are together "
        "(epsilon, delta)-DP, 0 < epsilon, delta < 1, by optimal composition.",
        [](const Composition& p) { return p.delta; }}});
  add_strongly_convex(lemmas);
  add_convex(lemmas);
  add_lemma_19(lemmas);
  return lemmas.take();
}

}  // namespace dpverify::tao
