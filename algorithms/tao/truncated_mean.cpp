#include "algorithms/tao/truncated_mean.hpp"

#include <cmath>

#include "algorithms/claims/claim_list.hpp"
#include "algorithms/claims/planted_faults.hpp"
#include "algorithms/core/checked.hpp"
#include "algorithms/estimators/thresholding.hpp"
#include "algorithms/problems/hard_laws.hpp"
#include "algorithms/problems/heavy_mean.hpp"
#include "algorithms/tao/lemmas.hpp"

namespace dpverify::tao {
namespace {

void validate(const TruncatedMeanParameters& p, const Dataset& data) {
  require(data.dimension() == 1, "number of features", static_cast<double>(data.dimension()), "1");
  require(p.truncation > 0 && std::isfinite(p.truncation), "truncation B", p.truncation,
          "positive and finite");
  require(p.epsilon > 0 && std::isfinite(p.epsilon), "epsilon", p.epsilon, "positive and finite");
  require(p.delta > 0 && p.delta <= 1, "delta", p.delta, "in (0, 1]");
}

double sensitivity(const TruncatedMeanParameters& p, Index records) {
  return 2 * p.truncation / static_cast<double>(records);
}

}  // namespace

double noise_deviation(const TruncatedMeanParameters& p, Index records) {
  return std::sqrt(8 * std::log(1.25 / p.delta)) * p.truncation /
         (static_cast<double>(records) * p.epsilon);
}

VectorXd truncated_mean(const Dataset& data, const TruncatedMeanParameters& p, Releases& releases) {
  validate(p, data);
  const Index n = data.size();
  const Matrix kept = thresholded(data.features, p.truncation);  // step 1
  const VectorXd mean = kept.colwise().mean();                   // step 2
  return releases.release(GaussianNoise{mean, sensitivity(p, n), noise_deviation(p, n)});
}

TruncatedMeanParameters truncated_mean_from_theorem(Index n, double epsilon, double delta,
                                                    double moment, double order,
                                                    double failure_probability) {
  require(moment > 0 && std::isfinite(moment), "moment u", moment, "positive and finite");
  require(order > 0 && order <= 1, "order v", order, "in (0, 1]");
  require(failure_probability > 0 && failure_probability < 1, "failure probability xi",
          failure_probability, "in (0, 1)");
  require(epsilon > 0, "epsilon", epsilon, "positive");
  require(delta > 0 && delta <= 1, "delta", delta, "in (0, 1]");
  const double logs = -std::log(failure_probability) * std::sqrt(std::log(1.25 / delta));
  return {.truncation = std::pow(moment * static_cast<double>(n) * epsilon / logs, 1 / (1 + order)),
          .epsilon = epsilon,
          .delta = delta};
}

double truncated_mean_bound(double n, double epsilon, double delta, double moment, double order,
                            double failure_probability) {
  const double logs = -std::log(failure_probability) * std::sqrt(std::log(1.25 / delta));
  return std::pow(moment, 1 / (1 + order)) * std::pow(logs / (n * epsilon), order / (1 + order));
}

// ---- Claims -----------------------------------------------------------------------------------

namespace {

MechanismFamily family() {
  return [](const ParameterPoint& point) -> Mechanism {
    return [point](const Dataset& data, Releases& releases) {
      return truncated_mean(data,
                            {.truncation = point.at("truncation"),
                             .epsilon = point.at("epsilon"),
                             .delta = point.at("delta")},
                            releases);
    };
  };
}

// The algorithm without step 1.
MechanismFamily without_truncation() {
  return [](const ParameterPoint& point) -> Mechanism {
    return [point](const Dataset& data, Releases& releases) {
      const TruncatedMeanParameters p{.truncation = point.at("truncation"),
                                      .epsilon = point.at("epsilon"),
                                      .delta = point.at("delta")};
      const Index n = data.size();
      return releases.release(
          GaussianNoise{data.features.colwise().mean(), sensitivity(p, n), noise_deviation(p, n)});
    };
  };
}

MechanismFamily with_half_noise() {
  return [](const ParameterPoint& point) {
    return with_noise_times(family()(point), [](const Dataset&) { return 0.5; });
  };
}

// Theorem 2's law and a point mass at 0, of the hundred records twenty informative.
FloorClaim floor_on_two_points() {
  const HardLaws laws{.words = two_numbers(), .records = 100, .probability = 0.2, .size = 1};
  const PrivacyGuarantee guarantee{0.05, 1e-6};
  return estimation_floor(
      laws, guarantee,
      family()(
          {{"truncation", laws.size}, {"epsilon", guarantee.epsilon}, {"delta", guarantee.delta}}));
}

RateClaim rate(double order, Sweep smoke, Sweep ci, Sweep nightly) {
  const HeavyMean model{.share = 0.05, .tail = 1 + order + 0.05};
  const double u = model.moment(1 + order), epsilon = 1, delta = 1e-5, xi = 0.1;
  return {.variable = "n",
          .problem = "numbers that are 1, and in one case of twenty Pareto of index " +
                     to_text(model.tail) + "; v = " + to_text(order) +
                     ", epsilon = 1, delta = 1e-5; distance to the mean",
          .exponent = -order / (1 + order),
          .failure_probability = xi,
          .point =
              [=](double n) {
                const auto records = static_cast<Index>(n);
                const TruncatedMeanParameters p =
                    truncated_mean_from_theorem(records, epsilon, delta, u, order, xi);
                return RatePoint{records,
                                 [p](const Dataset& data, Releases& releases) {
                                   return truncated_mean(data, p, releases);
                                 },
                                 truncated_mean_bound(n, epsilon, delta, u, order, xi)};
              },
          .draw = [model](Index n, RandomStream& stream) { return model.draw(n, stream); },
          .excess_risk = [model](const VectorXd& w) { return model.error(w); },
          .smoke = std::move(smoke),
          .ci = std::move(ci),
          .nightly = std::move(nightly)};
}

// The same problem at n = 20,000, epsilon varied.
RateClaim epsilon_rate() {
  constexpr double n = 2e4, delta = 1e-5, xi = 0.1, order = 1;
  RateClaim rate = tao::rate(order, {}, {}, {});
  rate.variable = "epsilon";
  rate.problem =
      "numbers that are 1, and in one case of twenty Pareto of index 2.05; v = 1, n = 20,000, "
      "delta = "
      "1e-5; distance to the mean";
  const double u = HeavyMean{.share = 0.05, .tail = 2 + 0.05}.moment(1 + order);
  rate.point = [=](double epsilon) {
    const auto records = static_cast<Index>(n);
    const TruncatedMeanParameters p =
        truncated_mean_from_theorem(records, epsilon, delta, u, order, xi);
    return RatePoint{
        records,
        [p](const Dataset& data, Releases& releases) { return truncated_mean(data, p, releases); },
        truncated_mean_bound(n, epsilon, delta, u, order, xi)};
  };
  rate.smoke = {{0.02, 0.12, 0.99}, 120};
  rate.ci = {{0.02, 0.05, 0.12, 0.3, 0.99}, 500};
  return rate;
}

// The instances of Theorem 2 at n: of two laws one is 0, the other (Lemma 16) u^(1/(1+v)) (n
// epsilon)^(1/(1+v)) with probability p = 1/(n epsilon), else 0; E|x|^(1+v) <= u = 1. The large
// value is above B, so that all is truncated.
RateClaim hard_rate(double order) {
  const double epsilon = 1, delta = 1e-5, xi = 0.1;
  RateClaim rate{.variable = "n",
                 .problem =
                     "one of two laws, drawn in each trial: numbers that are 0, or (n "
                     "epsilon)^(1/(1+v)) with probability 1/(n epsilon), else 0 (the instance of "
                     "Theorem 2 at each n); v = " +
                     to_text(order) +
                     ", epsilon = 1, delta = 1e-5; distance to the mean. Lower bound: Barber and "
                     "Duchi (2014) on these two laws",
                 .exponent = -order / (1 + order),
                 .failure_probability = xi,
                 .attained = 0.01};
  rate.point = [=](double n) {
    const auto records = static_cast<Index>(n);
    const TruncatedMeanParameters p =
        truncated_mean_from_theorem(records, epsilon, delta, 1, order, xi);
    const double probability = 1 / (n * epsilon);
    const HardLaws laws{.words = two_numbers(),
                        .records = records,
                        .probability = probability,
                        .size = std::pow(probability, -1 / (1 + order))};
    return RatePoint{
        .records = records,
        .mechanism = [p](const Dataset& data,
                         Releases& releases) { return truncated_mean(data, p, releases); },
        .bound = truncated_mean_bound(n, epsilon, delta, 1, order, xi),
        .instance =
            [laws](RandomStream& stream) {
              const Index k = stream.index(2);
              return Instance{laws.draw(k, stream), [mean = laws.mean(k)[0]](const VectorXd& w) {
                                return std::abs(w[0] - mean);
                              }};
            },
        .lower_bound = error_floor(laws, {epsilon, delta})};
  };
  rate.smoke = {{10, 100, 1000}, 12000};
  rate.ci = {{100, 1e3, 1e4}, 20000};
  rate.nightly = {{100, 1e3, 1e4, 1e5}, 20000};
  return rate;
}

}  // namespace

std::vector<Claim> truncated_mean_claims() {
  const std::vector<std::string> neighbours{"replace-one neighbours"};
  ClaimList claims("tao.truncated_mean");
  const auto at = [](double epsilon, double delta) {
    return Setting{{{"truncation", 1}, {"epsilon", epsilon}, {"delta", delta}}, 3, 1};
  };
  const auto guarantee = [](const ParameterPoint& point) {
    return PrivacyGuarantee{point.at("epsilon"), point.at("delta")};
  };
  const std::vector<ParameterRange> ranges{{"truncation", 1, 0.01, 100, Scale::logarithmic},
                                           {"epsilon", 0.5, 0.001, 1, Scale::logarithmic},
                                           {"delta", 1e-5, 1e-12, 1, Scale::logarithmic}};
  const SensitivityClaim tight{family(), ranges, 1, 1, {at(0.5, 1e-5)}, true};
  claims.add("sensitivity", Edition::printed, Expectation::holds, {paper, "proof of Theorem 1"},
             "One record moves the truncated mean by at most 2B/n, and some pair attains it.",
             neighbours, tight);
  add_mutants(claims, tight, neighbours);
  claims.add("sensitivity.no_truncation", Edition::mutant, Expectation::refuted,
             {here, "Algorithm 1 without step 1"}, "One record moves the mean by at most 2B/n.",
             neighbours, SensitivityClaim{without_truncation(), ranges, 1, 1, {at(0.5, 1e-5)}});

  const std::vector<Setting> claimed{at(1e-3, 1e-5), at(0.1, 1e-5), at(0.5, 1e-5), at(1, 1e-12),
                                     at(1, 1e-5),    at(1, 1e-2),   at(1, 0.5),    at(1, 0.9)};
  claims.add("privacy", Edition::printed, Expectation::holds, {paper, "Theorem 1"},
             "Algorithm 1 is (epsilon, delta)-DP for 0 < epsilon, delta <= 1.", neighbours,
             PrivacyClaim{family(), guarantee, claimed, {claimed.begin(), claimed.begin() + 6}});
  // Around the smallest epsilon at which the printed noise is too small, by delta.
  std::vector<Setting> beyond;
  for (const auto& [delta, first] : std::vector<std::pair<double, double>>{{0.9, 3.79},
                                                                           {0.1, 5.75},
                                                                           {1e-2, 6.78},
                                                                           {1e-3, 7.47},
                                                                           {1e-5, 8.42},
                                                                           {1e-6, 8.79},
                                                                           {1e-9, 9.63}}) {
    beyond.push_back(at(first - 0.03, delta));
    beyond.push_back(at(first + 0.03, delta));
  }
  beyond.push_back(at(16, 1e-5));
  claims.add(
      "privacy.large_epsilon", Edition::printed, Expectation::refuted,
      {paper, "Algorithm 1, whose text names no upper end of epsilon, by Lemma 3, which has none"},
      "Algorithm 1 is (epsilon, delta)-DP for every epsilon. The settings lie 0.03 below and above "
      "the smallest epsilon at which the noise is too small.",
      neighbours, PrivacyClaim{family(), guarantee, beyond, {}});
  claims.add("privacy.half_noise", Edition::mutant, Expectation::refuted,
             {here, "Algorithm 1 with half of its noise"},
             "The algorithm is (epsilon, delta)-DP for 0 < epsilon, delta <= 1.", neighbours,
             PrivacyClaim{with_half_noise(), guarantee, {at(0.1, 1e-5), at(1, 1e-5)}, {}});

  const Source utility{paper, "Theorem 1"};
  const std::vector<std::string> moment{"E|x|^(1+v) <= u, with u and v known"};
  const std::string statement =
      "With the theorem's B the error falls as u^(1/(1+v)) (log(1/xi) sqrt(log(1.25/delta))/(n "
      "epsilon))^(v/(1+v))";
  claims.add("rate.quarter", Edition::printed, Expectation::holds, utility,
             statement + ", v = 1/4.", moment,
             rate(0.25, {{3e4, 1e5, 3e5, 1e6}, 60}, {{3e4, 3e5, 1e6, 2e6}, 80},
                  {{3e4, 3e5, 3e6, 2e7}, 80}));
  claims.add("rate.half", Edition::printed, Expectation::holds, utility, statement + ", v = 1/2.",
             moment,
             rate(0.5, {{5e3, 2e4, 8e4, 3.2e5}, 60}, {{5e3, 5e4, 5e5, 2e6}, 60},
                  {{5e3, 5e4, 5e5, 5e6, 2e7}, 60}));
  claims.add("rate", Edition::printed, Expectation::holds, utility, statement + ", v = 1.", moment,
             rate(1, {{2e3, 8e3, 3.2e4, 1.28e5}, 60}, {{2e3, 2e4, 2e5, 2e6}, 60},
                  {{2e3, 2e4, 2e5, 2e6, 2e7}, 80}));
  claims.add("rate.epsilon", Edition::printed, Expectation::holds, utility,
             statement + ", here in epsilon, v = 1.", moment, epsilon_rate());
  const std::string hard =
      "Theorem 2 with the law of Lemma 16, p = 1/5, and the constants of "
      "Barber and Duchi (2014)";
  add_floor(claims, "", "Algorithm 1", hard, floor_on_two_points());
  FloorClaim too_little = floor_on_two_points();
  too_little.mechanism = with_noise_times(std::move(too_little.mechanism), [](const Dataset& data) {
    return 1 / static_cast<double>(data.size());
  });
  claims.add("floor.noise_over_n", Edition::mutant, Expectation::refuted,
             {here, "Algorithm 1 with its noise divided by n twice"},
             "On the hard laws Algorithm 1 errs at least as often as every (epsilon, delta)-DP "
             "mechanism.",
             neighbours, too_little);
  for (const auto& [what, order] :
       {std::pair{"rate.hard_quarter", 0.25}, {"rate.hard_half", 0.5}, {"rate.hard", 1.0}})
    claims.add(
        what, Edition::printed, Expectation::holds, {paper, "Theorems 1 and 2, Lemma 16"},
        "On the instances of the lower bound the error falls exactly like n^(-v/(1+v)), v = " +
            to_text(order) + ", and so does the lower bound.",
        moment, hard_rate(order));
  claims.append(truncated_mean_lemmas());
  return claims.take();
}

// ---- Command line -----------------------------------------------------------------------------

Algorithm truncated_mean_algorithm() {
  const auto prepare = [](const Dataset& data, const RunOptions& options) {
    TruncatedMeanParameters p = truncated_mean_from_theorem(
        data.size(), options.number("epsilon"), options.number("delta"), options.number("moment"),
        options.number("order"), options.number("failure-probability"));
    if (!options.is_auto("truncation")) p.truncation = options.number("truncation");
    validate(p, data);
    require(p.epsilon <= 1, "--epsilon", p.epsilon, "in (0, 1]");
    PreparedRun run;
    run.mechanism = [p](const Dataset& records, Releases& releases) {
      return truncated_mean(records, p, releases);
    };
    run.guarantee = {p.epsilon, p.delta};
    run.guarantee_source = "tao.truncated_mean.privacy.printed";
    run.parameters = {{"truncation", to_text(p.truncation)},
                      {"sensitivity", to_text(sensitivity(p, data.size()))},
                      {"noise standard deviation", to_text(noise_deviation(p, data.size()))}};
    run.empirical_risk = [](const DataView& view, const VectorXd& w) {
      return (view.features.rowwise() - w.transpose()).rowwise().squaredNorm().mean();
    };
    run.risk_name = "mean squared distance of the feature from w";
    return run;
  };
  return {"tao.truncated_mean",
          "private mean of one heavy-tailed feature, (epsilon, delta)-DP",
          "Tao, Wu, Cheng and Wang, Algorithm 1",
          {{"epsilon", "0.5", "privacy parameter, in (0, 1]"},
           {"delta", "1e-5", "privacy parameter, in (0, 1]"},
           {"truncation", "auto", "B, positive; auto: step 1"},
           {"moment", "1", "u >= E|x|^(1+v): a public guess"},
           {"order", "1", "v, in (0, 1]"},
           {"failure-probability", "0.05", "xi of Theorem 1, in (0, 1)"}},
          prepare,
          truncated_mean_claims};
}

}  // namespace dpverify::tao
