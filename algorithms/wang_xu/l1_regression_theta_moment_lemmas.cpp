// Steps of the proof of Wang and Xu's Theorem 2 that one inequality decides.
#include <cmath>

#include "algorithms/core/binomial.hpp"
#include "algorithms/wang_xu/l1_regression_theta_moment.hpp"
#include "algorithms/wang_xu/shared_lemmas.hpp"

namespace dpverify::wang_xu {
namespace {

using enum Edition;
using enum Expectation;
using enum Scale;

template <class Real>
struct Truncated {
  Real x = 0, theta = 1.5;
  Bound bound = Bound::lower;
  static Fields<Truncated> fields() {
    return {field("x", &Truncated::x).range(0, -20, 20),
            field("theta", &Truncated::theta).range(1.5, 1.0001, 1.9999),
            field("side", &Truncated::bound).range(Bound::lower, Bound::lower, Bound::upper)};
  }
  Real psi() const { return LogTruncationOf<Real>(theta)(x); }
  // |x|^theta/theta + sign x, for the sign 1 or -1.
  Real excess(int sign) const {
    const Real size = abs(x), less = excess_power(size, theta);
    return sign * x < 0 ? less : less + 2 * size;
  }
};

struct Terms {
  double n = 10, dimension = 1, theta = 1.5, epsilon = 1, tau = 1, eta = 0.05;
  static Fields<Terms> fields() {
    return {field("n", &Terms::n).range(10.0, 10.0, 1e12, logarithmic),
            field("dimension", &Terms::dimension).range(1, 1, 100, integer),
            field("theta", &Terms::theta).range(1.5, 1.01, 1.99),
            field("epsilon", &Terms::epsilon).range(1.0, 1e-3, 1.0, logarithmic),
            field("tau", &Terms::tau).range(1.0, 0.01, 100.0, logarithmic),
            field("eta", &Terms::eta).range(0.05, 1e-6, 0.36, logarithmic)};
  }
  ThetaMomentSetting under(Moments moments) const {
    return {n, dimension, theta, epsilon, tau, eta, moments};
  }
};

// The terms of (17) and (27) with every constant 1, zeta = 1/n, log N <= d log(1/zeta), the moment
// M >= E ||x||_2^theta, and the edition's iota: zeta M^(1/theta) + iota^(theta-1) (1 + zeta^theta)
// M + d (log(1/zeta) + log(1/eta))/(n iota epsilon).
Side<Terms> terms(Moments moments, Edition edition) {
  return [=](const Terms& p) {
    const double iota = theta_moment_iota(p.under(moments), edition), zeta = 1 / p.n;
    const double moment =
        std::pow(p.tau, p.theta) * (moments == Moments::coordinates ? p.dimension : 1);
    return zeta * std::pow(moment, 1 / p.theta) +
           std::pow(iota, p.theta - 1) * (1 + std::pow(zeta, p.theta)) * moment +
           p.dimension * (std::log(p.n) - std::log(p.eta)) / (p.n * iota * p.epsilon);
  };
}

Side<Terms> bounds(double times, Moments moments) {
  return [=](const Terms& p) { return times * theta_moment_bound(p.under(moments)); };
}

struct Norms {
  double first = 1, second = 1, theta = 1.5;
  static Fields<Norms> fields() {
    return {field("first", &Norms::first).range(1, 0, 100),
            field("second", &Norms::second).range(1, 0, 100),
            field("theta", &Norms::theta).range(1.5, 1.01, 1.99)};
  }
  double norm() const { return std::hypot(first, second); }
};

template <class Real>
struct Order {
  Real theta = 1.5;
  static Fields<Order> fields() {
    return {field("theta", &Order::theta).range(1.5, 1.0001, 1.9999)};
  }
  Real doubled() const { return pow(Real(2), theta - 1); }
};

template <class Real>
struct Logarithms {
  Real theta = 1.5, epsilon = 1;
  static Fields<Logarithms> fields() {
    return {field("theta", &Logarithms::theta).range(1.5, 1.0001, 1.9999),
            field("epsilon", &Logarithms::epsilon).range(1.0, 1e-3, 100.0, logarithmic)};
  }
  Real log_theta() const { return log1p(theta - 1); }
};

// epsilon = share log theta.
template <class Real>
struct Shares {
  Real theta = 1.5, share = 1;
  static Fields<Shares> fields() {
    return {field("theta", &Shares::theta).range(1.5, 1.0001, 1.9999),
            field("share", &Shares::share).range(1.0, 1e-3, 1.0, logarithmic)};
  }
  Real log_theta() const { return log1p(theta - 1); }
};

// Lemma 10: the moment terms of the bound on the mean below.
double shifted_moments(const TwoPoints& p) {
  return std::exp2(p.theta - 1) / p.theta *
         (p.q * std::pow(p.a, p.theta) + std::pow(p.shift, p.theta));
}

// -1/n sum psi(residual - shift), as a function of how many residuals are a and not 0.
auto shifted_mean(const TwoPoints& p) {
  const LogTruncation psi(p.theta);
  return [n = p.n, far = psi(p.a - p.shift), near = psi(-p.shift)](double k) {
    return -(k * far + (n - k) * near) / n;
  };
}

void add_deviations(LemmaList& lemmas) {
  add_shared_lemmas(lemmas, {"Lemma 7", "Lemma 8; (25)", "proof of Theorem 2, (20)",
                             "iota^(theta - 1)/theta E|y - <x, w>|^theta", "log theta",
                             TwoPoints::fields().without(&TwoPoints::shift)});
  const auto eta = [](const TwoPoints& p) { return p.eta; };
  const std::vector<std::string> two_points_of_norm_tau{two_points, "every ||x|| is tau"};
  lemmas.add<TwoPoints>(
      "shifted_deviation",
      [](const TwoPoints& p) {
        const double bound = -p.q * p.a + p.shift + shifted_moments(p) - std::log(p.eta) / p.n;
        return binomial_expectation(
            p.n, p.q, [=, mean = shifted_mean(p)](double k) { return mean(k) > bound; });
      },
      {{printed, holds, "Lemma 10, behind Lemma 9",
        "With probability 1 - eta, -1/(n iota) sum psi(iota |y - <x, w>| - iota zeta ||x||) <= "
        "-L(w) + zeta tau + (2 iota)^(theta - 1)/theta (E|y - <x, w>|^theta + zeta^theta "
        "tau^theta) + log(N/eta)/(n iota). Decided exactly on two-point laws.",
        eta}},
      two_points_of_norm_tau);
  lemmas.add<TwoPoints>(
      "chernoff_display",
      [](const TwoPoints& p) {
        const double bound = -p.q * p.a + shifted_moments(p) - std::log(p.eta);
        return binomial_expectation(
            p.n, p.q, [=, mean = shifted_mean(p)](double k) { return p.n * mean(k) < bound; });
      },
      {{printed, refuted, "display after (39)",
        "With probability at least 1 - eta, - sum psi(iota |y - <x, w>| - iota zeta ||x||) >= "
        "-iota L(w) + iota^theta 2^(theta - 1)/theta (E|y - <x, w>|^theta + zeta^theta "
        "E||x||^theta) + log(1/eta). Checked for residuals iota |y - <x, w>| that are a with "
        "probability q and 0 otherwise, and iota zeta ||x|| = shift: the probability that it fails "
        "is at most eta.",
        eta}},
      two_points_of_norm_tau);
}

void add_steps(LemmaList& lemmas) {
  lemmas.add<Truncated>(
      "truncation",
      [](const auto& p) { return p.bound == Bound::lower ? -log1p(p.excess(-1)) : p.psi(); },
      {{printed, holds, "(15) and (16)",
        "-log(1 - x + |x|^theta/theta) <= psi(x) <= log(1 + x + |x|^theta/theta).",
        [](const auto& p) { return p.bound == Bound::lower ? p.psi() : log1p(p.excess(1)); }}});
  const auto powers = [](const Norms& p) {
    return std::pow(p.first, p.theta) + std::pow(p.second, p.theta);
  };
  lemmas.add<Norms>(
      "norms", [](const Norms& p) { return std::pow(p.norm(), p.theta); },
      {{printed, refuted, "end of the proof of (19)",
        "||x||_2^2 <= |x_1|^theta + ... + |x_d|^theta, by which E||x||_2^2 <= d tau^theta under "
        "Assumption 4. Checked for d = 2 (this check's) and x = (first, second).",
        powers, std::nullopt, [](const Norms& p) { return std::pow(p.norm(), 2); }},
       {corrected, holds, "the same step with powers theta",
        "||x||_2^theta <= |x_1|^theta + ... + |x_d|^theta, here for d = 2.", powers}});
}

void add_terms(LemmaList& lemmas) {
  const std::vector<std::string> small_epsilon{"epsilon <= 1", "n >= 10", "eta <= 0.36",
                                               "the constant is this project's choice"};
  const std::string of_17 = " the terms of (17) are at most ";
  const std::string times_log_n = " log n times (18), which is stated up to logarithms.";
  const auto log_n_bounds = [](double times) -> Side<Terms> {
    return [times](const Terms& p) {
      return times * std::log(p.n) * theta_moment_bound(p.under(Moments::norm));
    };
  };
  lemmas.add<Terms>(
      "assumption_3_terms", terms(Moments::norm, printed),
      {{printed, holds, "(17) and (18)", "At the printed iota" + of_17 + "2" + times_log_n,
        log_n_bounds(2)},
       {proved, refuted, "end of the proof of Theorem 2",
        "At the proof's iota = (d log(1/eta)/(n epsilon))^(1/theta) the terms of (17) are, up to "
        "logarithms, at most a constant times (18), tau (d log n log(1/eta)/(n epsilon))^((theta - "
        "1)/theta). The dimension is d (the factor 5 log n that is allowed and zeta = 1/n are this "
        "check's).",
        log_n_bounds(5), std::nullopt, terms(Moments::norm, proved)},
       {corrected, holds, "(17) at the iota that balances it",
        "At iota = (d log n log(1/eta)/(n epsilon))^(1/theta)/tau" + of_17 + "2.65 times (18).",
        bounds(2.65, Moments::norm), std::nullopt, terms(Moments::norm, corrected)}},
      small_epsilon);
  const std::string of_19 =
      "/tau the terms of (17), with E ||x||_2^theta <= d tau^theta, are at most ";
  lemmas.add<Terms>(
      "assumption_4_terms", terms(Moments::coordinates, printed),
      {{printed, refuted, "(19)",
        "At iota = (log n log(1/eta)/(n epsilon))^((theta - 1)/theta)/tau the terms of (17), with "
        "E ||x||_2^theta <= d tau^theta, are at most a constant times (19), tau d (log n "
        "log(1/eta)/(n "
        "epsilon))^((theta - 1)/theta). The dimension is d (the constant 5 and zeta = 1/n are this "
        "check's).",
        bounds(5, Moments::coordinates), Terms::fields().within(&Terms::n, 1e6, 1e6, 1e12),
        std::nullopt,
        std::vector<std::string>{"epsilon in [0.001, 1]", "n >= 10^6: log n log(1/eta) < n epsilon",
                                 "eta <= 0.36", "the constant is this project's choice"}},
       {corrected, holds, "(19) with the exponent 1/theta in iota",
        "At iota = (log n log(1/eta)/(n epsilon))^(1/theta)" + of_19 + "2.65 times (19).",
        bounds(2.65, Moments::coordinates), std::nullopt, terms(Moments::coordinates, corrected)}},
      small_epsilon);
}

// (26) adds (20), Lemma 7, (23) and (24); (24) itself adds Lemma 9 and (25). In units of
// iota^(theta - 1) sup E|y - <x, w>|^theta/theta: 1 + 1 + 2^(theta - 1) + 1. In units of
// log(N/eta)/(n iota): 4 log(theta)/epsilon + 1 + 1 + 2.
void add_end(LemmaList& lemmas) {
  const std::string moments =
      " sup E|y - <x, w>|^theta covers the moment terms that (26) adds: those of Lemma 7, (23), "
      "Lemma 9 and (25).";
  lemmas.add<Order>("final_moments", [](const auto& p) { return 3 + p.doubled(); },
                    {{printed, refuted, "(24) and (26)",
                      "In (26) the term 2 (2 iota)^(theta - 1)/theta" + moments,
                      [](const auto& p) { return 2 * p.doubled(); }},
                     {corrected, holds, "(26) with the constant of (14)",
                      "5 iota^(theta - 1)/theta" + moments, 5}});
  const std::string logarithms =
      "/(n iota epsilon) log(N/eta) covers the logarithmic terms that (26) adds, (4 + 4 "
      "log(theta)/epsilon)/(n iota) log(N/eta), for ";
  lemmas.add<Logarithms>(
      "final_logarithms", [](const auto& p) { return 4 + 4 * p.log_theta() / p.epsilon; },
      {{printed, refuted, "(26)", "In (26) the term 8 log theta" + logarithms + "any epsilon > 0.",
        [](const auto& p) { return 8 * p.log_theta() / p.epsilon; }},
       {corrected, holds, "(26) without log theta", "8" + logarithms + "epsilon <= 1.",
        [](const auto& p) { return 8 / p.epsilon; },
        Logarithms<double>::fields().within(&Logarithms<double>::epsilon, 1.0, 1e-3, 1.0),
        std::nullopt, std::vector<std::string>{"epsilon <= 1"}}});
  lemmas.add<Shares>(
      "final_logarithms",
      [](const auto& p) { return 4 + 4 * p.log_theta() / (p.share * p.log_theta()); },
      {{proved, holds, "(26)", "8 log theta" + logarithms + "epsilon <= log theta.",
        [](const auto& p) { return 8 * p.log_theta() / (p.share * p.log_theta()); }}},
      {"epsilon = share log theta <= log theta"});
}

}  // namespace

std::vector<Claim> l1_regression_theta_moment_lemmas() {
  LemmaList lemmas("wang_xu.l1_regression_theta_moment", Text::wang_xu);
  add_deviations(lemmas);
  add_steps(lemmas);
  add_terms(lemmas);
  add_end(lemmas);
  return lemmas.take();
}

}  // namespace dpverify::wang_xu
