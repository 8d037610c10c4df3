#include "bench/problem_claims.hpp"

#include <fmt/format.h>

#include <cmath>
#include <memory>
#include <mutex>
#include <optional>

#include "algorithms/claims/claim_list.hpp"
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

// Algorithm 1 with Theorem 2's parameters and bound, and what a user would run instead. The
// problem is made when the sweep starts: a data set is read only if somebody asks.
RateClaim frank_wolfe_rate(const std::string& in_words, Index dimension,
                           const std::function<BallProblem()>& make) {
  const auto problem = [make, made = std::make_shared<std::optional<BallProblem>>(),
                        once = std::make_shared<std::once_flag>()]() -> const BallProblem& {
    std::call_once(*once, [&] { *made = make(); });
    return **made;
  };
  RateClaim rate{
      .variable = "n",
      .problem = in_words +
                 "; epsilon = 1; the comparators are (epsilon, n^-1.1)-DP, a "
                 "weaker promise",
      .exponent = -1.0 / 3,
      .failure_probability = failure_probability,
      .dimension = dimension,
      .by_parts = true,
      .draw = [problem](Index n, RandomStream& stream) { return problem().draw(n, stream); },
      .excess_risk = [problem](const VectorXd& w) { return problem().excess_risk(w); }};
  rate.point = [problem](double value) {
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
  return rate;
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

// Half the trials, and three quarters of a decade more of n.
Sweep longer(Sweep sweep) {
  sweep.values.push_back(5.6 * sweep.values.back());
  sweep.trials = (sweep.trials + 1) / 2;
  return sweep;
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

}  // namespace

std::vector<Claim> problem_claims() {
  ClaimList claims("hu.dp_frank_wolfe");
  const auto add = [&](const std::string& what, const std::string& on, RateClaim rate) {
    claims.add("rate." + what, Edition::corrected, Expectation::holds,
               {"this project", "Theorem 2 of Hu, Ni, Xiao and Wang with the smallest safe Delta"},
               "With the theorem's T and s the excess risk falls as ||W||_1 (alpha tau log(n|V| "
               "d/zeta))^(1/3)/(n epsilon)^(1/3) on " +
                   on + ".",
               {"alpha and tau are those of the problem", "epsilon = O(1)"}, std::move(rate));
  };
  using Kind = ScalarLaw::Kind;
  struct Model {
    const char* what;
    ScalarLaw features, noise;
    Sweep ci;
  };
  const Sweep usual{{1e4, 5.6e4, 3.2e5}, 60};
  for (const auto& [what, features, noise, sweep] :
       {Model{"normal_features", {Kind::normal, 1}, {Kind::lognormal, 0.5}, usual},
        Model{"laplace_features", {Kind::laplace, 1}, {Kind::logistic, 0.5}, usual},
        Model{"lognormal_features",
              {Kind::lognormal, 0.2},
              {Kind::normal, 0.1},
              {{3e3, 1e4, 3e4, 1e5}, 48}},
        Model{"pareto_features", {Kind::pareto, 4.5}, {Kind::log_gamma, 0.5}, usual}}) {
    RateClaim rate = frank_wolfe_rate(
        fmt::format("linear regression, 8 features: {}, noise: {}, w* = (0.7, -0.3, 0, ..., 0), "
                    "unit l1 ball, closed-form population risk",
                    features.in_words(), noise.in_words()),
        8, [features = features, noise = noise] { return synthetic(features, noise); });
    rate.ci = sweep;
    rate.nightly = longer(sweep);
    add(what,
        fmt::format("linear regression with features {} and noise {}", features.in_words(),
                    noise.in_words()),
        std::move(rate));
  }
  struct Real {
    const char *what, *file, *target, *words;
    Loss loss;
    double radius;
    Index dimension;
    Index trials;
  };
  for (const Real& each :
       {Real{"flights", "flights", "delay_minutes",
             "200,000 flights: the delay in minutes (kurtosis 103) on distance and hour",
             Loss::squared, 1, 3, 60},
        Real{"medical_visits", "medical-visits", "visits",
             "4,406 people: visits to a physician (kurtosis 23) on 21 columns", Loss::squared, 1,
             22, 60},
        Real{"breast_cancer", "breast-cancer", "label",
             "569 biopsies: logistic regression of the diagnosis on 30 columns", Loss::logistic, 4,
             31, 20}}) {
    RateClaim rate = frank_wolfe_rate(
        fmt::format("{}, and an intercept, mapped by bench/data/{}-bounds.csv; records drawn with "
                    "replacement, so that the file is the population; l1 ball of radius {}, its "
                    "optimum known to 1e-9",
                    each.words, each.file, each.radius),
        each.dimension, [each] { return real(each.file, each.target, each.loss, each.radius); });
    rate.ci = {{3e3, 1e4, 3e4, 1e5}, each.trials};
    rate.nightly = longer(rate.ci);
    add(each.what, each.words, std::move(rate));
  }
  return claims.take();
}

}  // namespace dpverify
