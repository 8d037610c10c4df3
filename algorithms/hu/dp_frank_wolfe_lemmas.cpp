// Steps of the proofs of Theorems 1 and 2 of Hu, Ni, Xiao and Wang that one inequality decides.
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <array>
#include <cmath>

#include "algorithms/claims/lemmas.hpp"
#include "algorithms/core/laws.hpp"
#include "algorithms/core/random.hpp"
#include "algorithms/hu/abstracts.hpp"
#include "algorithms/hu/dp_frank_wolfe.hpp"
#include "algorithms/hu/robust_mean_lemmas.hpp"
#include "algorithms/problems/robust_model.hpp"

namespace dpverify::hu {
namespace {

using enum Edition;
using enum Expectation;
using enum Scale;

// One best score 0 and `size` - 1 others at and below Lemma 1's threshold: there the bound is
// nearly attained.
struct Selection {
  Index size = 2;
  double t = 1, spread = 0, epsilon = 1, sensitivity = 1;
  static Fields<Selection> fields() {
    return {field("size", &Selection::size).range(2, 1, 50),
            field("t", &Selection::t).range(1.0, 1e-3, 50.0, logarithmic),
            field("spread", &Selection::spread).range(0.0, 0.0, 1.0),
            field("epsilon", &Selection::epsilon).range(1.0, 0.01, 10.0, logarithmic),
            field("sensitivity", &Selection::sensitivity).range(1.0, 1e-3, 1e3, logarithmic)};
  }
};

double selects_below(const Selection& p) {
  const double threshold =
      -2 * p.sensitivity / p.epsilon * (std::log(static_cast<double>(p.size)) + p.t);
  VectorXd scores(p.size);
  for (Index v = 0; v < p.size; ++v)
    scores[v] = v == 0 ? 0 : threshold * (1 + p.spread * static_cast<double>(v - 1));
  const VectorXd log_p =
      log_probabilities(ExponentialMechanism::with_epsilon(scores, p.sensitivity, p.epsilon));
  double below = 0;
  for (Index v = 0; v < p.size; ++v)
    if (scores[v] <= threshold) below += std::exp(log_p[v]);
  return below;
}

void add_selection(LemmaList& lemmas) {
  lemmas.add<Selection>(
      "exponential_mechanism", selects_below,
      {{printed,
        holds,
        "Lemma 1",
        "The exponential mechanism scores at most OPT - 2 Delta/epsilon (ln |R| + t) with "
        "probability at most e^-t. Decided exactly on finite laws.",
        [](const Selection& p) { return std::exp(-p.t); },
        {},
        {},
        {},
        Text::hu}});
  lemmas.add("selection_logarithms",
             {{"vertices", 2, 2, 1e6, logarithmic},
              {"iterations", 1, 1, 1000, integer},
              {"zeta", 0.99, 1e-6, 0.99, logarithmic}},
             [](auto v, auto t, auto zeta) { return log(v) + log(t / zeta); },
             {{printed, refuted, "Lemma 5, (24) and (23)",
               "The loss of a selection in any of T iterations, which by Lemma 1 and a union bound "
               "has the factor ln|V| + ln(T/zeta), is O(log|V| log(T/zeta)). (The constant 10 is "
               "this check's; vertices is |V| and iterations is T.)",
               [](auto v, auto t, auto zeta) { return 10 * log(v) * log(t / zeta); }}});
  const ParameterRange d{"d", 2, 1, 1e6, logarithmic}, t{"iterations", 1, 1, 1000, integer},
      zeta{"zeta", 0.05, 1e-6, 0.05, logarithmic};
  const auto right = [](double times) {
    return [times](auto epsilon, auto d, auto t, auto zeta) {
      return times * log(2 * d) * log(t / zeta) / epsilon;
    };
  };
  lemmas.add(
      "large_epsilon", {{"epsilon", 1e3, 0.01, 1e6, logarithmic}, d, t, zeta},
      [](auto, auto d, auto t, auto zeta) { return 1 + log(d) + log(t / zeta); },
      {{printed, refuted, "proof of Theorem 2, (28)",
        "For any epsilon > 0 the sampling term beta + log(dT/zeta) is O(beta log|V| "
        "log(T/zeta)/epsilon), so that the excess risk falls as (n epsilon)^(-1/3) alone. (The "
        "constant 10, beta = 1, |V| = 2d and zeta <= 0.05 are this check's; iterations is T.)",
        right(10)},
       {corrected,
        holds,
        "(28) for epsilon <= 1",
        "For epsilon <= 1 the sampling term beta + log(dT/zeta) is O(beta log|V| "
        "log(T/zeta)/epsilon) (here with constant 2, beta = 1, |V| = 2d, zeta <= 0.05).",
        right(2),
        {{{{"epsilon", 1, 0.01, 1, logarithmic}, d, t, zeta}}}}},
      {"the constant is this project's choice"});
}

// (6) on the unit l1 ball against (7).
void add_corollary(LemmaList& lemmas) {
  lemmas.add(
      "corollary_1",
      {{"n", 1e4, 3, 1e15, logarithmic},
       {"d", 100, 2, 1e9, logarithmic},
       {"zeta", 0.05, 1e-9, 0.5, logarithmic}},
      [](auto n, auto d, auto zeta) { return 2 * pow(2 * log(2 * n * d * d / zeta), 1.0 / 3); },
      {{printed,
        holds,
        "Corollary 1, (7), from (6)",
        "With ||W||_1 = 2, |V| = 2d, alpha = 2 lambda_max and tau = 1, (6) is at most 3.5 "
        "(lambda_max log(d/zeta) log n)^(1/3)/(n epsilon)^(1/3), which is (7) with a constant.",
        [](auto n, auto d, auto zeta) { return 3.5 * pow(log(d / zeta) * log(n), 1.0 / 3); },
        {},
        {},
        {},
        Text::hu}},
      {"in units of (lambda_max/(n epsilon))^(1/3); the constant is this project's choice"});
}

// w^T A w/2 on the l1 ball of radius R in three dimensions. A is the unit matrix for seed 0, random
// otherwise.
struct Quadratic {
  Index seed = 0;
  double radius = 1;
  static Fields<Quadratic> fields() {
    return {field("seed", &Quadratic::seed).range(0, 0, 1000),
            field("radius", &Quadratic::radius).range(1.0, 0.1, 10.0, logarithmic)};
  }
  Eigen::Matrix3d matrix() const {
    if (seed == 0) return Eigen::Matrix3d::Identity();
    RandomStream stream({.seed = static_cast<std::uint64_t>(seed), .claim = "curvature"});
    Eigen::Matrix3d root;
    for (double& entry : root.reshaped()) entry = stream.normal();
    return root * root.transpose();
  }
  // Its largest eigenvalue.
  double alpha() const {
    if (seed == 0) return 1;
    return Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(matrix()).eigenvalues().maxCoeff();
  }
  // The largest (u - v)^T A (u - v), at two vertices.
  double curvature() const {
    const Eigen::Matrix3d a = matrix();
    double largest = 0;
    for (Index i = 0; i < 3; ++i)
      for (Index j = 0; j < 3; ++j)
        for (const double sign : {1.0, -1.0}) {
          Eigen::Vector3d difference = Eigen::Vector3d::Zero();
          difference[i] += radius;
          difference[j] += sign * radius;
          largest = std::max(largest, difference.dot(a * difference));
        }
    return largest;
  }
};

// Lemma 6 on L(w) = ||w - (kappa, 0)||^2/2 over the l1 ball of radius R in the plane, nearly linear
// for a large kappa, after T steps towards the worst vertex that (27) allows.
struct Plane {
  Index iterations = 1;
  double radius = 1, kappa = 1, chi = 1;
  Index start = 2;
  static Fields<Plane> fields() {
    return {field("iterations", &Plane::iterations).range(1, 1, 100),
            field("radius", &Plane::radius).range(1.0, 0.1, 10.0, logarithmic),
            field("kappa", &Plane::kappa).range(1.0, 1e-3, 1e6, logarithmic),
            field("chi", &Plane::chi).range(1.0, 1e-3, 10.0, logarithmic),
            field("start", &Plane::start).range(2, 0, 3)};
  }
  double curvature() const { return 4 * radius * radius; }
  std::array<Eigen::Vector2d, 4> vertices() const {
    return {{{radius, 0}, {0, radius}, {-radius, 0}, {0, -radius}}};
  }
  Eigen::Vector2d first() const { return vertices()[static_cast<std::size_t>(start)]; }
  // L(w) - min L, written out so that a large kappa does not cancel.
  double excess(const Eigen::Vector2d& w) const {
    if (kappa < radius) return (w - Eigen::Vector2d(kappa, 0)).squaredNorm() / 2;
    return (w.squaredNorm() - radius * radius) / 2 + kappa * (radius - w[0]);
  }
};

// L(w^T) - min L with steps 2/(t + shift).
Side<Plane> frank_wolfe_with_steps(double shift) {
  return [shift](const Plane& p) {
    const auto vertices = p.vertices();
    Eigen::Vector2d w = p.first();
    for (Index t = 1; t <= p.iterations; ++t) {
      const double eta = 2 / (static_cast<double>(t) + shift);
      const Eigen::Vector2d g = w - Eigen::Vector2d(p.kappa, 0);
      double best = vertices[0].dot(g);
      for (const auto& v : vertices) best = std::min(best, v.dot(g));
      const Eigen::Vector2d* chosen = nullptr;
      for (const auto& v : vertices)
        if (v.dot(g) <= best + p.chi * eta * p.curvature() / 2 &&
            (chosen == nullptr || v.dot(g) > chosen->dot(g)))
          chosen = &v;
      w += eta * (*chosen - w);
    }
    return p.excess(w);
  };
}

struct Spread {
  Index iterations = 1, more_coordinates = 1, seed = 0;
  static Fields<Spread> fields() {
    return {field("iterations", &Spread::iterations).range(1, 1, 32),
            field("more_coordinates", &Spread::more_coordinates).range(1, 1, 32),
            field("seed", &Spread::seed).range(0, 0, 1000)};
  }
  Index dimension() const { return iterations + more_coordinates; }
};

// ||w^T - w*||_2^2 for w* = (1, ..., 1)/d, after T steps from a vertex of the simplex, on records
// of independent signs, one label in ten moved by +-1.
double distance_from_spread(const Spread& s) {
  RandomStream stream({.seed = static_cast<std::uint64_t>(s.seed),
                       .claim = "hu.dp_frank_wolfe",
                       .purpose = "spread"});
  const Index d = s.dimension();
  const VectorXd optimum = VectorXd::Constant(d, 1 / static_cast<double>(d));
  FrankWolfeParameters p;
  p.polytope = Polytope::simplex(d, 1);
  p.initial = p.polytope.vertex(0);
  p.iterations = s.iterations;
  p.scale = 10;
  p.epsilon = 100;
  const RobustModel model{
      .loss = Loss::squared, .optimum = optimum, .levels = 1, .outlier = 1, .outlier_share = 0.1};
  const Dataset data = model.draw(2 * s.iterations, stream);  // the bound holds on any
  SamplingReleases releases(stream);
  return (dp_frank_wolfe(data, p, releases) - optimum).squaredNorm();
}

void add_descent(LemmaList& lemmas) {
  lemmas.add<Quadratic>(
      "curvature", [](const Quadratic& q) { return q.curvature(); },
      {{printed, refuted, "Lemma 6: Gamma_L <= alpha ||W||_1",
        "The curvature constant Gamma_L of an alpha-smooth function L is at most alpha ||W||_1, "
        "which is 2 alpha R on the l1 ball of radius R. (The functions w^T A w/2 in three "
        "dimensions, with alpha the largest eigenvalue of A, are this check's: A is the unit "
        "matrix for seed 0 and random for every other seed.)",
        [](const Quadratic& q) { return q.alpha() * (2 * q.radius); }},
       {corrected, holds, "Lemma 6 with the squared l2 diameter",
        "The curvature of an alpha-smooth function on the l1 ball of radius R is at most alpha "
        "diam_2^2 = 4 alpha R^2.",
        [](const Quadratic& q) { return q.alpha() * (4 * q.radius * q.radius); }}});
  const auto bound = [](const Plane& p) {
    return 2 * p.curvature() * (1 + p.chi) / (static_cast<double>(p.iterations) + 2);
  };
  lemmas.add<Plane>(
      "frank_wolfe", frank_wolfe_with_steps(2),
      {{printed, refuted, "Lemma 6 with eta_{t-1} = 2/(t+2)",
        "After t steps of size eta_(t-1) = 2/(t + 2), each towards a point that meets (27) with "
        "chi > 0, the excess risk is at most 2 Gamma (1 + chi)/(t + 2), Gamma the curvature. (The "
        "function ||w - (kappa, 0)||_2^2/2 on the l1 ball of this radius in the plane, with Gamma "
        "= 4 radius^2, and the worst vertex that (27) allows are this check's; iterations is t, "
        "and start = 0, 1, 2 or 3 is the vertex R e_1, R e_2, -R e_1 or -R e_2 as w^0.)",
        bound},
       {proved,
        holds,
        "Lemma 6 with the source's steps 2/(t+1)",
        "After t steps of size 2/(t+1), the first of them 1, the excess is at most 2 Gamma (1 + "
        "chi)/(t + 2).",
        bound,
        {},
        frank_wolfe_with_steps(1)},
       {corrected, holds, "Lemma 6 with the start's share",
        "After t steps of size 2/(t+2) the excess is at most 2 h_0/((t+1)(t+2)) + 2 Gamma (1 + "
        "chi)/(t + 2).",
        [bound](const Plane& p) {
          const auto t = static_cast<double>(p.iterations);
          return 2 * p.excess(p.first()) / ((t + 1) * (t + 2)) + bound(p);
        }}});
  lemmas.add<Spread>(
      "steps",
      [](const Spread& s) {
        return 1 / (static_cast<double>(s.iterations) + 1) - 1 / static_cast<double>(s.dimension());
      },
      {{corrected, holds, "Frank-Wolfe's lower bound (Jaggi, 2013), for Theorem 2's T",
        "On the simplex, T < d steps from a vertex leave every run 1/(T + 1) - 1/d or more away "
        "from w* = (1, ..., 1)/d, in squared distance: with T ~ (n epsilon)^(1/3) no exponent "
        "better than the theorem's -1/3 holds for every d. (On a fixed w* of few coordinates the "
        "rates above fall faster.)",
        [](const Spread& s) { return distance_from_spread(s) + 1e-14; }}});
}

void add_smoothness(LemmaList& lemmas) {
  lemmas.add("lasso_smoothness", {{"lambda_max", 1, 1e-3, 1e3, logarithmic}},
             [](auto lambda_max) { return lambda_max; },
             {{printed,
               refuted,
               "Corollary 1",
               "E(<x,w> - y)^2 is lambda_max(E x x^T)-smooth: its excess over the tangent at "
               "distance 1 is at most lambda_max/2. (One feature is this check's.)",
               [](auto lambda_max) { return lambda_max / 2; },
               {},
               {},
               {},
               Text::hu},
              {corrected, holds, "Corollary 1 with 2 lambda_max",
               "E(<x,w> - y)^2 is 2 lambda_max(E x x^T)-smooth, and no smoother: its excess over "
               "the tangent at distance 1 is at most lambda_max. (One feature.)",
               [](auto lambda_max) { return 2 * lambda_max / 2; }}});
}

void add_abstracts(LemmaList& lemmas) {
  const auto theorem_2 = theorem_rate(-1.0 / 3, 1.0 / 3);
  lemmas.add<Abstract>(
      "abstract_preprint", theorem_2,
      {{reading, refuted, "abstract, and text before Algorithm 2, in the copy read here",
        "Theorem 2's (n epsilon)^(-1/3) is within O-tilde(log d/(n epsilon)^(2/3)), which is what "
        "the copy read here has for the abstract and for Corollary 1 in the text before Algorithm "
        "2. The copy garbles the exponent: Theorem 2, Corollary 1 itself, the introduction and the "
        "conclusions have 1/3. Nothing in the paper falls.",
        abstract_rate(-2.0 / 3)}});
  lemmas.add<Abstract>(
      "abstract_published", theorem_2,
      {{reading,
        refuted,
        "abstract, in the copy read here",
        "Theorem 2's (n epsilon)^(-1/3) is within O-tilde(log d/(n epsilon)^(3/5)), which is what "
        "the copy read here has for the abstract. The copy garbles the exponent: Theorem 2, "
        "Corollary 1, the list of contributions and the conclusions have 1/3. Nothing in the paper "
        "falls.",
        abstract_rate(-3.0 / 5),
        {},
        {},
        {},
        Text::hu_published}});
}

}  // namespace

std::vector<Claim> dp_frank_wolfe_lemmas() {
  LemmaList lemmas("hu.dp_frank_wolfe", Text::hu_preprint);
  add_robust_mean(lemmas);
  add_selection(lemmas);
  add_descent(lemmas);
  add_smoothness(lemmas);
  add_corollary(lemmas);
  add_abstracts(lemmas);
  return lemmas.take();
}

}  // namespace dpverify::hu
