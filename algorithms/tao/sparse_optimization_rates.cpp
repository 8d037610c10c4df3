// Theorems 10 and 11 of Tao, Wu, Cheng and Wang, as rates.
#include <algorithm>
#include <cmath>

#include "algorithms/claims/claim_list.hpp"
#include "algorithms/claims/rates.hpp"
#include "algorithms/comparators/noisy_descent.hpp"
#include "algorithms/core/gaussian.hpp"
#include "algorithms/mechanisms/peeling_rates.hpp"
#include "algorithms/problems/hard_laws.hpp"
#include "algorithms/problems/heavy_mean.hpp"
#include "algorithms/tao/peeling.hpp"
#include "algorithms/tao/sparse_optimization.hpp"

namespace dpverify::tao {
namespace {

using enum Edition;
using enum Expectation;

constexpr double xi = 0.25, delta = 1e-5;

RateTheorem theorem_10(double exponent, std::function<RatePoint(double)> at,
                       bool by_parts = false) {
  return {exponent, xi, by_parts, std::move(at)};
}

// Of ||w - x||^2/2.
std::function<double(const VectorXd&)> excess_over(VectorXd mean) {
  return [mean = std::move(mean)](const VectorXd& w) { return (w - mean).squaredNorm() / 2; };
}

// What a user would run instead: the mean of the records, each scaled to l2 norm at most `clip`,
// with Gaussian noise, and of it the s largest magnitudes. (epsilon, delta)-DP.
Comparator clipped_mean(double clip, Index sparsity, const PrivacyGuarantee& guarantee) {
  const double mu = gaussian_mu(guarantee.epsilon, guarantee.delta);
  return {"clipped mean + Gaussian", [=](const Dataset& data, Releases& releases) {
            const auto n = static_cast<double>(data.size());
            VectorXd sum = VectorXd::Zero(data.dimension());
            for (const auto record : data.features.rowwise())
              sum += std::min(1.0, clip / record.norm()) * record.transpose();
            const VectorXd noisy =
                releases.release(GaussianNoise{sum / n, 2 * clip / n, 2 * clip / (n * mu)});
            return project(noisy, {.sparsity = sparsity});
          }};
}

// 2 features, the mean of the first about 1 and of the other, whose sign is fair, 0.
RateClaim records_rate() {
  constexpr double order = 1, delta = 0.1;  // at 1e-5 the noise needs more records than one draws
  const HeavyMean law{.dimension = 2, .share = 0.01, .tail = 1 + order + 0.05};
  VectorXd mean = VectorXd::Zero(2);
  mean[0] = law.mean();
  const SparseProblem problem{.moment = law.moment(1 + order), .order = order};
  constexpr double epsilon = 0.99;
  const auto at = [=](double n) {
    SparseOptimizationParameters p =
        sparse_optimization_from_theorem(static_cast<Index>(n), 2, problem, epsilon, delta, xi);
    p.gradients = mean_point_gradients;
    RatePoint point{static_cast<Index>(n),
                    [p](const Dataset& data, Releases& releases) {
                      return sparse_optimization(data, p, releases);
                    },
                    sparse_optimization_bound(n, 2, problem, epsilon, delta, xi)};
    point.comparators = {clipped_mean(4, 1, {epsilon, delta})};
    return point;
  };
  const auto draw = [law](Index n, RandomStream& stream) {
    Dataset data = law.draw(n, stream);
    for (Index i = 0; i < n; ++i)
      if (stream.coin()) data.features(i, 1) *= -1;
    return data;
  };
  return rate_claim(
      "n", theorem_10(-2 * order / (1 + order), at, true),
      {"the mean of 2 features, loss ||w - x||^2/2, s* = s = 1, gamma = mu = 1; each "
       "1, and in one case of a hundred Pareto of index " +
           to_text(law.tail) + ", the second with a fair sign; v = " + to_text(order) +
           ", epsilon = 0.99, delta = 0.1; closed-form population risk",
       2, draw, excess_over(mean)},
      {{}, {{1e4, 5e4, 2e5, 1e6}, 150}, {{1e4, 1e5, 1e6, 1e7}, 60}});
}

// Theorem 10's parameters for n records of the law, which the mechanism reads as counts of T parts.
struct OnCounts {
  CountedMean law;
  Index records;
  SparseOptimizationParameters p;
  double mu = 1;  // the loss is sum_j h_j (w_j - x_j)^2/2, h_j = mu and 1 in turn

  Index part() const { return records / p.iterations; }
  double weight(Index j) const { return j % 2 == 0 ? mu : 1; }
  double excess_risk(const VectorXd& w) const {
    const VectorXd mean = law.mean();
    double sum = 0;
    for (Index j = 0; j < mean.size(); ++j) sum += weight(j) * std::pow(w[j] - mean[j], 2) / 2;
    return sum;
  }
  VectorXd operator()(const Dataset& counts, Releases& releases) const {
    const PartGradient gradient = [&](const VectorXd& w, Index t) -> VectorXd {
      return law
          .block_means(counts.part(t, p.iterations), part(),
                       [&](Index j, double x) {
                         const double gradient_j = weight(j) * (w[j] - x);
                         return std::abs(gradient_j) <= p.truncation ? gradient_j : 0;
                       })
          .row(0);
    };
    return sparse_optimization(gradient, records, law.dimension, p, releases);
  }
};

// The mean of features that the law draws, the first s* of them with a mean that is not 0.
RatePoint counted_point(const CountedMean& law, Index n, double order, double epsilon,
                        double mu = 1) {
  const SparseProblem problem{.optimum_sparsity = law.informative,
                              .mu = mu,
                              .moment = law.moment(1 + order),
                              .order = order};
  const OnCounts run{
      law, n, sparse_optimization_from_theorem(n, law.dimension, problem, epsilon, delta, xi), mu};
  return {
      .records = n,
      .mechanism = run,
      .bound = sparse_optimization_bound(static_cast<double>(n), static_cast<double>(law.dimension),
                                         problem, epsilon, delta, xi),
      .dimension = law.dimension,
      .draw =
          [run](Index, RandomStream& stream) {
            return run.law.draw(run.p.iterations, run.part(), stream);
          },
      .excess_risk = [run](const VectorXd& w) { return run.excess_risk(w); }};
}

RateClaim heavy_rate() {
  constexpr double order = 0.5;
  CountedMean law = HeavyMean{.dimension = 2, .share = 0.01, .tail = 1.55}.rounded_down();
  law.informative = 1;
  return rate_claim(
      "n",
      theorem_10(-2 * order / (1 + order),
                 [=](double n) { return counted_point(law, static_cast<Index>(n), order, 0.99); }),
      {.words = "the mean of 2 features, the first of them 1, and in one case of a hundred a power "
                "of 4, P(x >= 4^k) = 4^(-1.55 k) up to k = 10, the second 0, drawn as counts; loss "
                "||w - x||^2/2, s* = s = 1, gamma = mu = 1, v = 1/2, epsilon = 0.99, delta = 1e-5, "
                "xi = 0.25",
       .dimension = 2},
      {{{1e8, 5e8, 2e9, 1e10}, 400}, {{1e8, 3e8, 1e9, 3e9, 1e10}, 600}});
}

// The first s* of d features 1, and in one case of a hundred 5, the others 0.
CountedMean ones(Index dimension, Index sparsity) {
  return {dimension, sparsity, {5, 1}, {0.01, 0.99}};
}

RateProblem counted_problem(const std::string& features, const std::string& ones,
                            const std::string& fixed) {
  return {.words = "the mean of " + features + " features, " + ones +
                   " of them 1, and in one case of a hundred 5, the others 0, drawn as counts; "
                   "loss ||w - x||^2/2, s = s*, gamma = mu = 1, v = 1, delta = 1e-5, xi = 0.25, " +
                   fixed};
}

// A wrong choice costs b^2 log^2 d, which is the bound's log d for b^2 of the order of 1/log d.
RatePoint hidden_point(double d) {
  constexpr Index n = 5'000'000, sparsity = 5;
  constexpr double epsilon = 0.99;
  const auto dimension = static_cast<Index>(d);
  const SparseOptimizationParameters p = sparse_optimization_from_theorem(
      n, dimension, {.optimum_sparsity = sparsity}, epsilon, delta, xi);
  const CountedMean law =
      signs_at_the_noise({.sparsity = p.sparsity,
                          .sensitivity = coordinate_sensitivity(p, n / p.iterations),
                          .epsilon = epsilon,
                          .delta = delta,
                          .factor = peeling_factor},
                         dimension);
  return counted_point(law, n, 1, epsilon);
}

RateClaim dimension_rate() {
  return rate_claim(
      "d", theorem_10(0, hidden_point),
      {.words = "the mean of d features, 5 of them signs with mean b (log d + 2), b the scale of "
                "Peeling's noise, which hides one of them now and then, the others 0, drawn as "
                "counts; loss ||w - x||^2/2, s = s*, gamma = mu = 1, v = 1, delta = 1e-5, xi = "
                "0.25, n = 5 10^6, epsilon = 0.99"},
      {{{16, 80, 300, 1600}, 180}, {{16, 50, 160, 500, 1600}, 300}});
}

RateClaim sparsity_rate() {
  return rate_claim("s",
                    theorem_10(1.5,
                               [](double s) {
                                 return counted_point(ones(300, static_cast<Index>(s)), 500'000'000,
                                                      1, 0.99);
                               }),
                    counted_problem("300", "s*", "n = 5 10^8, epsilon = 0.99"),
                    {{{1, 5, 20, 100}, 32}, {{1, 3, 10, 30, 100}, 100}});
}

RateClaim epsilon_rate() {
  return rate_claim(
      "epsilon",
      theorem_10(
          -1, [](double epsilon) { return counted_point(ones(200, 4), 500'000'000, 1, epsilon); }),
      counted_problem("200", "4", "n = 5 10^8"),
      {{{0.0099, 0.05, 0.2, 0.99}, 60}, {{0.0099, 0.03, 0.1, 0.3, 0.99}, 200}});
}

// gamma/mu = 2: s = 4 s*. E|h_j (w_j - x_j)|^2 <= E x_j^2 at w = 0 and at the mean.
RateClaim condition_rate() {
  return rate_claim(
      "n",
      theorem_10(-1,
                 [](double n) {
                   return counted_point(ones(50, 2), static_cast<Index>(n), 1.0, 0.99, 0.5);
                 }),
      {.words =
           "the mean of 50 features, two of them 1, and in one case of a hundred 5, the others "
           "0, drawn as counts; loss sum h_j (w_j - x_j)^2/2, half of the h_j 1, half 1/2; s* "
           "= 2, s = 8, v = 1, epsilon = 0.99, delta = 1e-5, xi = 0.25",
       .dimension = 50},
      in_both({{1e9, 5e9, 2e10, 1e11}, 80}));
}

// Five records, on average, of the n are the law's word of 4 ones among 124, times sqrt n: E|x_j|^2
// <= u = 5.
RatePoint hard_point(double n) {
  constexpr double epsilon = 0.99, small_delta = 1e-6;
  constexpr Index sparsity = 4;
  const auto records = static_cast<Index>(n);
  const HardLaws laws{.words = sparse_words(sparsity, 31),
                      .records = records,
                      .probability = 5 / n,
                      .size = std::sqrt(n)};
  const Index dimension = laws.words.dimension;
  // E|w_j - x_j|^2 <= 2 (1 + 5) while |w_j| <= 1.
  const SparseProblem problem{.optimum_sparsity = sparsity, .moment = 12};
  const OnCounts run{
      laws.counted(), records,
      sparse_optimization_from_theorem(records, dimension, problem, epsilon, small_delta, xi)};
  return {.records = records,
          .mechanism = run,
          .bound = sparse_optimization_bound(n, static_cast<double>(dimension), problem, epsilon,
                                             delta, xi),
          .dimension = dimension,
          .instance =
              [=](RandomStream& stream) {
                const Index k = stream.index(laws.words.count);
                return Instance{laws.draw_counts(k, run.p.iterations, run.part(), stream),
                                excess_over(laws.mean(k))};
              },
          .lower_bound = error_floor(laws, {epsilon, small_delta}, 2) / 2};
}

RateClaim hard_rate() {
  RateClaim rate = rate_claim(
      "n", theorem_10(-1, hard_point),
      {.words = "one of 961 laws, drawn in each trial: records that are sqrt(n) times the law's "
                "word of 4 ones among 124 places with probability 5/n, else 0, drawn as counts; "
                "loss ||w - x||^2/2, s = s* = 4, v = 1, epsilon = 0.99, delta = 1e-6, xi = 0.25. "
                "Lower bound: Barber and Duchi (2014) on these laws"},
      {{{1e8, 2e9, 5e10, 1e12}, 200}, {{1e8, 1e9, 1e10, 1e11, 1e12}, 300}});
  rate.attained = 0.1;
  return rate;
}

}  // namespace

std::vector<Claim> sparse_optimization_rates() {
  const std::vector<std::string> assumptions{"mu-strongly convex and gamma-smooth at sparse w",
                                             "E|gradient_j|^(1+v) <= u, with u and v known"};
  ClaimList claims("tao.sparse_optimization");
  const auto add = [&](const std::string& what, const std::string& statement, RateClaim rate) {
    claims.add(what, printed, holds, {Text::tao, "Theorem 10"}, statement, assumptions,
               std::move(rate));
  };
  const std::string falls =
      "With Theorem 10's T, s, eta_0 and B the excess risk falls as s*^((1+2v)/(1+v)) u^(2/(1+v)) "
      "(log n log(d/xi) sqrt(log(1/delta))/(n epsilon))^(2v/(1+v)); ";
  add("rate.half", falls + "v = 1/2.", heavy_rate());
  add("rate", falls + "v = 1.", records_rate());
  add("rate.condition", falls + "v = 1, gamma/mu = 2.", condition_rate());
  const std::string with_theorem = "With Theorem 10's T, s and B the excess risk ";
  add("rate.dimension",
      with_theorem + "grows in d no faster than the logarithm of d to the power 2v/(1+v); v = 1.",
      dimension_rate());
  add("rate.sparsity", with_theorem + "grows in s* no faster than s*^((1+2v)/(1+v)); v = 1.",
      sparsity_rate());
  add("rate.epsilon", with_theorem + "falls as epsilon^(-2v/(1+v)); v = 1.", epsilon_rate());
  claims.add("rate.lower_bound", printed, holds, {Text::tao, "Theorems 10 and 11; Lemma 27"},
             "On hard instances the excess risk falls like 1/n, log factors apart, and so does a "
             "lower bound on every (epsilon, delta)-DP mechanism; v = 1.",
             assumptions, hard_rate());
  return claims.take();
}

}  // namespace dpverify::tao
