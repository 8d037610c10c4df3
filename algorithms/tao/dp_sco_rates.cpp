// Theorems 6 and 7 as rates, with Corollary 1's xi = 0.1 and delta = 1e-5.
#include <algorithm>
#include <cmath>

#include "algorithms/claims/claim_list.hpp"
#include "algorithms/claims/rates.hpp"
#include "algorithms/core/checked.hpp"
#include "algorithms/problems/hard_laws.hpp"
#include "algorithms/problems/heavy_mean.hpp"
#include "algorithms/tao/dp_sco.hpp"

namespace dpverify::tao {
namespace {

using enum Edition;
using enum Expectation;

// Of Algorithm 3, which Algorithm 2 runs without saying at which xi.
constexpr double xi = 0.1, usual_delta = 1e-5;

bool convex(Branch branch) { return branch == Branch::convex; }

// Convex: loss -<w, x>. Strongly convex: ||w - x||^2/2, alpha = beta = 1. W is the unit ball.
const char* loss(Branch branch) { return convex(branch) ? "-<w, x>" : "||w - x||^2/2"; }

std::function<double(const VectorXd&)> excess_risk(Branch branch, const VectorXd& mean) {
  return [branch, mean](const VectorXd& w) {
    return convex(branch) ? mean.norm() - mean.dot(w) : (w - mean).squaredNorm() / 2;
  };
}

DpScoParameters from_theorem(Branch branch, Index n, Index dimension, const ScoProblem& problem,
                             const PrivacyGuarantee& guarantee) {
  return (convex(branch) ? convex_balanced : strongly_convex_from_theorem)(
      n, dimension, problem, guarantee.epsilon, guarantee.delta, xi);
}

// n records that come as counts, block by block.
struct Counts {
  Index blocks, size;
};
Counts counts_of(const DpScoParameters& p, Index n) {
  const Index parts = convex(p.branch) ? 1 : p.iterations;
  return {parts * p.blocks, n / parts / p.blocks};
}

Mechanism on_counts(const DpScoParameters& p, Index n, const CountedMean& law) {
  const Index size = counts_of(p, n).size;
  const BlockGradients gradients = [=](const VectorXd& w, const DataView& counts) -> Matrix {
    if (convex(p.branch)) return -thresholded_block_means(law, counts, size, p.truncation);
    return law.block_means(counts, size, [&](Index j, double x) {
      const double gradient = w[j] - x;
      return std::abs(gradient) <= p.truncation ? gradient : 0;
    });
  };
  return [=](const Dataset& counts, Releases& releases) {
    return dp_sco(gradients, n, counts, p, releases);
  };
}

// ---- Numbers drawn as counts -------------------------------------------------------------------

// Theorem 7's proof: (Delta + 1)^2 (alpha + beta)^2/(alpha^2 beta) = 36 times the squared error of
// a step, with its logarithms of d, but without sqrt(log(1/xi)), a constant that at small d hides
// how fast sqrt(d) grows.
double strongly_convex_error(const DpScoParameters& p, Index n, Index dimension,
                             const ScoProblem& problem) {
  return 36 * std::pow(median_of_means_noise_bound(estimator_parameters(p), n / p.iterations,
                                                   dimension, problem.moment, problem.order, 1),
                       2);
}

// Theorem 6 with the logarithms of its composition.
double convex_bound(const DpScoParameters& p, double n, double d, const ScoProblem& problem) {
  const double v = problem.order, budget = p.epsilon * n;
  const double logarithms =
      std::log(2 / p.delta) * std::log(2.5 * static_cast<double>(p.iterations) / p.delta);
  return 2 * problem.moment * problem.moment * std::sqrt(logarithms) *
         (std::pow(d, (1 + 4 * v) / (2 + 2 * v)) / std::pow(budget, v / (1 + v)) +
          std::pow(d, (3 + 12 * v) / (2 + 2 * v)) / std::pow(budget, 3 * v / (1 + v)));
}

// On the law's numbers, which come as counts.
RatePoint counted_point(Branch branch, Index n, const CountedMean& law, const DpScoParameters& p,
                        double bound) {
  return {.records = n,
          .mechanism = on_counts(p, n, law),
          .bound = bound,
          .dimension = law.dimension,
          .draw =
              [law, counts = counts_of(p, n)](Index, RandomStream& stream) {
                return law.draw(counts.blocks, counts.size, stream);
              },
          .excess_risk = excess_risk(branch, law.mean())};
}

// Means of d numbers. Convex: the bound is Theorem 6's with the logarithms of its composition. R is
// 2 for the strongly convex branch; 3 for the convex one, four times what it need be, so that the
// steps are short and the way to the boundary is not a matter of a few. (With T as large as the
// noise allows, which is d^(1/4) m, the error grows in d like d^(1/4) log d: Theorem 6's T has d^4
// where the noise has (d m)^2, and the d^(5/4) of its bound is that of its own T.)
RatePoint counted_point(Branch branch, Index n, Index dimension, double epsilon, double order = 1) {
  const double d = static_cast<double>(dimension);
  const CountedMean law{dimension, dimension, {5 / std::sqrt(d), 0.7 / std::sqrt(d)}, {0.01, 0.99}};
  // E|x_j|^(1+v), and on W E|w_j - x_j|^(1+v) <= 2^v (1 + E|x_j|^(1+v)), are at most what they are
  // for d = 1.
  const double moment = CountedMean{1, 1, {5, 0.7}, law.probabilities}.moment(1 + order);
  const ScoProblem problem{.gradient_bound = convex(branch) ? 3.0 : 2.0,
                           .moment = convex(branch) ? moment : std::pow(2, order) * (1 + moment),
                           .order = order};
  const DpScoParameters p = from_theorem(branch, n, dimension, problem, {epsilon, usual_delta});
  if (!convex(branch))
    return counted_point(branch, n, law, p, strongly_convex_error(p, n, dimension, problem));
  return counted_point(branch, n, law, p, convex_bound(p, static_cast<double>(n), d, problem));
}

// Of Theorem 7's parameters as printed: G of its T read as Lemma 18's V, which is what the proof
// uses, and tau with d^(3/2) sqrt(T) where Corollary 1 on n/T records has T sqrt(d).
DpScoParameters as_printed(DpScoParameters p, Index n, Index dimension, const ScoProblem& problem) {
  p.truncation = std::pow(problem.moment * p.epsilon * static_cast<double>(n) /
                              (std::pow(static_cast<double>(dimension), 1.5) *
                               std::sqrt(static_cast<double>(p.iterations))),
                          1 / (1 + problem.order));
  return p;
}

// One number: 0.7, and in one case of a hundred a power of 4 with a tail of index 1 + v + 0.05.
RatePoint heavy_point(Branch branch, Edition edition, double order, double value, double epsilon) {
  const auto n = static_cast<Index>(value);
  const CountedMean law =
      HeavyMean{.centre = 0.7, .share = 0.01, .tail = 1 + order + 0.05}.rounded_down();
  // E|w - x|^(1+v) <= 2^v (1 + E|x|^(1+v)) on W; of -<w, x> the gradients are -x.
  const double moment = law.moment(1 + order);
  const ScoProblem problem{.gradient_bound = convex(branch) ? 3.0 : 2.0,
                           .moment = convex(branch) ? moment : std::pow(2, order) * (1 + moment),
                           .order = order};
  DpScoParameters p = from_theorem(branch, n, 1, problem, {epsilon, usual_delta});
  if (edition == printed) p = as_printed(p, n, 1, problem);
  return counted_point(branch, n, law, p,
                       convex(branch) ? convex_bound(p, value, 1, problem)
                                      : strongly_convex_bound(value, 1, problem, epsilon,
                                                              static_cast<double>(p.iterations)));
}

RateClaim heavy_rate(Branch branch, Edition edition, double order, Sweeps sweeps) {
  return rate_claim(
      "n",
      {.exponent = (convex(branch) ? -1 : -2) * order / (1 + order),
       .at = [=](double n) { return heavy_point(branch, edition, order, n, 0.99); }},
      {.words = "the mean of a number that is 0.7, and in one case of a hundred a power of 4, P(x "
                ">= 4^k) = 4^(-" +
                to_text(1 + order + 0.05) + " k) up to k = 10, drawn as counts; loss " +
                loss(branch) + ", W the unit ball, v = " + to_text(order) +
                ", epsilon = 0.99, delta = 1e-5, xi = 0.1"},
      std::move(sweeps));
}

// ---- Gradients along the path ------------------------------------------------------------------

// Of ||w - x||^2/2: what each of the T estimates says of the mean, in the order of the steps.
Mechanism estimates_along_path(const DpScoParameters& p, Index n, const CountedMean& law) {
  return [=, size = counts_of(p, n).size](const Dataset& counts, Releases& releases) -> VectorXd {
    DpScoParameters given = p;
    given.gradients = [=](const VectorXd& w, const DataView& part) {
      return law.block_means(part, size, [&](Index j, double x) {
        const double gradient = w[j] - x;
        return std::abs(gradient) <= p.truncation ? gradient : 0;
      });
    };
    const Index d = p.initial.size();
    VectorXd w = p.initial, said(d * p.iterations);
    Index step = 0;
    const PrivateMean estimate = [&](const LazyMatrix& means, Releases& door) {
      const VectorXd gradient =
          median_of_block_means(means, n / p.iterations, estimator_parameters(p), door);
      said.segment(d * step++, d) = w - gradient;
      w -= p.step * gradient;
      w *= std::min(1.0, p.radius / w.norm());
      return gradient;
    };
    dp_sco(counts, given, estimate, releases);
    return said;
  };
}

// The mean over the steps.
double gradient_error(const VectorXd& said, const VectorXd& mean) {
  const Index d = mean.size(), steps = said.size() / d;
  double sum = 0;
  for (Index t = 0; t < steps; ++t) sum += (said.segment(d * t, d) - mean).norm();
  return sum / static_cast<double>(steps);
}

// With Lemma 20's tau, which has sqrt(dT) where Corollary 1 on n/T records has T sqrt(d).
RateClaim gradient_rate(double order, Sweeps sweeps) {
  const auto at = [=](double value) {
    const auto n = static_cast<Index>(value);
    const CountedMean law =
        HeavyMean{.centre = 0.7, .share = 0.01, .tail = 1 + order + 0.05}.rounded_down();
    const ScoProblem problem{.gradient_bound = 2,
                             .moment = std::pow(2, order) * (1 + law.moment(1 + order)),
                             .order = order};
    DpScoParameters p = strongly_convex_from_theorem(n, 1, problem, 0.99, usual_delta, xi);
    p.truncation =
        std::pow(problem.moment * p.epsilon * value / std::sqrt(static_cast<double>(p.iterations)),
                 1 / (1 + order));
    RatePoint point =
        counted_point(Branch::strongly_convex, n, law, p,
                      median_of_means_noise_bound(estimator_parameters(p), n / p.iterations, 1,
                                                  problem.moment, order, xi));
    point.mechanism = estimates_along_path(p, n, law);
    point.excess_risk = [mean = law.mean()](const VectorXd& said) {
      return gradient_error(said, mean);
    };
    return point;
  };
  return rate_claim(
      "n", {.exponent = -order / (1 + order), .at = at},
      {.words = "the gradients w - E x of ||w - x||^2/2, W the unit ball: error of an estimate, "
                "mean over the steps; x is 0.7, and in one case of a hundred a power of 4, P(x >= "
                "4^k) = 4^(-" +
                to_text(1 + order + 0.05) + " k) up to k = 10, drawn as counts; v = " +
                to_text(order) + ", epsilon = 0.99, delta = 1e-5, xi = 0.1"},
      std::move(sweeps));
}

RateClaim counted_rate(Branch branch, std::string variable, double exponent, double order,
                       std::function<RatePoint(double)> at, const std::string& mean,
                       const std::string& fixed, Sweeps sweeps) {
  return rate_claim(
      std::move(variable), {.exponent = exponent, .at = std::move(at)},
      {.words = "the mean of " + mean + ", drawn as counts; loss " + loss(branch) +
                ", W the unit ball, v = " + to_text(order) + ", delta = 1e-5, xi = 0.1, " + fixed},
      std::move(sweeps));
}

RateClaim epsilon_rate(Branch branch, Index n, const std::string& records, double order,
                       Sweeps sweeps) {
  return counted_rate(
      branch, "epsilon", (convex(branch) ? -1 : -2) * order / (1 + order), order,
      [=](double epsilon) { return counted_point(branch, n, 1, epsilon, order); },
      "a number that is 0.7, and in one case of a hundred 5", "n = " + records, std::move(sweeps));
}

RateClaim dimension_rate(Branch branch, Index n, const std::string& records, double order,
                         Sweeps sweeps) {
  return counted_rate(
      branch, "d",
      convex(branch) ? (1 + 4 * order) / (2 + 2 * order) : (1 + 2 * order) / (1 + order), order,
      [=](double d) { return counted_point(branch, n, static_cast<Index>(d), 0.99, order); },
      "d numbers that are 0.7/sqrt(d), and in one case of a hundred 5/sqrt(d)",
      "n = " + records + ", epsilon = 0.99", std::move(sweeps));
}

// ---- Hard laws ---------------------------------------------------------------------------------

// One record, on average, of the n is the law's word of 4 entries, times sqrt n: E|x_j|^2 <= 1.
RatePoint hard_point(Branch branch, double n) {
  constexpr Index dimension = 4;
  const PrivacyGuarantee guarantee{0.99, 1e-6};
  const auto records = static_cast<Index>(n);
  const HardLaws laws{.words = half_weight_words(dimension),
                      .records = records,
                      .probability = 1 / n,
                      .size = std::sqrt(n)};
  // E|w_j - x_j|^2 <= 2 (1 + E|x_j|^2) on W.
  const ScoProblem problem{.gradient_bound = convex(branch) ? 1.0 : 2.0,
                           .moment = convex(branch) ? 1.0 : 4.0};
  const DpScoParameters p = from_theorem(branch, records, dimension, problem, guarantee);
  // Below an eighth of the mean's norm an excess risk of -<w, x> tells the laws.
  const auto told_floor = [&] {
    return laws.mean(0).norm() / 8 *
           std::max(0.0, testing_floor(static_cast<double>(laws.words.count), guarantee,
                                       laws.informative()));
  };
  return {.records = records,
          .mechanism = on_counts(p, records, laws.counted()),
          .bound = convex(branch) ? std::pow(guarantee.epsilon * n, -0.5)
                                  : strongly_convex_bound(n, dimension, problem, guarantee.epsilon,
                                                          static_cast<double>(p.iterations)),
          .instance =
              [=, counts = counts_of(p, records)](RandomStream& stream) {
                const Index k = stream.index(laws.words.count);
                return Instance{laws.draw_counts(k, counts.blocks, counts.size, stream),
                                excess_risk(branch, laws.mean(k))};
              },
          .lower_bound = convex(branch) ? told_floor() : error_floor(laws, guarantee, 2) / 2};
}

RateClaim hard_rate(Branch branch, Sweeps sweeps) {
  RateClaim rate = rate_claim(
      "n",
      {.exponent = convex(branch) ? -0.5 : -1,
       .at = [branch](double n) { return hard_point(branch, n); }},
      {.words =
           std::string(
               "one of 6 laws, drawn in each trial: records that are sqrt(n) times the law's word "
               "of a Hadamard code of length 4 with probability 1/n, else 0, drawn as counts; W "
               "the unit ball, v = 1, epsilon = 0.99, delta = 1e-6, xi = 0.1; loss ") +
           loss(branch) + ". Lower bound: Barber and Duchi (2014) on these laws",
       .dimension = 4},
      std::move(sweeps));
  rate.attained = convex(branch) ? 0.02 : 0.1;
  return rate;
}

using Add = std::function<void(const std::string& what, const std::string& where,
                               const std::string& statement, RateClaim rate)>;

using AddOwn =
    std::function<void(const std::string& what, const std::string& statement, RateClaim rate)>;

// In n.
void add_in_records(const Add& add, const AddOwn& add_own, const std::string& prefix, double order,
                    const std::string& words, const std::string& needed,
                    const std::string& constants) {
  const std::string strongly =
      " the excess risk of the strongly convex branch falls with n as (epsilon n)^(-2v/(1+v)), log "
      "factors apart; v = " +
      words;
  const double least = order == 1 ? 1e9 : 1e11, first = order == 1 ? 5e9 : 1e13;
  const Sweeps decades{{{least, 5 * least, 20 * least, 100 * least}, 70},
                       {{least, 3 * least, 10 * least, 30 * least, 100 * least}, 400}};
  add(prefix + "strongly_convex", needed,
      "With T and tau as the proof of Theorem 7 needs them" + strongly,
      heavy_rate(Branch::strongly_convex, corrected, order, decades));
  add_own(prefix + "strongly_convex", "With Theorem 7's T and tau, on one feature," + strongly,
          heavy_rate(Branch::strongly_convex, printed, order, {{}, decades.ci}));
  add(prefix + "convex", constants,
      "The excess risk of the convex branch's average falls with n as (epsilon n)^(-v/(1+v)), log "
      "factors apart; v = " +
          words,
      heavy_rate(Branch::convex, corrected, order,
                 {{{first, 5 * first, 20 * first, 100 * first}, 16},
                  {{first, 3 * first, 10 * first, 30 * first, 100 * first}, 30}}));
}

// In d and in epsilon.
void add_others(const Add& add, const std::string& needed, const std::string& constants) {
  const std::string in_dimension =
      "The excess risk of the strongly convex branch grows in d no faster than the squared error "
      "of "
      "a step, d^((1+2v)/(1+v)) and logarithms of d; v = ";
  const std::string in_epsilon =
      "The excess risk of the strongly convex branch falls as epsilon^(-2v/(1+v)), log factors "
      "apart; v = ";
  const std::string without = "; the constant logarithms of xi left out";
  const std::vector<double> few{1, 5, 20, 100}, more{1, 3, 10, 30, 100};
  const std::vector<double> small{0.0099, 0.05, 0.2, 0.99}, many{0.0099, 0.03, 0.1, 0.3, 0.99};
  constexpr Branch strongly = Branch::strongly_convex, average = Branch::convex;
  add("dimension.strongly_convex", needed + ", v = 1" + without, in_dimension + "1.",
      dimension_rate(strongly, 40'000'000'000, "4 10^10", 1, {{few, 16}, {more, 100}}));
  add("half.dimension.strongly_convex", needed + ", v = 1/2" + without, in_dimension + "1/2.",
      dimension_rate(strongly, 100'000'000'000'000, "10^14", 0.5, {{}, {few, 60}}));
  add("epsilon.strongly_convex", needed + ", v = 1", in_epsilon + "1.",
      epsilon_rate(strongly, 200'000'000'000, "2 10^11", 1, {{small, 150}, {many, 300}}));
  add("half.epsilon.strongly_convex", needed + ", v = 1/2", in_epsilon + "1/2.",
      epsilon_rate(strongly, 20'000'000'000'000, "2 10^13", 0.5, in_both({small, 150})));
  add("dimension.convex", constants + ", v = 1",
      "The excess risk of the convex branch's average grows in d no faster than Theorem 6 says, "
      "d^((1+4v)/(2+2v)) while n is large; v = 1.",
      dimension_rate(average, 40'000'000'000, "4 10^10", 1, {{few, 16}, {more, 100}}));
  add("epsilon.convex", constants + ", v = 1",
      "The excess risk of the convex branch's average falls as epsilon^(-v/(1+v)), log factors "
      "apart; v = 1.",
      epsilon_rate(average, 200'000'000'000, "2 10^11", 1, {{small, 16}, {many, 30}}));
}

}  // namespace

std::vector<Claim> dp_sco_rates() {
  const std::vector<std::string> assumption{"Assumption 1",
                                            "xi of Algorithm 3 chosen: Corollary 1's 0.1"};
  const std::string constants = "Theorem 6 with the constants that T hides";
  const std::string needed = "Theorem 7 with T and tau as its proof needs them";
  ClaimList claims("tao.dp_sco");
  const auto add = [&](const std::string& what, const std::string& where,
                       const std::string& statement, RateClaim rate) {
    claims.add("rate." + what, corrected, holds, {Text::this_project, where}, statement, assumption,
               std::move(rate));
  };
  // Theorem 7's own T and tau.
  const auto add_own = [&](const std::string& what, const std::string& statement, RateClaim rate) {
    claims.add("rate." + what, printed, holds,
               {Text::tao, "Theorem 7, one feature, with Lemma 18's V for its G"}, statement,
               assumption, std::move(rate));
  };
  add_in_records(add, add_own, "", 1, "1.", needed, constants);
  add_in_records(add, add_own, "half.", 0.5, "1/2.", needed, constants);
  add_others(add, needed, constants);
  claims.add(
      "rate.gradient", printed, holds, {Text::tao, "Lemma 20"},
      "With tau = (u epsilon n/sqrt(dT))^(1/(1+v)) the error of the gradients that the strongly "
      "convex branch estimates falls with n as (epsilon n)^(-v/(1+v)), log factors apart; v = 1/2. "
      "(One feature and the mean over the T steps are this check's; the lemma speaks of each.)",
      assumption,
      gradient_rate(0.5, {{{1e10, 1e11, 1e12, 1e13}, 40}, {{1e10, 1e11, 1e12, 1e13, 1e14}, 100}}));
  add("lower_bound.strongly_convex", needed + "; Theorem 8; v = 1",
      "On hard instances the excess risk of the strongly convex branch falls like 1/n, log factors "
      "apart, and so does a lower bound on every (epsilon, delta)-DP mechanism.",
      hard_rate(Branch::strongly_convex,
                {{{1e8, 2e9, 5e10, 1e12}, 200}, {{1e8, 1e9, 1e10, 1e11, 1e12}, 600}}));
  add("lower_bound.convex", constants + "; Theorem 9; v = 1",
      "On hard instances the excess risk of the convex branch's average falls like 1/sqrt n, and "
      "so does a lower bound on every (epsilon, delta)-DP mechanism.",
      hard_rate(Branch::convex, {{{1e7, 5e7, 2e8, 1e9}, 200}, {{1e7, 1e8, 1e9, 1e10}, 1000}}));
  return claims.take();
}

}  // namespace dpverify::tao
