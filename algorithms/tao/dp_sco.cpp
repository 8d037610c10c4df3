#include "algorithms/tao/dp_sco.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "algorithms/claims/claim_list.hpp"
#include "algorithms/claims/planted_faults.hpp"
#include "algorithms/comparators/noisy_descent.hpp"
#include "algorithms/core/checked.hpp"
#include "algorithms/problems/hard_laws.hpp"
#include "algorithms/problems/heavy_mean.hpp"
#include "algorithms/tao/lemmas.hpp"

namespace dpverify::tao {
namespace {

void validate(const DpScoParameters& p) {
  require(p.epsilon > 0 && p.epsilon < 1, "epsilon", p.epsilon, "in (0, 1)");
  require(p.delta > 0 && p.delta < 1, "delta", p.delta, "in (0, 1)");
}

void validate(const ScoProblem& problem, double epsilon, double delta) {
  require(problem.radius > 0, "radius", problem.radius, "positive");
  require(problem.gradient_bound > 0, "gradient bound R", problem.gradient_bound, "positive");
  require(problem.moment > 0, "moment u", problem.moment, "positive");
  require(problem.order > 0 && problem.order <= 1, "order v", problem.order, "in (0, 1]");
  require(problem.alpha > 0 && problem.alpha <= problem.beta, "strong convexity alpha",
          problem.alpha, "positive and at most beta = " + to_text(problem.beta));
  require(epsilon > 0 && epsilon < 1, "epsilon", epsilon, "in (0, 1)");
  require(delta > 0 && delta < 1, "delta", delta, "in (0, 1)");
}

FrameworkParameters framework(const DpScoParameters& p) {
  return {.gradients = p.gradients,
          .radius = p.radius,
          .initial = p.initial,
          .step = p.step,
          .iterations = p.iterations,
          .split = p.branch == Branch::strongly_convex};
}

VectorXd output(const DpScoParameters& p, const std::vector<VectorXd>& iterates) {
  if (p.branch != Branch::convex) return iterates.back();
  VectorXd sum = VectorXd::Zero(p.initial.size());
  for (const VectorXd& w : iterates) sum += w;
  return sum / static_cast<double>(iterates.size());
}

}  // namespace

MedianOfMeansParameters estimator_parameters(const DpScoParameters& p) {
  MedianOfMeansParameters estimator{
      .truncation = p.truncation, .blocks = p.blocks, .epsilon = p.epsilon, .delta = p.delta};
  if (p.branch == Branch::convex) {  // lines 2 and 3
    const auto steps = static_cast<double>(p.iterations);
    estimator.epsilon = p.epsilon / (2 * std::sqrt(2 * steps * std::log(2 / p.delta)));
    estimator.delta = p.delta / (2 * steps);
  }
  return estimator;
}

VectorXd dp_sco(const BlockGradients& block_gradients, Index n, const Dataset& data,
                const DpScoParameters& p, Releases& releases) {
  validate(p);
  const Index part = p.branch == Branch::strongly_convex ? n / p.iterations : n;
  DpScoParameters given = p;
  given.gradients = block_gradients;
  const MeanEstimator estimator = [&](const Matrix& means, Releases& door) {
    return median_of_block_means(means, part, estimator_parameters(p), door);
  };
  return output(p, sco_framework(data, framework(given), estimator, releases));
}

VectorXd dp_sco(const Dataset& data, const DpScoParameters& p, Releases& releases) {
  validate(p);
  const MeanEstimator estimator = [&p](const Matrix& gradients, Releases& door) {
    return median_of_means(gradients, estimator_parameters(p), door);
  };
  return output(p, sco_framework(data, framework(p), estimator, releases));
}

DpScoParameters convex_from_theorem(Index n, Index dimension, const ScoProblem& problem,
                                    double epsilon, double delta, double failure_probability) {
  validate(problem, epsilon, delta);
  const double budget = epsilon * static_cast<double>(n), d = static_cast<double>(dimension);
  DpScoParameters p{.branch = Branch::convex,
                    .radius = problem.radius,
                    .initial = VectorXd::Zero(dimension),
                    .epsilon = epsilon,
                    .delta = delta};
  p.truncation = std::pow(budget / std::pow(d, 1.5), 1 / (1 + problem.order));
  const double t = std::pow(problem.gradient_bound * budget / (p.truncation * d * d), 2);
  p.iterations = static_cast<Index>(std::clamp(t, 1.0, 1e15));
  p.step =
      2 * problem.radius / (problem.gradient_bound * std::sqrt(static_cast<double>(p.iterations)));
  p.blocks = block_count(n, dimension, failure_probability);
  return p;
}

DpScoParameters convex_balanced(Index n, Index dimension, const ScoProblem& problem, double epsilon,
                                double delta, double failure_probability) {
  DpScoParameters p =
      convex_from_theorem(n, dimension, problem, epsilon, delta, failure_probability);
  p.truncation *= std::pow(problem.moment, 1 / (1 + problem.order));
  const auto too_noisy = [&](Index t) {
    p.iterations = t;
    return noise_deviation(estimator_parameters(p), n, dimension) *
               std::sqrt(static_cast<double>(dimension)) >
           problem.gradient_bound / 8;
  };
  // The noise grows with T.
  Index low = 1, high = 2;
  while (high < (Index{1} << 40) && !too_noisy(high)) high *= 2;
  while (high - low > 1) {
    const Index middle = (low + high) / 2;
    (too_noisy(middle) ? high : low) = middle;
  }
  p.iterations = low;
  p.step = 2 * problem.radius / (problem.gradient_bound * std::sqrt(static_cast<double>(low)));
  return p;
}

DpScoParameters strongly_convex_from_theorem(Index n, Index dimension, const ScoProblem& problem,
                                             double epsilon, double delta,
                                             double failure_probability) {
  validate(problem, epsilon, delta);
  const double records = static_cast<double>(n), d = static_cast<double>(dimension);
  const double alpha = problem.alpha, beta = problem.beta, v = problem.order;
  const double share = v / (1 + v), root = std::pow(problem.moment, 1 / (1 + v));
  double t = 1;
  for (int k = 0; k < 20; ++k) {  // V depends on T, and T on V only by its logarithm
    const double error =
        std::sqrt(d) * root * std::pow(t / records, share) +
        root * std::pow(d, (1 + 2 * v) / (2 + 2 * v)) * std::pow(t / (epsilon * records), share);
    const double contraction = 1 - alpha * beta / std::pow(alpha + beta, 2);
    t = std::clamp(
        std::ceil(std::log((alpha + beta) * error / (alpha * beta)) / std::log(contraction)), 1.0,
        records);
  }
  DpScoParameters p{
      .branch = Branch::strongly_convex,
      .radius = problem.radius,
      .initial = VectorXd::Zero(dimension),
      .step = 1 / (alpha + beta),
      .iterations = static_cast<Index>(t),
      .truncation = std::pow(problem.moment * epsilon * records / (t * std::sqrt(d)), 1 / (1 + v)),
      .epsilon = epsilon,
      .delta = delta};
  p.blocks = block_count(n / p.iterations, dimension, failure_probability);
  return p;
}

double strongly_convex_bound(double n, double dimension, const ScoProblem& problem, double epsilon,
                             double iterations) {
  const double v = problem.order, alpha = problem.alpha, beta = problem.beta;
  return std::pow((2 * problem.radius + 1) * (alpha + beta) / alpha, 2) / beta *
         std::pow(problem.moment, 2 / (1 + v)) * std::pow(dimension, (1 + 2 * v) / (1 + v)) *
         std::pow(iterations / (epsilon * n), 2 * v / (1 + v));
}

// ---- Claims -----------------------------------------------------------------------------------

namespace {

DpScoParameters parameters(const ParameterPoint& point, Branch branch, const Dataset& data) {
  DpScoParameters p{.gradients = numbered_oracle(point.at("loss")),
                    .branch = branch,
                    .initial = VectorXd::Zero(data.dimension()),
                    .step = point.at("step"),
                    .iterations = static_cast<Index>(point.at("iterations")),
                    .truncation = point.at("truncation"),
                    .epsilon = point.at("epsilon"),
                    .delta = point.at("delta")};
  Index part = data.size();
  if (branch == Branch::strongly_convex) {
    p.iterations = std::min(p.iterations, data.size());
    part /= p.iterations;
  }
  p.blocks = std::min(static_cast<Index>(point.at("blocks")), part);
  return p;
}

MechanismFamily family(Branch branch) {
  return [branch](const ParameterPoint& point) -> Mechanism {
    return [branch, point](const Dataset& data, Releases& releases) {
      return dp_sco(data, parameters(point, branch, data), releases);
    };
  };
}

// Convex branch whose steps spend all of epsilon and delta, or whose gradients are not truncated.
struct Fault {
  bool composes = true, truncates = true;
};

MechanismFamily mutant(const Fault& fault) {
  return [fault](const ParameterPoint& point) -> Mechanism {
    return [fault, point](const Dataset& data, Releases& releases) {
      const DpScoParameters p = parameters(point, Branch::convex, data);
      MedianOfMeansParameters step = estimator_parameters(p);
      if (!fault.composes) {
        step.epsilon = p.epsilon;
        step.delta = p.delta;
      }
      const MeanEstimator estimator = [&](const Matrix& gradients, Releases& door) {
        if (fault.truncates) return median_of_means(gradients, step, door);
        return door.release(
            GaussianNoise{dpverify::median_of_means(gradients, step.blocks, step.middle),
                          std::sqrt(static_cast<double>(data.dimension())) *
                              coordinate_sensitivity(step, data.size()),
                          noise_deviation(step, data.size(), data.dimension())});
      };
      return output(p, sco_framework(data, framework(p), estimator, releases));
    };
  };
}

// The mean of one number, loss (w - x)^2/2, alpha = beta = 1, R = 2, W = [-1, 1].
struct MeanProblem {
  HeavyMean law;
  ScoProblem problem;
};

MeanProblem mean_problem(double order) {
  const HeavyMean law{.centre = 0.7, .share = 0.01, .tail = 1 + order + 0.05};
  // E|w - x|^(1+v) <= 2^v (1 + E|x|^(1+v)) on W.
  const double moment = std::pow(2, order) * (1 + law.moment(1 + order));
  return {law, {.gradient_bound = 2, .moment = moment, .order = order}};
}

// A number as a record of a linear model: feature 1, label the number.
Mechanism on_labels(const Mechanism& mechanism) {
  return [mechanism](const Dataset& data, Releases& releases) {
    return mechanism({Matrix::Ones(data.size(), 1), data.features.col(0)}, releases);
  };
}

RateClaim strongly_convex_rate(double order, Sweep smoke, Sweep ci, Sweep nightly) {
  const auto [law, problem] = mean_problem(order);
  const double mean = law.mean(), epsilon = 0.99, delta = 0.1, xi = 0.95;
  // Of (w - x)^2, the squared loss, the gradients are twice those of (w - x)^2/2.
  const ComparatorProblem comparators{
      .feasible = {.kind = FeasibleSet::Kind::l2_ball, .radius = problem.radius},
      .initial = VectorXd::Zero(1),
      .smoothness = 2,
      .second_moment = 4 * problem.moment};
  return {
      .variable = "n",
      .problem = "the mean of numbers that are 0.7, and in one case of a hundred Pareto of index " +
                 to_text(law.tail) + ", loss (w - x)^2/2, W = [-1, 1], v = " + to_text(order) +
                 ", epsilon = 0.99, delta = 0.1, xi = 0.95; closed-form population risk",
      .exponent = -2 * order / (1 + order),
      .by_parts = true,
      .point =
          [=, problem = problem](double n) {
            const auto records = static_cast<Index>(n);
            DpScoParameters p =
                strongly_convex_from_theorem(records, 1, problem, epsilon, delta, xi);
            p.gradients = mean_point_gradients;
            RatePoint point{
                records,
                [p](const Dataset& data, Releases& releases) { return dp_sco(data, p, releases); },
                strongly_convex_bound(n, 1, problem, epsilon, static_cast<double>(p.iterations))};
            const Comparator clipped =
                usual_comparators(comparators, records, epsilon, delta).front();
            point.comparators = {{clipped.name, on_labels(clipped.mechanism)}};
            return point;
          },
      .draw = [law = law](Index n, RandomStream& stream) { return law.draw(n, stream); },
      .excess_risk = [mean](const VectorXd& w) { return std::pow(w[0] - mean, 2) / 2; },
      .smoke = std::move(smoke),
      .ci = std::move(ci),
      .nightly = std::move(nightly)};
}

// ---- The same in more dimensions and with more records, drawn as counts ------------------------

BlockGradients counted_gradients(const CountedMean& law, Index size, double truncation) {
  return [=](const VectorXd& w, const DataView& counts) {
    return law.block_means(counts, size, [&](Index j, double x) {
      const double gradient = w[j] - x;
      return std::abs(gradient) <= truncation ? gradient : 0;
    });
  };
}

BlockGradients counted_linear_gradients(const CountedMean& law, Index size, double truncation) {
  return [=](const VectorXd&, const DataView& counts) -> Matrix {
    return -thresholded_block_means(law, counts, size, truncation);
  };
}

// Means of d numbers, W the unit ball. Convex: loss -<w, x>; the bound is Theorem 6's with the
// logarithms of its composition. Strongly convex: loss ||w - x||^2/2, alpha = beta = 1; the bound
// is the one of Theorem 7's proof, (Delta + 1)^2 (alpha + beta)^2/(alpha^2 beta) times the squared
// error of a step, with its logarithms of d. R is 2 for the second; 3 for the first, four times
// what it need be, so that the steps are short and the way to the boundary is not a matter of a
// few.
RatePoint counted_point(Branch branch, Index n, Index dimension, double epsilon) {
  const bool convex = branch == Branch::convex;
  const double delta = convex ? 0.5 : 0.1, xi = 0.95, d = static_cast<double>(dimension);
  const CountedMean law{dimension, dimension, {5 / std::sqrt(d), 0.7 / std::sqrt(d)}, {0.01, 0.99}};
  // E|x_j|^2, and on W E|w_j - x_j|^2 <= 2 (1 + E|x_j|^2), are at most what they are for d = 1.
  const ScoProblem problem{.gradient_bound = convex ? 3.0 : 2.0, .moment = convex ? 0.75 : 3.5};
  const DpScoParameters p =
      convex ? convex_balanced(n, dimension, problem, epsilon, delta, xi)
             : strongly_convex_from_theorem(n, dimension, problem, epsilon, delta, xi);
  const Index parts = convex ? 1 : p.iterations, block = n / parts / p.blocks;
  const double budget = epsilon * static_cast<double>(n);
  const double logarithms =
      std::log(2 / delta) * std::log(2.5 * static_cast<double>(p.iterations) / delta);
  return {.records = n,
          .mechanism =
              [=, gradients = (convex ? counted_linear_gradients : counted_gradients)(
                      law, block, p.truncation)](const Dataset& counts, Releases& releases) {
                return dp_sco(gradients, n, counts, p, releases);
              },
          .bound = convex ? 2 * problem.moment * problem.moment * std::sqrt(logarithms) *
                                (std::pow(d, 1.25) / std::sqrt(budget) +
                                 std::pow(d, 3.75) / std::pow(budget, 1.5))
                          : 36 * std::pow(median_of_means_noise_bound(
                                              estimator_parameters(p), n / p.iterations, dimension,
                                              problem.moment, problem.order, xi),
                                          2),
          .dimension = dimension,
          .draw = [=](Index,
                      RandomStream& stream) { return law.draw(parts * p.blocks, block, stream); },
          .excess_risk =
              [convex, mean = law.mean()](const VectorXd& w) {
                return convex ? mean.norm() - mean.dot(w) : (w - mean).squaredNorm() / 2;
              }};
}

RateClaim counted_rate(Branch branch, const std::string& variable) {
  const bool convex = branch == Branch::convex;
  RateClaim rate{
      .variable = variable,
      .problem = (variable == "d" ? "the mean of d numbers that are 0.7/sqrt(d), and in one "
                                    "case of a hundred 5/sqrt(d)"
                                  : "the mean of a number that is 0.7, and in one case of a "
                                    "hundred 5") +
                 std::string(", drawn as counts; loss ") + (convex ? "-<w, x>" : "||w - x||^2/2") +
                 ", W the unit ball, v = 1, delta = " + (convex ? "0.5" : "0.1") + ", xi = 0.95"};
  if (variable == "n") {
    rate.exponent = convex ? -0.5 : -1;
    rate.problem += ", epsilon = 0.99";
    rate.point = [=](double n) { return counted_point(branch, static_cast<Index>(n), 1, 0.99); };
    rate.smoke = {{1e7, 6e7, 4e8}, 20};
    rate.ci = {{1e7, 3e7, 1e8, 3e8, 1e9}, 100};
  } else if (variable == "epsilon") {
    rate.exponent = convex ? -0.5 : -1;
    rate.problem += ", n = 10^9";
    rate.point = [=](double epsilon) { return counted_point(branch, 1'000'000'000, 1, epsilon); };
    rate.smoke = {{0.02, 0.12, 0.7}, convex ? 16 : 100};
    rate.ci = {{0.02, 0.05, 0.14, 0.4, 0.99}, 100};
  } else {
    rate.exponent = convex ? 1.25 : 1.5;
    rate.problem += ", n = 3 10^8, epsilon = 0.99";
    rate.point = [=](double d) {
      return counted_point(branch, 300'000'000, static_cast<Index>(d), 0.99);
    };
    rate.smoke = {{1, 6, 32}, convex ? 24 : 12};
    rate.ci = {{1, 3, 10, 32}, 100};
  }
  return rate;
}

// One record, on average, of the n is the law's word of 4 entries, times sqrt n: E|x_j|^2 <= 1.
RateClaim hard_rate(Branch branch) {
  constexpr double epsilon = 0.99, delta = 1e-6, xi = 0.95;
  constexpr Index dimension = 4;
  const bool convex = branch == Branch::convex;
  RateClaim rate{.variable = "n",
                 .problem =
                     "one of 6 laws, drawn in each trial: records that are sqrt(n) times the law's "
                     "word of a Hadamard code of length 4 with probability 1/n, else 0, drawn as "
                     "counts; W the unit ball, v = 1, epsilon = 0.99, delta = 1e-6, xi = 0.95; "
                     "loss " +
                     std::string(convex ? "-<w, x>" : "||w - x||^2/2") +
                     ". Lower bound: Barber and Duchi (2014) on these laws",
                 .exponent = convex ? -0.5 : -1,
                 .attained = convex ? 0.02 : 0.1,
                 .dimension = dimension};
  rate.point = [=](double n) {
    const auto records = static_cast<Index>(n);
    const HardLaws laws{.words = half_weight_words(dimension),
                        .records = records,
                        .probability = 1 / n,
                        .size = std::sqrt(n)};
    const PrivacyGuarantee guarantee{epsilon, delta};
    // E|w_j - x_j|^2 <= 2 (1 + E|x_j|^2) on W.
    const ScoProblem problem{.gradient_bound = convex ? 1.0 : 2.0, .moment = convex ? 1.0 : 4.0};
    const DpScoParameters p =
        convex ? convex_balanced(records, dimension, problem, epsilon, delta, xi)
               : strongly_convex_from_theorem(records, dimension, problem, epsilon, delta, xi);
    const Index parts = convex ? 1 : p.iterations, block = records / parts / p.blocks;
    const CountedMean law = laws.counted();
    return RatePoint{
        .records = records,
        .mechanism =
            [=, gradients = (convex ? counted_linear_gradients : counted_gradients)(
                    law, block, p.truncation)](const Dataset& counts, Releases& releases) {
              return dp_sco(gradients, records, counts, p, releases);
            },
        .bound = convex ? std::pow(epsilon * n, -0.5)
                        : strongly_convex_bound(n, dimension, problem, epsilon,
                                                static_cast<double>(p.iterations)),
        .instance =
            [=](RandomStream& stream) {
              const Index k = stream.index(laws.words.count);
              return Instance{laws.draw_counts(k, parts * p.blocks, block, stream),
                              [=, mean = laws.mean(k)](const VectorXd& w) {
                                return convex ? mean.norm() - mean.dot(w)
                                              : (w - mean).squaredNorm() / 2;
                              }};
            },
        // Below an eighth of the mean's norm an excess risk of -<w, x> tells the laws.
        .lower_bound = convex
                           ? laws.mean(0).norm() / 8 *
                                 std::max(0.0, testing_floor(static_cast<double>(laws.words.count),
                                                             guarantee, laws.informative()))
                           : error_floor(laws, guarantee, 2) / 2};
  };
  if (convex) {
    rate.smoke = {{1e7, 1e8, 1e9}, 200};
    rate.ci = {{1e7, 1e8, 1e9, 1e10}, 1000};
  } else {
    rate.smoke = {{1e8, 1e10, 1e12}, 100};
    rate.ci = {{1e8, 1e9, 1e10, 1e11, 1e12}, 600};
  }
  return rate;
}

// ---- Theorems 8 and 9 on the words of a Hadamard matrix: means of norm iota = 0.71 --------------

HardLaws hard_laws() { return {.words = half_weight_words(64), .records = 60, .size = 0.25}; }

// Loss `loss` of numbered_oracle, W the unit ball.
Mechanism on_hard_laws(Branch branch, double loss, const PrivacyGuarantee& guarantee) {
  return family(branch)({{"loss", loss},
                         {"step", loss == 0 ? 0.75 : 10},
                         {"iterations", 2},
                         {"blocks", 3},
                         {"truncation", hard_laws().size + (loss == 0 ? 1 : 0)},
                         {"epsilon", guarantee.epsilon},
                         {"delta", guarantee.delta}});
}

// The excess risk of w for the loss -<w, x> is at least iota ||w - mu/iota||^2/2, and the mu/iota
// are at least 1 apart: below iota/8 it tells the laws.
FloorClaim convex_floor(const PrivacyGuarantee& guarantee) {
  const HardLaws laws = hard_laws();
  FloorClaim floor = estimation_floor(laws, guarantee, on_hard_laws(Branch::convex, 1, guarantee));
  floor.problem =
      "The laws of tao.dp_sco.floor.corrected, loss -<w, x> on the unit ball. An "
      "error: an excess risk of an eighth of the mean's norm or more";
  floor.draw = [laws](RandomStream& stream) {
    const Index k = stream.index(laws.words.count);
    return Instance{laws.draw(k, stream), [mean = laws.mean(k)](const VectorXd& w) {
                      const double iota = mean.norm();
                      return iota - mean.dot(w) < iota / 8 ? 0.0 : 1.0;
                    }};
  };
  return floor;
}

// A bound of Lemma 21's proof on E||A(x) - mu|| on the same laws, for a mechanism that is never
// further than `largest` from mu.
FloorClaim printed_floor(double bound, double largest, const PrivacyGuarantee& guarantee,
                         Mechanism mechanism) {
  const HardLaws laws = hard_laws();
  FloorClaim floor = estimation_floor(laws, guarantee, std::move(mechanism));
  floor.problem =
      "The laws of tao.dp_sco.floor.corrected. Error: the distance of the output from the mean, "
      "over " +
      to_text(largest) + ", which it does not exceed";
  floor.draw = [=](RandomStream& stream) {
    const Index k = stream.index(laws.words.count);
    return Instance{laws.draw(k, stream), [=, mean = laws.mean(k)](const VectorXd& w) {
                      return (w - mean).norm() / largest;
                    }};
  };
  floor.bound = bound / largest;
  return floor;
}

// (25) with Lemma 14's constants and the separation 2 iota; the mechanism always returns half of
// the means' largest entry, everywhere.
FloorClaim separation_floor() {
  const HardLaws laws = hard_laws();
  const PrivacyGuarantee guarantee{0.01, 0};
  const double iota = laws.mean(0).norm(), words = static_cast<double>(laws.words.count);
  const double told = std::exp(10 * guarantee.epsilon * laws.informative());
  return printed_floor(0.4 * 2 * iota * std::min(1.0, words / told), iota, guarantee,
                       [laws](const Dataset& data, Releases&) -> VectorXd {
                         return VectorXd::Constant(data.dimension(),
                                                   laws.probability * laws.size / 2);
                       });
}

// (26) with the true separation iota; the exponential mechanism over the words, scored by how many
// records are the word's, is epsilon-DP and so (epsilon, delta)-DP for every delta.
FloorClaim approximate_floor() {
  const HardLaws laws = hard_laws();
  const PrivacyGuarantee guarantee{0.6, 1e-20};
  const double np = laws.informative(), log_words = std::log(static_cast<double>(laws.words.count));
  const double rho = guarantee.epsilon * guarantee.epsilon / (-4 * std::log(guarantee.delta));
  const double told = (rho * np * (np + 1 - laws.probability) + std::numbers::ln2) / log_words;
  Matrix words(laws.words.count, laws.words.dimension);
  for (Index k = 0; k < laws.words.count; ++k) words.row(k) = laws.words.word(k);
  const double alpha = laws.separation();  // a word and its complement are sqrt2 times as far apart
  return printed_floor(alpha / 2 * (1 - told), std::numbers::sqrt2 * (1 + 1e-12) * alpha, guarantee,
                       [=](const Dataset& data, Releases& releases) -> VectorXd {
                         VectorXd scores = VectorXd::Zero(words.rows());
                         for (Index k = 0; k < words.rows(); ++k)
                           for (Index i = 0; i < data.size(); ++i)
                             if (data.features.row(i) == laws.size * words.row(k)) ++scores[k];
                         return laws.mean(releases.select(ExponentialMechanism::with_epsilon(
                             std::move(scores), 1, guarantee.epsilon)));
                       });
}

}  // namespace

std::vector<Claim> dp_sco_claims() {
  const std::vector<std::string> neighbours{"replace-one neighbours", "parts chosen by index"};
  ClaimList claims("tao.dp_sco");
  const std::vector<ParameterRange> ranges{{"loss", 1, 0, 2, Scale::integer},
                                           {"iterations", 1, 1, 4, Scale::integer},
                                           {"blocks", 1, 1, 3, Scale::integer},
                                           {"truncation", 1, 0.01, 100, Scale::logarithmic},
                                           {"step", 1, 0.01, 10, Scale::logarithmic},
                                           {"epsilon", 0.5, 0.001, 0.999, Scale::logarithmic},
                                           {"delta", 1e-5, 1e-12, 0.999, Scale::logarithmic}};
  const auto at = [](double iterations, Index records, Index dimension = 1, double epsilon = 0.999,
                     double delta = 1e-5) {
    return Setting{{{"loss", 1},
                    {"iterations", iterations},
                    {"blocks", 1},
                    {"truncation", 1},
                    {"step", 1},
                    {"epsilon", epsilon},
                    {"delta", delta}},
                   records,
                   dimension};
  };
  const std::vector<Setting> corners{at(1, 3, 2), at(2, 4)};
  const Source theorem_5{paper, "Theorem 5"};
  claims.add("sensitivity.convex", Edition::printed, Expectation::holds,
             {paper, "Algorithm 2, convex branch; proof of Theorem 3"},
             "At every step one record moves the vector of medians by at most 2 tau "
             "sqrt(d)/floor(n/m) in l2, and some pair attains it.",
             neighbours, SensitivityClaim{family(Branch::convex), ranges, 1, 3, corners, true});
  const SensitivityClaim tight{family(Branch::strongly_convex), ranges, 1, 3, corners, true};
  claims.add("sensitivity.strongly_convex", Edition::printed, Expectation::holds,
             {paper, "Algorithm 2, strongly convex branch; proof of Theorem 3"},
             "One record moves the vector of medians of its part of k = floor(n/T) records by at "
             "most 2 tau sqrt(d)/floor(k/m) in l2, and some pair attains it.",
             neighbours, tight);
  add_mutants(claims, tight, neighbours);
  claims.add("sensitivity.no_truncation", Edition::mutant, Expectation::refuted,
             {here, "Algorithm 2, convex branch, without truncation"},
             "At every step one record moves the vector of medians by at most 2 tau "
             "sqrt(d)/floor(n/m).",
             neighbours, SensitivityClaim{mutant({.truncates = false}), ranges, 1, 3, corners});

  const auto guarantee = [](const ParameterPoint& point) {
    return PrivacyGuarantee{point.at("epsilon"), point.at("delta")};
  };
  const std::vector<Setting> convex{at(1, 3),
                                    at(10, 3),
                                    at(3, 3, 2),
                                    at(3, 3, 1, 0.01),
                                    at(3, 3, 1, 0.999, 1e-12),
                                    at(3, 3, 1, 0.999, 0.1)};
  std::vector<Setting> convex_certified(convex.begin(), convex.end() - 1);
  convex_certified.push_back(at(100, 3));
  convex_certified.push_back(at(1000, 3));
  convex_certified.push_back(at(10'000, 3));
  claims.add("privacy.convex", Edition::printed, Expectation::holds, theorem_5,
             "The convex branch is (epsilon, delta)-DP for 0 < epsilon, delta < 1.", neighbours,
             PrivacyClaim{family(Branch::convex), guarantee, convex, convex_certified});
  const std::vector<Setting> parts{at(1, 3),     at(5, 10),          at(20, 40),
                                   at(5, 10, 2), at(5, 10, 1, 0.01), at(5, 10, 1, 0.999, 1e-12)};
  claims.add("privacy.strongly_convex", Edition::corrected, Expectation::holds,
             {here, "Theorem 5 with X_t in line 7"},
             "The strongly convex branch over X_t is (epsilon, delta)-DP for 0 < epsilon, delta < "
             "1.",
             neighbours, PrivacyClaim{family(Branch::strongly_convex), guarantee, parts, parts});
  claims.add("privacy.strongly_convex", Edition::printed, Expectation::refuted,
             {paper, "Theorem 5 with line 7 of Algorithm 2 as printed, over {x in X}"},
             "The strongly convex branch, whose every step sees all of X with epsilon' = epsilon "
             "and delta' = delta, is (epsilon, delta)-DP for 0 < epsilon, delta < 1.",
             neighbours,
             PrivacyClaim{family(Branch::literal),
                          guarantee,
                          {at(1, 3), at(2, 3), at(5, 3), at(10, 3), at(20, 3)},
                          {}});
  claims.add("privacy.no_composition", Edition::mutant, Expectation::refuted,
             {here, "Algorithm 2, convex branch, whose steps spend all of epsilon and delta"},
             "The algorithm is (epsilon, delta)-DP for 0 < epsilon, delta < 1.", neighbours,
             PrivacyClaim{mutant({.composes = false}), guarantee, {at(4, 3)}, {}});

  const std::vector<std::string> assumption{"Assumption 1", "xi of Algorithm 3 chosen: 0.95"};
  claims.add("rate.strongly_convex", Edition::corrected, Expectation::holds,
             {here, "Theorem 7 with T and tau as its proof needs them"}, "The same for v = 1.",
             assumption,
             strongly_convex_rate(1, {{2e4, 6e4, 2e5, 6.4e5}, 32}, {{1e4, 1e5, 1e6}, 60},
                                  {{1e4, 1e5, 1e6, 1e7}, 80}));
  claims.add("rate.convex", Edition::corrected, Expectation::holds,
             {here, "Theorem 6 with the constants that T hides, v = 1"},
             "The excess risk of the average falls as (epsilon n)^(-v/(1+v)).", assumption,
             counted_rate(Branch::convex, "n"));
  const PrivacyGuarantee hard{0.15, 1e-6};
  const std::string constants =
      " with the words of a Hadamard matrix and the constants of Barber and Duchi (2014)";
  add_floor(claims, "", "Algorithm 2, strongly convex branch", "Theorem 8" + constants,
            estimation_floor(hard_laws(), hard, on_hard_laws(Branch::strongly_convex, 0, hard)));
  add_floor(claims, ".convex", "Algorithm 2, convex branch", "Theorem 9" + constants,
            convex_floor(hard));
  claims.add("floor.separation", Edition::printed, Expectation::refuted,
             {paper, "proof of Theorem 8, (25), by Lemma 14 and ||mu - mu'|| >= 2 iota"},
             "Every epsilon-DP estimate is on average over the hard laws at least 0.8 iota min{1, "
             "M/e^(10 epsilon n p)} from the mean. The vector whose entries are all half of the "
             "means' largest, which is 0-DP, is at 0.71 iota.",
             {"replace-one neighbours"}, separation_floor());
  claims.add("floor.approximate", Edition::printed, Expectation::refuted,
             {paper, "proof of Theorem 8, (26), by Lemma 15, epsilon << log(1/delta)"},
             "Every (epsilon, delta)-DP estimate is on average over the hard laws at least alpha/2 "
             "(1 - (epsilon^2/(4 log(1/delta)) (n^2 p^2 + n p (1 - p)) + log 2)/log M) from the "
             "mean, alpha the least distance of two means. The exponential mechanism over the "
             "words, which is epsilon-DP, is closer.",
             {"replace-one neighbours"}, approximate_floor());
  const Source theorem_7{here, "Theorem 7 with T and tau as its proof needs them, v = 1"};
  const Source theorem_6{here, "Theorem 6 with the constants that T hides, v = 1"};
  claims.add(
      "rate.dimension.strongly_convex", Edition::corrected, Expectation::holds, theorem_7,
      "The excess risk grows in d no faster than the squared error of a step, d^((1+2v)/(1+v)) "
      "and logarithms of d.",
      assumption, counted_rate(Branch::strongly_convex, "d"));
  claims.add("rate.epsilon.strongly_convex", Edition::corrected, Expectation::holds, theorem_7,
             "The excess risk falls as epsilon^(-2v/(1+v)), log factors apart.", assumption,
             counted_rate(Branch::strongly_convex, "epsilon"));
  claims.add("rate.dimension.convex", Edition::corrected, Expectation::holds, theorem_6,
             "The excess risk of the average grows in d no faster than Theorem 6 says, d^(5/4) "
             "while n is large.",
             assumption, counted_rate(Branch::convex, "d"));
  claims.add("rate.epsilon.convex", Edition::corrected, Expectation::holds, theorem_6,
             "The excess risk of the average falls as epsilon^(-v/(1+v)).", assumption,
             counted_rate(Branch::convex, "epsilon"));
  claims.add("rate.lower_bound.strongly_convex", Edition::corrected, Expectation::holds,
             {here, "Theorem 7 with T and tau as its proof needs them; Theorem 8; v = 1"},
             "On hard instances the excess risk falls like 1/n, log factors apart, and so does a "
             "lower bound on every (epsilon, delta)-DP mechanism.",
             assumption, hard_rate(Branch::strongly_convex));
  claims.add("rate.lower_bound.convex", Edition::corrected, Expectation::holds,
             {here, "Theorem 6 with the constants that T hides; Theorem 9; v = 1"},
             "On hard instances the excess risk of the average falls like 1/sqrt n, and so does a "
             "lower bound on every (epsilon, delta)-DP mechanism.",
             assumption, hard_rate(Branch::convex));
  claims.append(dp_sco_lemmas());
  return claims.take();
}

// ---- Command line -----------------------------------------------------------------------------

Algorithm dp_sco_algorithm() {
  const auto prepare = [](const Dataset& data, const RunOptions& options) {
    const Index n = data.size(), d = data.dimension();
    const ScoProblem problem{.radius = options.number("radius"),
                             .gradient_bound = options.number("gradient-bound"),
                             .moment = options.number("moment"),
                             .order = options.number("order"),
                             .alpha = options.number("strong-convexity"),
                             .beta = options.number("smoothness")};
    const std::string& branch = options.text("branch");
    require(branch == "convex" || branch == "strongly-convex", "--branch", branch,
            "convex or strongly-convex");
    DpScoParameters p = (branch == "convex" ? convex_balanced : strongly_convex_from_theorem)(
        n, d, problem, options.number("epsilon"), options.number("delta"),
        options.number("failure-probability"));
    const Loss loss = loss_from_name(options.text("loss"));
    validate_labels(loss, data.all());
    p.gradients = gradient_oracle(loss);
    if (!options.is_auto("iterations")) p.iterations = options.integer("iterations");
    if (!options.is_auto("truncation")) p.truncation = options.number("truncation");
    if (!options.is_auto("step")) p.step = options.number("step");
    require(p.truncation > 0, "--truncation", p.truncation, "positive");
    require(p.step > 0, "--step", p.step, "positive");
    const Index part = branch == "convex" ? n : n / std::max<Index>(1, p.iterations);
    require(p.iterations >= 1 && part >= 1, "--iterations", static_cast<double>(p.iterations),
            "at least 1, and at most n for parts");
    p.blocks = options.is_auto("blocks")
                   ? block_count(part, d, options.number("failure-probability"))
                   : options.integer("blocks");
    require(p.blocks >= 1 && p.blocks <= part, "--blocks", static_cast<double>(p.blocks),
            "in 1.." + std::to_string(part) + " (the records of a step)");
    PreparedRun run;
    run.mechanism = [p](const Dataset& records, Releases& releases) {
      return dp_sco(records, p, releases);
    };
    run.guarantee = {p.epsilon, p.delta};
    run.guarantee_source = branch == "convex" ? "tao.dp_sco.privacy.convex.printed"
                                              : "tao.dp_sco.privacy.strongly_convex.corrected";
    const MedianOfMeansParameters step = estimator_parameters(p);
    run.parameters = {{"loss", std::string(name(loss))},
                      {"branch", branch},
                      {"iterations", std::to_string(p.iterations)},
                      {"step", to_text(p.step)},
                      {"records of a step", std::to_string(part)},
                      {"blocks", std::to_string(p.blocks)},
                      {"truncation", to_text(p.truncation)},
                      {"epsilon of a step", to_text(step.epsilon)},
                      {"delta of a step", to_text(step.delta)},
                      {"noise standard deviation", to_text(noise_deviation(step, part, d))}};
    run.empirical_risk = [loss](const DataView& view, const VectorXd& w) {
      return empirical_risk(loss, w, view);
    };
    run.risk_name = "mean " + std::string(name(loss)) + " loss";
    return run;
  };
  return {"tao.dp_sco",
          "private gradient descent with medians of block means, (epsilon, delta)-DP",
          "Tao, Wu, Cheng and Wang, Algorithm 2",
          {{"epsilon", "0.5", "privacy parameter, in (0, 1)"},
           {"delta", "1e-5", "privacy parameter, in (0, 1)"},
           {"loss", "squared",
            "squared, logistic (labels -1 and 1), absolute, biweight, geman_mcclure or "
            "pseudo_huber"},
           {"branch", "strongly-convex", "convex or strongly-convex"},
           {"radius", "1", "of the l2 ball"},
           {"iterations", "auto", "T; auto: Theorem 6 or 7 with balanced constants"},
           {"truncation", "auto", "tau, positive; auto: Theorem 6 or 7"},
           {"blocks", "auto", "m; auto: Algorithm 3, line 1, rounded up"},
           {"step", "auto", "eta, positive; auto: Theorem 6 or 7"},
           {"gradient-bound", "1", "R of Assumption 1: a public guess"},
           {"moment", "1", "u of Assumption 1: a public guess"},
           {"order", "1", "v, in (0, 1]"},
           {"strong-convexity", "1", "alpha of Theorem 7: a public guess"},
           {"smoothness", "1", "beta of Assumption 1: a public guess"},
           {"failure-probability", "0.05", "xi of Algorithm 3, in (0, 1)"}},
          prepare,
          dp_sco_claims};
}

}  // namespace dpverify::tao
