// The Generalised Gaussian mechanism (Lemma 3 of the main text, after Bassily, Guzman and Nandi) in
// the plane, where its law and its privacy can be computed.
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "algorithms/claims/lemmas.hpp"
#include "algorithms/core/composition.hpp"
#include "algorithms/core/gaussian.hpp"
#include "algorithms/core/laws.hpp"
#include "algorithms/core/norms.hpp"
#include "algorithms/core/numbers.hpp"
#include "algorithms/su/mirror_space.hpp"
#include "algorithms/su/regularized_mirror_descent.hpp"

namespace dpverify::su {
namespace {

using enum Edition;
using enum Expectation;
using enum Scale;

constexpr double pi = std::numbers::pi;

VectorXd unit(double angle) { return (VectorXd(2) << std::cos(angle), std::sin(angle)).finished(); }

// int of f over a quarter of the circle by the midpoint rule, times 4.
template <class F>
double around(int cells, F f) {
  double sum = 0;
  for (int k = 0; k < cells; ++k) sum += f(pi / 2 * (k + 0.5) / cells);
  return 4 * sum * (pi / 2) / cells;
}

// ---- The law ----------------------------------------------------------------------------------

// The mass of the density at scale 1, int dtheta C/||u(theta)||_r^2, C the density at 0.
double mass(double r) {
  const double log_c = log_density(
      GeneralisedGaussianNoise{.value = VectorXd::Zero(2), .norm = r, .change_norm = r, .scale = 1},
      VectorXd(VectorXd::Zero(2)));
  return std::exp(log_c) * around(100, [r](double t) { return std::pow(lp_norm(unit(t), r), -2); });
}

// Length of the l_r unit circle over twice its area: what the normaliser is off by if the sphere is
// measured by its surface instead of by the cone measure.
double surface_over_cone(double r) {
  const auto point = [r](double t) -> VectorXd { return unit(t) / lp_norm(unit(t), r); };
  constexpr int cells = 400;
  const double length = around(cells, [&](double t) {
    const double half = pi / 4 / cells;
    return (point(t + half) - point(t - half)).norm() / (2 * half);
  });
  return length / (2 * std::exp(log_ball_volume(r, 2)));
}

constexpr std::array<double, 6> exponents{1, 1.5, 2, 3, 10, infinity};
constexpr int draws = 40'000;
// P(distance > threshold) <= 2 exp(-2 n t^2) for a true law (Dvoretzky, Kiefer, Wolfowitz,
// Massart): 1e-12.
const double threshold = std::sqrt(std::log(2e12) / (2.0 * draws));

double distance(std::vector<double> shares) {  // of values that should be uniform on (0, 1)
  std::sort(shares.begin(), shares.end());
  double worst = 0;
  for (std::size_t i = 0; i < shares.size(); ++i)
    worst = std::max({worst, shares[i] - static_cast<double>(i) / draws,
                      static_cast<double>(i + 1) / draws - shares[i]});
  return worst;
}

// Kolmogorov-Smirnov distances of draws in the plane from the laws of the radius, ||z||_r^2/2
// exponential, and of the angle, density proportional to 1/||u||_r^2. `gaussian_direction` keeps
// the radius but takes the direction of a Gaussian vector.
struct Distances {
  double radius = 0, angle = 0;
};
Distances distances(double r, bool gaussian_direction) {
  constexpr int cells = 2000;  // of a quarter of the circle
  std::vector<double> cumulative{0};
  for (int k = 0; k < cells; ++k)
    cumulative.push_back(cumulative.back() +
                         std::pow(lp_norm(unit(pi / 2 * (k + 0.5) / cells), r), -2));
  RandomStream stream({.seed = 0, .claim = "generalised Gaussian", .purpose = "draws"});
  const GeneralisedGaussianNoise law{
      .value = VectorXd::Zero(2), .norm = r, .change_norm = r, .scale = 1};
  std::vector<double> radii, angles;
  for (int t = 0; t < draws; ++t) {
    VectorXd z = std::get<VectorXd>(sample(law, stream));
    if (gaussian_direction) {
      const VectorXd g = stream.normal_vector(2);
      z = g * (lp_norm(z, r) / lp_norm(g, r));
    }
    radii.push_back(-std::expm1(-std::pow(lp_norm(z, r), 2) / 2));
    const double place = std::atan2(std::abs(z[1]), std::abs(z[0])) / (pi / 2) * cells;
    const auto cell = std::min<std::size_t>(static_cast<std::size_t>(place), cells - 1);
    const double within = place - static_cast<double>(cell);
    angles.push_back(((1 - within) * cumulative[cell] + within * cumulative[cell + 1]) /
                     cumulative.back());
  }
  return {distance(std::move(radii)), distance(std::move(angles))};
}

// Computed once, when first asked for.
template <bool gaussian_direction>
const std::array<Distances, 6>& law() {
  static const auto table = [] {
    std::array<Distances, 6> out;
    for (std::size_t k = 0; k < 6; ++k) out[k] = distances(exponents[k], gaussian_direction);
    return out;
  }();
  return table;
}

struct Goodness {
  enum class Of { radius, angle };
  Index r = 5;  // of `exponents`
  Of of = Of::angle;
  static Fields<Goodness> fields() {
    return {field("r index", &Goodness::r).range(5, 0, 5),
            field("angle", &Goodness::of).range(Of::angle, Of::radius, Of::angle)};
  }
  double distance(const std::array<Distances, 6>& table) const {
    const Distances& found = table[static_cast<std::size_t>(r)];
    return of == Of::angle ? found.angle : found.radius;
  }
};

void add_law(LemmaList& lemmas) {
  const std::string by_surface =
      "The Generalised Gaussian density, proportional to exp(-||z||_r^2/(2 sigma^2)), is "
      "normalised by the surface area of the unit l_r sphere. Its mass, which should be 1, is then "
      "at ";
  const std::string follow =
      " follow the laws of radius and angle for r = 1, 1.5, 2, 3, 10, infinity "
      "(Kolmogorov-Smirnov, false alarm 10^-12 each).";
  const char* density = "definition of the Generalised Gaussian law";
  const ParameterRange r{"r", 3, 1, 50, logarithmic};
  lemmas.add(
      "noise_normaliser", {r}, 0.99,
      {{printed, refuted, density,
        by_surface + "least 0.99 for every r >= 1, here in the plane (the plane and the 1 per cent "
                     "are this check's).",
        [](double norm) { return 1 / surface_over_cone(norm); }},
       {corrected,
        holds,
        "1/C = Vol(B_r) (2 sigma^2)^(d/2) Gamma(d/2 + 1)",
        "With the cone measure the mass of the Generalised Gaussian density in the plane is 1 up "
        "to a factor 1 + 10^-3 (of the quadrature) for every r >= 1.",
        1 + 1e-3,
        {},
        [](double norm) { return std::max(mass(norm), 1 / mass(norm)); }}});
  lemmas.add("noise_normaliser_above", {r}, [](double norm) { return 1 / surface_over_cone(norm); },
             {{printed, refuted, density,
               by_surface + "most 1.01 for every r >= 1, here in the plane (the plane and the 1 "
                            "per cent are this check's).",
               1.01}});
  lemmas.add<Goodness>(
      "noise_sampler", [](const Goodness& g) { return g.distance(law<false>()); },
      {{corrected, holds, "radius^2 = 2 sigma^2 Gamma(d/2), |x_j|^r = Gamma(1/r) for the direction",
        "40000 draws of Generalised Gaussian noise in the plane" + follow, threshold},
       {mutant,
        refuted,
        "planted fault: the direction of a Gaussian vector",
        "40000 draws of Generalised Gaussian noise in the plane with the direction of a Gaussian "
        "vector" +
            follow,
        threshold,
        {},
        [](const Goodness& g) { return g.distance(law<true>()); }}});
  const auto normal = [](double seed, double d) {
    RandomStream stream({.seed = static_cast<std::uint64_t>(seed), .claim = "norms"});
    return stream.normal_vector(static_cast<Index>(d));
  };
  lemmas.add("noise_norms",
             {{"seed", 0, 0, 10'000, integer},
              {"r", 2, 1, 50, logarithmic},
              {"factor", 1, 1, 50, logarithmic},
              {"d", 3, 1, 100, integer}},
             [=](double seed, double norm, double factor, double d) {
               return lp_norm(normal(seed, d), norm * factor);
             },
             {{proved, holds, "E||g||_*^2 <= d sigma^2, proofs of Theorems 7 and 10",
               "||z||_q <= ||z||_r for q >= r, with E||z||_r^2 = d sigma^2 exactly for "
               "Generalised Gaussian noise z.",
               [=](double seed, double norm, double, double d) {
                 return lp_norm(normal(seed, d), norm) * (1 + 1e-12);
               }}});
}

// ---- Its privacy ------------------------------------------------------------------------------

constexpr std::array<double, 5> duals{2, 2.5, 3, 4, 50};
constexpr std::array<double, 3> epsilons{0.1, 0.5, 0.99};
constexpr std::array<double, 2> deltas{1e-2, 1e-5};

// Exact delta over the claimed one for sigma^2 = 2 kappa s^2 log(1/delta)/epsilon^2. kappa = q - 1
// and r = q where that is below 2 log 2, or always; otherwise kappa = 2 log 2 and r = kappa + 1.
using DeltaTable = std::array<std::array<std::array<double, 2>, 3>, 5>;
template <bool logarithmic_kappa>
const DeltaTable& delta_shares() {
  static const DeltaTable table = [] {
    DeltaTable out{};
    for (std::size_t k = 0; k < duals.size(); ++k)
      for (std::size_t e = 0; e < epsilons.size(); ++e)
        for (std::size_t l = 0; l < deltas.size(); ++l) {
          const double kappa =
              logarithmic_kappa ? std::min(duals[k] - 1, 2 * std::log(2.0)) : duals[k] - 1;
          const double shift = epsilons[e] / std::sqrt(2 * kappa * -std::log(deltas[l]));
          out[k][e][l] = plane_delta(kappa + 1, duals[k], shift, epsilons[e], 9) / deltas[l];
        }
    return out;
  }();
  return table;
}

// Places in the three lists.
struct Listed {
  Index q = 0, epsilon = 2, delta = 1;
  static Fields<Listed> fields() {
    return {field("q index", &Listed::q).range(0, 0, 4),
            field("epsilon index", &Listed::epsilon).range(2, 0, 2),
            field("delta index", &Listed::delta).range(1, 0, 1)};
  }
  std::size_t dual() const { return static_cast<std::size_t>(q); }
  double share(const DeltaTable& table) const {
    return table[dual()][static_cast<std::size_t>(epsilon)][static_cast<std::size_t>(delta)];
  }
};

const char* const lemma_3 = "Lemma 3 (after Bassily, Guzman and Nandi)";

void add_listed_privacy(LemmaList& lemmas) {
  const auto power = [](const Listed& at) { return at.share(delta_shares<false>()); };
  const auto capped = [](const Listed& at) { return at.share(delta_shares<true>()); };
  const auto by_dual = [](std::array<double, 5> most) {
    return [most](const Listed& at) { return most[at.dual()]; };
  };
  const std::string noise =
      "In the plane noise with sigma^2 = 2 kappa s^2 log(1/delta)/epsilon^2, ";
  const std::string full = noise + "kappa = q - 1 and r = q, ";
  const std::string least = noise + "kappa = min{q - 1, 2 log 2} and r = kappa + 1, ";
  const std::string listed =
      " for q = 2, 2.5, 3, 4, 50, epsilon = 0.1, 0.5, 0.99, delta = 10^-2, 10^-5.";
  const std::string is_private =
      "is (epsilon, delta)-DP for changes of s in l_q: exact delta/delta <= 1" + listed;
  const std::string has_slack = "has an exact delta/delta of at most ";
  lemmas.add<Listed>("noise_privacy", power, {{printed, holds, lemma_3, full + is_private, 1}});
  lemmas.add<Listed>("noise_privacy_slack", power,
                     {{corrected, holds, "Lemma 3 in the plane",
                       full + has_slack + "0.018, 0.0012, 9e-5, 7e-7, 1e-12" + listed +
                           " The noise is ever further from tight.",
                       by_dual({0.018, 0.0012, 9e-5, 7e-7, 1e-12})}});
  lemmas.add<Listed>("noise_privacy_logarithm", capped,
                     {{printed, holds, lemma_3, least + is_private, 1}});
  lemmas.add<Listed>("noise_privacy_logarithm_slack", capped,
                     {{corrected, holds, "Lemma 3 in the plane",
                       least + has_slack + "0.018, 0.0024, 0.0045, 0.0097, 0.068" + listed,
                       by_dual({0.018, 0.0024, 0.0045, 0.0097, 0.068})}});
}

void add_privacy(LemmaList& lemmas) {
  lemmas.add(
      "noise_privacy_small_delta",
      {{"q", 1000, 2, 1000, logarithmic},
       {"epsilon", 0.99, 0.01, 0.99, logarithmic},
       {"delta", 1e-30, 1e-40, 1e-2, logarithmic}},
      [](double q, double epsilon, double delta) {
        return lemma_3_delta(std::min(q - 1, 2 * std::log(2.0)), q, epsilon, delta);
      },
      {{printed, refuted, lemma_3,
        "Generalised Gaussian noise in ||.||_r with sigma^2 = 2 kappa s^2 log(1/delta)/epsilon^2, "
        "kappa = min{1/(p - 1), 2 log d} and r = kappa + 1, is (epsilon, delta)-DP for changes of "
        "at most s in ||.||_q, q = p/(p - 1), for every delta > 0. Checked in the plane, where "
        "kappa = min{q - 1, 2 log 2}, for q >= 2 and delta >= 10^-40.",
        [](double, double, double delta) { return delta; }}});
  lemmas.add("noise_privacy_small_delta",
             {{"epsilon", 1, 1e-3, 1, logarithmic}, {"delta", 1e-5, 1e-300, 0.9, logarithmic}},
             [](double epsilon, double delta) {
               return gaussian_delta(epsilon / std::sqrt(-2 * std::log(delta)), epsilon);
             },
             {{corrected, holds, "Lemma 3 with r = 2 and kappa = d^(1 - 2/q), 2 log d <= 2",
               "With Gaussian noise and kappa = d^(1 - 2/q) Lemma 3's mechanism is (epsilon, "
               "delta)-DP for every epsilon <= 1, 10^-300 <= delta <= 0.9.",
               [](double, double delta) { return delta; }}});
  lemmas.add("kappa", {{"p", 1.5, 1.001, 1.999, linear}, {"d", 2, 1, 100, integer}}, 1,
             {{printed,
               refuted,
               "kappa = min{1/(p - 1), 2 log d}",
               "The kappa of the kappa-regular space, min{1/(p - 1), 2 log d}, is at least 1 for 1 "
               "< p < 2 and every d >= 1.",
               [](auto p, auto d) { return min(1 / (p - 1), 2 * log(d)); },
               {},
               {},
               {},
               Text::su_supplement}});
  const auto rho = [](auto epsilon, auto l) { return epsilon * epsilon / (4 * l); };
  const auto spent = [](auto epsilon, auto) { return epsilon; };
  lemmas.add("noise_proof",
             {{"epsilon", 1, 1e-3, 1, logarithmic}, {"delta", 1e-5, 1e-40, 0.5, logarithmic}},
             [=](auto epsilon, auto delta) {
               const auto l = -log(delta);
               return rho(epsilon, l) + 2 * sqrt(rho(epsilon, l) * l);
             },
             {{proved, refuted, lemma_3,
               "The Renyi divergences of Lemma 3's proof, which are those of rho-zCDP with rho = "
               "epsilon^2/(4 log(1/delta)), give (epsilon, delta)-DP by the usual conversion: rho "
               "+ 2 sqrt(rho log(1/delta)) <= epsilon for epsilon <= 1.",
               spent},
              {corrected,
               holds,
               "Lemma 3 by the optimal conversion of zCDP",
               "The optimal conversion of the zCDP of Lemma 3's proof, rho = epsilon^2/(4 "
               "log(1/delta)), gives epsilon at delta for epsilon <= 1, delta <= 1/2.",
               spent,
               {},
               [=](double epsilon, double delta) {
                 return zcdp_epsilon(rho(epsilon, -std::log(delta)), delta);
               }}});
}

}  // namespace

std::vector<Claim> generalised_gaussian_lemmas() {
  LemmaList lemmas("su.regularized_mirror_descent", Text::su_main);
  add_law(lemmas);
  add_listed_privacy(lemmas);
  add_privacy(lemmas);
  return lemmas.take();
}

}  // namespace dpverify::su
