#include "algorithms/core/laws.hpp"

#include <cmath>
#include <numbers>

#include "algorithms/core/checked.hpp"

namespace dpverify {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

template <class... Fs>
struct Overloaded : Fs... {
  using Fs::operator()...;
};

const VectorXd& value_of(const Law& law) {
  return std::visit(
      Overloaded{[](const ExponentialMechanism& l) -> const VectorXd& { return l.scores; },
                 [](const auto& l) -> const VectorXd& { return l.value; }},
      law);
}

// The noise parameter: a coefficient, a scale or a standard deviation.
double noise_of(const Law& law) {
  return std::visit(Overloaded{[](const ExponentialMechanism& l) { return l.coefficient; },
                               [](const LaplaceNoise& l) { return l.scale; },
                               [](const GaussianNoise& l) { return l.standard_deviation; }},
                    law);
}

// Log probabilities up to a constant, the largest 0. Differences first, of halves: scores of 1e308
// of either sign with a small coefficient, 0 too, must not overflow.
VectorXd log_weights(const ExponentialMechanism& law) {
  return 2 * (law.coefficient * (law.scores.array() / 2 - law.scores.maxCoeff() / 2));
}

const VectorXd& as_vector(const Outcome& outcome, Index size) {
  const auto* vector = std::get_if<VectorXd>(&outcome);
  require(vector != nullptr && vector->size() == size, "outcome of a continuous law",
          vector ? "a vector of another size" : "an index",
          "a vector of " + std::to_string(size) + " numbers");
  return *vector;
}

}  // namespace

ExponentialMechanism ExponentialMechanism::with_epsilon(VectorXd scores, double sensitivity,
                                                        double epsilon, ScoreChange change) {
  require(sensitivity > 0 && std::isfinite(sensitivity), "score sensitivity", sensitivity,
          "positive and finite");
  return {std::move(scores), sensitivity, epsilon / (2 * sensitivity), change};
}

double declared_epsilon(const Law& law) {
  return std::visit(
      Overloaded{[](const ExponentialMechanism& l) { return 2 * l.coefficient * l.sensitivity; },
                 [](const LaplaceNoise& l) { return l.sensitivity / l.scale; },
                 [](const GaussianNoise&) { return infinity; }},
      law);
}

double declared_sensitivity(const Law& law) {
  return std::visit([](const auto& l) { return l.sensitivity; }, law);
}

std::string law_name(const Law& law) {
  return std::visit(Overloaded{[](const ExponentialMechanism&) { return "exponential mechanism"; },
                               [](const LaplaceNoise&) { return "Laplace noise"; },
                               [](const GaussianNoise&) { return "Gaussian noise"; }},
                    law);
}

void validate(const Law& law) {
  const VectorXd& value = value_of(law);
  require(value.size() >= 1, "size of the released value", static_cast<double>(value.size()),
          "at least 1");
  for (Index i = 0; i < value.size(); ++i)
    if (!std::isfinite(value[i]))
      throw NonFiniteRelease("pre-noise value " + std::to_string(i) + " of a release (" +
                             law_name(law) + ") is " + to_text(value[i]) + ", but must be finite");
  const double sensitivity = declared_sensitivity(law);
  require(sensitivity >= 0 && std::isfinite(sensitivity), "declared sensitivity", sensitivity,
          "non-negative and finite");
  const double noise = noise_of(law);
  const bool selection = std::holds_alternative<ExponentialMechanism>(law);
  require(std::isfinite(noise) && (noise > 0 || (selection && noise == 0)),
          selection ? "coefficient of the exponential mechanism" : "noise scale", noise,
          selection ? "non-negative and finite" : "positive and finite");
}

VectorXd log_probabilities(const ExponentialMechanism& law) {
  const VectorXd logits = log_weights(law);
  const double log_total = std::log(logits.array().exp().sum());
  return logits.array() - log_total;
}

Outcome sample(const Law& law, RandomStream& stream) {
  validate(law);
  return std::visit(
      Overloaded{[&](const ExponentialMechanism& l) -> Outcome {
                   const VectorXd weights = log_weights(l).array().exp();
                   double left = stream.uniform() * weights.sum();
                   Index last = 0;
                   for (Index v = 0; v < weights.size(); ++v) {
                     if (weights[v] <= 0) continue;
                     last = v;
                     left -= weights[v];
                     if (left < 0) break;
                   }
                   return last;
                 },
                 [&](const LaplaceNoise& l) -> Outcome {
                   VectorXd out = l.value;
                   for (double& x : out) x += l.scale * stream.laplace();
                   return out;
                 },
                 [&](const GaussianNoise& l) -> Outcome {
                   return VectorXd(l.value +
                                   l.standard_deviation * stream.normal_vector(l.value.size()));
                 }},
      law);
}

double log_density(const Law& law, const Outcome& outcome) {
  return std::visit(
      Overloaded{[&](const ExponentialMechanism& l) {
                   const Index* v = std::get_if<Index>(&outcome);
                   require(v != nullptr, "outcome of the exponential mechanism", "a vector",
                           "an index");
                   if (*v < 0 || *v >= l.scores.size()) return -infinity;
                   return log_probabilities(l)[*v];
                 },
                 [&](const LaplaceNoise& l) {
                   const VectorXd& x = as_vector(outcome, l.value.size());
                   return -(x - l.value).lpNorm<1>() / l.scale -
                          static_cast<double>(x.size()) * std::log(2 * l.scale);
                 },
                 [&](const GaussianNoise& l) {
                   const VectorXd& x = as_vector(outcome, l.value.size());
                   return -0.5 * ((x - l.value) / l.standard_deviation).squaredNorm() -
                          static_cast<double>(x.size()) *
                              std::log(l.standard_deviation * std::sqrt(2 * std::numbers::pi));
                 }},
      law);
}

Index support_size(const Law& law) {
  const auto* selection = std::get_if<ExponentialMechanism>(&law);
  return selection ? selection->scores.size() : 0;
}

bool same_shape(const Law& law, const Law& other) {
  return law.index() == other.index() && value_of(law).size() == value_of(other).size();
}

LawChange compare(const Law& law, const Law& neighbour) {
  LawChange change;
  change.comparable = noise_of(law) == noise_of(neighbour) &&
                      declared_sensitivity(law) == declared_sensitivity(neighbour);
  const VectorXd difference = value_of(law) - value_of(neighbour);
  change.distance =
      std::visit(Overloaded{[&](const ExponentialMechanism& l) {
                              return l.change == ScoreChange::largest
                                         ? difference.lpNorm<Eigen::Infinity>()
                                         : (difference.maxCoeff() - difference.minCoeff()) / 2;
                            },
                            [&](const LaplaceNoise&) { return difference.lpNorm<1>(); },
                            [&](const GaussianNoise&) { return difference.norm(); }},
                 law);
  if (!difference.allFinite()) change.distance = infinity;
  return change;
}

Law without_data(const Law& law) {
  Law out = law;
  std::visit(Overloaded{[](ExponentialMechanism& l) { l.scores.setZero(); },
                        [](auto& l) { l.value.setZero(); }},
             out);
  return out;
}

}  // namespace dpverify
