#include <cmath>

#include "algorithms/core/composition.hpp"
#include "audits/must_catch/row.hpp"

namespace dpverify::must_catch {
namespace {

VectorXd counts(const Dataset& data) { return data.features.colwise().sum().transpose(); }

Mechanism noisy_max_value(double epsilon, MaxNoise noise, bool with_index) {
  return [=](const Dataset& data, Releases& releases) {
    return releases.release(NoisyMaxValue{.scores = counts(data),
                                          .sensitivity = 1,
                                          .scale = 2 / epsilon,
                                          .noise = noise,
                                          .with_index = with_index});
  };
}

// Half of the budget for the index, half for fresh noise on its count.
Mechanism index_then_value(double epsilon, MaxNoise noise, bool with_index) {
  return [=](const Dataset& data, Releases& releases) -> VectorXd {
    const VectorXd scores = counts(data);
    const Index best = releases.select(
        NoisyMax{.scores = scores, .sensitivity = 1, .scale = 4 / epsilon, .noise = noise});
    VectorXd value = releases.release(
        LaplaceNoise{.value = scores.segment(best, 1), .sensitivity = 1, .scale = 2 / epsilon});
    if (!with_index) return value;
    return Eigen::Vector2d(static_cast<double>(best), value[0]);
  };
}

Row returns_value(const std::string& name, MaxNoise noise, bool with_index,
                  const std::string& fault) {
  return {.name = name,
          .source = {Text::ding_2018, "report noisy max"},
          .fault = fault,
          .guarantee = {1, 0},
          .pair = feature_rows({{0, 0, 0, 0, 0}}, {{1, 1, 1, 1, 1}}),
          .broken = noisy_max_value(1, noise, with_index),
          .twin = index_then_value(1, noise, with_index)};
}

// Unary encoding of the category in the record's first feature: bit j is kept with probability
// `kept` if it is 1 and flipped to 1 with probability `risen` if it is 0.
Mechanism unary_encoding(Index categories, double kept, double risen) {
  return [=](const Dataset& data, Releases& releases) {
    VectorXd bits(categories);
    for (Index j = 0; j < categories; ++j) {
      const double one = data.features(0, 0) == static_cast<double>(j) ? kept : risen;
      bits[j] = static_cast<double>(releases.select(
          ExponentialMechanism{.scores = Eigen::Vector2d(0, std::log(one / (1 - one))),
                               .sensitivity = 1,
                               .coefficient = 1}));
    }
    return bits;
  };
}

constexpr Index many_selections = 30;

template <class Selection>
Mechanism select_many(double epsilon) {
  return [=](const Dataset& data, Releases& releases) {
    VectorXd chosen(many_selections);
    for (double& index : chosen)
      index = static_cast<double>(releases.select(
          Selection{.scores = counts(data), .sensitivity = 1, .coefficient = epsilon / 2}));
    return chosen;
  };
}

// What `many_selections` exponential mechanisms cost, as rho-zCDP with rho = epsilon^2/8 each.
PrivacyGuarantee many_exponential(double epsilon, double delta) {
  return {zcdp_epsilon(many_selections * epsilon * epsilon / 8, delta), delta};
}

// Two candidates; each score is a gain less a loss, which a record moves by up to 2 in opposite
// directions.
Mechanism gain_less_loss(double charged) {
  return [=](const Dataset& data, Releases& releases) {
    const double gain = 2 * data.features.col(0).sum(), loss = -gain;
    const double head_start = 10;  // of the second candidate
    return VectorXd::Constant(
        1, static_cast<double>(releases.select(ExponentialMechanism::with_epsilon(
               Eigen::Vector2d(gain - loss, loss - gain + head_start), charged, 1))));
  };
}

}  // namespace

std::vector<Row> selection_rows() {
  const double half = std::exp(0.5), whole = std::exp(1.0);
  return {
      returns_value("noisy_max_returns_value_laplace", MaxNoise::laplace, false,
                    "it shows the largest noisy count instead of its index"),
      returns_value("noisy_max_returns_value_exponential", MaxNoise::exponential, false,
                    "it shows the largest noisy count instead of its index"),
      returns_value("noisy_max_returns_index_and_value", MaxNoise::laplace, true,
                    "it shows the largest noisy count beside its index"),
      {.name = "unary_encoding_true_bit",
       .source = {Text::wang_2017, "unary encoding"},
       .fault = "the true bit is kept with the probability that one bit alone would allow",
       .guarantee = {1, 0},
       .pair = feature_rows({{0}}, {{1}}),
       .broken = unary_encoding(4, whole / (1 + whole), 1 / (1 + half)),
       .twin = unary_encoding(4, half / (1 + half), 1 / (1 + half))},
      {.name = "permute_and_flip_charged_as_exponential",
       .source = {Text::permute_and_flip, "zCDP of selections"},
       .fault = "its 30 selections by permute-and-flip are charged epsilon^2/8-zCDP each, which "
                "only the exponential mechanism satisfies",
       .guarantee = many_exponential(1, 1e-3),
       .pair = feature_rows({{0.5, 0.5, 0.5, 0.5, 0.5}}, {{1.5, -0.5, -0.5, -0.5, -0.5}}),
       .broken = select_many<PermuteAndFlip>(1),
       .twin = select_many<ExponentialMechanism>(1)},
      {.name = "score_sensitivity_half",
       .source = {Text::mcsherry_2007, "sensitivity of a score"},
       .fault =
           "a score is the difference of two terms that move by 2 in opposite directions, and is "
           "charged 2 instead of 4",
       .guarantee = {1, 0},
       .pair = feature_rows({{-0.5}}, {{0.5}}),
       .broken = gain_less_loss(2),
       .twin = gain_less_loss(4)},
  };
}

}  // namespace dpverify::must_catch
