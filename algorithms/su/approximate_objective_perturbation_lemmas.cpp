// Steps of the proofs of Theorems 1, 3, 4 and 11 of Su, Zhao and Wang that one inequality decides.
#include <algorithm>
#include <cmath>
#include <optional>

#include "algorithms/claims/lemmas.hpp"
#include "algorithms/core/gaussian.hpp"
#include "algorithms/geometry/convex_body.hpp"
#include "algorithms/su/approximate_objective_perturbation.hpp"

namespace dpverify::su {
namespace {

using enum Edition;
using enum Expectation;
using enum Scale;

// ---- Algorithm 1 ------------------------------------------------------------------------------

template <class Real>
struct InnerAccuracy {
  Real alpha, lambda;
  static Fields<InnerAccuracy> fields() {
    return {field("alpha", &InnerAccuracy::alpha).range(1e-6, 1e-12, 1.0, logarithmic),
            field("lambda", &InnerAccuracy::lambda).range(0.1, 1e-6, 10.0, logarithmic)};
  }
};

template <class Real>
struct ApproximationBudget {
  Real epsilon, delta;
  static Fields<ApproximationBudget> fields() {
    return {field("epsilon", &ApproximationBudget::epsilon).range(0.5, 1e-3, 0.999, logarithmic),
            field("delta", &ApproximationBudget::delta).range(1e-5, 1e-12, 0.999, logarithmic)};
  }
};
using Plain = ApproximationBudget<double>;

struct Nothing {
  static Fields<Nothing> fields() { return {}; }
};

// The epsilon that H costs at delta = 5e-6, at the budget (1, 1e-5) and with a sensitivity of
// sqrt(factor alpha/lambda).
double epsilon_of_noise(double factor) {
  return gaussian_epsilon(std::sqrt(factor / (64 * std::log(2.5e5))), 5e-6);
}

// theta_2 around theta_1 where nothing but lambda bends J: the records saturated, J moves by lambda
// distance^2.
void add_inner_accuracy(LemmaList& lemmas) {
  lemmas.add<InnerAccuracy>(
      "inner_accuracy", [](const auto& p) { return sqrt(p.alpha / p.lambda); },
      {{printed, holds, "proof of Theorem 1, (2)",
        "Algorithm 1's theta_2 lies within sqrt(2 alpha/lambda) of theta_1. (J has lambda "
        "||theta||^2, hence modulus 2 lambda: the farthest point is at sqrt(alpha/lambda), so that "
        "sigma_2^2 is twice what its proof needs.)",
        [](const auto& p) { return sqrt(2 * p.alpha / p.lambda); }},
       {corrected, holds, "proof of Theorem 1, (2) with the modulus 2 lambda",
        "Algorithm 1's theta_2 lies within sqrt(alpha/lambda) of theta_1.",
        [](const auto& p) { return sqrt((1 + 1e-12) * p.alpha / p.lambda); }}},
      {"the losses are linear around theta_1"});
}

void add_budget(LemmaList& lemmas) {
  lemmas.add<Plain>(
      "output_noise",
      // sensitivity^2/variance = 8 (alpha/lambda)/(64 alpha log(2.5/delta)/(lambda epsilon^2)).
      [](const Plain& p) {
        const double mu = p.epsilon * std::sqrt(8 / (64 * std::log(2.5 / p.delta)));
        return gaussian_delta(mu, p.epsilon / 2);
      },
      {{printed, holds, "proof of Theorem 1: the noise H",
        "Algorithm 1's theta_2 - theta_1 + H is (epsilon/2, delta/2)-DP given theta_1, with the "
        "printed sensitivity sqrt(8 alpha/lambda).",
        [](const Plain& p) { return p.delta / 2; }}});
  lemmas.add<Nothing>(
      "epsilon_of_the_output", epsilon_of_noise(8),  // 0.359; 0.247 with the true sensitivity
      {{printed, holds, "proof of Theorem 1: the noise H",
        "At epsilon = 1, delta = 1e-5 Algorithm 1's noise H on a shift of sqrt(8 alpha/lambda) is "
        "(0.5, 5e-6)-DP.",
        0.5},
       {corrected, holds, "proof of Theorem 1: the noise H on the true shift",
        "At epsilon = 1, delta = 1e-5 Algorithm 1's noise H on a shift of sqrt(4 alpha/lambda) is "
        "(0.5, 5e-6)-DP.",
        0.5, std::nullopt, epsilon_of_noise(4)}});
  lemmas.add<ApproximationBudget>(
      "budget", [](const auto& p) { return p.epsilon + p.epsilon / 2; },
      {{proved, refuted, "proof of Theorem 1: theta_1 by Lemma 5, then H",
        "Algorithm 1 post-processes theta_1, which is (epsilon, delta)-DP by Lemma 5, and theta_2 "
        "- theta_1 + H, which is (epsilon/2, delta/2)-DP given theta_1. By basic composition the "
        "two together are (epsilon, delta)-DP.",
        [](const auto& p) { return p.epsilon; }, Plain::fields().without(&Plain::delta),
        std::nullopt, std::nullopt, Text::su_supplement}});
}

// ---- Algorithm 2 ------------------------------------------------------------------------------

struct Ball {
  double radius = 1, epsilon = 0.5;
  static Fields<Ball> fields() {
    return {field("radius", &Ball::radius).range(2.0, 1.0, 10.0, logarithmic),
            field("epsilon", &Ball::epsilon).range(0.999, 0.01, 0.999, logarithmic)};
  }
};

// In one dimension where Delta = r beta/(epsilon n), so that the printed lambda is 0.
Side<Ball> cost_of_log_determinant(Edition edition) {
  return [edition](const Ball& b) {
    const auto p = approximate_objective_perturbation_from_theorem(
        edition, 100, 1, b.epsilon, 1e-5, Loss::pseudo_huber, 1, b.radius, 1 / (100 * b.epsilon));
    return std::log1p(1 / (100 * modulus(p.objective)));
  };
}

// x on a line between an axis and the diagonal.
struct PointOfBall {
  double p = 2;
  Index dimension = 2;
  double mix = 0;
  static Fields<PointOfBall> fields() {
    return {field("p", &PointOfBall::p).range(1.5, 1.0, 10.0),
            field("dimension", &PointOfBall::dimension).range(2, 1, 50),
            field("mix", &PointOfBall::mix).range(0.0, 0.0, 1.0)};
  }
  VectorXd x() const {
    VectorXd out = VectorXd::Constant(dimension, mix);
    out[0] = 1;
    return out;
  }
};

template <class Real>
struct Theorem11Record {
  Real theta;
  static Fields<Theorem11Record> fields() {
    return {field("theta", &Theorem11Record::theta).range(1.0, 0.1, 1.0)};
  }
};

void add_log_determinant(LemmaList& lemmas) {
  const auto half_budget = [](const Ball& b) { return b.epsilon / 2; };
  lemmas.add<Ball>(
      "log_determinant", cost_of_log_determinant(printed),
      {{printed, refuted, "proof of Theorem 3: J is r beta/(epsilon n)-strongly convex",
        "J of Algorithm 2 is r beta/(epsilon n)-strongly convex, so that the log determinant of "
        "its Hessian costs at most epsilon/2 where one record is replaced. Here Delta = r "
        "beta/(epsilon n), hence lambda = 0, and C is the interval [-radius, radius] (one "
        "dimension, beta = 1 and n = 100 are this check's).",
        half_budget},
       {corrected, holds, "lambda = max{r beta/(epsilon n) - Delta/(2 radius^2), 0}",
        "In Algorithm 2 with Delta = r beta/(epsilon n) and lambda = max{r beta/(epsilon n) - "
        "Delta/(2 radius^2), 0} the log determinant costs at most epsilon/2.",
        half_budget, std::nullopt, cost_of_log_determinant(corrected)}},
      {"one dimension, beta = 1, n = 100"});
}

void add_rate(LemmaList& lemmas) {
  lemmas.add<ApproximationBudget>(
      "first_term_of_theorem_4", [](const auto& p) { return 1 / p.epsilon; },
      {{printed, refuted, "Theorem 4 against its proof",
        "Theorem 4 states what its proof gives: the first term of the rate in the theorem, L^2 "
        "||C||_2^2/(Delta n epsilon), is at most the first term in the proof, L^2 ||C||_2^2/(Delta "
        "n).",
        1, Plain::fields().without(&Plain::delta).within(&Plain::epsilon, 0.1, 1e-3, 0.999)}});
}

// What a record that is drawn j times, as often as one of n does among n drawn with replacement,
// costs the private A(epsilon_0, delta_0): (j epsilon_0, j e^((j - 1) epsilon_0) delta_0) while j
// epsilon_0 <= epsilon, and delta = 1 beyond.
struct Resampled {
  double n = 100, epsilon = 1, delta = 1e-5;
  static Fields<Resampled> fields() {
    return {field("n", &Resampled::n).range(100.0, 2.0, 1e6, logarithmic),
            field("epsilon", &Resampled::epsilon).range(1.0, 1e-3, 10.0, logarithmic),
            field("delta", &Resampled::delta).range(1e-5, 1e-12, 0.999, logarithmic)};
  }
  double spent(double share) const {
    const double size = std::floor(n), logarithm = -std::log(delta);
    const double epsilon_0 = epsilon * share / (4 * logarithm);
    const double delta_0 = std::exp(-epsilon) * delta / (8 * std::log(2 / delta));
    const double most = std::floor(4 * logarithm / share * (1 + 1e-12));
    double probability = std::exp(size * std::log1p(-1 / size)), sum = 0;  // of j = 0
    for (double j = 0; j <= std::min(most, size); ++j) {
      sum += probability * j * std::exp((j - 1) * epsilon_0) * delta_0;
      probability *= (size - j) / (j + 1) / (size - 1);
    }
    double beyond = 0;
    for (double j = std::min(most, size) + 1; j <= size && probability > 1e-300; ++j) {
      beyond += probability;
      probability *= (size - j) / (j + 1) / (size - 1);
    }
    return sum + beyond;
  }
};

void add_reduction(LemmaList& lemmas) {
  const auto delta = [](const Resampled& r) { return r.delta; };
  lemmas.add<Resampled>(
      "theorem_12", [](const Resampled& r) { return r.spent(1); },
      {{printed, holds, "Theorem 12",
        "An (epsilon/(4 log(1/delta)), e^-epsilon delta/(8 log(2/delta)))-DP algorithm on n "
        "records "
        "drawn with replacement from a dataset of n >= 2 is (epsilon, delta)-DP: by group privacy "
        "for a record drawn j times, and j's exact law.",
        delta},
       {mutant, refuted, "planted fault: half of epsilon for each draw",
        "An (epsilon/2, e^-epsilon delta/(8 log(2/delta)))-DP algorithm on n records drawn with "
        "replacement from a dataset of n >= 2 is (epsilon, delta)-DP by group privacy for a record "
        "drawn j times.",
        delta, std::nullopt, [](const Resampled& r) { return r.spent(2 * -std::log(r.delta)); }}});
}

// Of the supplement.
void add_lower_bound(LemmaList& lemmas) {
  lemmas.add<PointOfBall>(
      "minkowski",
      [](const PointOfBall& at) {
        const auto d = static_cast<double>(at.dimension);
        const double nearest = std::min(1.0, std::pow(d, 0.5 - 1 / at.p));  // C_min
        return minkowski_norm({.p = at.p, .radius = 1, .dimension = at.dimension}, at.x()) *
               nearest;
      },
      {{printed, holds, "Lemma 10",
        "||x||_2 >= ||x||_C C_min, C_min the distance from 0 to the boundary of C.",
        [](const PointOfBall& at) { return at.x().norm() * (1 + 1e-14); }}},
      {"C an l_p ball, x on a line between an axis and the diagonal"});
  lemmas.add<Theorem11Record>(
      "objective_of_theorem_11", [](const auto& p) { return pow(p.theta, 2) / 2; },
      {{printed, refuted, "proof of Theorem 11: the excess empirical risk",
        "For the loss l(theta; x) = ||theta - x||_2^2/2 and the empirical risk (1/(2n)) sum "
        "l(theta; x_i) the excess empirical risk of theta is ||theta - mean||_2^2/2, mean being "
        "that of the records (a single record at 0 is this check's).",
        [](const auto& p) { return pow(p.theta, 2) / 2 / 2; }}},
      {"one record at 0"});
}

}  // namespace

std::vector<Claim> approximate_objective_perturbation_lemmas() {
  LemmaList lemmas("su.approximate_objective_perturbation", Text::su);
  add_inner_accuracy(lemmas);
  add_budget(lemmas);
  return lemmas.take();
}

std::vector<Claim> approximate_objective_perturbation_strongly_convex_lemmas() {
  const std::string id = "su.approximate_objective_perturbation_strongly_convex";
  LemmaList lemmas(id, Text::su), of_supplement(id, Text::su_supplement);
  add_log_determinant(lemmas);
  add_rate(lemmas);
  add_lower_bound(of_supplement);
  add_reduction(of_supplement);
  std::vector<Claim> out = lemmas.take();
  for (Claim& claim : of_supplement.take()) out.push_back(std::move(claim));
  return out;
}

}  // namespace dpverify::su
