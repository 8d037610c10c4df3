#include "audits/transcript/recorded_laws.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include "algorithms/core/checked.hpp"
#include "algorithms/core/norms.hpp"
#include "audits/transcript/integer_noise.hpp"

namespace dpverify {
namespace {

double exponent_of(ChangeNorm norm) {
  switch (norm) {
    case ChangeNorm::l1:
      return 1;
    case ChangeNorm::l2:
      return 2;
    case ChangeNorm::linf:
      break;
    case ChangeNorm::half_range:
      require(false, "norm", "half_range", "l1, l2 or linf");
  }
  return infinity;
}

// The most that a change of d numbers declared in one norm comes to in l_r.
double largest_in(double r, DeclaredChange declared, Index d) {
  const double q = exponent_of(declared.norm);
  return declared.sensitivity * std::pow(static_cast<double>(d), std::max(0.0, 1 / r - 1 / q));
}

void require_integers(const VectorXd& value) {
  for (const double x : value)
    require(x == std::floor(x) && std::abs(x) <= 9007199254740992.0, "value with discrete noise", x,
            "an integer of at most 2^53");
}

void require_scores(DeclaredChange declared) {
  require(declared.norm == ChangeNorm::linf, "norm", name(declared.norm), "linf");
}

RecordedRelease valid(RecordedRelease release) {
  const double sensitivity = release.declared.sensitivity;
  require(not_negative_and_finite, "sensitivity", sensitivity);
  require(release.value.size() >= 1 || std::holds_alternative<UniformPermutation>(release.law),
          "number of values", 0.0, "at least 1");
  validate(release.law);
  return release;
}

// The noise of a coordinate, if its distribution has no atoms.
auto without_atoms(double (*distribution)(double), double scale) {
  return [=](double noise) {
    const double p = distribution(noise / scale);
    return std::pair(p, p);
  };
}

RecordedRelease with_discrete_noise(std::string_view kind, const VectorXd& value,
                                    const IntegerNoise& noise, double scale,
                                    DeclaredChange declared, PrivacyCost cost) {
  require_integers(value);
  return valid({.kind = kind,
                .law = with_integer_noise(value, noise),
                .value = value,
                .parameters = {scale},
                .declared = declared,
                .cost = cost,
                .measure = Measure::counting,
                .noise_distribution = [below = noise.distribution](double x) {
                  return std::pair(below(x - 1), below(x));
                }});
}

RecordedRelease with_scores(std::string_view kind, Law law, const VectorXd& scores,
                            std::vector<double> parameters, DeclaredChange declared,
                            Measure measure = Measure::counting) {
  const PrivacyCost cost = declared_cost(law);
  return valid({.kind = kind,
                .law = std::move(law),
                .value = scores,
                .parameters = std::move(parameters),
                .declared = declared,
                .cost = cost,
                .measure = measure});
}

}  // namespace

std::string_view name(ChangeNorm norm) {
  switch (norm) {
    case ChangeNorm::l1:
      return "l1";
    case ChangeNorm::l2:
      return "l2";
    case ChangeNorm::linf:
      return "linf";
    case ChangeNorm::half_range:
      break;
  }
  return "half_range";
}

double change_between(const VectorXd& value, const VectorXd& other, ChangeNorm norm) {
  // Equal entries do not differ: -infinity, of an impossible result, has no difference.
  const VectorXd change = (value.array() == other.array()).select(0, value - other);
  if (change.size() == 0) return 0;
  if (!change.allFinite()) return infinity;
  return norm == ChangeNorm::half_range ? (change.maxCoeff() - change.minCoeff()) / 2
                                        : lp_norm(change, exponent_of(norm));
}

RecordedRelease recorded_laplace(const VectorXd& value, double scale, DeclaredChange declared) {
  const LaplaceNoise law{value, largest_in(1, declared, value.size()), scale};
  return valid(
      {.kind = "laplace",
       .law = law,
       .value = value,
       .parameters = {scale},
       .declared = declared,
       .cost = law.cost(),
       .noise_distribution = without_atoms(
           [](double x) { return x < 0 ? std::exp(x) / 2 : 1 - std::exp(-x) / 2; }, scale)});
}

RecordedRelease recorded_gaussian(const VectorXd& value, double standard_deviation,
                                  DeclaredChange declared) {
  const GaussianNoise law{value, largest_in(2, declared, value.size()), standard_deviation};
  return valid(
      {.kind = "gaussian",
       .law = law,
       .value = value,
       .parameters = {standard_deviation},
       .declared = declared,
       .cost = law.cost(),
       .noise_distribution = without_atoms(
           [](double x) { return std::erfc(-x / std::numbers::sqrt2) / 2; }, standard_deviation)});
}

RecordedRelease recorded_generalised_gaussian(const VectorXd& value, double exponent, double scale,
                                              DeclaredChange declared) {
  const GeneralisedGaussianNoise law{value, declared.sensitivity, exponent,
                                     exponent_of(declared.norm), scale};
  return valid({.kind = "generalised_gaussian",
                .law = law,
                .value = value,
                .parameters = {exponent, scale},
                .declared = declared,
                .cost = law.cost()});
}

RecordedRelease recorded_discrete_laplace(const VectorXd& value, double scale,
                                          DeclaredChange declared) {
  return with_discrete_noise("discrete_laplace", value, discrete_laplace(scale), scale, declared,
                             pure_cost(largest_in(1, declared, value.size()) / scale));
}

RecordedRelease recorded_discrete_gaussian(const VectorXd& value, double standard_deviation,
                                           DeclaredChange declared) {
  const double moved = largest_in(2, declared, value.size()) / standard_deviation;
  return with_discrete_noise("discrete_gaussian", value, discrete_gaussian(standard_deviation),
                             standard_deviation, declared, {.rho = moved * moved / 2});
}

RecordedRelease recorded_exponential(const VectorXd& scores, double coefficient,
                                     DeclaredChange declared) {
  const bool half = declared.norm == ChangeNorm::half_range;
  require(half || declared.norm == ChangeNorm::linf, "norm", name(declared.norm),
          "linf or half_range");
  return with_scores("exponential",
                     ExponentialMechanism{scores, declared.sensitivity, coefficient,
                                          half ? ScoreChange::half_range : ScoreChange::largest},
                     scores, {coefficient}, declared);
}

RecordedRelease recorded_permute_and_flip(const VectorXd& scores, double coefficient,
                                          DeclaredChange declared) {
  require_scores(declared);
  return with_scores("permute_and_flip", PermuteAndFlip{scores, declared.sensitivity, coefficient},
                     scores, {coefficient}, declared);
}

RecordedRelease recorded_noisy_max(const VectorXd& scores, double scale, MaxNoise noise,
                                   DeclaredChange declared) {
  require_scores(declared);
  return with_scores("noisy_max", NoisyMax{scores, declared.sensitivity, scale, noise}, scores,
                     {scale, static_cast<double>(noise)}, declared);
}

RecordedRelease recorded_noisy_max_value(const VectorXd& scores, double scale, MaxNoise noise,
                                         bool with_index, DeclaredChange declared) {
  require_scores(declared);
  return with_scores("noisy_max_value",
                     NoisyMaxValue{scores, declared.sensitivity, scale, noise, with_index}, scores,
                     {scale, static_cast<double>(noise), with_index ? 1.0 : 0.0}, declared,
                     with_index ? Measure::index_and_lebesgue : Measure::lebesgue);
}

RecordedRelease recorded_categorical(const VectorXd& probabilities, DeclaredChange declared) {
  require_scores(declared);
  for (const double p : probabilities) require(probability, "probability", p);
  require(std::abs(probabilities.sum() - 1) <= 1e-9, "sum of the probabilities",
          probabilities.sum(), "1");
  VectorXd logs = probabilities.array().log();
  const HiddenSelection law{.count = std::max<Index>(1, logs.size()),
                            .draw =
                                [probabilities](RandomStream& stream) {
                                  const double u = stream.uniform();
                                  double below = 0;
                                  Index last = 0;
                                  for (Index v = 0; v < probabilities.size(); ++v) {
                                    if (probabilities[v] > 0) last = v;
                                    below += probabilities[v];
                                    if (u < below) break;
                                  }
                                  return last;
                                },
                            .log_probabilities = [logs]() -> VectorXd { return logs; }};
  return valid({.kind = "categorical",
                .law = law,
                .value = logs,
                .declared = declared,
                .cost = pure_cost(declared.sensitivity),
                .measure = Measure::counting});
}

RecordedRelease recorded_permutation(Index count) {
  require(count >= 1, "count", static_cast<double>(count), "at least 1");
  return valid({.kind = "permutation",
                .law = UniformPermutation{count},
                .declared = {0, ChangeNorm::linf},
                .cost = UniformPermutation{count}.cost(),
                .measure = Measure::counting});
}

double log_density(const RecordedRelease& release, const VectorXd& outcome) {
  return std::visit(
      [&]<class L>(const L& law) {
        if constexpr (FiniteLaw<L>) {
          const bool index = outcome.size() == 1 && outcome[0] == std::floor(outcome[0]) &&
                             outcome[0] >= 0 && outcome[0] < static_cast<double>(support_size(law));
          return index ? log_density(law, Outcome(static_cast<Index>(outcome[0]))) : -infinity;
        } else {
          return outcome.size() == law.outcome_size() ? log_density(law, Outcome(outcome))
                                                      : -infinity;
        }
      },
      release.law);
}

bool same_noise(const RecordedRelease& release, const RecordedRelease& other) {
  return release.kind == other.kind && release.measure == other.measure &&
         release.value.size() == other.value.size() && release.parameters == other.parameters &&
         same_shape(release.law, other.law);
}

bool has_known_loss(const RecordedRelease& release) {
  const Law& law = release.law;
  return support_size(law) > 0 || std::holds_alternative<LaplaceNoise>(law) ||
         std::holds_alternative<GaussianNoise>(law);
}

}  // namespace dpverify
