#include "algorithms/core/composition.hpp"

#include <algorithm>
#include <boost/math/tools/minima.hpp>
#include <cmath>
#include <limits>
#include <map>

#include "algorithms/core/bisect.hpp"
#include "algorithms/core/checked.hpp"
#include "algorithms/core/gaussian.hpp"
#include "algorithms/core/log_gamma.hpp"
#include "algorithms/core/numbers.hpp"

namespace dpverify {
namespace {

constexpr double round_up = 1 + 1e-10;
constexpr double most_combinations = 3e7;

// The privacy loss of one group is (2j - count) epsilon when j of its randomised responses tell the
// truth: binomial with success probability e^eps/(1 + e^eps).
struct Losses {
  std::vector<double> loss;
  std::vector<double> log_probability;
};

Losses losses(const PureSteps& steps) {
  Losses out;
  const auto n = static_cast<double>(steps.count);
  const double log_truth = -std::log1p(std::exp(-steps.epsilon));
  const double log_lie = -std::log1p(std::exp(steps.epsilon));
  for (Index k = 0; k <= steps.count; ++k) {
    const auto j = static_cast<double>(k);
    out.loss.push_back((2 * j - n) * steps.epsilon);
    out.log_probability.push_back(log_gamma(n + 1) - log_gamma(j + 1) - log_gamma(n - j + 1) +
                                  j * log_truth + (n - j) * log_lie);
  }
  return out;
}

double delta_of(const std::vector<Losses>& groups, std::size_t group, double loss,
                double log_probability, double epsilon) {
  if (group == groups.size())
    return loss > epsilon ? std::exp(log_probability) * -std::expm1(epsilon - loss) : 0;
  double sum = 0;
  for (std::size_t j = 0; j < groups[group].loss.size(); ++j)
    sum += delta_of(groups, group + 1, loss + groups[group].loss[j],
                    log_probability + groups[group].log_probability[j], epsilon);
  return sum;
}

// Rounded up: a product and an addition a group.
double total(const std::vector<PureSteps>& steps) {
  double sum = 0;
  for (const auto& [epsilon, count] : steps) sum += epsilon * static_cast<double>(count);
  return sum * (1 + static_cast<double>(steps.size() + 1) * std::numeric_limits<double>::epsilon());
}

}  // namespace

double composed_delta(const std::vector<PureSteps>& steps, double epsilon) {
  double combinations = 1;
  std::vector<Losses> groups;
  for (const PureSteps& group : steps) {
    require(not_negative_and_finite, "epsilon of a step", group.epsilon);
    combinations *= static_cast<double>(group.count) + 1;
    groups.push_back(losses(group));
  }
  require(combinations <= most_combinations, "number of combinations of a composition",
          combinations, "at most 3*10^7");
  if (epsilon >= total(steps)) return 0;
  return std::min(1.0, round_up * delta_of(groups, 0, 0, 0, epsilon));
}

double composed_epsilon(const std::vector<PureSteps>& steps, double delta) {
  require(fraction_or_zero, "delta", delta);
  if (composed_delta(steps, 0) <= delta) return 0;
  return bisect(
             0, total(steps),
             [&](double epsilon) { return composed_delta(steps, epsilon) <= delta; },
             [](double low, double high) { return high - low <= 1e-10 * high; })
      .high;
}

double advanced_composition(const std::vector<PureSteps>& steps, double delta,
                            ExpectedLoss expected) {
  require(fraction, "delta", delta);
  double squares = 0, expectation = 0;
  for (const auto& [epsilon, count] : steps) {
    const auto n = static_cast<double>(count);
    squares += n * epsilon * epsilon;
    expectation += n * epsilon *
                   (expected == ExpectedLoss::tanh ? std::tanh(epsilon / 2) : std::expm1(epsilon));
  }
  return std::min(total(steps), std::sqrt(-2 * std::log(delta) * squares) + expectation);
}

double zcdp_epsilon(double rho, double delta) {
  require(not_negative, "rho", rho);
  require(fraction_or_zero, "delta", delta);
  if (rho == 0) return 0;
  if (delta == 0 || std::isinf(rho)) return infinity;
  // Any order alpha = 1 + e^x gives a valid epsilon: the search only has to come near the best.
  const auto at_order = [&](double x) {
    const double beyond = std::exp(x), alpha = 1 + beyond;
    return alpha * rho - std::log(delta * alpha) / beyond + std::log(beyond / alpha);
  };
  const double best = boost::math::tools::brent_find_minima(at_order, -30.0, 60.0, 30).second;
  const double textbook = rho + 2 * std::sqrt(rho * -std::log(delta));
  return std::max(0.0, std::min(best, textbook) * (1 + 1e-12));
}

double objective_perturbation_delta(const ObjectiveCost& cost, double epsilon, double other_mu) {
  require(not_negative, "mu of the other releases", other_mu);
  const double rest = epsilon - cost.log_determinant * round_up;
  if (!(rest >= 0)) return 1;
  const double squared = cost.mu * cost.mu + other_mu * other_mu;
  const double whole = gaussian_delta(std::sqrt(squared) * round_up, rest);
  if (cost.one_dimension && other_mu == 0) return whole;
  const bool convex = squared * round_up <= 2 * rest * rest / (std::hypot(1, rest) + 1);
  const double corners = convex ? whole + gaussian_delta(other_mu, rest) : 2 * whole;
  return std::min(1.0, round_up * (cost.one_dimension ? 1 : 2) * corners);
}

double objective_perturbation_epsilon(const ObjectiveCost& cost, double delta, double other_mu) {
  require(fraction_or_zero, "delta", delta);
  // A quarter of delta for each of the four terms is always enough.
  const double enough = gaussian_epsilon(std::hypot(cost.mu, other_mu) * round_up, delta / 4.5);
  const double start = cost.log_determinant * round_up, most = (start + enough) * round_up;
  const auto holds = [&](double epsilon) {
    return objective_perturbation_delta(cost, epsilon, other_mu) <= delta;
  };
  if (!std::isfinite(most) || holds(start)) return std::isfinite(most) ? start : infinity;
  return bisect(start, most, holds,
                [](double low, double high) { return high - low <= 1e-10 * high; })
      .high;
}

std::vector<PureSteps> merged(const std::vector<double>& epsilons) {
  std::map<double, Index> counts;
  for (const double epsilon : epsilons) {
    if (epsilon == 0) continue;
    // Equal up to rounding counts as the larger of the two: one group, on the safe side.
    const auto near = counts.lower_bound(epsilon * (1 - 1e-12));
    if (near == counts.end() || near->first > epsilon * (1 + 1e-12)) {
      ++counts[epsilon];
    } else {
      const Index count = near->second + 1;
      const double larger = std::max(near->first, epsilon);
      counts.erase(near);
      counts[larger] = count;
    }
  }
  std::vector<PureSteps> steps;
  for (const auto& [epsilon, count] : counts) steps.push_back({epsilon, count});
  return steps;
}

}  // namespace dpverify
