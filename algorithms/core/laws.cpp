#include "algorithms/core/laws.hpp"

#include <cmath>
#include <numbers>

#include "algorithms/core/checked.hpp"
#include "algorithms/core/noisy_max.hpp"

namespace dpverify {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

template <class... Fs>
struct Overloaded : Fs... {
  using Fs::operator()...;
};

// The noise parameter: a coefficient, a scale or a standard deviation.
double noise_of(const Law& law) {
  return std::visit(Overloaded{[](const ExponentialMechanism& l) { return l.coefficient; },
                               [](const NoisyMax& l) { return l.scale; },
                               [](const LaplaceNoise& l) { return l.scale; },
                               [](const GaussianNoise& l) { return l.standard_deviation; }},
                    law);
}

const VectorXd& as_vector(const Outcome& outcome, Index size) {
  const auto* vector = std::get_if<VectorXd>(&outcome);
  require(vector != nullptr && vector->size() == size, "outcome of a continuous law",
          vector ? "a vector of another size" : "an index",
          "a vector of " + std::to_string(size) + " numbers");
  return *vector;
}

// coefficient * (score - largest score), in halves: the difference of two finite scores may itself
// overflow.
VectorXd log_weights(const ExponentialMechanism& law) {
  return 2 * (law.coefficient * (law.scores.array() / 2 - law.scores.maxCoeff() / 2));
}

Index draw(const ExponentialMechanism& law, RandomStream& stream) {
  const VectorXd weights = log_weights(law).array().exp();
  double left = stream.uniform() * weights.sum();
  Index last = 0;
  for (Index v = 0; v < weights.size(); ++v) {
    if (weights[v] <= 0) continue;
    last = v;
    left -= weights[v];
    if (left < 0) break;
  }
  return last;
}

VectorXd draw(const LaplaceNoise& law, RandomStream& stream) {
  VectorXd out = law.value;
  for (double& x : out) x += law.scale * stream.laplace();
  return out;
}

Index draw(const NoisyMax& law, RandomStream& stream) {
  Index best = 0;
  draw(LaplaceNoise{law.scores, 0, law.scale}, stream).maxCoeff(&best);
  return best;
}

VectorXd draw(const GaussianNoise& law, RandomStream& stream) {
  return law.value + law.standard_deviation * stream.normal_vector(law.value.size());
}

}  // namespace

ExponentialMechanism ExponentialMechanism::with_epsilon(VectorXd scores, double sensitivity,
                                                        double epsilon, ScoreChange change) {
  require(sensitivity > 0 && std::isfinite(sensitivity), "score sensitivity", sensitivity,
          "positive and finite");
  return {std::move(scores), sensitivity, epsilon / (2 * sensitivity), change};
}

const VectorXd& pre_noise_value(const Law& law) {
  return std::visit(
      Overloaded{[](const ExponentialMechanism& l) -> const VectorXd& { return l.scores; },
                 [](const NoisyMax& l) -> const VectorXd& { return l.scores; },
                 [](const auto& l) -> const VectorXd& { return l.value; }},
      law);
}

double declared_epsilon(const Law& law) {
  return std::visit(
      Overloaded{[](const ExponentialMechanism& l) { return 2 * l.coefficient * l.sensitivity; },
                 [](const NoisyMax& l) { return 2 * l.sensitivity / l.scale; },
                 [](const LaplaceNoise& l) { return l.sensitivity / l.scale; },
                 [](const GaussianNoise&) { return infinity; }},
      law);
}

double declared_sensitivity(const Law& law) {
  return std::visit([](const auto& l) { return l.sensitivity; }, law);
}

std::string law_name(const Law& law) {
  return std::visit(Overloaded{[](const ExponentialMechanism&) { return "exponential mechanism"; },
                               [](const NoisyMax&) { return "noisy maximum"; },
                               [](const LaplaceNoise&) { return "Laplace noise"; },
                               [](const GaussianNoise&) { return "Gaussian noise"; }},
                    law);
}

void validate(const Law& law) {
  const VectorXd& value = pre_noise_value(law);
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

Index support_size(const Law& law) {
  const bool finite =
      std::holds_alternative<ExponentialMechanism>(law) || std::holds_alternative<NoisyMax>(law);
  return finite ? pre_noise_value(law).size() : 0;
}

VectorXd log_probabilities(const Law& law) {
  if (const auto* noisy = std::get_if<NoisyMax>(&law))
    return noisy_max_log_probabilities(noisy->scores, noisy->scale);
  const auto* selection = std::get_if<ExponentialMechanism>(&law);
  require(selection != nullptr, "a law with log probabilities", law_name(law), "finite");
  const VectorXd logits = log_weights(*selection);
  return logits.array() - std::log(logits.array().exp().sum());
}

Outcome sample(const Law& law, RandomStream& stream) {
  validate(law);
  return std::visit([&stream](const auto& l) -> Outcome { return draw(l, stream); }, law);
}

double log_density(const Law& law, const Outcome& outcome) {
  if (const Index count = support_size(law); count > 0) {
    const Index* v = std::get_if<Index>(&outcome);
    require(v != nullptr, "outcome of a finite law", "a vector", "an index");
    return *v < 0 || *v >= count ? -infinity : log_probabilities(law)[*v];
  }
  const VectorXd& value = pre_noise_value(law);
  const VectorXd noise = as_vector(outcome, value.size()) - value;
  const double scale = noise_of(law);
  const auto size = static_cast<double>(value.size());
  if (std::holds_alternative<LaplaceNoise>(law))
    return -noise.lpNorm<1>() / scale - size * std::log(2 * scale);
  return -0.5 * (noise / scale).squaredNorm() -
         size * std::log(scale * std::sqrt(2 * std::numbers::pi));
}

bool same_shape(const Law& law, const Law& other) {
  return law.index() == other.index() &&
         pre_noise_value(law).size() == pre_noise_value(other).size();
}

LawChange compare(const Law& law, const Law& neighbour) {
  LawChange change;
  change.comparable = noise_of(law) == noise_of(neighbour) &&
                      declared_sensitivity(law) == declared_sensitivity(neighbour);
  const VectorXd difference = pre_noise_value(law) - pre_noise_value(neighbour);
  change.distance =
      std::visit(Overloaded{[&](const ExponentialMechanism& l) {
                              return l.change == ScoreChange::largest
                                         ? difference.lpNorm<Eigen::Infinity>()
                                         : (difference.maxCoeff() - difference.minCoeff()) / 2;
                            },
                            [&](const NoisyMax&) { return difference.lpNorm<Eigen::Infinity>(); },
                            [&](const LaplaceNoise&) { return difference.lpNorm<1>(); },
                            [&](const GaussianNoise&) { return difference.norm(); }},
                 law);
  if (!difference.allFinite()) change.distance = infinity;
  return change;
}

Law without_data(const Law& law) {
  Law out = law;
  std::visit(
      Overloaded{[](ExponentialMechanism& l) { l.scores.setZero(); },
                 [](NoisyMax& l) { l.scores.setZero(); }, [](auto& l) { l.value.setZero(); }},
      out);
  return out;
}

}  // namespace dpverify
