// Steps of the proofs of Lemma 14 and Theorem 13 that one inequality decides. Where a step has an
// unstated constant, the claim allows a generous one, and a refutation is of that one over the
// ranges that the claim states.
#include <algorithm>
#include <cmath>

#include "algorithms/claims/claim_list.hpp"
#include "algorithms/core/gaussian.hpp"
#include "algorithms/core/norms.hpp"
#include "algorithms/core/random.hpp"
#include "algorithms/su/phased_sgd.hpp"

namespace dpverify::su {
namespace {

using Sides = LemmaClaim::Sides;
using enum Edition;
using enum Expectation;

const std::string paper = "Su, Zhao and Wang (supplement)";
const std::string here = "this project";

// The Gaussian mechanism with standard deviation 2 s sqrt(log(1/delta))/epsilon, s the sensitivity,
// at epsilon = share * 2 log(1/delta): its exact delta against the claimed one.
LemmaClaim gaussian(double largest_share, double slack) {
  return {{{"delta", 1e-5, 1e-300, 0.9999, Scale::logarithmic},
           {"share", 1, 1e-4, largest_share, Scale::logarithmic}},
          [slack](const ParameterPoint& p) {
            const double logarithm = -std::log(p.at("delta"));
            const double epsilon = p.at("share") * 2 * logarithm;
            return Sides{gaussian_delta(epsilon / (2 * std::sqrt(logarithm)), epsilon),
                         p.at("delta") / slack};
          }};
}

const std::vector<ParameterRange> theorem_ranges{{"n", 1e4, 16, 1e15, Scale::logarithmic},
                                                 {"d", 50, 1, 1e6, Scale::logarithmic},
                                                 {"epsilon", 1, 1e-3, 10, Scale::logarithmic},
                                                 {"delta", 1e-5, 1e-300, 0.1, Scale::logarithmic}};

std::vector<ParameterRange> with(ParameterRange more) {
  std::vector<ParameterRange> out = theorem_ranges;
  out.push_back(std::move(more));
  return out;
}

double step(const ParameterPoint& p, PhasedStep print) {
  return phased_step(print, static_cast<Index>(p.at("n")), static_cast<Index>(p.at("d")),
                     p.at("epsilon"), p.at("delta"), 1);
}

double bound(const ParameterPoint& p, double optimum_norm) {
  return phased_sgd_bound(static_cast<Index>(p.at("n")), static_cast<Index>(p.at("d")),
                          p.at("epsilon"), p.at("delta"), 1, optimum_norm);
}

// sqrt(d) times the standard deviation of the noise of phase i, L = 1.
double noise_norm(const ParameterPoint& p, double phase) {
  return 4 * std::pow(4, -phase) * step(p, PhasedStep::lemma_14) *
         std::sqrt(std::floor(p.at("d")) * -std::log(p.at("delta"))) / p.at("epsilon");
}

// Gradient descent of `steps` steps on f(w) = sqrt(1 + (w - centre)^2) - 1, which is 1-smooth and
// 1-Lipschitz: Lemma 15 with its constant 1/2, against w = centre + offset.
Sides averaged_descent(const ParameterPoint& p) {
  const auto f = [&](double w) { return std::hypot(1, w - p.at("centre")) - 1; };
  const double eta = p.at("eta"), steps = p.at("steps"), w0 = 0;
  double w = w0, sum = w0;
  for (int t = 0; t < static_cast<int>(steps); ++t) {
    w -= eta * (w - p.at("centre")) / std::hypot(1, w - p.at("centre"));
    sum += w;
  }
  const double other = p.at("centre") + p.at("offset");
  return {f(sum / (steps + 1)) - f(other), std::pow(w0 - other, 2) / (2 * eta * steps) + eta / 2};
}

// A step of SGD on two points and one record, eta = share/beta: is it nonexpansive?
Sides nonexpansive(const ParameterPoint& p) {
  RandomStream stream({.seed = static_cast<std::uint64_t>(p.at("seed")), .claim = "nonexpansive"});
  const Loss loss = stream.uniform() < 0.5 ? Loss::logistic : Loss::pseudo_huber;
  VectorXd x = stream.normal_vector(2);
  x *= p.at("length") / x.norm();
  const VectorXd w = p.at("spread") * stream.normal_vector(2);
  const VectorXd v = w + p.at("distance") * stream.normal_vector(2);
  const double y = loss == Loss::logistic ? (stream.uniform() < 0.5 ? 1 : -1)
                                          : x.dot(w) + p.at("distance") * stream.normal();
  const double beta = (loss == Loss::logistic ? 0.25 : 1) * x.squaredNorm();
  const auto stepped = [&](const VectorXd& at) -> VectorXd {
    return at - p.at("share") / beta * loss_derivative(loss, x.dot(at), y) * x;
  };
  return {(stepped(w) - stepped(v)).norm(), (w - v).norm() * (1 + 1e-9)};  // up to rounding
}

LemmaClaim nonexpansive_up_to(double largest_share) {
  return {{{"seed", 0, 0, 100'000, Scale::integer},
           {"share", largest_share, 1e-3, largest_share, Scale::logarithmic},
           {"length", 1, 0.1, 10, Scale::logarithmic},
           {"spread", 1, 0.01, 100, Scale::logarithmic},
           {"distance", 1, 0.01, 100, Scale::logarithmic}},
          nonexpansive};
}

// ||theta||_2 against d^(1/2 - 1/p) ||theta||_p, and ||g||_2 against ||g||_q, q dual to p.
Sides diameter(const ParameterPoint& p) {
  RandomStream stream({.seed = static_cast<std::uint64_t>(p.at("seed")), .claim = "norms"});
  VectorXd theta(static_cast<Index>(p.at("d")));
  for (double& x : theta) x = stream.uniform() < 0.5 ? 0 : stream.laplace();
  const double exponent = p.at("p");
  if (p.at("dual") == 1) return {theta.norm(), lp_norm(theta, dual_exponent(exponent))};
  return {theta.norm(), std::pow(p.at("d"), 0.5 - 1 / exponent) * lp_norm(theta, exponent)};
}

LemmaClaim norms(double smallest_p) {
  return {{{"seed", 0, 0, 10'000, Scale::integer},
           {"d", 2, 2, 100, Scale::integer},
           {"p", smallest_p, smallest_p, 1000, Scale::logarithmic},
           {"dual", 0, 0, 1, Scale::integer}},
          diameter};
}

}  // namespace

std::vector<Claim> phased_sgd_lemmas() {
  const Source lemma_14{paper, "Lemma 14"}, proof_14{paper, "proof of Lemma 14"};
  const auto share_of_bound = [](double added) {
    return LemmaClaim{with({"optimum_norm", 1e-3, 1e-3, 1e3, Scale::logarithmic}),
                      [added](const ParameterPoint& p) {
                        const double norm = p.at("optimum_norm");
                        const double eta = step(p, PhasedStep::lemma_14);
                        return Sides{norm * norm / (eta * p.at("n")) + eta,
                                     10 * bound(p, std::sqrt(norm * norm + added))};
                      }};
  };
  return lemma_claims(
      "su.phased_sgd",
      {{"gaussian",
        printed,
        holds,
        {paper, "Algorithm 6, line 8; Lemma 14"},
        "Gaussian noise of standard deviation 2 s sqrt(log(1/delta))/epsilon on a value of "
        "sensitivity s is (epsilon, delta)-DP for every 0 < epsilon <= 2 log(1/delta).",
        gaussian(1, 1)},
       {"gaussian_slack",
        corrected,
        holds,
        {here, "Algorithm 6, line 8"},
        "The same with delta/14 in place of delta: the noise is never tight on that range.",
        gaussian(1, 14)},
       {"gaussian_range",
        corrected,
        holds,
        {here, "Algorithm 6, line 8"},
        "The same with delta for every 0 < epsilon <= 2.34 log(1/delta).",
        gaussian(1.17, 1)},
       {"gaussian_range",
        mutant,
        refuted,
        {here, "planted fault: the limit on epsilon dropped"},
        "The same with delta for epsilon up to 20 log(1/delta).",
        gaussian(10, 1)},
       {"nonexpansive",
        proved,
        holds,
        {paper, "Lemma 14 with eta_i <= 2/beta (after Feldman, Koren and Talwar)"},
        "A step of SGD with eta <= 2/beta brings no two points further apart.",
        nonexpansive_up_to(2)},
       {"nonexpansive",
        mutant,
        refuted,
        {here, "planted fault: eta up to 3/beta"},
        "The same for eta <= 3/beta.",
        nonexpansive_up_to(3)},
       {"averaged_descent",
        printed,
        holds,
        {paper, "Lemma 15, with constant 1/2"},
        "The average of the T + 1 iterates is within ||w_0 - w||^2/(2 eta T) + eta L^2/2 of any w, "
        "on a smooth loss of one dimension with eta <= 1/beta.",
        {{{"eta", 1, 1e-3, 1, Scale::logarithmic},
          {"steps", 1, 1, 40, Scale::integer},
          {"centre", 1, -30, 30, Scale::linear},
          {"offset", 0, -10, 10, Scale::linear}},
         averaged_descent}},
       {"steps_agree",
        printed,
        refuted,
        {paper, "Lemma 14 and Theorem 13"},
        "The eta of Lemma 14 is at most 10 times that of Theorem 13, which prints log(1/delta) "
        "outside the root.",
        {theorem_ranges,
         [](const ParameterPoint& p) {
           return Sides{step(p, PhasedStep::lemma_14), 10 * step(p, PhasedStep::theorem_13)};
         }}},
       {"theorem_13_step",
        printed,
        refuted,
        {paper, "Theorem 13"},
        "With Theorem 13's eta the first phase costs ||theta*||^2/(eta n) <= 10 L ||theta*||^2 "
        "(1/sqrt n + sqrt(d log(1/delta))/(epsilon n)).",
        {theorem_ranges,
         [](const ParameterPoint& p) {
           return Sides{1 / (step(p, PhasedStep::theorem_13) * p.at("n")), 10 * bound(p, 1)};
         }}},
       {"theorem_13_step",
        corrected,
        holds,
        {here, "Theorem 13 with Lemma 14's eta"},
        "The same with Lemma 14's eta.",
        {theorem_ranges,
         [](const ParameterPoint& p) {
           return Sides{1 / (step(p, PhasedStep::lemma_14) * p.at("n")), 10 * bound(p, 1)};
         }}},
       {"proof_step",
        printed,
        holds,
        proof_14,
        "The eta of the proof is within a factor 4 of Lemma 14's.",
        {theorem_ranges,
         [](const ParameterPoint& p) {
           const double lemma = step(p, PhasedStep::lemma_14), proof = step(p, PhasedStep::proof);
           return Sides{std::max(lemma / proof, proof / lemma), 4};
         }}},
       {"phase_noise",
        printed,
        refuted,
        {paper, "proof of Lemma 14, (19)"},
        "Phase i starts E||xi_i||^2 away from the average of phase i - 1. (It starts from w_(i-1) "
        "= average + xi_(i-1), 16 times as much.)",
        {with({"phase", 2, 2, 30, Scale::integer}),
         [](const ParameterPoint& p) {
           return Sides{std::pow(noise_norm(p, p.at("phase") - 1), 2),
                        std::pow(noise_norm(p, p.at("phase")), 2)};
         }}},
       {"phase_noise",
        corrected,
        holds,
        {here, "proof of Lemma 14, (19) with xi_(i-1)"},
        "With the noise of phase i - 1, E||xi_(i-1)||^2/(eta_i n_i) still adds up over the phases "
        "to at most 128 L (1/sqrt n + sqrt(d log(1/delta))/(epsilon n)).",
        {theorem_ranges,
         [](const ParameterPoint& p) {
           double sum = 0;
           auto size = static_cast<Index>(p.at("n")) / 4;
           for (int phase = 2; size >= 1; ++phase, size /= 2)
             sum +=
                 std::pow(noise_norm(p, phase - 1), 2) /
                 (std::pow(4, -phase) * step(p, PhasedStep::lemma_14) * static_cast<double>(size));
           return Sides{sum, 128 * bound(p, 1)};
         }}},
       {"last_noise",
        printed,
        holds,
        proof_14,
        "The noise of the last phase, L sqrt(E||xi_k||^2), is at most 64 L (sqrt(d "
        "log(1/delta))/(epsilon n^2.5) + 1/n^2).",
        {theorem_ranges,
         [](const ParameterPoint& p) {
           const double n = std::floor(p.at("n"));
           return Sides{noise_norm(p, std::floor(std::log2(n))),
                        64 * (std::sqrt(std::floor(p.at("d")) * -std::log(p.at("delta"))) /
                                  (p.at("epsilon") * std::pow(n, 2.5)) +
                              1 / (n * n))};
         }}},
       {"first_phase",
        printed,
        refuted,
        {paper, "proof of Lemma 14, after (21)"},
        "||theta*||^2/(eta n) + eta L^2 <= 10 ||theta*||^2 L (1/sqrt n + sqrt(d "
        "log(1/delta))/(epsilon n)). (The term eta L^2 does not shrink with ||theta*||.)",
        share_of_bound(0)},
       {"first_phase",
        corrected,
        holds,
        {here, "proof of Lemma 14 with ||theta*||^2 + 1"},
        "The same with ||theta*||^2 + 1 in place of ||theta*||^2 on the right.",
        share_of_bound(1)},
       {"optimum_at_zero",
        printed,
        refuted,
        {paper, "Lemma 14 for theta* = 0"},
        "If theta* = 0 the excess risk is 0, as the factor ||theta*||^2 says. (For the loss sqrt(1 "
        "+ w^2) - 1, d = L = 1, it is at least the noise's share sigma_k^2/2 - 3 sigma_k^4/8 "
        "whatever the average.)",
        {{{"n", 16, 16, 1e6, Scale::logarithmic},
          {"epsilon", 1, 1e-3, 10, Scale::logarithmic},
          {"delta", 1e-5, 1e-12, 0.1, Scale::logarithmic}},
         [](ParameterPoint p) {
           p["d"] = 1;
           const double variance =
               std::pow(noise_norm(p, std::floor(std::log2(std::floor(p.at("n"))))), 2);
           return Sides{variance / 2 - 3 * variance * variance / 8, bound(p, 0)};
         }}},
       {"norms",
        reading,
        refuted,
        {paper, "Theorem 13, in the copy read here"},
        "For every p > 1, ||theta||_2 <= d^(1/2 - 1/p) ||theta||_p and ||g||_2 <= ||g||_q with q "
        "dual to p. The copy read here garbles the range of p in Theorem 13, of which no more than "
        "its beginning at 1 is left; for p >= 2, the range of Theorem 8, which it proves, both "
        "hold. Nothing in the paper falls.",
        norms(1.01)},
       {"norms",
        corrected,
        holds,
        {here, "Theorem 13 for p >= 2"},
        "For every p >= 2, ||theta||_2 <= d^(1/2 - 1/p) ||theta||_p and ||g||_2 <= ||g||_q with q "
        "dual to p.",
        norms(2)}});
}

}  // namespace dpverify::su
