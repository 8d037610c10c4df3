// Steps of the proof of Wang and Xu's Theorem 1 that one inequality decides.
#include <cmath>

#include "algorithms/wang_xu/l1_regression_second_moment.hpp"
#include "algorithms/wang_xu/shared_lemmas.hpp"

namespace dpverify::wang_xu {
namespace {

using enum Edition;
using enum Expectation;
using enum Scale;

template <class Real>
struct Truncated {
  Real x = 0;
  Bound bound = Bound::lower;
  static Fields<Truncated> fields() {
    return {field("x", &Truncated::x).range(0, -20, 20),
            field("side", &Truncated::bound).range(Bound::lower, Bound::lower, Bound::upper)};
  }
  Real psi() const { return LogTruncationOf<Real>(2)(x); }
};

// One record (1, y), y >= 1, and W = [-1, 1]: w* = 1.
template <class Real>
struct OneRecord {
  Real y = 1, w = 1;
  static Fields<OneRecord> fields() {
    return {field("y", &OneRecord::y).range(1, 1, 10), field("w", &OneRecord::w).range(1, -1, 1)};
  }
  Real at_optimum() const { return pow(y - 1, 2); }
  Real twice_distance() const { return 2 * pow(w - 1, 2); }
};

template <class Real>
struct Failure {
  Real eta = 0.05;
  static Fields<Failure> fields() {
    return {field("eta", &Failure::eta).range(0.05, 1e-6, 0.2, logarithmic)};
  }
};

template <class Real>
struct Union {
  Real candidates = 2, eta = 0.05;
  static Fields<Union> fields() {
    return {field("candidates", &Union::candidates).range(2.0, 1.0, 1e9, logarithmic),
            field("eta", &Union::eta).range(0.05, 1e-9, 0.99, logarithmic)};
  }
};

template <class Real>
struct Dimension {
  Real dimension = 2;
  static Fields<Dimension> fields() {
    return {field("dimension", &Dimension::dimension).range(2, 1, 100, integer)};
  }
};

template <class Real>
struct Noise {
  Real variance = 1, diameter = 1;
  static Fields<Noise> fields() {
    return {field("noise_variance", &Noise::variance).range(1.0, 0.0, 1e6),
            field("diameter", &Noise::diameter).range(1.0, 0.1, 10.0, logarithmic)};
  }
};

template <class Real>
struct Net {
  Real n = 10, eta = 0.05;
  static Fields<Net> fields() {
    return {field("n", &Net::n).range(10.0, 10.0, 1e12, logarithmic),
            field("eta", &Net::eta).range(0.05, 1e-300, 0.99, logarithmic)};
  }
};

template <class Real>
struct Logarithms {
  Real epsilon = 1;
  static Fields<Logarithms> fields() {
    return {field("epsilon", &Logarithms::epsilon).range(1.0, 1e-3, 1e6, logarithmic)};
  }
};

struct Covering {
  Index dimension = 1;
  double zeta = 1;
  static Fields<Covering> fields() {
    return {field("dimension", &Covering::dimension).range(1, 1, 3),
            field("zeta", &Covering::zeta).range(1.0, 1e-3, 1.0, logarithmic)};
  }
};

struct Terms {
  Index n = 10, dimension = 1;
  double epsilon = 1, tau = 1, eta = 0.05;
  static Fields<Terms> fields() {
    return {field("n", &Terms::n).range(10.0, 10.0, 1e12, logarithmic),
            field("dimension", &Terms::dimension).range(1, 1, 100),
            field("epsilon", &Terms::epsilon).range(1.0, 1e-3, 1.0, logarithmic),
            field("tau", &Terms::tau).range(1.0, 0.01, 100.0, logarithmic),
            field("eta", &Terms::eta).range(0.05, 1e-6, 0.36, logarithmic)};
  }
  double bound(Moments moments) const {
    return theorem_bound(n, dimension, epsilon, tau, eta, moments);
  }
};

// The terms of Theorem 1's first display with every constant 1, Delta = 1, zeta = 1/n, log N = d
// log(3n), at the theorem's iota: zeta M^(1/2) + iota (1 + zeta^2) M + log(N/eta)/(n iota epsilon),
// M >= E||x||_2^2.
double first_display(const Terms& p, Moments moments) {
  const auto n = static_cast<double>(p.n), d = static_cast<double>(p.dimension);
  const double moment = p.tau * p.tau * (moments == Moments::norm ? 1 : d);
  const double iota = p.bound(moments) / moment, zeta = 1 / n;
  return zeta * std::sqrt(moment) + iota * (1 + zeta * zeta) * moment +
         (d * std::log(3 * n) - std::log(p.eta)) / (n * iota * p.epsilon);
}

void add_steps(LemmaList& lemmas) {
  lemmas.add<Truncated>(
      "truncation",
      [](const auto& p) { return p.bound == Bound::lower ? -log1p(p.x * (p.x / 2 - 1)) : p.psi(); },
      {{printed, holds, "(3) and (6)", "-log(1 - x + x^2/2) <= psi(x) <= log(1 + x + x^2/2).",
        [](const auto& p) {
          return p.bound == Bound::lower ? p.psi() : log1p(p.x * (p.x / 2 + 1));
        }}});
  lemmas.add<OneRecord>(
      "second_moment", [](const auto& p) { return pow(p.y - p.w, 2); },
      {{printed, refuted, "end of the proof of Theorem 1",
        "E(y - <x, w>)^2 <= E(y - <x, w*>)^2 + 2 E ||x||_2^2 ||w - w*||_2^2 for every w in W. "
        "Checked for the single record (1, y) with y >= 1 and W = [-1, 1], where w* = 1 (both are "
        "this check's).",
        [](const auto& p) { return p.at_optimum() + p.twice_distance(); }},
       {corrected, holds, "the same step with (a + b)^2 <= 2 a^2 + 2 b^2",
        "E(y - <x, w>)^2 <= 2 E(y - <x, w*>)^2 + 2 E ||x||_2^2 ||w - w*||_2^2, here for the record "
        "(1, y) and W = [-1, 1].",
        [](const auto& p) { return 2 * p.at_optimum() + p.twice_distance(); }}});
  lemmas.add<Failure>(
      "failure_probability", [](const auto& p) { return p.eta + p.eta + p.eta + 2 * p.eta; },
      {{printed, refuted, "proof of Theorem 1, (14)",
        "(9), Lemma 4, (13) and Lemma 6, which fail with probability at most eta, eta, eta and 2 "
        "eta, hold together with probability at least 1 - 4 eta by the union bound.",
        [](const auto& p) { return 4 * p.eta; }}});
  const auto bound = [](const Covering& p) {
    return std::pow(3 / p.zeta, static_cast<double>(p.dimension));
  };
  lemmas.add<Covering>(
      "net_size", [](const Covering& p) { return cell_count(ball_net(p.dimension, 0.5, p.zeta)); },
      {{printed, refuted, "Lemma 2",
        "A bounded set of diameter Delta in d dimensions has a covering number of at most (3 "
        "Delta/zeta)^d for every radius zeta > 0.",
        bound, Covering::fields().within(&Covering::zeta, 4.0, 1e-3, 100.0), 1.0,
        std::vector<std::string>{"Delta = 1"}},
       {corrected, holds, "Lemma 2 for zeta <= Delta",
        "The cells of the net of a ball number at most (3 Delta/zeta)^d for zeta <= Delta.",
        bound}},
      {"Delta = 1", "d <= 3"});
  lemmas.add<Union>("third_lemma_logarithms",
                    [](const auto& p) { return log(p.candidates) - log(p.eta) - log(p.eta); },
                    {{printed, refuted, "Lemma 6",
                      "log(N/eta)/(n iota) in Lemma 6 covers the two logarithmic terms of its "
                      "proof, log(N/eta)/(n iota) for the candidate near the minimiser and "
                      "log(1/eta)/(n iota) for w*. N is the number of candidates.",
                      [](const auto& p) { return log(p.candidates) - log(p.eta); }}});
  lemmas.add<Dimension>(
      "third_lemma_assumption", [](const auto& p) { return sqrt(p.dimension); },
      {{printed, refuted, "Lemma 6, which names Assumption 2",
        "Under Assumption 2, E x_j^2 <= tau^2 for every coordinate, E||x||_2 <= tau, which the "
        "term 2 zeta tau of Lemma 6 rests on. Checked at x = (tau, ..., tau).",
        1}},
      {"tau = 1"});
}

void add_end(LemmaList& lemmas) {
  lemmas.add<Noise>(
      "noise_moment", [](const auto& p) { return p.variance; },
      {{printed, refuted, "end of the proof of Theorem 1",
        "Under Assumption 1, E(y - <x, w*>)^2 is O(Delta^2 tau^2). The noise_variance is E(y - <x, "
        "w*>)^2 and the diameter is Delta (the constant 10 is this check's).",
        [](const auto& p) { return 10 * pow(p.diameter, 2); }}},
      {"y = <x, w*> + noise", "tau = 1"});
  lemmas.add<Net>("display_logarithm", [](const auto& p) { return log(3 * p.n) - log(p.eta); },
                  {{printed, refuted, "Theorem 1, first display: log(N/zeta)",
                    "The first display of Theorem 1 has O(log(N/zeta)), zeta the radius of the "
                    "net, for the log(N/eta) of (14), eta the failure probability: log(N/eta) <= "
                    "10 log(N/zeta) (the constant 10 is this check's).",
                    [](const auto& p) { return 10 * log(3 * p.n * p.n); }}},
                  {"zeta = 1/n, N = 3n"});
  const std::vector<std::string> small_epsilon{"epsilon <= 1", "n >= 10", "eta <= 0.36",
                                               "the constant is this project's choice"};
  const std::string terms =
      "At the printed iota the terms of Theorem 1's first display, with log(N/eta)";
  lemmas.add<Terms>(
      "assumption_1_terms", [](const Terms& p) { return first_display(p, Moments::norm); },
      {{printed, holds, "Theorem 1, (7)", terms + ", are at most 3.1 times (7).",
        [](const Terms& p) { return 3.1 * p.bound(Moments::norm); }}},
      small_epsilon);
  lemmas.add<Terms>(
      "assumption_2_terms", [](const Terms& p) { return first_display(p, Moments::coordinates); },
      {{printed, holds, "Theorem 1, (8)",
        terms + " and E||x||_2^2 <= d tau^2, are at most 3.1 times (8).",
        [](const Terms& p) { return 3.1 * p.bound(Moments::coordinates); }}},
      small_epsilon);
  const std::string added =
      "The logarithmic terms that (14) adds, (3 + 4 log(2)/epsilon) log(N/eta)/(n iota), are "
      "O(log(N/eta)/(n iota epsilon)) for ";
  // In units of log(N/eta)/(n iota).
  const auto over_epsilon = [](double times) {
    return [times](const auto& p) { return times / p.epsilon; };
  };
  lemmas.add<Logarithms>(
      "final_logarithms",
      [](const auto& p) { return 3 + 4 * log(decltype(p.epsilon)(2)) / p.epsilon; },
      {{printed, refuted, "(14) and the first display of Theorem 1",
        added + "any epsilon > 0 (the constant 10 is this check's).", over_epsilon(10)},
       {corrected, holds, "(14) for epsilon <= 1", added + "epsilon <= 1, with constant 5.8.",
        over_epsilon(5.8),
        Logarithms<double>::fields().within(&Logarithms<double>::epsilon, 1.0, 1e-3, 1.0),
        std::nullopt, std::vector<std::string>{"epsilon <= 1"}}});
}

}  // namespace

std::vector<Claim> l1_regression_second_moment_lemmas() {
  LemmaList lemmas("wang_xu.l1_regression_second_moment", Text::wang_xu);
  add_steps(lemmas);
  add_shared_lemmas(
      lemmas,
      {"Lemma 4", "Lemma 5", "proof of Theorem 1, (9)", "iota/2 E(y - <x, w>)^2", "log 2",
       TwoPoints::fields().within(&TwoPoints::theta, 2.0, 2.0, 2.0).without(&TwoPoints::shift)});
  add_end(lemmas);
  return lemmas.take();
}

}  // namespace dpverify::wang_xu
