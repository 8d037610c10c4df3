#include "algorithms/tao/sparse_optimization.hpp"

#include <algorithm>
#include <cmath>

#include "algorithms/claims/claim_list.hpp"
#include "algorithms/claims/planted_faults.hpp"
#include "algorithms/comparators/noisy_descent.hpp"
#include "algorithms/core/checked.hpp"
#include "algorithms/core/gaussian.hpp"
#include "algorithms/estimators/thresholding.hpp"
#include "algorithms/mechanisms/peeling.hpp"
#include "algorithms/problems/hard_laws.hpp"
#include "algorithms/problems/heavy_mean.hpp"
#include "algorithms/tao/lemmas.hpp"
#include "algorithms/tao/peeling.hpp"

namespace dpverify::tao {
namespace {

void validate(const SparseOptimizationParameters& p, Index records, Index dimension) {
  require(p.iterations >= 1 && p.iterations <= records, "iterations T",
          static_cast<double>(p.iterations),
          "in 1.." + std::to_string(records) + " (the number of records)");
  require(p.truncation > 0 && std::isfinite(p.truncation), "truncation B", p.truncation,
          "positive and finite");
  require(p.step > 0 && std::isfinite(p.step), "step eta_0", p.step, "positive and finite");
  require(p.epsilon > 0 && p.epsilon < 1, "epsilon", p.epsilon, "in (0, 1)");
  require(p.delta > 0 && p.delta < 1, "delta", p.delta, "in (0, 1)");
  validate_sparse(p.initial, p.sparsity, dimension);
}

double coordinate_sensitivity(const SparseOptimizationParameters& p, Index part_size) {
  const double exact = 2 * p.truncation * p.step / static_cast<double>(part_size);
  return p.sensitivity == Edition::proved ? exact * static_cast<double>(p.sparsity) / 3 : exact;
}

}  // namespace

VectorXd sparse_optimization(const PartGradient& mean_gradient, Index n, Index dimension,
                             const SparseOptimizationParameters& p, Releases& releases) {
  validate(p, n, dimension);
  VectorXd w = p.initial;
  for (Index t = 1; t <= p.iterations; ++t) {
    w = peeling(w - p.step * mean_gradient(w, t),  // steps 9, 10
                {.sparsity = p.sparsity,
                 .sensitivity = coordinate_sensitivity(p, n / p.iterations),
                 .epsilon = p.epsilon,
                 .delta = p.delta,
                 .factor = peeling_factor},
                releases);
  }
  return w;
}

VectorXd sparse_optimization(const Dataset& data, const SparseOptimizationParameters& p,
                             Releases& releases) {
  const PartGradient mean_gradient = [&](const VectorXd& w, Index t) -> VectorXd {
    const DataView part = data.part(t, p.iterations);                         // step 1
    return thresholded(p.gradients(w, part), p.truncation).colwise().mean();  // steps 5, 8
  };
  return sparse_optimization(mean_gradient, data.size(), data.dimension(), p, releases);
}

SparseOptimizationParameters sparse_optimization_from_theorem(Index n, Index dimension,
                                                              const SparseProblem& problem,
                                                              double epsilon, double delta,
                                                              double failure_probability) {
  require(problem.mu > 0 && problem.gamma >= problem.mu && std::isfinite(problem.gamma),
          "strong convexity mu", problem.mu,
          "positive and at most gamma = " + to_text(problem.gamma));
  require(problem.moment > 0 && std::isfinite(problem.moment), "moment u", problem.moment,
          "positive and finite");
  require(problem.order > 0 && problem.order <= 1, "order v", problem.order, "in (0, 1]");
  require(problem.optimum_sparsity >= 1, "sparsity s*",
          static_cast<double>(problem.optimum_sparsity), "at least 1");
  require(epsilon > 0, "epsilon", epsilon, "positive");
  require(delta > 0 && delta < 1, "delta", delta, "in (0, 1)");
  require(failure_probability > 0 && failure_probability < 1, "failure probability xi",
          failure_probability, "in (0, 1)");
  const double condition = problem.gamma / problem.mu;
  SparseOptimizationParameters p;
  p.initial = VectorXd::Zero(dimension);
  // Clamped before the conversion: the condition number may be anything.
  p.sparsity = static_cast<Index>(std::clamp(
      std::ceil(condition * condition * static_cast<double>(problem.optimum_sparsity) - 1e-9), 1.0,
      static_cast<double>(dimension)));
  p.iterations = static_cast<Index>(
      std::clamp(condition * std::log(static_cast<double>(n)), 1.0, static_cast<double>(n)));
  p.step = 2 / (3 * problem.gamma);
  p.epsilon = epsilon;
  p.delta = delta;
  const auto t = static_cast<double>(p.iterations);
  const double logarithm = std::log(static_cast<double>(dimension) * t / failure_probability);
  p.truncation =
      std::pow(problem.gamma * problem.moment * static_cast<double>(n) * epsilon /
                   (t * logarithm * std::sqrt(static_cast<double>(p.sparsity) * -std::log(delta))),
               1 / (1 + problem.order));
  return p;
}

double sparse_optimization_bound(double n, double dimension, const SparseProblem& problem,
                                 double epsilon, double delta, double failure_probability) {
  const double v = problem.order;
  const double logs =
      std::log(n) * std::log(dimension / failure_probability) * std::sqrt(-std::log(delta));
  return std::pow(static_cast<double>(problem.optimum_sparsity), (1 + 2 * v) / (1 + v)) *
         std::pow(problem.moment, 2 / (1 + v)) * std::pow(logs / (n * epsilon), 2 * v / (1 + v));
}

// ---- Claims -----------------------------------------------------------------------------------

namespace {

SparseOptimizationParameters parameters(const ParameterPoint& point, const Dataset& data) {
  return {.gradients = numbered_oracle(point.at("loss")),
          .initial = VectorXd::Zero(data.dimension()),
          .sparsity = std::min(static_cast<Index>(point.at("sparsity")), data.dimension()),
          .truncation = point.at("truncation"),
          .iterations = std::min(static_cast<Index>(point.at("iterations")), data.size()),
          .step = point.at("step"),
          .epsilon = point.at("epsilon"),
          .delta = point.at("delta")};
}

MechanismFamily family(Edition edition) {
  return [edition](const ParameterPoint& point) -> Mechanism {
    return [edition, point](const Dataset& data, Releases& releases) {
      SparseOptimizationParameters p = parameters(point, data);
      p.sensitivity = edition;
      return sparse_optimization(data, p, releases);
    };
  };
}

MechanismFamily without_truncation() {
  return [](const ParameterPoint& point) -> Mechanism {
    return [point](const Dataset& data, Releases& releases) {
      const SparseOptimizationParameters p = parameters(point, data);
      const Matrix all = p.gradients(p.initial, data.all());
      return peeling(p.initial - p.step * all.colwise().mean().transpose(),
                     {.sparsity = p.sparsity,
                      .sensitivity = coordinate_sensitivity(p, data.size()),
                      .epsilon = p.epsilon,
                      .delta = p.delta,
                      .factor = peeling_factor},
                     releases);
    };
  };
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
RateClaim rate(double order, Sweep smoke, Sweep ci, Sweep nightly) {
  const HeavyMean law{.dimension = 2, .share = 0.01, .tail = 1 + order + 0.05};
  VectorXd mean = VectorXd::Zero(2);
  mean[0] = law.mean();
  const SparseProblem problem{.moment = law.moment(1 + order), .order = order};
  const double epsilon = 0.99, delta = 0.1, xi = 0.25;
  return {.variable = "n",
          .problem =
              "the mean of 2 features, loss ||w - x||^2/2, s* = s = 1, gamma = mu = 1; each "
              "1, and in one case of a hundred Pareto of index " +
              to_text(law.tail) + ", the second with a fair sign; v = " + to_text(order) +
              ", epsilon = 0.99, delta = 0.1; closed-form population risk",
          .exponent = -2 * order / (1 + order),
          .failure_probability = xi,
          .dimension = 2,
          .by_parts = true,
          .point =
              [=](double n) {
                const auto records = static_cast<Index>(n);
                SparseOptimizationParameters p =
                    sparse_optimization_from_theorem(records, 2, problem, epsilon, delta, xi);
                p.gradients = mean_point_gradients;
                RatePoint point{records,
                                [p](const Dataset& data, Releases& releases) {
                                  return sparse_optimization(data, p, releases);
                                },
                                sparse_optimization_bound(n, 2, problem, epsilon, delta, xi)};
                point.comparators = {clipped_mean(4, 1, {epsilon, delta})};
                return point;
              },
          .draw =
              [law](Index n, RandomStream& stream) {
                Dataset data = law.draw(n, stream);
                for (Index i = 0; i < n; ++i)
                  if (stream.uniform() < 0.5) data.features(i, 1) *= -1;
                return data;
              },
          .excess_risk = [mean](const VectorXd& w) { return (w - mean).squaredNorm() / 2; },
          .smoke = std::move(smoke),
          .ci = std::move(ci),
          .nightly = std::move(nightly)};
}

// The means at w of the parts' thresholded gradients of ||w - x||^2/2, from counts of the parts.
PartGradient counted_gradient(const CountedMean& law, const Dataset& counts, Index part,
                              const SparseOptimizationParameters& p) {
  return [&law, &counts, part, &p](const VectorXd& w, Index t) -> VectorXd {
    return law
        .block_means(counts.part(t, p.iterations), part,
                     [&](Index j, double x) {
                       const double gradient = w[j] - x;
                       return std::abs(gradient) <= p.truncation ? gradient : 0;
                     })
        .row(0);
  };
}

// The mean of d features, the first s* of them 1, and in one case of a hundred 5, the others 0.
RatePoint counted_point(Index n, Index dimension, Index sparsity, double epsilon) {
  constexpr double delta = 0.1, xi = 0.25;
  const CountedMean law{dimension, sparsity, {5, 1}, {0.01, 0.99}};
  const SparseProblem problem{.optimum_sparsity = sparsity, .moment = law.moment(2)};
  const SparseOptimizationParameters p =
      sparse_optimization_from_theorem(n, dimension, problem, epsilon, delta, xi);
  const Index part = n / p.iterations;
  return {.records = n,
          .mechanism =
              [=](const Dataset& counts, Releases& releases) {
                return sparse_optimization(counted_gradient(law, counts, part, p), n, dimension, p,
                                           releases);
              },
          .bound = sparse_optimization_bound(static_cast<double>(n), static_cast<double>(dimension),
                                             problem, epsilon, delta, xi),
          .dimension = dimension,
          .draw = [=](Index, RandomStream& stream) { return law.draw(p.iterations, part, stream); },
          .excess_risk =
              [mean = law.mean()](const VectorXd& w) { return (w - mean).squaredNorm() / 2; }};
}

RateClaim counted_rate(const std::string& variable) {
  RateClaim rate{
      .variable = variable,
      .problem = "the mean of " + std::string(variable == "d" ? "d" : "200") + " features, " +
                 (variable == "s" ? "s*" : "4") +
                 " of them 1, and in one case of a hundred 5, the others 0, drawn as counts; "
                 "loss ||w - x||^2/2, s = s*, gamma = mu = 1, v = 1, delta = 0.1, xi = 0.25",
      .failure_probability = 0.25};
  if (variable == "epsilon") {
    rate.exponent = -1;
    rate.problem += ", n = 10^8";
    rate.point = [](double epsilon) { return counted_point(100'000'000, 200, 4, epsilon); };
    rate.smoke = {{0.01, 0.1, 0.99}, 24};
    rate.ci = {{0.01, 0.03, 0.1, 0.3, 0.99}, 200};
  } else if (variable == "s") {
    rate.exponent = 1.5;
    rate.problem += ", n = 10^7, epsilon = 0.99";
    rate.point = [](double s) {
      return counted_point(10'000'000, 200, static_cast<Index>(s), 0.99);
    };
    rate.smoke = {{1, 6, 32}, 20};
    rate.ci = {{1, 3, 10, 32}, 200};
  } else {
    rate.problem += ", n = 10^6, epsilon = 0.99";
    rate.point = [](double d) { return counted_point(1'000'000, static_cast<Index>(d), 4, 0.99); };
    rate.smoke = {{10, 60, 320}, 24};
    rate.ci = {{10, 100, 1000, 10000}, 100};
  }
  return rate;
}

// Five records, on average, of the n are the law's word of 4 ones among 124, times sqrt n: E|x_j|^2
// <= u = 5.
RateClaim hard_rate() {
  constexpr double epsilon = 0.99, delta = 1e-6, xi = 0.25;
  constexpr Index sparsity = 4;
  RateClaim rate{.variable = "n",
                 .problem =
                     "one of 961 laws, drawn in each trial: records that are sqrt(n) times the "
                     "law's word of 4 ones among 124 places with probability 5/n, else 0, drawn as "
                     "counts; loss ||w - x||^2/2, s = s* = 4, v = 1, epsilon = 0.99, delta = 1e-6, "
                     "xi = 0.25. Lower bound: Barber and Duchi (2014) on these laws",
                 .exponent = -1,
                 .failure_probability = xi,
                 .attained = 0.1};
  rate.point = [=](double n) {
    const auto records = static_cast<Index>(n);
    const HardLaws laws{.words = sparse_words(sparsity, 31),
                        .records = records,
                        .probability = 5 / n,
                        .size = std::sqrt(n)};
    const Index dimension = laws.words.dimension;
    // E|w_j - x_j|^2 <= 2 (1 + 5) while |w_j| <= 1.
    const SparseProblem problem{.optimum_sparsity = sparsity, .moment = 12};
    const SparseOptimizationParameters p =
        sparse_optimization_from_theorem(records, dimension, problem, epsilon, delta, xi);
    const Index part = records / p.iterations;
    return RatePoint{.records = records,
                     .mechanism =
                         [=, law = laws.counted()](const Dataset& counts, Releases& releases) {
                           return sparse_optimization(counted_gradient(law, counts, part, p),
                                                      records, dimension, p, releases);
                         },
                     .bound = sparse_optimization_bound(n, static_cast<double>(dimension), problem,
                                                        epsilon, delta, xi),
                     .dimension = dimension,
                     .instance =
                         [=](RandomStream& stream) {
                           const Index k = stream.index(laws.words.count);
                           return Instance{laws.draw_counts(k, p.iterations, part, stream),
                                           [mean = laws.mean(k)](const VectorXd& w) {
                                             return (w - mean).squaredNorm() / 2;
                                           }};
                         },
                     .lower_bound = error_floor(laws, {epsilon, delta}, 2) / 2};
  };
  rate.smoke = {{1e8, 1e10, 1e12}, 60};
  rate.ci = {{1e8, 1e9, 1e10, 1e11, 1e12}, 300};
  return rate;
}

}  // namespace

std::vector<Claim> sparse_optimization_claims() {
  const std::vector<std::string> neighbours{"replace-one neighbours", "parts chosen by index"};
  ClaimList claims("tao.sparse_optimization");
  const std::vector<ParameterRange> ranges{{"loss", 1, 0, 2, Scale::integer},
                                           {"sparsity", 1, 1, 4, Scale::integer},
                                           {"iterations", 1, 1, 3, Scale::integer},
                                           {"truncation", 1, 0.01, 100, Scale::logarithmic},
                                           {"step", 1, 0.01, 10, Scale::logarithmic},
                                           {"epsilon", 0.5, 0.001, 0.999, Scale::logarithmic},
                                           {"delta", 1e-5, 1e-12, 0.99, Scale::logarithmic}};
  const auto at = [](double s, double iterations, Index records, Index dimension,
                     double epsilon = 0.999, double delta = 1e-5) {
    return Setting{{{"loss", 1},
                    {"sparsity", s},
                    {"iterations", iterations},
                    {"truncation", 1},
                    {"step", 1},
                    {"epsilon", epsilon},
                    {"delta", delta}},
                   records,
                   dimension};
  };
  const std::vector<Setting> corners{at(1, 1, 3, 2), at(2, 2, 4, 3)};
  const SensitivityClaim tight{family(Edition::printed), ranges, 1, 4, corners, true};
  claims.add(
      "sensitivity", Edition::printed, Expectation::holds, {paper, "Algorithm 5, step 10"},
      "One record moves a coordinate of w^{t+0.5} by at most 2 B eta_0/m, and some pair attains "
      "it.",
      neighbours, tight);
  add_mutants(claims, tight, neighbours);
  claims.add(
      "sensitivity", Edition::proved, Expectation::refuted, {paper, "proof of Theorem 10"},
      "One record moves a coordinate of w^{t+0.5} by at most 2 B eta_0 s/(3m). The true figure is "
      "3 times as large for s = 1, 1.5 times for s = 2.",
      neighbours, SensitivityClaim{family(Edition::proved), ranges, 1, 4, corners});
  claims.add("sensitivity.no_truncation", Edition::mutant, Expectation::refuted,
             {here, "one step of Algorithm 5 without step 5"},
             "One record moves a coordinate of w^{t+0.5} by at most 2 B eta_0/m.", neighbours,
             SensitivityClaim{without_truncation(), ranges, 1, 4, corners});
  const auto guarantee = [](const ParameterPoint& point) {
    return PrivacyGuarantee{point.at("epsilon"), point.at("delta")};
  };
  claims.add(
      "privacy", Edition::printed, Expectation::holds, {paper, "Theorem 10"},
      "Algorithm 5 is (epsilon, delta)-DP for 0 < epsilon, delta < 1.", neighbours,
      PrivacyClaim{.mechanism = family(Edition::printed),
                   .guarantee = guarantee,
                   .settings = {at(1, 1, 1, 2), at(2, 2, 2, 2)},
                   .certified = {at(1, 3, 30, 5), at(10, 3, 30, 25), at(20, 3, 30, 25, 0.1),
                                 at(20, 3, 30, 25, 0.999, 0.1), at(20, 3, 30, 25, 0.999, 1e-10)}});
  const std::string statement =
      "With the theorem's T, s, eta_0 and B the excess risk falls as s*^((1+2v)/(1+v)) u^(2/(1+v)) "
      "(log n log(d/xi) sqrt(log(1/delta))/(n epsilon))^(2v/(1+v))";
  claims.add("rate.half", Edition::printed, Expectation::holds, {paper, "Theorem 10"},
             statement + "; v = 1/2.", neighbours,
             rate(0.5, {{2e4, 6e4, 2e5, 6.4e5}, 48}, {{2e4, 2e5, 1.5e6}, 150},
                  {{2e4, 2e5, 2e6, 1.5e7}, 40}));
  claims.add(
      "rate", Edition::printed, Expectation::holds, {paper, "Theorem 10"}, statement + "; v = 1.",
      neighbours,
      rate(1, {{1e4, 3e4, 1e5, 3.2e5}, 24}, {{1e4, 1e5, 1e6}, 200}, {{1e4, 1e5, 1e6, 1e7}, 60}));
  const PrivacyGuarantee hard{0.2, 1e-6};
  add_floor(
      claims, "", "Algorithm 5",
      "Theorem 11 with the words of a linear code and the constants of Barber and Duchi (2014)",
      estimation_floor({.words = sparse_words(4, 31), .records = 60}, hard,
                       family(Edition::printed)({{"loss", 0},
                                                 {"sparsity", 4},
                                                 {"iterations", 2},
                                                 {"truncation", 2},
                                                 {"step", 0.75},
                                                 {"epsilon", hard.epsilon},
                                                 {"delta", hard.delta}})));
  claims.add(
      "rate.dimension", Edition::printed, Expectation::holds, {paper, "Theorem 10"},
      "With the theorem's T, s and B the excess risk grows in d no faster than the logarithm "
      "of d to the power 2v/(1+v); v = 1.",
      neighbours, counted_rate("d"));
  claims.add("rate.sparsity", Edition::printed, Expectation::holds, {paper, "Theorem 10"},
             "With the theorem's T, s and B the excess risk grows in s* no faster than "
             "s*^((1+2v)/(1+v)); v = 1.",
             neighbours, counted_rate("s"));
  claims.add("rate.epsilon", Edition::printed, Expectation::holds, {paper, "Theorem 10"},
             "With the theorem's T, s and B the excess risk falls as epsilon^(-2v/(1+v)); v = 1.",
             neighbours, counted_rate("epsilon"));
  claims.add("rate.lower_bound", Edition::printed, Expectation::holds,
             {paper, "Theorems 10 and 11; Lemma 27"},
             "On hard instances the excess risk falls like 1/n, log factors apart, and so does a "
             "lower bound on every (epsilon, delta)-DP mechanism; v = 1.",
             neighbours, hard_rate());
  claims.append(sparse_optimization_lemmas());
  return claims.take();
}

// ---- Command line -----------------------------------------------------------------------------

Algorithm sparse_optimization_algorithm() {
  const auto prepare = [](const Dataset& data, const RunOptions& options) {
    SparseOptimizationParameters p = sparse_optimization_from_theorem(
        data.size(), data.dimension(),
        {.optimum_sparsity = options.integer("optimum-sparsity"),
         .gamma = options.number("smoothness"),
         .mu = options.number("strong-convexity"),
         .moment = options.number("moment"),
         .order = options.number("order")},
        options.number("epsilon"), options.number("delta"), options.number("failure-probability"));
    const Loss loss = loss_from_name(options.text("loss"));
    validate_labels(loss, data.all());
    p.gradients = gradient_oracle(loss);
    if (!options.is_auto("sparsity")) p.sparsity = options.integer("sparsity");
    if (!options.is_auto("iterations")) p.iterations = options.integer("iterations");
    if (!options.is_auto("truncation")) p.truncation = options.number("truncation");
    if (!options.is_auto("step")) p.step = options.number("step");
    validate(p, data.size(), data.dimension());
    PreparedRun run;
    run.mechanism = [p](const Dataset& records, Releases& releases) {
      return sparse_optimization(records, p, releases);
    };
    run.guarantee = {p.epsilon, p.delta};
    run.guarantee_source = "tao.sparse_optimization.privacy.printed";
    const Index part = data.size() / p.iterations;
    run.parameters = {{"loss", std::string(name(loss))},
                      {"sparsity", std::to_string(p.sparsity)},
                      {"iterations", std::to_string(p.iterations)},
                      {"records in a part", std::to_string(part)},
                      {"truncation", to_text(p.truncation)},
                      {"step", to_text(p.step)},
                      {"sensitivity of a coordinate", to_text(coordinate_sensitivity(p, part))}};
    run.empirical_risk = [loss](const DataView& view, const VectorXd& w) {
      return empirical_risk(loss, w, view);
    };
    run.risk_name = "mean " + std::string(name(loss)) + " loss";
    return run;
  };
  return {"tao.sparse_optimization",
          "heavy-tailed private iterative hard thresholding, (epsilon, delta)-DP",
          "Tao, Wu, Cheng and Wang, Algorithm 5",
          {{"epsilon", "0.5", "privacy parameter, in (0, 1)"},
           {"delta", "1e-5", "privacy parameter, in (0, 1)"},
           {"loss", "squared",
            "squared, logistic (labels -1 and 1), absolute, biweight, geman_mcclure or "
            "pseudo_huber"},
           {"optimum-sparsity", "1", "s*: non-zero coefficients expected, a public guess"},
           {"sparsity", "auto", "s, 1 to the number of features; auto: (gamma/mu)^2 s*"},
           {"iterations", "auto", "T, 1 to n; auto: Theorem 10"},
           {"truncation", "auto", "B, positive; auto: Theorem 10"},
           {"step", "auto", "eta_0, positive; auto: Theorem 10"},
           {"smoothness", "1", "gamma of Assumption 2: a public guess"},
           {"strong-convexity", "1", "mu of Assumption 2: a public guess"},
           {"moment", "1", "u of Assumption 2: a public guess"},
           {"order", "1", "v, in (0, 1]"},
           {"failure-probability", "0.05", "xi of Theorem 10, in (0, 1)"}},
          prepare,
          sparse_optimization_claims};
}

}  // namespace dpverify::tao
