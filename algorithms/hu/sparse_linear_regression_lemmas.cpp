// Steps of the proofs of Theorems 6 and 7 that one inequality decides.
#include <Eigen/Eigenvalues>
#include <cmath>

#include "algorithms/claims/lemmas.hpp"
#include "algorithms/core/composition.hpp"
#include "algorithms/core/random.hpp"
#include "algorithms/hu/contraction.hpp"
#include "algorithms/hu/sparse_linear_regression.hpp"
#include "algorithms/mechanisms/peeling_lemmas.hpp"

namespace dpverify::hu {
namespace {

using enum Edition;
using enum Expectation;
using enum Scale;

template <class Real>
struct SparsityConstant {
  Real kappa = 1;
  bool second = false;  // which inequality
  static Fields<SparsityConstant> fields() {
    return {field("kappa", &SparsityConstant::kappa).range(1.0, 1.0, 1e4, logarithmic),
            field("second", &SparsityConstant::second).range(false, false, true)};
  }
  Real first_term() const { return 3 / (72 * kappa * kappa + 1); }
  Real middle() const { return 1 / (24 * kappa * (kappa - Real(2) / 3)); }
  Real last_term() const { return 0.125; }
};

// The proof of Theorem 7 with every constant 1 (M = 1, zeta = 0.05), s = kappa^2 s*, T = kappa log
// n, K^4 = n epsilon/(sT) and the gamma that (72) drops.
template <class Real>
struct Powers {
  Real gamma = 100, kappa = 1, s = 1, d = 100, n = 1e6, epsilon = 1, delta = 1e-5;  // s: s*
  static Fields<Powers> fields() {
    return {field("gamma", &Powers::gamma).range(100.0, 1e-3, 1e3, logarithmic),
            field("kappa", &Powers::kappa).range(1.0, 1.0, 100.0, logarithmic),
            field("s", &Powers::s).range(1, 1, 100, integer),
            field("d", &Powers::d).range(100.0, 100.0, 1e6, logarithmic),
            field("n", &Powers::n).range(1e6, 1e3, 1e12, logarithmic),
            field("epsilon", &Powers::epsilon).range(1.0, 0.01, 1.0, logarithmic),
            field("delta", &Powers::delta).range(1e-5, 1e-10, 0.1, logarithmic)};
  }
  Real iterations() const { return kappa * log(n); }
  Real logs() const { return log(d * iterations() / 0.05); }
  // The terms summed over the iterations at the contraction mu/(24 gamma).
  Real terms() const {
    const Real budget = n * epsilon, kept = kappa * kappa * s, t = iterations();
    const Real k_4 = budget / (kept * t), step = 2 / (3 * gamma);
    const Real noise = pow(kept, 3) * pow(step * t * logs() / budget, 2) * k_4 * -log(delta);
    const Real deviation = kept * (t * logs() / n + k_4 * pow(t * logs() / n, 2) + 1 / k_4);
    return 24 * kappa * (gamma * noise + deviation / gamma);
  }
  // times gamma^a s*^2 log n log^2(dT/zeta) log(1/delta)/(mu^b n epsilon).
  Real bound(int times, int a, int b) const {
    const Real mu = gamma / kappa, budget = n * epsilon;
    return times * pow(gamma, a) * pow(mu, -b) * pow(s, 2) * log(n) * logs() * logs() *
           -log(delta) / budget;
  }
};

template <class Real>
struct Curvatures {
  Real mu = 10, kappa = 1;
  static Fields<Curvatures> fields() {
    return {field("mu", &Curvatures::mu).range(10.0, 1e-3, 1e3, logarithmic),
            field("kappa", &Curvatures::kappa).range(1.0, 1.0, 100.0, logarithmic)};
  }
  Real gamma() const { return mu * kappa; }
};

// L(w) - L(w*) of (1/2) E(<x,w> - y)^2, whose gradient is g^t, for ||w - w*|| = 1 and E x x^T =
// diag(gamma, mu), between the multiples of mu and gamma.
struct Excess {
  double mu = 10, kappa = 1, angle = std::acos(0.0);
  bool below = true;
  static Fields<Excess> fields() {
    return {field("mu", &Excess::mu).range(10.0, 1e-3, 1e3, logarithmic),
            field("kappa", &Excess::kappa).range(1.0, 1.0, 100.0, logarithmic),
            field("angle", &Excess::angle).range(std::acos(0.0), 0.0, std::acos(0.0)),
            field("below", &Excess::below).range(true, false, true)};
  }
  double excess() const {
    const double c = std::pow(std::cos(angle), 2);
    return (mu * kappa * c + mu * (1 - c)) / 2;
  }
};

// L(w) = (w - w*)^T H (w - w*)/2 in three dimensions, w - w* = u on two of them, mu the smallest
// eigenvalue of H, g = H u.
struct RestrictedGradient {
  Index seed = 0;
  double floor = 1, angle = 0;
  static Fields<RestrictedGradient> fields() {
    using P = RestrictedGradient;
    return {field("seed", &P::seed).range(0, 0, 100'000),
            field("floor", &P::floor).range(1.0, 1e-6, 10.0, logarithmic),
            field("angle", &P::angle).range(0.0, 0.0, 7.0)};
  }
  struct Quadratic {
    double mu;
    Eigen::Vector3d u, g;
  };
  Quadratic quadratic() const {
    RandomStream stream({.seed = static_cast<std::uint64_t>(seed), .claim = "peeling lemmas"});
    Eigen::Matrix3d root;
    for (double& entry : root.reshaped()) entry = stream.normal();
    const Eigen::Matrix3d h = root * root.transpose() + floor * Eigen::Matrix3d::Identity();
    const double mu = Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(h).eigenvalues()[0];
    const Eigen::Vector3d u(std::cos(angle), std::sin(angle), 0);
    return {mu, u, h * u};
  }
};

template <class Real>
struct Squares {
  Real a = 1, b = 1, c = 2;
  bool below = false;
  static Fields<Squares> fields() {
    return {field("a", &Squares::a).range(1.0, -100.0, 100.0),
            field("b", &Squares::b).range(1.0, -100.0, 100.0),
            field("c", &Squares::c).range(2.0, 1.0, 1e6, logarithmic),
            field("below", &Squares::below).range(false, false, true)};
  }
  Real square() const { return (a + b) * (a + b); }
};

// (c + 1)^2/(c (c - 1)) for c from some number on.
template <class Real>
struct ConstantC {
  Real times = 1;
  static Fields<ConstantC> fields() {
    return {field("times", &ConstantC::times).range(1.0, 1.0, 1e6, logarithmic)};
  }
  Real from(const Real& smallest) const {
    const Real c = smallest * times;
    return (c + 1) * (c + 1) / (c * (c - 1));
  }
  static Real root(int x) { return sqrt(Real(x)); }
};

template <class Real>
struct Moved {
  Real lambda = 0.1;
  static Fields<Moved> fields() {
    return {field("lambda", &Moved::lambda).range(0.1, 1e-6, 0.5, logarithmic)};
  }
};

struct PublishedCost {
  Index sparsity = 20;
  double epsilon = 0.999, delta = 1e-2;
  static Fields<PublishedCost> fields() {
    using P = PublishedCost;
    return {field("sparsity", &P::sparsity).range(20, 1, 40),
            field("epsilon", &P::epsilon).range(0.999, 0.01, 0.999, logarithmic),
            field("delta", &P::delta).range(1e-2, 1e-10, 1e-2, logarithmic)};
  }
  // What Peeling's 2s steps cost at the true sensitivity: the published lambda is short by (sqrt s
  // + 1)/sqrt(s + 1).
  double composed() const {
    const auto s = static_cast<double>(sparsity);
    const double step =
        epsilon / std::sqrt(3 * s * -std::log(delta)) * (std::sqrt(s) + 1) / std::sqrt(s + 1);
    return composed_delta({{step, sparsity}, {step / 2, sparsity}}, epsilon);
  }
};

template <class Real>
struct Bias {
  Real n_epsilon = 1e6, s = 1000, iterations = 1, moment = 1;
  static Fields<Bias> fields() {
    return {field("n_epsilon", &Bias::n_epsilon).range(1e6, 1e3, 1e12, logarithmic),
            field("s", &Bias::s).range(1000.0, 1.0, 1e4, logarithmic),
            field("iterations", &Bias::iterations).range(1, 1, 100, integer),
            field("moment", &Bias::moment).range(1.0, 0.1, 10.0, logarithmic)};
  }
};

template <class Real>
struct Sparsity {
  Real s = 1e6;
  static Fields<Sparsity> fields() {
    return {field("s", &Sparsity::s).range(1e6, 1.0, 1e12, logarithmic)};
  }
};

void add_steps(LemmaList& lemmas) {
  const auto gain = [](const auto& p) { return p.gain(); };
  lemmas.add<Contraction>(
      "contraction", [](const auto& p) { return 5.0 / 72 / p.kappa; },
      {{printed, refuted, "proof of Theorem 7, after (71)",
        "The contraction 2s*/(s + s*) + mu/(24 gamma) of (70), with s = 72 (gamma/mu)^2 s*, is at "
        "least 5/72 mu/gamma. (kappa is gamma/mu.)",
        gain},
       {corrected, holds, "(70) with 1/24 mu/gamma",
        "(70) gives a contraction of at least mu/(24 gamma).", gain, std::nullopt,
        GenericSide<Contraction>([](const auto& p) { return 1.0 / 24 / p.kappa; })}});
  lemmas.add<SparsityConstant>(
      "sparsity_constant", [](const auto& p) { return p.second ? p.middle() : p.first_term(); },
      {{printed, holds, "proof of Theorem 7, before (69)",
        "With eta = 2/3 and s = 72 (gamma/mu)^2 s*: 3s*/(s + s*) <= mu^2/(24 gamma (gamma - eta "
        "mu)) <= 1/8.",
        [](const auto& p) { return p.second ? p.last_term() : p.middle(); }}});
  lemmas.add<Squares>(
      "squares",  // the lower bound moved to the side where no term is subtracted
      [](const auto& p) { return p.below ? p.a * p.a + p.b * p.b : p.square(); },
      {{printed, holds, "proof of Theorem 7, before (52)",
        "(1 - 1/c) a^2 - (c - 1) b^2 <= (a + b)^2 <= (1 + 1/c) a^2 + (1 + c) b^2 for c > 1.",
        [](const auto& p) {
          return p.below ? p.square() + p.a * p.a / p.c + p.c * p.b * p.b
                         : (1 + 1 / p.c) * p.a * p.a + (1 + p.c) * p.b * p.b;
        }}});
  lemmas.add<ConstantC>(
      "constant_c", [](const auto& p) { return p.from(p.root(3) / (p.root(3) - p.root(2))); },
      {{printed, refuted, "proof of Theorem 7, before (61)",
        "(c + 1)^2/(c (c - 1)) <= 3/2 for every c >= sqrt 3/(sqrt 3 - sqrt 2) = 5.45. (times is c "
        "divided by this number.)",
        1.5},
       {corrected, holds, "(61) with c >= (7 + sqrt 57)/2",
        "For c >= (7 + sqrt 57)/2 = 7.27: (c + 1)^2/(c (c - 1)) <= 3/2.", 1.5, std::nullopt,
        GenericSide<ConstantC>([](const auto& p) { return p.from((7 + p.root(57)) / 2); })}});
  lemmas.add<PeelingSelections>(
      "support_size", [](const auto& p) { return coordinates_kept(p); },
      {{printed, refuted, "proof of Theorem 7: |S^{t+1}| <= 2",
        "Peeling keeps at most 2 coordinates: |S^(t+1)| <= 2. (Random vectors of 12 entries are "
        "this check's; sparsity is s, noise is the scale of the Laplace noise, spread is that of "
        "the logarithms of the magnitudes, and c does not matter here.)",
        2.0}},
      {"12 coordinates"});
}

void add_curvature(LemmaList& lemmas) {
  const auto between = [](double factor) {
    return Side<Excess>([factor](const Excess& p) { return p.below ? factor * p.mu : p.excess(); });
  };
  const auto and_above = [](double factor) {
    return Side<Excess>(
        [factor](const Excess& p) { return p.below ? p.excess() : factor * (p.mu * p.kappa); });
  };
  lemmas.add<Excess>(
      "curvature_bounds", between(1),
      {{printed, refuted, "proof of Theorem 7, before (74)",
        "For the risk L whose gradient is g^t = E x (<x,w> - y), mu ||w - w*||^2 <= L(w) - L(w*) "
        "<= gamma ||w - w*||^2. (E x x^T = diag(gamma, mu) and ||w - w*|| = 1 are this check's; "
        "kappa is gamma/mu, angle is that between w - w* and the first axis, and below is 1 for "
        "the first inequality and 0 for the second.)",
        and_above(1)},
       {corrected, holds, "proof of Theorem 7 with halves",
        "For the risk whose gradient is g^t: mu/2 ||w - w*||^2 <= L(w) - L(w*) <= gamma/2 ||w - "
        "w*||^2.",
        and_above(0.5), std::nullopt, between(0.5)}});
  lemmas.add<RestrictedGradient>(
      "restricted_gradient",
      [](const auto& p) {
        const auto [mu, u, g] = p.quadratic();
        return mu / 2 * u.dot(g) / 2;
      },
      {{printed, holds, "Lemma 14 (Lemma 6 of its source), (71)",
        "||g_(S and S*)||^2 - mu^2/4 ||w - w*||^2 >= mu/2 (L(w) - L(w*)).",
        [](const auto& p) {
          const auto [mu, u, g] = p.quadratic();
          return g.template head<2>().squaredNorm() - mu * mu / 4;
        }}},
      {"quadratic risks in three dimensions, w and w* on two of them"});
}

void add_error_terms(LemmaList& lemmas) {
  const std::string sum =
      "The error s^2 T M log^2(dT/zeta) log(1/delta)/(gamma^2 n epsilon) of (74), summed over the "
      "iterations at the contraction 5/72 mu/gamma, is s^2 T M log^2(dT/zeta) log(1/delta)/(n "
      "epsilon) times ";
  lemmas.add<Curvatures>(
      "geometric_sum",
      [](const auto& p) { return 72.0 / 5 * (p.gamma() / p.mu) / (p.gamma() * p.gamma()); },
      {{printed, refuted, "last display of the proof of Theorem 7",
        sum + "O(1/(mu^2 gamma)). (The constant 100 is this check's; kappa is gamma/mu.)",
        [](const auto& p) { return 100 / (p.mu * p.mu * p.gamma()); }},
       {corrected, holds, "last display of the proof of Theorem 7 with 1/(mu gamma)",
        sum + "O(1/(mu gamma)), with constant 15.",
        [](const auto& p) { return 15 / (p.mu * p.gamma()); }}});
  lemmas.add<Curvatures>(
      "sample_size",
      [](const auto& p) { return pow(p.mu, 3) * p.gamma() * p.gamma() / 100 / (p.mu * p.gamma()); },
      {{printed, refuted, "proof of Theorem 7, the condition on n",
        "For n of the order A/(mu^3 gamma^2 epsilon), A = s^2 T M log^2(dT/zeta) log(1/delta), the "
        "noise term A/(mu gamma n epsilon) of the bound on mu ||w^(t+0.75) - w*||^2 is small "
        "enough for ||w^(t+0.75)|| <= 1. (n = 100 A/(mu^3 gamma^2 epsilon) and a noise term of at "
        "most mu/8 are this check's; kappa is gamma/mu.)",
        [](const auto& p) { return p.mu / 8; }}});
  lemmas.add<Contraction>(
      "initial_condition", [](const auto& p) { return 0.5 + sqrt((1 - 5 / (72 * p.kappa)) / 2); },
      {{proved, refuted, "proof of Theorem 7: ||w^1 - w*||^2 <= mu/(2 gamma)",
        "If ||w^1 - w*||^2 <= mu/(2 gamma) and ||w*|| <= 1/2, then mu ||w^(t+0.75) - w*||^2 <= "
        "gamma (1 - c)^t ||w^1 - w*||^2 with c = 5/72 mu/gamma, the noise term apart, gives "
        "||w^(t+0.75)|| <= 1. (t = 1 is this check's, and the left side is the largest norm that "
        "these bounds allow; kappa is gamma/mu.)",
        1.0, Contraction<double>::fields().within(&Contraction<double>::kappa, 1.0, 1.0, 100.0)}});
  lemmas.add<Bias>("bias_term",
                   [](const auto& p) {
                     return p.s * p.moment * p.moment / (p.n_epsilon / (p.s * p.iterations));
                   },
                   {{printed, refuted, "proof of Theorem 7, before (73)",
                     "With K = (n epsilon/(sT))^(1/4) the bias s M^2/K^4 is O(s T M log(d/zeta)/(n "
                     "epsilon)). (The constant 10, d = 2s and zeta = 0.05 are this check's; "
                     "n_epsilon is n epsilon, iterations is T and moment is M.)",
                     [](const auto& p) {
                       return 10 * p.s * p.iterations * p.moment * log(2 * p.s / 0.05) /
                              p.n_epsilon;
                     }}},
                   {"d = 2s, zeta = 0.05"});
}

void add_theorems(LemmaList& both, LemmaList& published) {
  const std::string terms =
      "The terms of the proof of Theorem 7, with the gamma that (72) drops, sum to O(gamma^";
  const std::string units = " n epsilon)), with constant ";
  both.add<Powers>(
      "powers", [](const auto& p) { return p.terms(); },
      {{printed, refuted, "Theorem 7: M gamma^4/mu^7",
        terms + "4 s*^2 log n log^2(d/zeta) log(1/delta)/(mu^7" + units +
            "100. (This constant, M = 1, zeta = 0.05, s = (gamma/mu)^2 s*, T = (gamma/mu) log n, "
            "K^4 = n epsilon/(sT) and every constant of the proof 1 are this check's; kappa is "
            "gamma/mu and s in the counterexample is s*.)",
        [](const auto& p) { return p.bound(100, 4, 7); }},
       {corrected, holds, "Theorem 7 with gamma^5/mu^6",
        terms + "5 s*^2 log n log^2(d/zeta) log(1/delta)/(mu^6" + units + "23.",
        [](const auto& p) { return p.bound(23, 5, 6); }}},
      {"M = 1, zeta = 0.05, every constant of the proof 1; that of the bound is this project's "
       "choice"});
  both.add<Moved>("peeled_sensitivity", 1.0,
                  {{printed, refuted, "proof of Theorem 6, which bounds w^{t+0.75} for w^{t+0.5}",
                    "When one record is replaced, a coordinate of w^(t+0.75), the vector that "
                    "Peeling returns, moves by at most lambda, the bound that the proof derives, "
                    "noise apart. (s = 1 and two coordinates are this check's.)",
                    [](const auto& p) { return p.lambda; }}});
  published.add<PublishedCost>(
      "published_composition", [](const auto& p) { return p.composed(); },
      {{reading, holds, "Theorem 6 with step 6 of Algorithm 3, in the copy read here",
        "Even with lambda = 2 K^2 eta_0 sqrt(s + 1)/m, which is what the copy read here has in "
        "step 6 of Algorithm 3 where the preprint has sqrt(s) + 1, each iteration is (epsilon, "
        "delta)-DP: optimal composition of Peeling's 2s steps at the true sensitivity.",
        [](const auto& p) { return p.delta; }}});
  published.add<Sparsity>(
      "contributions", [](const auto& p) { return p.s * p.s; },
      {{reading, refuted, "list of contributions, in the copy read here",
        "Theorem 7's s*^2 log^2 d/(n epsilon) is within O-tilde(s* log^2 d/(n epsilon)), which is "
        "what the copy read here has in the list of contributions, with constant 10 and log^3 d. "
        "The copy garbles the exponent of s*: Theorem 7, the abstract, the conclusions and the "
        "preprint's list have s*^2. Nothing in the paper falls.",
        [](const auto& p) { return 10 * p.s * pow(log(2 * p.s), 3); }}},
      {"d = 2s*"});
}

}  // namespace

std::vector<Claim> sparse_linear_regression_lemmas() {
  const std::string id = "hu.sparse_linear_regression";
  LemmaList preprint(id, Text::hu_preprint), both(id, Text::hu), published(id, Text::hu_published);
  add_steps(preprint);
  add_curvature(preprint);
  add_error_terms(preprint);
  add_theorems(both, published);
  ClaimList claims(id);
  claims.append(preprint.take());
  claims.append(both.take());
  claims.append(published.take());
  return claims.take();
}

}  // namespace dpverify::hu
