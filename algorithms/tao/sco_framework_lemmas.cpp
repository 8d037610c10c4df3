// Lemmas 17 and 18 of Tao, Wu, Cheng and Wang, on quadratics.
#include <algorithm>
#include <cmath>

#include "algorithms/claims/lemmas.hpp"
#include "algorithms/tao/sco_framework.hpp"

namespace dpverify::tao {
namespace {

using enum Edition;
using enum Expectation;
using enum Scale;

enum class Bias { constant, away_from_optimum, towards_optimum };

// Gradient descent on beta (w - c r)^2/2 over [-r, r] from `start` r with gradients off by B.
struct Descent {
  double beta = 1, r = 1, c = 0, start = 1, eta = 1, bias = 0.1;
  Bias kind = Bias::constant;
  Index steps = 1;
  static Fields<Descent> fields() {
    return {
        field("beta", &Descent::beta).range(1.0, 0.01, 100.0, logarithmic),
        field("r", &Descent::r).range(1.0, 0.01, 100.0, logarithmic),
        field("c", &Descent::c).range(0, -1, 1),
        field("start", &Descent::start).range(1, -1, 1),
        field("eta", &Descent::eta).range(1.0, 1e-3, 1e3, logarithmic),
        field("B", &Descent::bias).range(0.1, 1e-3, 1e3, logarithmic),
        field("kind", &Descent::kind).range(Bias::constant, Bias::constant, Bias::towards_optimum),
        field("T", &Descent::steps).range(1, 1, 50)};
  }
};

double risk_of_average(const Descent& p) {
  const double c = p.r * p.c;
  double w = p.r * p.start, sum = 0;
  for (Index t = 1; t <= p.steps; ++t) {
    double side = 1;
    if (p.kind != Bias::constant) side = (w > c) == (p.kind == Bias::away_from_optimum) ? 1 : -1;
    w = std::clamp(w - p.eta * (p.beta * (w - c) + p.bias * side), -p.r, p.r);
    sum += w;
  }
  return p.beta * std::pow(sum / static_cast<double>(p.steps) - c, 2) / 2;
}

double lemma_17(const Descent& p) {
  const double diameter = 2 * p.r, gradient = p.beta * (p.r + std::abs(p.r * p.c));
  return diameter * diameter / (2 * p.eta * static_cast<double>(p.steps)) +
         p.eta * gradient * gradient / 2 + p.eta * p.bias * p.bias / 2 + diameter * p.bias;
}

// h (w - w*)^2/2, alpha <= h <= beta, from ||w_0 - w*|| = Delta with gradients that are off by V
// away from w*; eta = 1/(alpha + beta).
template <class Real>
struct Quadratic {
  Real alpha, kappa, where, diameter, v, t;
  static Fields<Quadratic> fields() {
    return {field("alpha", &Quadratic::alpha).range(1.0, 0.01, 100.0, logarithmic),
            field("kappa", &Quadratic::kappa).range(1.0, 1.0, 1e3, logarithmic),
            field("where", &Quadratic::where).range(0, 0, 1),
            field("Delta", &Quadratic::diameter).range(1.0, 0.01, 1e3, logarithmic),
            field("V", &Quadratic::v).range(0.1, 1e-6, 10.0, logarithmic),
            field("T", &Quadratic::t).range(1, 1, 50, integer)};
  }
  Real beta() const { return alpha * kappa; }
  Real h() const { return alpha * pow(kappa, where); }
  Real ratio() const { return (alpha + beta()) * v / (alpha * beta()); }
  Real step_factor() const { return 1 - h() / (alpha + beta()); }
  Real distance(const Real& steps) const {
    const Real factor = pow(step_factor(), steps);
    return factor * diameter + v / h() * (1 - factor);
  }
  Real contraction() const { return 1 - alpha * beta() / pow(alpha + beta(), 2); }
  Real printed_contraction() const { return 1 - (alpha + beta()) / pow(alpha + beta(), 2); }
};

// The risk after Lemma 18's T, where contraction^T <= (alpha + beta) V/(alpha beta), as its proof
// needs it.
double risk_after_t(const Quadratic<double>& q) {
  const double t = std::max(1.0, std::ceil(std::log(q.ratio()) / std::log(q.contraction())));
  if (std::pow(q.contraction(), t) > q.ratio()) return 0;
  const double distance = std::min(q.diameter, q.distance(t));
  return q.h() * distance * distance / 2;
}

double risk_bound(const Quadratic<double>& q) {
  return std::pow((q.alpha + q.beta()) * (q.diameter + 1) * q.v / (q.alpha * q.beta()), 2) / 2;
}

// V is a share of alpha beta/(alpha + beta), below which gradients are worth following.
template <class Real>
struct Share {
  Real alpha, kappa, share;
  static Fields<Share> fields() {
    return {field("alpha", &Share::alpha).range(1.0, 0.01, 100.0, logarithmic),
            field("kappa", &Share::kappa).range(1.0, 1.0, 1e3, logarithmic),
            field("share", &Share::share).range(0.1, 1e-6, 0.5, logarithmic)};
  }
  Real beta() const { return alpha * kappa; }
  Real squares() const { return alpha * alpha + beta() * beta(); }
  Real iterations(const Real& denominator) const {
    const Real v = share * alpha * beta() / (alpha + beta());
    return log((alpha + beta()) * v / (alpha * beta())) /
           log((squares() + alpha * beta()) / denominator);
  }
};

void add_strongly_convex(LemmaList& lemmas) {
  const std::string on_quadratics =
      " (Checked on the risk h (w - w*)^2/2 with beta = kappa alpha and h = alpha kappa^where.)";
  const std::vector<std::string> quadratics{"quadratics, gradients off by exactly V"};
  lemmas.add<Quadratic>("contraction", [](const auto& q) { return q.step_factor(); },
                        {{printed, refuted, "Lemma 18",
                          "If the risk is alpha-strongly convex and beta-smooth, a step 1/(alpha + "
                          "beta) with exact gradients shrinks the distance to w* at least to 1 - "
                          "(alpha + beta)/(alpha + beta)^2 of it." +
                              on_quadratics + " Delta, V and T do not enter.",
                          [](const auto& q) { return q.printed_contraction(); }},
                         {corrected, holds, "Lemma 18 with 1 - alpha beta/(alpha + beta)^2",
                          "A step 1/(alpha + beta) with exact gradients shrinks the distance to w* "
                          "at least to 1 - alpha beta/(alpha + beta)^2 of it.",
                          [](const auto& q) { return q.contraction(); }}},
                        {"quadratics, exact gradients"});
  lemmas.add<Quadratic>(
      "strongly_convex",
      [](const auto& q) { return q.h() * pow(min(q.distance(q.t), q.diameter), 2) / 2; },
      {{printed, refuted, "Lemma 18",
        "After T steps 1/(alpha + beta) along gradients off by V, from a distance of at most "
        "Delta, the excess risk is at most (1 - (alpha + beta)/(alpha + beta)^2)^T Delta + (alpha "
        "+ beta) V/(alpha beta)." +
            on_quadratics,
        [](const auto& q) { return pow(q.printed_contraction(), q.t) * q.diameter + q.ratio(); }}},
      quadratics);
  lemmas.add<Quadratic>(
      "strongly_convex", [](const auto& q) { return q.distance(q.t); },
      {{corrected, holds, "Lemma 18 for the distance",
        "After T steps 1/(alpha + beta) along gradients off by V the distance to w* is at most (1 "
        "- alpha beta/(alpha + beta)^2)^T Delta + (alpha + beta) V/(alpha beta).",
        [](const auto& q) { return pow(q.contraction(), q.t) * q.diameter + q.ratio(); }}},
      quadratics);
  lemmas.add<Share>(
      "iterations", 1,
      {{printed, refuted, "Lemma 18",
        "The number of steps T = log((alpha + beta) V/(alpha beta))/log((alpha^2 + beta^2 + alpha "
        "beta)/(alpha^2 + beta^2)) is at least 1 for V below alpha beta/(2 (alpha + beta)). (That "
        "range of V, the error of the gradients, is this check's; share is V (alpha + beta)/(alpha "
        "beta), and kappa is beta/alpha.)",
        [](const auto& p) { return p.iterations(p.squares()); }},
       {corrected,
        holds,
        "Theorem 7's T, with V for its G",
        "T = log((alpha + beta) V/(alpha beta))/log((alpha^2 + beta^2 + alpha beta)/(alpha + "
        "beta)^2) is at least 1 for V below alpha beta/(2 (alpha + beta)).",
        [](const auto& p) { return p.iterations(pow(p.alpha + p.beta(), 2)); },
        {},
        {},
        {},
        Text::tao}});
  const std::string after =
      "After log((alpha + beta) V/(alpha beta))/log(1 - alpha beta/(alpha + beta)^2), rounded up, "
      "steps along gradients off by V the excess risk is at most (alpha + beta)^2 (Delta + 1)^2 "
      "V^2/(2 alpha^2 ";
  lemmas.add<Quadratic<double>>(
      "risk", risk_after_t,
      {{printed, refuted, "Lemma 18, second display",
        after + "beta^2). "
                "Delta is the distance at the start. (That T has the denominator of Theorem 7; the "
                "T of the counterexample is not used. Checked on the risk h (w - w*)^2/2 with beta "
                "= kappa alpha and h = alpha kappa^where.)",
        risk_bound},
       {corrected, holds,
        "Lemma 18, second display, with beta once in the denominator, as in Theorem 7",
        after + "beta).", [](const Quadratic<double>& q) { return q.beta() * risk_bound(q); }}},
      quadratics);
}

}  // namespace

std::vector<Claim> sco_framework_lemmas() {
  LemmaList lemmas("tao.sco_framework", Text::tao);
  lemmas.add<Descent>("convex", risk_of_average,
                      {{printed, holds, "Lemma 17",
                        "The average of the iterates w_1 to w_T of descent with steps eta along "
                        "gradients with a bias of at most B and a mean squared error of at most "
                        "V^2 has excess risk at most Delta^2/(2 eta T) + eta R^2/2 + eta V^2/2 + "
                        "Delta B.",
                        lemma_17}},
                      {"quadratics in one dimension, gradients off by exactly B"});
  add_strongly_convex(lemmas);
  return lemmas.take();
}

}  // namespace dpverify::tao
