#include "audits/accounting/certify.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "algorithms/core/gaussian.hpp"
#include "algorithms/core/generalised_linear.hpp"
#include "algorithms/core/numbers.hpp"
#include "algorithms/core/rounding.hpp"
#include "audits/exact/privacy_loss.hpp"

namespace dpverify {
namespace {

// Every entry of the record that replaces another, and minus that as its label. Small ones reach
// losses whose derivative vanishes for large residuals, huge ones saturate any truncation.
constexpr std::array<double, 6> replacements{0, 0.1, -0.1, 1, 1e6, -1e6};
constexpr int drawn_replacements = 4;  // more, whose entries are heavy-tailed

// +-10^u, u uniform in [-3, 6]: every order of magnitude, and signs that do not agree.
double heavy_tailed(RandomStream& stream) {
  const double magnitude = std::pow(10, -3 + 9 * stream.uniform());
  return stream.uniform() < 0.5 ? magnitude : -magnitude;
}
double sparse(RandomStream& stream) {
  return stream.uniform() < 0.8 ? 0 : stream.uniform() < 0.5 ? 1 : -1;
}
double extreme(RandomStream& stream) { return stream.uniform() < 0.5 ? 1e6 : -1e6; }

using Draw = double (*)(RandomStream&);

Dataset drawn(Index records, Index dimension, Draw draw, RandomStream& stream) {
  Dataset data{Matrix(records, dimension), VectorXd(records)};
  for (Index i = 0; i < records; ++i) {
    for (Index j = 0; j < dimension; ++j) data.features(i, j) = draw(stream);
    data.labels[i] = draw(stream);
  }
  return data;
}

// What a record moves may depend on all the others.
std::vector<Dataset> datasets(Index records, Index dimension, RandomStream& stream) {
  std::vector<Dataset> out;
  for (const Draw draw :
       {+[](RandomStream& from) { return 10 * from.normal(); }, heavy_tailed, sparse, extreme})
    out.push_back(drawn(records, dimension, draw, stream));
  out.push_back({Matrix::Constant(records, dimension, 0.5), VectorXd::Constant(records, 0.5)});
  return out;
}

std::vector<Dataset> neighbours(const Dataset& data, Index i, RandomStream& stream) {
  std::vector<Dataset> out;
  for (const double value : replacements) {
    out.push_back(data);
    out.back().features.row(i).setConstant(value);
    out.back().labels[i] = -value;
  }
  for (int k = 0; k < drawn_replacements; ++k) {
    out.push_back(data);
    for (double& entry : out.back().features.row(i)) entry = heavy_tailed(stream);
    out.back().labels[i] = heavy_tailed(stream);
  }
  return out;
}

ReleaseCost cost_of(const Law& law) {
  ReleaseCost cost{.declared = declared_cost(law)};
  if (const auto* perturbed = std::get_if<ObjectivePerturbation>(&law))
    cost.objective = objective_cost(*perturbed);
  return cost;
}

bool is_known(const ReleaseCost& cost) {
  const auto& [epsilon, mu, rho] = cost.declared;
  return cost.objective || std::isfinite(std::min({epsilon, mu, rho}));
}

// Of a release whose law may be either.
ReleaseCost dearer(const ReleaseCost& a, const ReleaseCost& b) {
  ReleaseCost out{.declared = {.epsilon = std::max(a.declared.epsilon, b.declared.epsilon),
                               .mu = std::max(a.declared.mu, b.declared.mu),
                               .rho = std::max(a.declared.rho, b.declared.rho)}};
  if (a.objective && b.objective)
    out.objective = {
        .mu = std::max(a.objective->mu, b.objective->mu),
        .log_determinant = std::max(a.objective->log_determinant, b.objective->log_determinant),
        .one_dimension = a.objective->one_dimension && b.objective->one_dimension};
  return out;
}

// By place in the run: the cost of the releases, and of each record that was tried those that it
// moved.
struct Touched {
  std::vector<ReleaseCost> costs;
  std::vector<std::vector<bool>> by_record;
  std::string problem;  // a promise that was seen to be broken

  void add(const Transcript& transcript) {
    for (std::size_t r = 0; r < transcript.entries.size(); ++r) {
      const ReleaseCost cost = cost_of(transcript.entries[r].law);
      if (r < costs.size())
        costs[r] = dearer(costs[r], cost);
      else
        costs.push_back(cost);
    }
    for (std::vector<bool>& touched : by_record) touched.resize(costs.size(), false);
  }
  void add(std::size_t record, const Transcript& transcript, const Replay& replayed) {
    for (std::size_t r = 0; r < replayed.steps.size(); ++r)
      if (replayed.steps[r].change.distance > 0) by_record[record][r] = true;
    if (problem.empty()) problem = broken_promise(transcript, replayed);
  }
};

Touched touched_releases(const Mechanism& mechanism, Index records, Index dimension,
                         RandomStream stream, Index records_tried) {
  Touched out;
  const Index tried = std::min(records, records_tried);
  out.by_record.resize(static_cast<std::size_t>(tried));
  // The same outcomes on every dataset where the data allow it: a shuffled record keeps its place.
  const RandomStream outcomes({.seed = stream.bits(), .claim = "certificate"});
  for (const Dataset& data : datasets(records, dimension, stream)) {
    const Transcript transcript = record(mechanism, data, outcomes);
    out.add(transcript);
    for (Index k = 0; k < tried; ++k) {
      // Spread over the dataset, hence over its parts, the first and the last among them.
      const Index i = tried > 1 ? k * (records - 1) / (tried - 1) : 0;
      for (const Dataset& neighbour : neighbours(data, i, stream))
        out.add(static_cast<std::size_t>(k), transcript,
                replay(mechanism, neighbour, transcript, LogRatios::skip));
    }
    if (!out.problem.empty()) break;
  }
  return out;
}

// Basic composition: the pure epsilons add up, and each of the objective perturbations, the first
// with the Gaussian releases, gets an equal share of delta.
double with_objectives(const std::vector<double>& pure, double mu,
                       const std::vector<ObjectiveCost>& objectives, double delta) {
  double epsilon = std::accumulate(pure.begin(), pure.end(), 0.0);
  const double share = delta / static_cast<double>(objectives.size());
  for (const ObjectiveCost& cost : objectives) {
    epsilon += objective_perturbation_epsilon(cost, share, mu);
    mu = 0;
  }
  return epsilon;
}

}  // namespace

std::string broken_promise(const Transcript& transcript, const Replay& replayed) {
  if (!replayed.leak.empty()) return replayed.leak;
  if (replayed.worst_ratio <= 1 + rounding) return "";
  for (std::size_t r = 0; r < replayed.steps.size(); ++r) {
    const Replay::Step& step = replayed.steps[r];
    const double change = step.change.distance, declared = step.declared_sensitivity;
    if (!(change <= declared * (1 + rounding)) && is_known(cost_of(transcript.entries[r].law)))
      return fmt::format("release {} moves by {:.6g} where a sensitivity of {:.6g} is declared",
                         r + 1, change, declared);
  }
  return "";
}

double composed_epsilon(const std::vector<ReleaseCost>& costs, double delta) {
  std::vector<double> pure;
  std::vector<ObjectiveCost> objectives;
  double mu_squared = 0, rho = 0;
  for (const auto& [declared, objective] : costs) {
    if (objective)
      objectives.push_back(*objective);
    else if (std::isfinite(declared.epsilon))
      pure.push_back(declared.epsilon);
    else
      mu_squared += declared.mu * declared.mu;
    rho += declared.rho;
  }
  const double by_zcdp = zcdp_epsilon(rho, delta);
  const double mu = std::sqrt(mu_squared) * (1 + 1e-15);
  if (!objectives.empty()) return with_objectives(pure, mu, objectives, delta);
  if (std::isinf(mu)) return by_zcdp;
  if (mu == 0) return std::min(by_zcdp, composed_epsilon(merged(pure), delta));
  if (pure.empty()) return std::min(by_zcdp, gaussian_epsilon(mu, delta));
  if (delta <= 0) return by_zcdp;
  // Randomised response is the worst of all pure steps.
  std::vector<LossSteps> steps{{gaussian_loss(mu), 1}};
  for (const PureSteps& one : merged(pure))
    steps.push_back({randomised_response_loss(one.epsilon), one.count});
  return std::min(by_zcdp, composed_epsilon_interval(steps, delta).upper);
}

Certificate certify(const Mechanism& mechanism, Index records, Index dimension, double delta,
                    RandomStream stream, Index records_tried) {
  const Touched touched = touched_releases(mechanism, records, dimension, stream, records_tried);
  Certificate worst;
  worst.releases = static_cast<Index>(touched.costs.size());
  const auto nothing = [&](std::string problem) {
    worst.epsilon = infinity;
    worst.problem = std::move(problem);
    return worst;
  };
  if (!touched.problem.empty()) return nothing(touched.problem);
  for (const std::vector<bool>& moved : touched.by_record) {
    std::vector<ReleaseCost> costs;
    std::vector<double> epsilons;
    for (std::size_t r = 0; r < moved.size(); ++r) {
      if (!moved[r]) continue;
      costs.push_back(touched.costs[r]);
      epsilons.push_back(costs.back().declared.epsilon);
    }
    if (costs.empty()) continue;
    if (!std::all_of(costs.begin(), costs.end(), is_known)) {
      worst.declared = false;
      return nothing("a release declares no cost");
    }
    const double epsilon = composed_epsilon(costs, delta);
    if (worst.paid > 0 && epsilon <= worst.epsilon) continue;
    worst.epsilon = epsilon;
    worst.paid = static_cast<Index>(costs.size());
    const bool pure = std::all_of(epsilons.begin(), epsilons.end(),
                                  [](double cost) { return std::isfinite(cost); });
    worst.advanced = delta > 0 && pure ? advanced_composition(merged(epsilons), delta) : 0;
  }
  // A record outside every part pays nothing; if no record paid, the replacements showed nothing.
  if (worst.paid == 0) return nothing("no replaced record moved any release");
  if (std::isinf(worst.epsilon))
    return nothing(
        fmt::format("what the releases declare is finite for no epsilon at delta {:.4g}", delta));
  return worst;
}

}  // namespace dpverify
