#include "algorithms/su/objective_perturbation.hpp"

#include <algorithm>
#include <cmath>

#include "algorithms/claims/claim_list.hpp"
#include "algorithms/claims/planted_faults.hpp"
#include "algorithms/comparators/noisy_descent.hpp"
#include "algorithms/core/checked.hpp"
#include "algorithms/core/gaussian.hpp"
#include "algorithms/geometry/convex_body.hpp"
#include "algorithms/problems/robust_model.hpp"
#include "algorithms/su/lipschitz.hpp"
#include "algorithms/su/sign_model.hpp"

namespace dpverify::su {
namespace {

class RegularisedLoss final : public Objective {
 public:
  // Record i stands for copies[i] equal ones; `quadratic` multiplies ||theta||_2^2/2.
  RegularisedLoss(Loss loss, Dataset records, VectorXd copies, double quadratic, double radius)
      : loss_(loss),
        records_(std::move(records)),
        copies_(std::move(copies)),
        quadratic_(quadratic),
        radius_(radius) {}
  Index dimension() const override { return records_.dimension(); }
  double radius() const override { return radius_; }
  double strong_convexity() const override { return quadratic_; }
  VectorXd gradient(const VectorXd& theta) const override {
    VectorXd weights = records_.features * theta;
    for (Index i = 0; i < weights.size(); ++i)
      weights[i] = copies_[i] * loss_derivative(loss_, weights[i], records_.labels[i]);
    return records_.features.transpose() * weights + quadratic_ * theta;
  }
  Matrix hessian(const VectorXd& theta) const override {
    VectorXd weights = records_.features * theta;
    for (Index i = 0; i < weights.size(); ++i)
      weights[i] = copies_[i] * loss_second_derivative(loss_, weights[i], records_.labels[i]);
    Matrix out = records_.features.transpose() * weights.asDiagonal() * records_.features;
    out.diagonal().array() += quadratic_;
    return out;
  }
  std::shared_ptr<const Objective> without_data() const override {
    return std::make_shared<RegularisedLoss>(
        loss_, Dataset{Matrix::Zero(0, dimension()), VectorXd::Zero(0)}, VectorXd::Zero(0),
        quadratic_, radius_);
  }

 private:
  Loss loss_;
  Dataset records_;
  VectorXd copies_;
  double quadratic_, radius_;
};

void validate(const ObjectivePerturbationParameters& p) {
  require(p.lipschitz > 0 && std::isfinite(p.lipschitz), "Lipschitz constant L", p.lipschitz,
          "positive and finite");
  require(p.radius > 0 && std::isfinite(p.radius), "radius of C", p.radius, "positive and finite");
  require(p.strong_convexity >= 0 && std::isfinite(p.strong_convexity), "strong convexity Delta",
          p.strong_convexity, "non-negative and finite");
  require(p.ridge >= 0 && std::isfinite(p.ridge), "lambda", p.ridge, "non-negative and finite");
  require(p.ridge > 0 || p.strong_convexity > 0, "lambda", p.ridge,
          "positive where the loss is not strongly convex");
  require(p.standard_deviation > 0 && std::isfinite(p.standard_deviation),
          "standard deviation sigma_1", p.standard_deviation, "positive and finite");
}

}  // namespace

std::shared_ptr<const Objective> regularised_objective(const Dataset& data, const VectorXd& copies,
                                                       Index n,
                                                       const ObjectivePerturbationParameters& p) {
  validate(p);
  const double curvature =
      2 * p.ridge + p.strong_convexity / (p.radius * p.radius);  // of the mean objective
  return std::make_shared<RegularisedLoss>(p.loss, lipschitz_records(p.loss, data, 2, p.lipschitz),
                                           copies, static_cast<double>(n) * curvature, p.radius);
}

std::shared_ptr<const Objective> regularised_objective(const Dataset& data,
                                                       const ObjectivePerturbationParameters& p) {
  return regularised_objective(data, VectorXd::Ones(data.size()), data.size(), p);
}

double lipschitz_constant(const ObjectivePerturbationParameters& p) {
  return p.lipschitz + p.strong_convexity / p.radius;
}

double smoothness(const ObjectivePerturbationParameters& p) {
  return smoothness(p.loss, p.lipschitz);
}

double rank_of_change(Index dimension) { return std::min(static_cast<double>(dimension), 2.0); }

VectorXd objective_perturbation(std::shared_ptr<const Objective> objective,
                                const ObjectivePerturbationParameters& p, Releases& releases) {
  return releases.release(ObjectivePerturbation{.objective = std::move(objective),
                                                .sensitivity = 2 * lipschitz_constant(p),
                                                .standard_deviation = p.standard_deviation});
}

VectorXd objective_perturbation(const Dataset& data, const ObjectivePerturbationParameters& p,
                                Releases& releases) {
  return objective_perturbation(regularised_objective(data, p), p, releases);
}

ObjectivePerturbationParameters objective_perturbation_from_theorem(Edition edition, Index n,
                                                                    Index dimension, double epsilon,
                                                                    double delta, Loss loss,
                                                                    double lipschitz,
                                                                    double radius) {
  require(epsilon > 0 && std::isfinite(epsilon), "epsilon", epsilon, "positive and finite");
  require(delta > 0 && delta < 1, "delta", delta, "in (0, 1)");
  ObjectivePerturbationParameters p{.loss = loss, .lipschitz = lipschitz, .radius = radius};
  const double unit = smoothness(p) / (epsilon * static_cast<double>(n));
  const double r = rank_of_change(dimension);
  p.ridge = edition == Edition::printed ? r * unit / 2 : r * unit;
  p.standard_deviation = lipschitz * std::sqrt(32 * -std::log(delta)) / epsilon;
  return p;
}

// ---- Claims -----------------------------------------------------------------------------------

namespace {

const std::string paper = "Su, Zhao and Wang, supplement";

// Algorithm 5 in the edition; `fault` multiplies sigma_1 and `ridge` lambda.
MechanismFamily family(Edition edition, double noise = 1, double ridge = 1) {
  return [=](const ParameterPoint& point) -> Mechanism {
    return [=](const Dataset& data, Releases& releases) {
      ObjectivePerturbationParameters p = objective_perturbation_from_theorem(
          edition, data.size(), data.dimension(), point.at("epsilon"), point.at("delta"),
          point.at("logistic") == 1 ? Loss::logistic : Loss::pseudo_huber, point.at("lipschitz"),
          point.at("radius"));
      p.standard_deviation *= noise;
      p.ridge *= ridge;
      return objective_perturbation(data, p, releases);
    };
  };
}

PrivacyGuarantee guarantee(const ParameterPoint& point) {
  return {point.at("epsilon"), point.at("delta")};
}

Setting one_dimension(double epsilon, double delta, double radius, Index records) {
  return {{{"epsilon", epsilon},
           {"delta", delta},
           {"logistic", 0},
           {"lipschitz", 1},
           {"radius", radius}},
          records,
          1};
}

// The largest log det H(D) - log det H(D') of the sums of the Hessians: `rank` directions in which
// the record adds beta on one side and nothing on the other, over 2 n lambda.
double log_determinant(double rank, double beta, double ridge, double n) {
  return rank * std::log1p(beta / (2 * n * ridge));
}

// Theorem 2's lambda, at least Lemma 5's; two features of independent signs, L = sqrt 2.
constexpr double radius = 1, delta = 1e-5;
constexpr Index dimension = 2;
const double lipschitz = std::sqrt(2.0), width = 2 * radius;

ObjectivePerturbationParameters theorem_2(Index n, double epsilon) {
  ObjectivePerturbationParameters p = objective_perturbation_from_theorem(
      Edition::proved, n, dimension, epsilon, delta, Loss::pseudo_huber, lipschitz, radius);
  p.ridge = std::max(p.ridge, lipschitz / (std::sqrt(static_cast<double>(n)) * width));
  return p;
}

double theorem_2_bound(double n, double epsilon) {
  const double gaussian = gaussian_width({.p = 2, .radius = radius, .dimension = dimension});
  return lipschitz * gaussian * std::sqrt(-std::log(delta)) / (epsilon * n) +
         lipschitz * width / std::sqrt(n);
}

RateClaim theorem_2_rate() {
  constexpr double epsilon = 0.9;
  const RobustModel model{.loss = Loss::pseudo_huber,
                          .optimum = (VectorXd(dimension) << 0.7, -0.5).finished(),
                          .levels = 1,
                          .outlier = 10,
                          .outlier_share = 0.1};
  RateClaim rate{.variable = "n",
                 .problem =
                     "pseudo-Huber regression, two features of independent signs, w* = (0.7, "
                     "-0.5), one label in ten moved by +-10, unit ball, epsilon = 0.9, delta "
                     "= 1e-5; population risk by exact summation",
                 .exponent = -0.5,
                 .dimension = dimension,
                 .draw = [model](Index n, RandomStream& stream) { return model.draw(n, stream); },
                 .excess_risk = [model](const VectorXd& w) { return model.excess_risk(w); }};
  rate.point = [=](double n) {
    const auto records = static_cast<Index>(n);
    RatePoint point{records,
                    [p = theorem_2(records, epsilon)](const Dataset& data, Releases& releases) {
                      return objective_perturbation(data, p, releases);
                    },
                    theorem_2_bound(n, epsilon)};
    // The loss is 1-smooth for signs, its gradient at most 1 in each coordinate.
    point.comparators =
        usual_comparators({.loss = Loss::pseudo_huber,
                           .feasible = {.kind = FeasibleSet::Kind::l2_ball, .radius = radius},
                           .initial = VectorXd::Zero(dimension)},
                          records, epsilon, delta);
    return point;
  };
  rate.smoke = {{300, 1e3, 3e3, 1e4}, 24};
  rate.ci = {{300, 1e3, 3e3, 1e4, 3e4}, 80};
  rate.nightly = {{300, 1e3, 1e4, 1e5, 3e5}, 120};
  return rate;
}

// The same records, drawn as counts, at n = 10^4.
RateClaim theorem_2_epsilon_rate() {
  constexpr Index n = 10'000;
  const SignModel model{.optimum = (VectorXd(dimension) << 0.7, -0.5).finished(),
                        .outlier = 10,
                        .outlier_share = 0.1};
  RateClaim rate{.variable = "epsilon",
                 .problem =
                     "pseudo-Huber regression, two features of independent signs, w* = (0.7, "
                     "-0.5), one label in ten moved by +-10, drawn as counts; unit ball, n = 10^4, "
                     "delta = 1e-5; population risk by exact summation",
                 .exponent = -1,
                 .dimension = dimension,
                 .draw = [model](Index count,
                                 RandomStream& stream) { return model.draw_counts(count, stream); },
                 .excess_risk = [model](const VectorXd& w) { return model.excess_risk(w); }};
  rate.point = [kinds = model.records()](double epsilon) {
    return RatePoint{n,
                     [kinds, p = theorem_2(n, epsilon)](const Dataset& counts, Releases& releases) {
                       return objective_perturbation(
                           regularised_objective(kinds, counts.labels, n, p), p, releases);
                     },
                     theorem_2_bound(n, epsilon)};
  };
  rate.smoke = {{0.01, 0.1, 0.9}, 100};
  rate.ci = {{0.01, 0.03, 0.1, 0.3, 0.9}, 600};
  return rate;
}

}  // namespace

std::vector<Claim> objective_perturbation_claims() {
  ClaimList claims("su.objective_perturbation");
  const std::vector<std::string> neighbours{"replace-one neighbours",
                                            "generalised linear loss, L-Lipschitz and beta-smooth"};
  const std::vector<ParameterRange> ranges{{"epsilon", 0.5, 0.01, 0.999, Scale::logarithmic},
                                           {"delta", 1e-5, 1e-12, 0.9, Scale::logarithmic},
                                           {"logistic", 0, 0, 1, Scale::integer},
                                           {"lipschitz", 1, 0.01, 100, Scale::logarithmic},
                                           {"radius", 1, 0.01, 100, Scale::logarithmic}};
  Setting plane = one_dimension(0.5, 1e-5, 1, 3);
  plane.dimension = 2;
  claims.add("sensitivity", Edition::printed, Expectation::holds, {paper, "Algorithm 5"},
             "At every theta of C one record moves the gradient of the sum of the losses by at "
             "most 2 L in the Euclidean norm, and some pair attains it.",
             neighbours, SensitivityClaim{family(Edition::printed), ranges, 1, 3, {plane}, true});
  add_mutants(claims, SensitivityClaim{family(Edition::printed), ranges, 1, 3, {plane}},
              neighbours);

  // Exact in one dimension. The tail is where a smaller delta looks: there the log determinant and
  // the shift of the noise add up.
  std::vector<Setting> settings;
  settings.push_back(one_dimension(0.1, 1e-9, 1e3, 1));
  settings.push_back(one_dimension(0.999, 0.1, 1, 3));
  std::vector<Setting> proved_settings = settings;
  proved_settings.push_back(one_dimension(0.999, 0.9, 1e3, 1));
  claims.add("rate", Edition::corrected, Expectation::holds,
             {"this project", "Theorem 2, with the exact minimiser of Algorithm 5"},
             "With lambda = max{r beta/(epsilon n), L/(sqrt n ||C||_2)} the excess risk falls as L "
             "G_C sqrt(log(1/delta))/(epsilon n) + L ||C||_2/sqrt n.",
             {"Assumption 1"}, theorem_2_rate());
  claims.add("rate.epsilon", Edition::corrected, Expectation::holds,
             {"this project", "Theorem 2, with the exact minimiser of Algorithm 5"},
             "With the same lambda the excess risk falls in epsilon at least as fast as L G_C "
             "sqrt(log(1/delta))/(epsilon n) + L ||C||_2/sqrt n.",
             {"Assumption 1"}, theorem_2_epsilon_rate());
  claims.add("privacy", Edition::printed, Expectation::refuted, {paper, "Algorithm 5, line 2"},
             "With sigma_1^2 = 32 L^2 log(1/delta)/epsilon^2 and lambda = r beta/(2 epsilon n), r "
             "= min{d, 2 rank}, the minimiser is (epsilon, delta)-DP. In one dimension r = 1 "
             "counts the two Hessians of a replaced record as one, and the log determinant alone "
             "may cost log(1 + epsilon).",
             neighbours, PrivacyClaim{family(Edition::printed), guarantee, settings});
  claims.add("privacy", Edition::proved, Expectation::holds,
             {paper, "Lemma 5: beta <= epsilon n lambda/r"},
             "With sigma_1^2 = 32 L^2 log(1/delta)/epsilon^2 and lambda = r beta/(epsilon n) the "
             "minimiser is (epsilon, delta)-DP for 0 < epsilon < 1 and delta up to 0.9.",
             neighbours, PrivacyClaim{family(Edition::proved), guarantee, proved_settings});
  claims.add(
      "privacy.large_delta", Edition::proved, Expectation::refuted,
      {paper, "Lemma 5, 0 < delta < 1"},
      "The same for every delta < 1. The noise shrinks like sqrt(1 - delta) near 1, faster than "
      "what delta allows grows.",
      neighbours,
      PrivacyClaim{family(Edition::proved), guarantee, {one_dimension(0.999, 0.99999, 1e3, 1)}});
  const std::vector<Setting> few{one_dimension(0.5, 1e-5, 1e3, 1),
                                 one_dimension(0.999, 1e-2, 1, 3)};
  claims.add("privacy.noise_quartered", Edition::mutant, Expectation::refuted,
             {"this project", "a planted fault"},
             "The proved algorithm with a quarter of the noise.", neighbours,
             PrivacyClaim{family(Edition::proved, 0.25), guarantee, few});
  claims.add("privacy.ridge_lost", Edition::mutant, Expectation::refuted,
             {"this project", "a planted fault"},
             "The proved algorithm with a tenth of the regularisation.", neighbours,
             PrivacyClaim{family(Edition::proved, 1, 0.1), guarantee, few});

  const std::vector<ParameterRange> shapes{{"epsilon", 0.999, 1e-3, 0.999, Scale::logarithmic},
                                           {"rank", 1, 1, 50, Scale::integer},
                                           {"dimension", 1, 1, 100, Scale::integer}};
  const auto budget = [&](double factor) {  // lambda = factor min{d, 2 rank} beta/(epsilon n)
    return LemmaClaim{shapes, [factor](const ParameterPoint& point) {
                        const double d = point.at("dimension"), epsilon = point.at("epsilon");
                        const double rank = std::min(point.at("rank"), d);
                        const double ridge = factor * std::min(d, 2 * point.at("rank")) / epsilon;
                        return LemmaClaim::Sides{log_determinant(rank, 1, ridge, 1), epsilon / 2};
                      }};
  };
  const std::vector<std::string> hessians{"eigenvalues of a record's Hessian in [0, beta]",
                                          "at most `rank` of them positive"};
  claims.add("lemma.log_determinant", Edition::printed, Expectation::refuted,
             {paper, "Algorithm 5, line 2"},
             "With lambda = r beta/(2 epsilon n), r = min{d, 2 rank}, the log determinant of the "
             "Hessians differs by at most epsilon/2, which leaves epsilon/2 to the noise.",
             hessians, budget(0.5));
  claims.add("lemma.log_determinant", Edition::proved, Expectation::holds, {paper, "Lemma 5"},
             "With lambda = r beta/(epsilon n), r = min{d, 2 rank}, the log determinant of the "
             "Hessians differs by at most epsilon/2.",
             hessians, budget(1));
  claims.add(
      "lemma.log_determinant", Edition::corrected, Expectation::holds,
      {"this project", "the smallest lambda whose first-order budget is epsilon/2"},
      "With lambda = min{d, rank} beta/(epsilon n) the log determinant of the Hessians differs by "
      "at most epsilon/2.",
      hessians,
      LemmaClaim{
          shapes, [](const ParameterPoint& point) {
            const double epsilon = point.at("epsilon");
            const double rank = std::min(point.at("rank"), point.at("dimension"));
            return LemmaClaim::Sides{log_determinant(rank, 1, rank / epsilon, 1), epsilon / 2};
          }});
  const std::vector<ParameterRange> privacy{{"epsilon", 0.999, 1e-3, 0.999, Scale::logarithmic},
                                            {"delta", 1e-5, 1e-12, 0.999, Scale::logarithmic}};
  claims.add("lemma.noise_of_lemma_6", Edition::printed, Expectation::refuted,
             {paper, "proof of Lemma 6: sigma_1^2 = 128 L^2 log(1/delta)/epsilon^2"},
             "The variance in the proof of Lemma 6 is at most that of Algorithm 5, 32 L^2 "
             "log(1/delta)/epsilon^2.",
             {"L = 1"}, LemmaClaim{privacy, [](const ParameterPoint& point) {
                                     const double unit = -std::log(point.at("delta")) /
                                                         std::pow(point.at("epsilon"), 2);
                                     return LemmaClaim::Sides{128 * unit, 32 * unit};
                                   }});
  const auto linear_term = [](const ParameterPoint& point) {
    const double epsilon = point.at("epsilon"), delta = point.at("delta");
    const double mu = 2 * epsilon / std::sqrt(32 * -std::log(delta));
    return LemmaClaim::Sides{gaussian_delta(mu, epsilon / 2), delta};
  };
  claims.add("lemma.linear_term", Edition::printed, Expectation::refuted,
             {paper, "Algorithm 5: the noise on a fixed shift of 2 L"},
             "N(0, sigma_1^2 I), sigma_1^2 = 32 L^2 log(1/delta)/epsilon^2, shifted by 2 L is "
             "(epsilon/2, delta)-DP for all 0 < epsilon < 1 and delta up to 0.999.",
             {}, LemmaClaim{privacy, linear_term});
  claims.add(
      "lemma.linear_term", Edition::corrected, Expectation::holds,
      {"this project", "the same away from delta = 1"},
      "N(0, sigma_1^2 I), sigma_1^2 = 32 L^2 log(1/delta)/epsilon^2, shifted by 2 L is (epsilon/2, "
      "delta)-DP for all 0 < epsilon < 1 and delta up to 0.9.",
      {}, LemmaClaim{{privacy[0], {"delta", 1e-5, 1e-12, 0.9, Scale::logarithmic}}, linear_term});
  return claims.take();
}

// ---- Command line -----------------------------------------------------------------------------

Algorithm objective_perturbation_algorithm() {
  const auto prepare = [](const Dataset& data, const RunOptions& options) {
    const Loss loss = loss_from_name(options.text("loss"));
    const double lipschitz = options.number("lipschitz"), radius = options.number("radius");
    const double epsilon = options.number("epsilon"), delta = options.number("delta");
    require(epsilon > 0 && epsilon < 1, "--epsilon", epsilon, "in (0, 1)");
    require(delta > 0 && delta < 1, "--delta", delta, "in (0, 1)");
    if (loss == Loss::logistic) validate_labels(loss, data.all());
    require(lipschitz > 0, "--lipschitz", lipschitz, "positive");
    require(radius > 0, "--radius", radius, "positive");
    // The proved lambda: the corrected one of half its size is checked exactly in one dimension
    // only.
    const ObjectivePerturbationParameters p = objective_perturbation_from_theorem(
        Edition::proved, data.size(), data.dimension(), epsilon, delta, loss, lipschitz, radius);
    PreparedRun run;
    run.mechanism = [p](const Dataset& records, Releases& releases) {
      return objective_perturbation(records, p, releases);
    };
    run.guarantee = {epsilon, delta};
    run.guarantee_source = "su.objective_perturbation.privacy.proved";
    run.parameters = {{"loss", std::string(name(loss))},
                      {"lipschitz", to_text(lipschitz)},
                      {"radius", to_text(radius)},
                      {"lambda", to_text(p.ridge)},
                      {"standard deviation of the linear term", to_text(p.standard_deviation)}};
    run.empirical_risk = [loss](const DataView& view, const VectorXd& w) {
      return empirical_risk(loss, w, view);
    };
    run.risk_name = "mean " + std::string(name(loss)) + " loss";
    return run;
  };
  return {
      "su.objective_perturbation",
      "minimiser of a regularised empirical risk with a random linear term, (epsilon, delta)-DP",
      "Su, Zhao and Wang, supplement, Algorithm 5",
      {{"epsilon", "0.5", "privacy parameter, in (0, 1)"},
       {"delta", "1e-5", "privacy parameter, in (0, 1)"},
       {"loss", "pseudo_huber", "pseudo_huber or logistic"},
       {"lipschitz", "1", "features are shrunk onto this Euclidean norm"},
       {"radius", "1", "radius of the Euclidean ball the parameters come from"}},
      prepare,
      objective_perturbation_claims};
}

}  // namespace dpverify::su
