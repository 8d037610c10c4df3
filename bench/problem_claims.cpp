#include "bench/problem_claims.hpp"

#include <fmt/format.h>

#include <cmath>
#include <memory>
#include <mutex>
#include <optional>

#include "algorithms/claims/claim_list.hpp"
#include "algorithms/claims/rates.hpp"
#include "algorithms/comparators/noisy_descent.hpp"
#include "algorithms/hu/dp_frank_wolfe.hpp"
#include "algorithms/problems/empirical_model.hpp"
#include "algorithms/problems/linear_model.hpp"
#include "bench/real_data.hpp"

namespace dpverify {
namespace {

constexpr double failure_probability = 0.25;
constexpr double epsilon = 1;

// What Theorem 2 of Hu et al. asks of a problem on the l1 ball.
struct BallProblem {
  Loss loss = Loss::squared;
  Index dimension = 1;
  double radius = 1;
  double smoothness = 1;
  double second_moment = 1;
  std::function<Dataset(Index, RandomStream&)> draw;
  std::function<double(const VectorXd&)> excess_risk;
};

// A problem that is made when the sweep starts: a data set is read only if somebody asks.
using LazyProblem = std::function<const BallProblem&()>;

LazyProblem lazily(std::function<BallProblem()> make) {
  return [make = std::move(make), made = std::make_shared<std::optional<BallProblem>>(),
          once = std::make_shared<std::once_flag>()]() -> const BallProblem& {
    std::call_once(*once, [&] { *made = make(); });
    return **made;
  };
}

// Algorithm 1 with Theorem 2's parameters and bound, and what a user would run instead.
RateTheorem theorem_2(const LazyProblem& problem) {
  const auto at = [problem](double value) {
    const BallProblem& on = problem();
    const auto n = static_cast<Index>(value);
    const Polytope ball = Polytope::l1_ball(on.dimension, on.radius);
    const hu::SmoothProblem known{on.smoothness, on.second_moment, failure_probability};
    const hu::FrankWolfeParameters p = hu::from_theorem(n, epsilon, ball, on.loss, known);
    return RatePoint{
        .records = n,
        .mechanism = [p](const Dataset& data,
                         Releases& releases) { return hu::dp_frank_wolfe(data, p, releases); },
        .bound = hu::theorem_bound(n, epsilon, ball, known),
        .comparators = usual_comparators({.loss = on.loss,
                                          .feasible = {FeasibleSet::Kind::l1_ball, on.radius},
                                          .initial = VectorXd::Zero(on.dimension),
                                          .smoothness = on.smoothness,
                                          .second_moment = on.second_moment},
                                         n, epsilon, std::pow(value, -1.1))};
  };
  return {-1.0 / 3, failure_probability, true, at};
}

RateProblem problem_of(const std::string& in_words, Index dimension, const LazyProblem& problem) {
  return {in_words +
              "; epsilon = 1; the comparators are (epsilon, n^-1.1)-DP, a "
              "weaker promise",
          dimension, [problem](Index n, RandomStream& stream) { return problem().draw(n, stream); },
          [problem](const VectorXd& w) { return problem().excess_risk(w); }};
}

// Three quarters of a decade more of n.
Sweep longer(Sweep sweep) {
  sweep.values.push_back(5.6 * sweep.values.at(sweep.values.size() - 1));
  return sweep;
}

RateClaim frank_wolfe_rate(const std::string& in_words, Index dimension,
                           std::function<BallProblem()> make, const Sweep& ci) {
  const LazyProblem problem = lazily(std::move(make));
  return rate_claim("n", theorem_2(problem), problem_of(in_words, dimension, problem),
                    {{}, ci, longer(ci)});
}

// w* = (0.7, -0.3, 0, ..., 0) in the unit l1 ball, 8 features.
BallProblem synthetic(const ScalarLaw& features, const ScalarLaw& noise) {
  LinearModel model{.optimum = VectorXd::Zero(8), .features = features, .noise = noise};
  model.optimum[0] = 0.7;
  model.optimum[1] = -0.3;
  return {.dimension = 8,
          .smoothness = model.smoothness(),
          .second_moment = model.gradient_second_moment(2),
          .draw = [model](Index n, RandomStream& stream) { return model.draw(n, stream); },
          .excess_risk = [model](const VectorXd& w) { return model.excess_risk(w); }};
}

BallProblem real(const std::string& name, const std::string& target, Loss loss, double radius) {
  const EmpiricalModel model(real_data(name, target), loss, radius);
  return {.loss = loss,
          .dimension = model.dimension(),
          .radius = radius,
          .smoothness = model.smoothness(),
          .second_moment = model.gradient_second_moment(),
          .draw = [model](Index n, RandomStream& stream) { return model.draw(n, stream); },
          .excess_risk = [model](const VectorXd& w) { return model.excess_risk(w); }};
}

void add(ClaimList& claims, const std::string& what, const std::string& on, RateClaim rate) {
  claims.add(
      "rate." + what, Edition::corrected, Expectation::holds,
      {Text::this_project, "Theorem 2 of Hu, Ni, Xiao and Wang with the smallest safe Delta"},
      "With Theorem 2's T and s the excess risk of heavy-tailed DP Frank-Wolfe falls as "
      "||W||_1 (alpha tau log(n|V| d/zeta))^(1/3)/(n epsilon)^(1/3) on " +
          on + ".",
      {"alpha and tau are those of the problem", "epsilon = O(1)"}, std::move(rate));
}

void add_models(ClaimList& claims) {
  using Kind = ScalarLaw::Kind;
  struct Model {
    const char* what;
    ScalarLaw features, noise;
    Sweep ci;
  };
  for (const auto& [what, features, noise, ci] : {Model{"normal_features",
                                                        {Kind::normal, 1},
                                                        {Kind::lognormal, 0.5},
                                                        {{2e3, 9.3e3, 4.3e4, 2e5}, 70}},
                                                  Model{"laplace_features",
                                                        {Kind::laplace, 1},
                                                        {Kind::logistic, 0.5},
                                                        {{3e3, 1.4e4, 6.5e4, 3e5}, 36}},
                                                  Model{"lognormal_features",
                                                        {Kind::lognormal, 0.4},
                                                        {Kind::normal, 0.1},
                                                        {{6e3, 2.8e4, 1.3e5, 6e5}, 32}},
                                                  Model{"pareto_features",
                                                        {Kind::pareto, 4.5},
                                                        {Kind::log_gamma, 0.5},
                                                        {{3e3, 1.4e4, 6.5e4, 3e5}, 64}}})
    add(claims, what,
        fmt::format("linear regression with features {} and noise {}", features.in_words(),
                    noise.in_words()),
        frank_wolfe_rate(
            fmt::format(
                "linear regression, 8 features: {}, noise: {}, w* = (0.7, -0.3, 0, ..., 0), "
                "unit l1 ball, closed-form population risk",
                features.in_words(), noise.in_words()),
            8, [features = features, noise = noise] { return synthetic(features, noise); }, ci));
}

void add_data_sets(ClaimList& claims) {
  struct Real {
    const char *what, *file, *target, *words;
    Loss loss;
    double radius;
    Index dimension;
    Sweep ci;
  };
  for (const Real& each :
       {Real{"flights",
             "flights",
             "delay_minutes",
             "200,000 flights: the delay in minutes (kurtosis 103) on distance and hour",
             Loss::squared,
             1,
             3,
             {{1e3, 4.6e3, 2.2e4, 1e5}, 230}},
        Real{"medical_visits",
             "medical-visits",
             "visits",
             "4,406 people: visits to a physician (kurtosis 23) on 21 columns",
             Loss::squared,
             1,
             22,
             {{1e3, 4.6e3, 2.2e4, 1e5}, 70}},
        Real{"breast_cancer",
             "breast-cancer",
             "label",
             "569 biopsies: logistic regression of the diagnosis on 30 columns",
             Loss::logistic,
             4,
             31,
             {{5e3, 2.3e4, 1.1e5, 5e5}, 18}}})
    add(claims, each.what, each.words,
        frank_wolfe_rate(
            fmt::format(
                "{}, and an intercept, mapped by bench/data/{}-bounds.csv; records drawn with "
                "replacement, so that the file is the population; l1 ball of radius {}, its "
                "optimum known to 1e-9",
                each.words, each.file, each.radius),
            each.dimension, [each] { return real(each.file, each.target, each.loss, each.radius); },
            each.ci));
}

}  // namespace

std::vector<Claim> problem_claims() {
  ClaimList claims("hu.dp_frank_wolfe");
  add_models(claims);
  add_data_sets(claims);
  return claims.take();
}

}  // namespace dpverify
