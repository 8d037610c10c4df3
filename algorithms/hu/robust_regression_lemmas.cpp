// Steps of the proof of Theorem 3 of Hu, Ni, Xiao and Wang that one inequality decides.
#include <cmath>

#include "algorithms/claims/lemmas.hpp"
#include "algorithms/hu/robust_regression.hpp"

namespace dpverify::hu {
namespace {

using enum Edition;
using enum Expectation;
using enum Scale;

// Lemma 7 on the law: one feature, x with probability `share` and 0 otherwise, no noise, u = w -
// w*. C_psi = 1 bounds psi' and psi'' of all three losses; h'(0) = psi''(0) = 1, so that any c_psi
// < 1 is allowed.
struct Residual {
  double u = 1, x = 3, share = 1.0 / 9, c_psi = 0.5;
  static Fields<Residual> fields() {
    return {field("u", &Residual::u).range(1.0, -2.0, 2.0),
            field("x", &Residual::x).range(3.0, 0.0, 3.0),
            field("share", &Residual::share).range(1.0 / 9, 0.0, 1.0 / 9),
            field("c_psi", &Residual::c_psi).range(0.5, 1e-6, 0.999, logarithmic)};
  }
  double excess(Loss loss) const { return share * loss_value(loss, x * u, 0); }
  double dominated(Loss loss, double factor) const {
    return factor * share * loss_derivative(loss, x * u, 0) * (x * u);
  }
};

// The same with residuals of up to `bound`, or 1000 times as much for the two losses whose
// derivative stays positive.
struct BoundedResidual {
  Loss loss = Loss::pseudo_huber;
  double u = 1, bound = 0.5;
  bool unbounded = false;
  double share = 1;
  static Fields<BoundedResidual> fields() {
    using R = BoundedResidual;
    return {field("loss", &R::loss).range(Loss::pseudo_huber, Loss::biweight, Loss::pseudo_huber),
            field("u", &R::u).range(1.0, -1.0, 1.0),
            field("bound", &R::bound).range(0.5, 1e-3, 0.999, logarithmic),
            field("unbounded", &R::unbounded).range(false, false, true),
            field("share", &R::share).range(1.0, 0.0, 1.0)};
  }
  double largest() const { return (unbounded && loss != Loss::biweight ? 1e3 : 1) * bound; }
  Residual residual() const { return {.u = u, .x = largest(), .share = share}; }
  // The infimum of psi'(r)/r.
  double curvature() const { return loss_derivative(loss, largest(), 0) / largest(); }
};

template <class Real>
struct Contraction {
  Real eta, iterations;
  static Fields<Contraction> fields() {
    return {field("eta", &Contraction::eta).range(0.5, 1e-6, 0.999999, logarithmic),
            field("iterations", &Contraction::iterations).range(1.0, 1.0, 1e6, logarithmic)};
  }
};

}  // namespace

std::vector<Claim> robust_regression_lemmas() {
  LemmaList lemmas("hu.robust_regression", Text::hu);
  const std::vector<std::string> one_feature{
      "one feature, x in [0, 3] with probability at most 1/9 and 0 otherwise: E x^2 <= 1",
      "no noise, w and w* in [-1, 1]", "C_psi = 1"};
  const char* lemma_7 = "proof of Theorem 3, Lemma 7; Assumption 2";
  lemmas.add<Residual>(
      "gradient_dominance_biweight", [](const Residual& r) { return r.excess(Loss::biweight); },
      {{printed, refuted, lemma_7,
        "For the biweight loss, which Assumption 2 is said to include, L(w) - L(w*) <= C_psi/(2 "
        "c_psi) <grad L(w), w - w*> for some c_psi > 0. (c = 1, C_psi = 1, the c_psi tried, one "
        "feature that is x with probability share and 0 otherwise, and no noise are this check's; "
        "u is w - w*.)",
        [](const Residual& r) { return r.dominated(Loss::biweight, 0.5 / r.c_psi); }}},
      one_feature);
  // The biweight loss violates Assumption 2.2 (psi' > 0); this one meets all of it.
  lemmas.add<Residual>(
      "gradient_dominance_geman_mcclure",
      [](const Residual& r) { return r.excess(Loss::geman_mcclure); },
      {{printed, refuted, lemma_7,
        "For a loss that meets Assumption 2, L(w) - L(w*) <= C_psi/(2 c_psi) <grad L(w), w - w*>. "
        "(The Geman-McClure loss psi(r) = r^2/(2 (1 + r^2)), with C_psi = 1 and h'(0) = 1 > c_psi "
        "= 0.9, one feature that is x with probability share and 0 otherwise, and no noise are "
        "this check's; u is w - w*.)",
        [](const Residual& r) { return r.dominated(Loss::geman_mcclure, 0.5 / 0.9); },
        Residual::fields().without(&Residual::c_psi)}},
      one_feature);
  lemmas.add<BoundedResidual>(
      "gradient_dominance", [](const BoundedResidual& r) { return r.residual().excess(r.loss); },
      {{corrected, holds,
        "Lemma 7 with c_psi the infimum of psi'(r)/r over the residuals that occur",
        "If |<w - w*, x>| <= B for all x and w, L(w) - L(w*) <= C_psi/(2 c) <grad L(w), w - w*> "
        "with c = psi'(B)/B (B < 1 for the biweight loss).",
        [](const BoundedResidual& r) {
          return r.residual().dominated(r.loss, 0.5 / r.curvature());
        }}},
      {"no noise", "C_psi = 1"});
  lemmas.add<Contraction>(
      "geometric", [](const auto& p) { return exp(p.iterations * log1p(-p.eta)); },
      {{printed, holds, "proof of Theorem 3, last note: (1 - eta)^T <= 1/(eta T)",
        "(1 - eta)^T <= 1/(eta T) for every eta in (0, 1) and T >= 1.",
        [](const auto& p) { return 1 / (p.eta * p.iterations); }}});
  return lemmas.take();
}

}  // namespace dpverify::hu
