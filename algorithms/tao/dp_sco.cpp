#include "algorithms/tao/dp_sco.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "algorithms/core/checked.hpp"
#include "algorithms/core/claim_list.hpp"
#include "algorithms/core/planted_faults.hpp"
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

RateClaim rate(double order, Branch branch, Sweep smoke, Sweep ci) {
  const auto [law, problem] = mean_problem(order);
  const double mean = law.mean(), epsilon = 0.99, xi = 0.95;
  const bool convex = branch == Branch::convex;
  const double delta = convex ? 0.5 : 0.1;  // the steps of the convex branch share it
  return {
      .variable = "n",
      .problem = "the mean of numbers that are 0.7, and in one case of a hundred Pareto of index " +
                 to_text(law.tail) + ", loss (w - x)^2/2, W = [-1, 1], v = " + to_text(order) +
                 ", epsilon = 0.99, delta = " + to_text(delta) +
                 ", xi = 0.95; closed-form population risk",
      .exponent = (convex ? -1 : -2) * order / (1 + order),
      .point =
          [=, problem = problem](double n) {
            const auto records = static_cast<Index>(n);
            DpScoParameters p =
                convex ? convex_balanced(records, 1, problem, epsilon, delta, xi)
                       : strongly_convex_from_theorem(records, 1, problem, epsilon, delta, xi);
            p.gradients = mean_point_gradients;
            const double t = static_cast<double>(p.iterations);
            return RatePoint{
                records,
                [p](const Dataset& data, Releases& releases) { return dp_sco(data, p, releases); },
                convex ? std::pow(epsilon * n, -order / (1 + order))
                       : strongly_convex_bound(n, 1, problem, epsilon, t)};
          },
      .draw = [law = law](Index n, RandomStream& stream) { return law.draw(n, stream); },
      .excess_risk = [mean](const VectorXd& w) { return std::pow(w[0] - mean, 2) / 2; },
      .smoke = std::move(smoke),
      .ci = std::move(ci)};
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
             rate(1, Branch::strongly_convex, {{3e4, 1e5, 3e5, 1e6}, 32}, {{3e4, 3e5, 3e6}, 40}));
  claims.add("rate.convex", Edition::corrected, Expectation::holds,
             {here, "Theorem 6 with the constants that T hides, v = 1"},
             "The excess risk of the average falls as (epsilon n)^(-v/(1+v)).", assumption,
             rate(1, Branch::convex, {{1e4, 3e4, 1e5, 3.2e5}, 64}, {{1e4, 3e4, 1e5, 3.2e5}, 200}));
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
