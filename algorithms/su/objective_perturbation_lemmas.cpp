// Steps of the proof of Lemma 5, and of the noise of Algorithm 5, that one inequality decides.
#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <optional>

#include "algorithms/claims/lemmas.hpp"
#include "algorithms/core/gaussian.hpp"
#include "algorithms/su/log_determinant.hpp"
#include "algorithms/su/objective_perturbation.hpp"

namespace dpverify::su {
namespace {

using enum Edition;
using enum Expectation;
using enum Scale;

template <class Real>
struct LinearNoise {
  Real epsilon, delta;
  static Fields<LinearNoise> fields() {
    return {field("epsilon", &LinearNoise::epsilon).range(0.999, 1e-3, 0.999, logarithmic),
            field("delta", &LinearNoise::delta).range(1e-5, 1e-12, 0.999, logarithmic)};
  }
};

void add_log_determinant(LemmaList& lemmas) {
  const auto half_budget = [](const auto& p) { return p.epsilon / 2; };
  const auto of_line_2 = [](const auto& p) { return lambda_of_lemma_5(p) / 2; };
  const auto of_rank = [](const auto& p) { return min(p.rank, p.dimension) / p.epsilon; };
  lemmas.add<Hessians>(
      "log_determinant", log_determinant(lambda_of_lemma_5),
      {{printed, refuted, "Algorithm 5, line 2",
        "With lambda = r beta/(2 epsilon n), the least that line 2 of Algorithm 5 asks for, r = "
        "min{d, 2 rank}, replacing one record changes the log determinant of the Hessian of J by "
        "at most epsilon/2, which leaves epsilon/2 to the noise. The dimension is d, and rank is "
        "the largest rank of the Hessian of one record's loss.",
        half_budget, std::nullopt, log_determinant(of_line_2)},
       {proved, holds, "Lemma 5",
        "With lambda = r beta/(epsilon n), r = min{d, 2 rank}, the log determinant of the Hessians "
        "differs by at most epsilon/2.",
        half_budget},
       {corrected, holds, "the smallest lambda whose first-order budget is epsilon/2",
        "With lambda = min{d, rank} beta/(epsilon n) the log determinant of the Hessians differs "
        "by at most epsilon/2.",
        half_budget, std::nullopt, log_determinant(of_rank)}},
      {"eigenvalues of a record's Hessian in [0, beta]", "at most `rank` of them positive"});
}

struct Space {
  Index dimension = 2;
  static Fields<Space> fields() { return {field("dimension", &Space::dimension).range(2, 1, 12)}; }
};

// Of the Hessians of the two objectives at one point.
Index rank_of_replacement(const VectorXd& features, const VectorXd& replacement) {
  const auto hessian = [](const VectorXd& record) {
    const Dataset data{record.transpose(), VectorXd::Zero(1)};
    return regularised_objective(data, {.radius = 10})
        ->hessian(VectorXd::Constant(record.size(), 0.1));
  };
  Eigen::FullPivLU<Eigen::MatrixXd> difference(hessian(replacement) - hessian(features));
  difference.setThreshold(1e-9);
  return difference.rank();
}

// min{d, 2 rank} of the paper decides lambda: more than the change has would be noise for nothing,
// less no privacy.
void add_rank(LemmaList& lemmas) {
  lemmas.add<Space>(
      "rank_of_change",
      [](const Space& p) {
        VectorXd features = VectorXd::Zero(p.dimension), replacement = features;
        features[0] = 1;
        replacement[p.dimension - 1] = 0.8;
        const double ratio = static_cast<double>(rank_of_replacement(features, replacement)) /
                             rank_of_change(p.dimension);
        return std::max(ratio, 1 / ratio);
      },
      {{printed, holds, "Algorithm 5, line 2: r = min{d, 2 rank}",
        "A record that is replaced by one with features in another direction changes the Hessian "
        "of J by a matrix of rank min{d, 2 rank}, no more and no less, where rank, of the Hessian "
        "of one record's loss, is 1: r of Algorithm 5 is the least possible. Sides: the larger of "
        "the two ratios, and 1 + 1e-9.",
        1 + 1e-9}},
      {"pseudo-Huber loss, linear model"});
}

void add_noise(LemmaList& lemmas) {
  const auto unit = [](const auto& p) { return -log(p.delta) / pow(p.epsilon, 2); };
  lemmas.add<LinearNoise>(
      "noise_of_lemma_6", [unit](const auto& p) { return 128 * unit(p); },
      {{printed, refuted, "proof of Lemma 6: sigma_1^2 = 128 L^2 log(1/delta)/epsilon^2",
        "The proof of Lemma 6 is about the noise of Algorithm 5: its variance, 128 L^2 "
        "log(1/delta)/epsilon^2, is at most that of the algorithm, 32 L^2 log(1/delta)/epsilon^2.",
        [unit](const auto& p) { return 32 * unit(p); }}},
      {"L = 1"});
  using Plain = LinearNoise<double>;
  const auto claimed = [](const Plain& p) { return p.delta; };
  lemmas.add<Plain>(
      "linear_term",
      [](const Plain& p) {
        return gaussian_delta(2 * p.epsilon / std::sqrt(32 * -std::log(p.delta)), p.epsilon / 2);
      },
      {{printed, refuted, "Algorithm 5: the noise on a fixed shift of 2 L",
        "The noise N(0, sigma_1^2 I) of Algorithm 5, sigma_1^2 = 32 L^2 log(1/delta)/epsilon^2, "
        "makes a fixed shift of norm 2 L (epsilon/2, delta)-DP for all 0 < epsilon < 1 and 0 < "
        "delta < 1 (checked up to delta = 0.999).",
        claimed},
       {corrected, holds, "Algorithm 5 away from delta = 1",
        "N(0, sigma_1^2 I), sigma_1^2 = 32 L^2 log(1/delta)/epsilon^2, shifted by 2 L is "
        "(epsilon/2, delta)-DP for all 0 < epsilon < 1 and delta up to 0.9.",
        claimed, Plain::fields().within(&Plain::delta, 1e-5, 1e-12, 0.9)}});
}

}  // namespace

std::vector<Claim> objective_perturbation_lemmas() {
  LemmaList lemmas("su.objective_perturbation", Text::su_supplement);
  add_log_determinant(lemmas);
  add_rank(lemmas);
  add_noise(lemmas);
  return lemmas.take();
}

}  // namespace dpverify::su
