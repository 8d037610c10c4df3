#include "algorithms/core/laws.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <stdexcept>
#include <vector>

#include "algorithms/core/checked.hpp"
#include "algorithms/core/noisy_max.hpp"
#include "algorithms/core/norms.hpp"

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
                               [](const GridExponentialMechanism& l) { return l.coefficient; },
                               [](const PermuteAndFlip& l) { return l.coefficient; },
                               [](const NoisyMax& l) { return l.scale; },
                               [](const NoisyMaxValue& l) { return l.scale; },
                               [](const LaplaceNoise& l) { return l.scale; },
                               [](const GaussianNoise& l) { return l.standard_deviation; },
                               [](const GeneralisedGaussianNoise& l) { return l.scale; },
                               [](const ObjectivePerturbation& l) { return l.standard_deviation; },
                               [](const auto&) { return 1.0; }},  // a permutation, a program
                    law);
}

// The number of entries of a continuous law's outcome.
Index outcome_size(const Law& law) {
  if (const auto* perturbed = std::get_if<ObjectivePerturbation>(&law))
    return perturbed->objective->dimension();
  if (const auto* permutation = std::get_if<UniformPermutation>(&law)) return permutation->count;
  if (const auto* largest = std::get_if<NoisyMaxValue>(&law)) return largest->with_index ? 2 : 1;
  if (const auto* hidden = std::get_if<HiddenSelection>(&law)) return hidden->count;
  if (const auto* hidden = std::get_if<HiddenRelease>(&law)) return hidden->size;
  return pre_noise_value(law).size();
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

double draw(MaxNoise noise, RandomStream& stream) {
  if (noise == MaxNoise::laplace) return stream.laplace();
  const double exponential = -std::log(stream.uniform());
  return noise == MaxNoise::exponential ? exponential : -std::log(exponential);
}

struct Largest {
  Index index = 0;
  double value = 0;
};

template <class Law>
Largest draw_largest(const Law& law, RandomStream& stream) {
  VectorXd noisy = law.scores;
  for (double& x : noisy) x += law.scale * draw(law.noise, stream);
  Largest out;
  out.value = noisy.maxCoeff(&out.index);
  return out;
}

Index draw(const NoisyMax& law, RandomStream& stream) { return draw_largest(law, stream).index; }

VectorXd draw(const NoisyMaxValue& law, RandomStream& stream) {
  const Largest largest = draw_largest(law, stream);
  if (!law.with_index) return VectorXd::Constant(1, largest.value);
  return Eigen::Vector2d(static_cast<double>(largest.index), largest.value);
}

Index draw(const PermuteAndFlip& law, RandomStream& stream) {
  const double best = law.scores.maxCoeff();
  std::vector<Index> order(static_cast<std::size_t>(law.scores.size()));
  std::iota(order.begin(), order.end(), Index{0});
  for (std::size_t left = order.size(); left > 0; --left) {
    std::swap(order[left - 1],
              order[static_cast<std::size_t>(stream.index(static_cast<Index>(left)))]);
    const Index v = order[left - 1];
    const double chance = std::exp(2 * (law.coefficient * (law.scores[v] / 2 - best / 2)));
    // The best candidate is always taken, so that the loop ends here.
    if (law.scores[v] == best || stream.uniform() < chance) return v;
  }
  throw std::logic_error("permute-and-flip found no best candidate");
}

Index draw(const HiddenSelection& law, RandomStream& stream) { return law.draw(stream); }
VectorXd draw(const HiddenRelease& law, RandomStream& stream) { return law.draw(stream); }

Index draw(const GridExponentialMechanism& law, RandomStream& stream) {
  return sample_cell(*law.score, law.coefficient, stream.bits());
}

VectorXd draw(const GaussianNoise& law, RandomStream& stream) {
  return law.value + law.standard_deviation * stream.normal_vector(law.value.size());
}

// A chi-distributed radius times a direction of the cone measure: x/||x||_r with |x_i| of density
// proportional to exp(-|x_i|^r). |x_i| is drawn as G^(1/r) U, G of shape 1 + 1/r, because a gamma
// variable of shape 1/r underflows for large r.
VectorXd draw(const GeneralisedGaussianNoise& law, RandomStream& stream) {
  const Index d = law.value.size();
  const double r = law.norm;
  VectorXd x(d);
  for (double& entry : x) {
    const double power = std::isinf(r) ? 1 : std::pow(stream.gamma(1 + 1 / r), 1 / r);
    const double u = 2 * stream.uniform() - 1;
    entry = power * u;
  }
  const double radius = law.scale * std::sqrt(2 * stream.gamma(static_cast<double>(d) / 2));
  return law.value + radius / lp_norm(x, r) * x;
}

VectorXd draw(const ObjectivePerturbation& law, RandomStream& stream) {
  return minimise(*law.objective,
                  law.standard_deviation * stream.normal_vector(law.objective->dimension()))
      .theta;
}

VectorXd draw(const UniformPermutation& law, RandomStream& stream) {
  VectorXd order = VectorXd::LinSpaced(law.count, 0, static_cast<double>(law.count - 1));
  for (Index k = law.count - 1; k > 0; --k) std::swap(order[k], order[stream.index(k + 1)]);
  return order;
}

double log_density(MaxNoise noise, double z) {
  switch (noise) {
    case MaxNoise::laplace:
      return -std::abs(z) - std::numbers::ln2;
    case MaxNoise::exponential:
      return z < 0 ? -infinity : -z;
    case MaxNoise::gumbel:
      break;
  }
  return -z - std::exp(-z);
}

// Of index and value: the noise of v is value - scores[v], that of every other u at most value -
// scores[u]. Of the value alone: summed over v.
double log_density(const NoisyMaxValue& law, const VectorXd& point) {
  const auto count = static_cast<double>(law.scores.size());
  const double value = point[point.size() - 1];
  const VectorXd z = (value - law.scores.array()) / law.scale;
  double all = 0;
  VectorXd cdf(z.size());
  for (Index u = 0; u < z.size(); ++u) all += cdf[u] = max_noise_log_cdf(law.noise, z[u]);
  const auto at = [&](Index v) {
    // Where a distribution function is 0 so is the density.
    return all == -infinity ? -infinity
                            : log_density(law.noise, z[v]) + all - cdf[v] - std::log(law.scale);
  };
  if (law.with_index) {
    const double v = point[0];
    return v >= 0 && v < count && v == std::floor(v) ? at(static_cast<Index>(v)) : -infinity;
  }
  double largest = -infinity;
  for (Index v = 0; v < z.size(); ++v) largest = std::max(largest, at(v));
  if (largest == -infinity) return largest;
  double sum = 0;
  for (Index v = 0; v < z.size(); ++v) sum += std::exp(at(v) - largest);
  return largest + std::log(sum);
}

double log_density(const GeneralisedGaussianNoise& law, const VectorXd& noise) {
  const auto d = static_cast<double>(noise.size());
  const double radius = lp_norm(noise, law.norm) / law.scale;
  return -radius * radius / 2 - log_ball_volume(law.norm, noise.size()) -
         d / 2 * std::log(2 * law.scale * law.scale) - std::lgamma(d / 2 + 1);
}

bool is_permutation(const VectorXd& order) {
  VectorXd sorted = order;
  std::sort(sorted.begin(), sorted.end());
  for (Index k = 0; k < sorted.size(); ++k)
    if (sorted[k] != static_cast<double>(k)) return false;
  return true;
}

// The same candidates, all with score 0.
class FlatScore final : public GridScore {
 public:
  explicit FlatScore(std::shared_ptr<const GridScore> candidates)
      : candidates_(std::move(candidates)) {}
  Index dimension() const override { return candidates_->dimension(); }
  Index cells() const override { return candidates_->cells(); }
  bool may_hold_candidate(const CellBox& box) const override {
    return candidates_->may_hold_candidate(box);
  }
  double score(Index) const override { return 0; }
  double upper_bound(const CellBox&) const override { return 0; }
  double rounding() const override { return 0; }

 private:
  std::shared_ptr<const GridScore> candidates_;
};

bool is_candidate(const GridScore& score, Index cell) {
  return cell >= 0 && cell < grid_size(score) && score.may_hold_candidate(box_of(score, cell));
}

// The scores of all cells, -infinity where there is no candidate.
VectorXd list_scores(const GridScore& score) {
  const Index size = grid_size(score);
  require(size <= 1'000'000, "number of cells of a grid whose probabilities are asked for",
          static_cast<double>(size), "at most 10^6");
  VectorXd scores = VectorXd::Constant(size, -infinity);
  for (Index cell = 0; cell < size; ++cell)
    if (is_candidate(score, cell)) scores[cell] = score.score(cell);
  return scores;
}

// The largest difference of the scores over the cells that compare() looks at.
double score_distance(const GridScore& score, const GridScore& neighbour, const Outcome* outcome) {
  double distance = 0;
  const auto look = [&](Index cell) {
    if (!is_candidate(score, cell)) return;
    const double change = std::abs(score.score(cell) - neighbour.score(cell));
    distance = std::isnan(change) ? infinity : std::max(distance, change);
  };
  const Index size = grid_size(score);
  if (size <= 4096) {
    for (Index cell = 0; cell < size; ++cell) look(cell);
    return distance;
  }
  if (outcome != nullptr && std::holds_alternative<Index>(*outcome))
    look(std::get<Index>(*outcome));
  const Index d = score.dimension();
  const Index along = std::min(score.cells(), d == 1   ? Index{1000}
                                              : d == 2 ? Index{31}
                                                       : Index{10});
  const auto place = [&](Index k) { return (2 * k + 1) * score.cells() / (2 * along); };
  for (Index a = 0; a < along; ++a)
    for (Index b = 0; b < (d >= 2 ? along : 1); ++b)
      for (Index c = 0; c < (d >= 3 ? along : 1); ++c)
        look(cell_of(score, {place(a), place(b), place(c)}));
  return distance;
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
                 [](const PermuteAndFlip& l) -> const VectorXd& { return l.scores; },
                 [](const NoisyMaxValue& l) -> const VectorXd& { return l.scores; },
                 [](const HiddenSelection&) -> const VectorXd& {
                   throw std::invalid_argument("a program has no pre-noise value");
                 },
                 [](const HiddenRelease&) -> const VectorXd& {
                   throw std::invalid_argument("a program has no pre-noise value");
                 },
                 [](const GridExponentialMechanism&) -> const VectorXd& {
                   throw std::invalid_argument("the scores of a grid are not listed");
                 },
                 [](const ObjectivePerturbation&) -> const VectorXd& {
                   throw std::invalid_argument("an objective has no pre-noise value");
                 },
                 [](const UniformPermutation&) -> const VectorXd& {
                   throw std::invalid_argument("a permutation has no pre-noise value");
                 },
                 [](const auto& l) -> const VectorXd& { return l.value; }},
      law);
}

Outcome noiseless_outcome(const Law& law) {
  validate(law);
  if (const auto* grid = std::get_if<GridExponentialMechanism>(&law))
    return best_cell(*grid->score);
  if (const auto* perturbed = std::get_if<ObjectivePerturbation>(&law))
    return minimise(*perturbed->objective, VectorXd::Zero(outcome_size(law))).theta;
  if (const auto* permutation = std::get_if<UniformPermutation>(&law))
    return VectorXd::LinSpaced(permutation->count, 0, static_cast<double>(permutation->count - 1));
  const VectorXd& value = pre_noise_value(law);
  Index best = 0;
  if (const auto* largest = std::get_if<NoisyMaxValue>(&law)) {
    const double most = value.maxCoeff(&best);
    if (!largest->with_index) return VectorXd::Constant(1, most);
    return Eigen::Vector2d(static_cast<double>(best), most);
  }
  if (support_size(law) == 0) return value;
  value.maxCoeff(&best);
  return best;
}

PrivacyCost declared_cost(const Law& law) {
  // epsilon-DP is epsilon^2/2-zCDP (Bun and Steinke, 2016).
  const auto pure = [](double epsilon) {
    return PrivacyCost{.epsilon = epsilon, .rho = epsilon * epsilon / 2};
  };
  // The losses of the exponential mechanism lie within a range of length epsilon.
  const auto bounded_range = [](double epsilon) {
    return PrivacyCost{.epsilon = epsilon, .rho = epsilon * epsilon / 8};
  };
  return std::visit(
      Overloaded{
          [&](const ExponentialMechanism& l) {
            return bounded_range(2 * l.coefficient * l.sensitivity);
          },
          [&](const GridExponentialMechanism& l) {
            return bounded_range(2 * l.coefficient * l.sensitivity);
          },
          [&](const NoisyMax& l) {
            const double epsilon = 2 * l.sensitivity / l.scale;
            return l.noise == MaxNoise::gumbel ? bounded_range(epsilon) : pure(epsilon);
          },
          [&](const PermuteAndFlip& l) { return pure(2 * l.coefficient * l.sensitivity); },
          [&](const NoisyMaxValue& l) {
            return l.noise == MaxNoise::laplace
                       ? pure(static_cast<double>(l.scores.size()) * l.sensitivity / l.scale)
                       : PrivacyCost{};
          },
          [&](const LaplaceNoise& l) { return pure(l.sensitivity / l.scale); },
          [](const GaussianNoise& l) {
            const double mu = l.sensitivity / l.standard_deviation;
            return PrivacyCost{.mu = mu, .rho = mu * mu / 2};
          },
          [](const GeneralisedGaussianNoise& l) {
            if (l.norm < 2 || std::isinf(l.norm)) return PrivacyCost{};
            const double stretch = std::pow(static_cast<double>(l.value.size()),
                                            std::max(0.0, 1 / l.norm - 1 / l.change_norm));
            const double moved = stretch * l.sensitivity / l.scale;
            PrivacyCost cost{.rho = (l.norm - 1) * moved * moved / 2};
            if (l.norm == 2) cost.mu = moved;
            return cost;
          },
          [](const ObjectivePerturbation&) { return PrivacyCost{}; },
          [](const UniformPermutation&) { return PrivacyCost{.epsilon = 0, .mu = 0, .rho = 0}; },
          [](const HiddenSelection&) { return PrivacyCost{}; },
          [](const HiddenRelease&) { return PrivacyCost{}; }},
      law);
}

double declared_sensitivity(const Law& law) {
  return std::visit(
      [](const auto& l) {
        if constexpr (requires { l.sensitivity; }) return l.sensitivity;
        return 0.0;
      },
      law);
}

std::string law_name(const Law& law) {
  return std::visit(
      Overloaded{
          [](const ExponentialMechanism&) { return "exponential mechanism"; },
          [](const GridExponentialMechanism&) { return "exponential mechanism over a grid"; },
          [](const NoisyMax&) { return "noisy maximum"; },
          [](const LaplaceNoise&) { return "Laplace noise"; },
          [](const GaussianNoise&) { return "Gaussian noise"; },
          [](const GeneralisedGaussianNoise&) { return "generalised Gaussian noise"; },
          [](const ObjectivePerturbation&) { return "objective perturbation"; },
          [](const PermuteAndFlip&) { return "permute-and-flip"; },
          [](const NoisyMaxValue&) { return "noisy maximum with its value"; },
          [](const UniformPermutation&) { return "uniform permutation"; },
          [](const HiddenSelection&) { return "program with finitely many results"; },
          [](const HiddenRelease&) { return "program"; }},
      law);
}

void validate(const Law& law) {
  const auto* grid = std::get_if<GridExponentialMechanism>(&law);
  if (grid != nullptr) {
    require(grid->score != nullptr, "score of a grid", "missing", "set");
  } else if (const auto* perturbed = std::get_if<ObjectivePerturbation>(&law)) {
    require(perturbed->objective != nullptr, "objective", "missing", "set");
  } else if (const auto* permutation = std::get_if<UniformPermutation>(&law)) {
    require(permutation->count >= 1, "size of a permutation",
            static_cast<double>(permutation->count), "at least 1");
  } else if (const auto* listed = std::get_if<HiddenSelection>(&law)) {
    require(listed->draw && listed->log_probabilities && listed->count >= 1, "a program's results",
            "missing", "at least 1, how to draw them and their probabilities");
  } else if (const auto* program = std::get_if<HiddenRelease>(&law)) {
    require(program->draw && program->size >= 1, "a program's result", "missing",
            "at least 1 number, and how to draw it");
  } else {
    const VectorXd& value = pre_noise_value(law);
    require(value.size() >= 1, "size of the released value", static_cast<double>(value.size()),
            "at least 1");
    for (Index i = 0; i < value.size(); ++i)
      if (!std::isfinite(value[i]))
        throw NonFiniteRelease("pre-noise value " + std::to_string(i) + " of a release (" +
                               law_name(law) + ") is " + to_text(value[i]) +
                               ", but must be finite");
  }
  const double sensitivity = declared_sensitivity(law);
  require(sensitivity >= 0 && std::isfinite(sensitivity), "declared sensitivity", sensitivity,
          "non-negative and finite");
  if (const auto* general = std::get_if<GeneralisedGaussianNoise>(&law)) {
    require(general->norm >= 1, "exponent of a norm", general->norm, "in [1, infinity]");
    require(general->change_norm >= 1, "exponent of a norm", general->change_norm,
            "in [1, infinity]");
  }
  const double noise = noise_of(law);
  // A coefficient of 0 is a uniform choice.
  const bool selection = grid != nullptr || std::holds_alternative<ExponentialMechanism>(law) ||
                         std::holds_alternative<PermuteAndFlip>(law);
  require(std::isfinite(noise) && (noise > 0 || (selection && noise == 0)),
          selection ? "coefficient of the exponential mechanism" : "noise scale", noise,
          selection ? "non-negative and finite" : "positive and finite");
}

Index support_size(const Law& law) {
  if (const auto* grid = std::get_if<GridExponentialMechanism>(&law))
    return grid_size(*grid->score);
  const bool finite =
      std::holds_alternative<ExponentialMechanism>(law) || std::holds_alternative<NoisyMax>(law) ||
      std::holds_alternative<PermuteAndFlip>(law) || std::holds_alternative<HiddenSelection>(law);
  return finite ? outcome_size(law) : 0;
}

VectorXd log_probabilities(const Law& law) {
  if (const auto* noisy = std::get_if<NoisyMax>(&law))
    return noisy_max_log_probabilities(noisy->scores, noisy->scale, noisy->noise);
  if (const auto* flip = std::get_if<PermuteAndFlip>(&law))
    return noisy_max_log_probabilities(flip->scores, 1 / flip->coefficient, MaxNoise::exponential);
  if (const auto* hidden = std::get_if<HiddenSelection>(&law)) return hidden->log_probabilities();
  if (const auto* grid = std::get_if<GridExponentialMechanism>(&law)) {
    const VectorXd scores = list_scores(*grid->score);
    const double best = scores.maxCoeff();
    // A coefficient of 0 leaves the impossible cells impossible.
    const VectorXd logits = scores.unaryExpr([&](double score) {
      return score == -infinity ? score : 2 * (grid->coefficient * (score / 2 - best / 2));
    });
    return logits.array() - std::log(logits.array().exp().sum());
  }
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
  const VectorXd& point = as_vector(outcome, outcome_size(law));
  if (const auto* perturbed = std::get_if<ObjectivePerturbation>(&law))
    return minimiser_log_density(*perturbed->objective, perturbed->standard_deviation, point);
  if (std::holds_alternative<UniformPermutation>(law))
    return is_permutation(point) ? -std::lgamma(static_cast<double>(point.size()) + 1) : -infinity;
  if (const auto* hidden = std::get_if<HiddenRelease>(&law)) {
    require(static_cast<bool>(hidden->log_density), "density of a program", "unknown", "given");
    return hidden->log_density(point);
  }
  if (const auto* largest = std::get_if<NoisyMaxValue>(&law)) return log_density(*largest, point);
  const VectorXd& value = pre_noise_value(law);
  const VectorXd noise = point - value;
  if (const auto* general = std::get_if<GeneralisedGaussianNoise>(&law))
    return log_density(*general, noise);
  const double scale = noise_of(law);
  const auto size = static_cast<double>(value.size());
  if (std::holds_alternative<LaplaceNoise>(law))
    return -noise.lpNorm<1>() / scale - size * std::log(2 * scale);
  return -0.5 * (noise / scale).squaredNorm() -
         size * std::log(scale * std::sqrt(2 * std::numbers::pi));
}

bool same_shape(const Law& law, const Law& other) {
  if (law.index() != other.index()) return false;
  if (const auto* grid = std::get_if<GridExponentialMechanism>(&law)) {
    const GridScore& here = *grid->score;
    const GridScore& there = *std::get<GridExponentialMechanism>(other).score;
    return here.dimension() == there.dimension() && here.cells() == there.cells();
  }
  if (std::holds_alternative<NoisyMaxValue>(law) &&
      pre_noise_value(law).size() != pre_noise_value(other).size())
    return false;
  return outcome_size(law) == outcome_size(other);
}

LawChange compare(const Law& law, const Law& neighbour, const Outcome* outcome) {
  LawChange change;
  change.comparable = noise_of(law) == noise_of(neighbour) &&
                      declared_sensitivity(law) == declared_sensitivity(neighbour);
  if (const auto* grid = std::get_if<GridExponentialMechanism>(&law)) {
    change.distance =
        score_distance(*grid->score, *std::get<GridExponentialMechanism>(neighbour).score, outcome);
    return change;
  }
  if (const auto* perturbed = std::get_if<ObjectivePerturbation>(&law)) {
    const Objective& there = *std::get<ObjectivePerturbation>(neighbour).objective;
    change.comparable = change.comparable && perturbed->objective->radius() == there.radius();
    change.distance = gradient_distance(*perturbed->objective, there,
                                        outcome ? std::get_if<VectorXd>(outcome) : nullptr);
    return change;
  }
  if (std::holds_alternative<UniformPermutation>(law)) return change;
  if (std::holds_alternative<HiddenSelection>(law) || std::holds_alternative<HiddenRelease>(law)) {
    change.distance = 1;
    return change;
  }
  if (const auto* largest = std::get_if<NoisyMaxValue>(&law))
    change.comparable =
        change.comparable && largest->noise == std::get<NoisyMaxValue>(neighbour).noise;
  if (const auto* noisy = std::get_if<NoisyMax>(&law))
    change.comparable = change.comparable && noisy->noise == std::get<NoisyMax>(neighbour).noise;
  if (const auto* general = std::get_if<GeneralisedGaussianNoise>(&law)) {
    const auto& there = std::get<GeneralisedGaussianNoise>(neighbour);
    change.comparable = change.comparable && general->norm == there.norm &&
                        general->change_norm == there.change_norm;
  }
  const VectorXd difference = pre_noise_value(law) - pre_noise_value(neighbour);
  change.distance = std::visit(
      Overloaded{
          [&](const ExponentialMechanism& l) {
            return l.change == ScoreChange::largest
                       ? difference.lpNorm<Eigen::Infinity>()
                       : (difference.maxCoeff() - difference.minCoeff()) / 2;
          },
          [&](const NoisyMax&) { return difference.lpNorm<Eigen::Infinity>(); },
          [&](const PermuteAndFlip&) { return difference.lpNorm<Eigen::Infinity>(); },
          [&](const NoisyMaxValue&) { return difference.lpNorm<Eigen::Infinity>(); },
          [&](const LaplaceNoise&) { return difference.lpNorm<1>(); },
          [&](const GaussianNoise&) { return difference.norm(); },
          [&](const GeneralisedGaussianNoise& l) { return lp_norm(difference, l.change_norm); },
          [&](const auto&) { return infinity; }},  // handled above
      law);
  if (!difference.allFinite()) change.distance = infinity;
  return change;
}

Law without_data(const Law& law) {
  Law out = law;
  std::visit(
      Overloaded{
          [](ExponentialMechanism& l) { l.scores.setZero(); },
          [](NoisyMax& l) { l.scores.setZero(); }, [](PermuteAndFlip& l) { l.scores.setZero(); },
          [](NoisyMaxValue& l) { l.scores.setZero(); },
          [](HiddenSelection&) {
            throw std::invalid_argument("a program cannot run without its data");
          },
          [](HiddenRelease&) {
            throw std::invalid_argument("a program cannot run without its data");
          },
          [](GridExponentialMechanism& l) { l.score = std::make_shared<FlatScore>(l.score); },
          [](ObjectivePerturbation& l) { l.objective = l.objective->without_data(); },
          [](UniformPermutation&) {}, [](auto& l) { l.value.setZero(); }},
      out);
  return out;
}

}  // namespace dpverify
