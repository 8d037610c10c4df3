#include "algorithms/tao/median_of_means.hpp"

#include <algorithm>
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

void validate(const MedianOfMeansParameters& p, Index records) {
  require(p.truncation > 0 && std::isfinite(p.truncation), "truncation tau", p.truncation,
          "positive and finite");
  require(p.blocks >= 1 && p.blocks <= records, "blocks m", static_cast<double>(p.blocks),
          "in 1.." + std::to_string(records) + " (the number of records)");
  require(p.epsilon > 0 && std::isfinite(p.epsilon), "epsilon", p.epsilon, "positive and finite");
  require(p.delta > 0 && p.delta < 1, "delta", p.delta, "in (0, 1)");
}

double l2_sensitivity(const MedianOfMeansParameters& p, Index records, Index dimension) {
  return std::sqrt(static_cast<double>(dimension)) * coordinate_sensitivity(p, records);
}

// Noise of the Gaussian mechanism (Lemma 3).
double deviation(const MedianOfMeansParameters& p, double sensitivity) {
  return std::sqrt(2 * std::log(1.25 / p.delta)) * sensitivity / p.epsilon;
}

}  // namespace

double coordinate_sensitivity(const MedianOfMeansParameters& p, Index records) {
  if (p.sensitivity == Edition::printed)
    return 2 * p.truncation * static_cast<double>(p.blocks) / static_cast<double>(records);
  const bool halved = p.middle == MiddlePair::average && p.blocks % 2 == 0;
  const Index block = records / p.blocks;
  return (halved ? 1 : 2) * p.truncation / static_cast<double>(block);
}

double noise_deviation(const MedianOfMeansParameters& p, Index records, Index dimension) {
  return deviation(p, l2_sensitivity(p, records, dimension));
}

VectorXd median_of_means(const Matrix& records, const MedianOfMeansParameters& p,
                         Releases& releases) {
  validate(p, records.rows());
  const Matrix kept = thresholded(records, p.truncation);                        // line 5
  const VectorXd medians = dpverify::median_of_means(kept, p.blocks, p.middle);  // lines 7, 9
  const double sensitivity = l2_sensitivity(p, records.rows(), records.cols());
  return releases.release(GaussianNoise{medians, sensitivity, deviation(p, sensitivity)});
}

Matrix thresholded_block_means(const CountedMean& law, const DataView& counts, Index size,
                               double limit) {
  return law.block_means(counts, size,
                         [limit](Index, double x) { return std::abs(x) <= limit ? x : 0; });
}

VectorXd median_of_block_means(const Matrix& means, Index records, const MedianOfMeansParameters& p,
                               Releases& releases) {
  validate(p, records);
  require(means.rows() == p.blocks, "block means", static_cast<double>(means.rows()),
          "as many as blocks, " + std::to_string(p.blocks));
  const double sensitivity = l2_sensitivity(p, records, means.cols());
  return releases.release(GaussianNoise{dpverify::median_of_means(means, p.blocks, p.middle),
                                        sensitivity, deviation(p, sensitivity)});
}

MedianOfMeansParameters median_of_means_from_theorem(Index n, Index dimension, double epsilon,
                                                     double delta, double moment, double order,
                                                     double failure_probability) {
  require(moment > 0 && std::isfinite(moment), "moment u", moment, "positive and finite");
  require(order > 0 && order <= 1, "order v", order, "in (0, 1]");
  require(epsilon > 0, "epsilon", epsilon, "positive");
  return {.truncation = std::pow(
              moment * epsilon * static_cast<double>(n) / std::sqrt(static_cast<double>(dimension)),
              1 / (1 + order)),
          .blocks = block_count(n, dimension, failure_probability),
          .epsilon = epsilon,
          .delta = delta};
}

double median_of_means_bound(double n, double dimension, double epsilon, double delta,
                             double moment, double order, double failure_probability) {
  const double root = std::sqrt(dimension), v = order;
  const double tau = std::pow(moment * epsilon * n / root, 1 / (1 + v));
  const double logarithm = std::log(2 * dimension / failure_probability);
  return root * (std::pow(moment, 1 / (1 + v)) * std::pow(logarithm / n, v / (1 + v)) +
                 moment / std::pow(tau, v)) +
         tau * root * (root + std::sqrt(-std::log(failure_probability))) * logarithm *
             std::sqrt(-std::log(delta)) / (epsilon * n);
}

double median_of_means_noise_bound(const MedianOfMeansParameters& p, Index n, Index dimension,
                                   double moment, double order, double failure_probability) {
  const double d = static_cast<double>(dimension), v = order;
  const double logarithm = std::log(2 * d / failure_probability);
  return std::sqrt(d) * (std::pow(moment, 1 / (1 + v)) *
                             std::pow(logarithm / static_cast<double>(n), v / (1 + v)) +
                         moment / std::pow(p.truncation, v)) +
         noise_deviation(p, n, dimension) *
             (std::sqrt(d) + std::sqrt(-std::log(failure_probability)));
}

// ---- Claims -----------------------------------------------------------------------------------

namespace {

double at(const ParameterPoint& point, const char* name, double otherwise) {
  const auto found = point.find(name);
  return found == point.end() ? otherwise : found->second;
}

// What the algorithm gets. If "anchored" is 0, the dataset. If it is 1, the dataset as the first
// block of m, then blocks of records that are all tau, all -tau, all tau, ..., then `remainder`
// records of 0: the first block's mean is the median.
struct Input {
  Matrix records;
  MedianOfMeansParameters parameters;
};

Input input(const ParameterPoint& point, const Dataset& data) {
  const Index b = data.size();
  Input out{data.features,
            {.truncation = at(point, "truncation", 1),
             .blocks = static_cast<Index>(point.at("blocks")),
             .epsilon = at(point, "epsilon", 0.999),
             .delta = at(point, "delta", 1e-5),
             .middle = at(point, "averaged", 0) == 0 ? MiddlePair::lower : MiddlePair::average}};
  if (at(point, "anchored", 0) == 0) {
    out.parameters.blocks = std::min(out.parameters.blocks, b);
    return out;
  }
  const Index m = out.parameters.blocks;
  const Index remainder = std::min(static_cast<Index>(at(point, "remainder", 0)), m - 1);
  out.records = Matrix::Zero(m * b + remainder, data.dimension());
  out.records.topRows(b) = data.features;
  for (Index k = 1; k < m; ++k)
    out.records.middleRows(k * b, b).setConstant(k % 2 == 1 ? out.parameters.truncation
                                                            : -out.parameters.truncation);
  return out;
}

MechanismFamily family(Edition edition, bool blocks_divide_records) {
  return [=](const ParameterPoint& point) -> Mechanism {
    return [=](const Dataset& data, Releases& releases) {
      auto [records, p] = input(point, data);
      p.sensitivity = edition;
      while (blocks_divide_records && records.rows() % p.blocks != 0) --p.blocks;
      return median_of_means(records, p, releases);
    };
  };
}

// The algorithm with one fault.
struct Fault {
  bool truncates = true;
  bool root_d = true;  // in the l2 sensitivity, and so in the noise
};

MechanismFamily mutant(const Fault& fault) {
  return [fault](const ParameterPoint& point) -> Mechanism {
    return [=](const Dataset& data, Releases& releases) {
      const auto [records, p] = input(point, data);
      const Matrix kept = fault.truncates ? thresholded(records, p.truncation) : records;
      const double sensitivity =
          l2_sensitivity(p, records.rows(), fault.root_d ? records.cols() : 1);
      return releases.release(GaussianNoise{dpverify::median_of_means(kept, p.blocks, p.middle),
                                            sensitivity, deviation(p, sensitivity)});
    };
  };
}

RateClaim rate(const HeavyMean& model, double order, double xi, Sweep smoke, Sweep ci,
               Sweep nightly) {
  const double u = model.moment(1 + order), epsilon = 0.99, delta = 0.1;
  const Index d = model.dimension;
  return {.variable = "n",
          .problem = std::to_string(d) + (d == 1 ? " feature" : " features") +
                     " that are 1, and in one case of a hundred Pareto of index " +
                     to_text(model.tail) + "; v = " + to_text(order) +
                     ", epsilon = 0.99, delta = "
                     "0.1, xi = " +
                     to_text(xi) + "; distance to the mean",
          .exponent = -order / (1 + order),
          // More than the theorem says for a xi above 1/4, which keeps the blocks few.
          .failure_probability = std::min(xi, 0.25),
          .dimension = d,
          .point =
              [=](double n) {
                const auto records = static_cast<Index>(n);
                const MedianOfMeansParameters p =
                    median_of_means_from_theorem(records, d, epsilon, delta, u, order, xi);
                return RatePoint{
                    records,
                    [p](const Dataset& data, Releases& releases) {
                      return median_of_means(data.features, p, releases);
                    },
                    median_of_means_bound(n, static_cast<double>(d), epsilon, delta, u, order, xi)};
              },
          .draw = [model](Index n, RandomStream& stream) { return model.draw(n, stream); },
          .excess_risk = [model](const VectorXd& w) { return model.error(w); },
          .smoke = std::move(smoke),
          .ci = std::move(ci),
          .nightly = std::move(nightly)};
}

// Coordinates that are 1, and in one case of a hundred 5: counted, so that n may be large.
RatePoint counted_point(Index n, Index dimension, double epsilon, double order, Edition edition) {
  constexpr double delta = 0.1, xi = 0.95;  // xi as in rate() above
  const CountedMean law{dimension, dimension, {5, 1}, {0.01, 0.99}};
  const double u = law.moment(1 + order);
  const MedianOfMeansParameters p =
      median_of_means_from_theorem(n, dimension, epsilon, delta, u, order, xi);
  const Index block = n / p.blocks;
  return {
      .records = n,
      .mechanism =
          [=](const Dataset& counts, Releases& releases) {
            return median_of_block_means(
                thresholded_block_means(law, counts.all(), block, p.truncation), n, p, releases);
          },
      .bound = edition == Edition::printed
                   ? median_of_means_bound(static_cast<double>(n), static_cast<double>(dimension),
                                           epsilon, delta, u, order, xi)
                   : median_of_means_noise_bound(p, n, dimension, u, order, xi),
      .dimension = dimension,
      .draw = [=](Index, RandomStream& stream) { return law.draw(p.blocks, block, stream); },
      .excess_risk = [mean = law.mean()](const VectorXd& w) { return (w - mean).norm(); }};
}

const std::string counted_problem =
    "features that are 1, and in one case of a hundred 5, drawn as counts; delta = 0.1, xi = 0.95";

RateClaim dimension_rate(double order) {
  return {.variable = "d",
          .problem = "d " + counted_problem + ", v = " + to_text(order) + ", n = " +
                     (order == 1 ? "10^7" : "10^10") + ", epsilon = 0.99; distance to the mean",
          .exponent = (1 + 2 * order) / (2 + 2 * order),
          .failure_probability = 0.25,
          .point =
              [order](double d) {
                return counted_point(order == 1 ? 10'000'000 : 10'000'000'000,
                                     static_cast<Index>(d), 0.99, order, Edition::corrected);
              },
          .smoke = {{2, 8, 64}, 24},
          .ci = {{2, 8, 32, 128}, 100}};
}

RateClaim epsilon_rate(double order) {
  return {.variable = "epsilon",
          .problem = "2 " + counted_problem + ", v = " + to_text(order) +
                     ", n = 10^8; distance to the mean",
          .exponent = -order / (1 + order),
          .failure_probability = 0.25,
          .dimension = 2,
          .point =
              [order](double epsilon) {
                return counted_point(100'000'000, 2, epsilon, order, Edition::printed);
              },
          .smoke = {{0.01, 0.1, 0.99}, 100},
          .ci = {{0.01, 0.03, 0.1, 0.3, 0.99}, 400}};
}

// Two records, on average, of the n are the law's word of 16 entries, times n^(1/(1+v)): E|x_j|^(1
// + v) <= u = 2.
RateClaim hard_rate(double order) {
  constexpr double epsilon = 0.99, delta = 1e-6, xi = 0.25;
  constexpr Index dimension = 16;
  RateClaim rate{.variable = "n",
                 .problem =
                     "one of 30 laws, drawn in each trial: records that are n^(1/(1+v)) times the "
                     "law's word of a Hadamard code of length 16 with probability 2/n, else 0, "
                     "drawn as counts; v = " +
                     to_text(order) +
                     ", epsilon = 0.99, delta = 1e-6, xi = 0.25; distance to the mean. Lower "
                     "bound: Barber and Duchi (2014) on these laws",
                 .exponent = -order / (1 + order),
                 .failure_probability = xi,
                 .attained = 0.02,
                 .dimension = dimension};
  rate.point = [=](double n) {
    const auto records = static_cast<Index>(n);
    const HardLaws laws{.words = half_weight_words(dimension),
                        .records = records,
                        .probability = 2 / n,
                        .size = std::pow(n, 1 / (1 + order))};
    const MedianOfMeansParameters p =
        median_of_means_from_theorem(records, dimension, epsilon, delta, 2, order, xi);
    const Index block = records / p.blocks;
    return RatePoint{
        .records = records,
        .mechanism =
            [=](const Dataset& counts, Releases& releases) {
              return median_of_block_means(
                  thresholded_block_means(laws.counted(), counts.all(), block, p.truncation),
                  records, p, releases);
            },
        .bound =
            median_of_means_bound(n, static_cast<double>(dimension), epsilon, delta, 2, order, xi),
        .instance =
            [=](RandomStream& stream) {
              const Index k = stream.index(laws.words.count);
              return Instance{
                  laws.draw_counts(k, p.blocks, block, stream),
                  [mean = laws.mean(k)](const VectorXd& w) { return (w - mean).norm(); }};
            },
        .lower_bound = error_floor(laws, {epsilon, delta})};
  };
  rate.smoke = {{1e4, 1e5, 1e6}, 600};
  rate.ci = {{1e4, 1e5, 1e6, 1e7}, 4000};
  return rate;
}

// Symmetric Pareto features, mean 0: |x| >= 1, P(|x| > t) = t^-(1 + v + 0.05). Most of the error is
// the noise, whose exponent is the claimed one.
RateClaim symmetric_rate(double order) {
  const double tail = 1 + order + 0.05, u = tail / 0.05, epsilon = 0.99, delta = 0.1, xi = 0.25;
  const Index d = 5;
  RateClaim rate{.variable = "n",
                 .problem = "5 symmetrised Pareto features of index " + to_text(tail) +
                            "; v = " + to_text(order) +
                            ", epsilon = 0.99, delta = 0.1, xi = 0.25; distance to the mean, 0",
                 .exponent = -order / (1 + order),
                 .failure_probability = xi,
                 .attained = 0.03,
                 .dimension = d};
  rate.point = [=](double n) {
    const auto records = static_cast<Index>(n);
    const MedianOfMeansParameters p =
        median_of_means_from_theorem(records, d, epsilon, delta, u, order, xi);
    return RatePoint{
        records,
        [p](const Dataset& data, Releases& releases) {
          return median_of_means(data.features, p, releases);
        },
        median_of_means_bound(n, static_cast<double>(d), epsilon, delta, u, order, xi)};
  };
  rate.draw = [=](Index n, RandomStream& stream) {
    Dataset data{Matrix(n, d), VectorXd::Zero(n)};
    for (double& value : data.features.reshaped())
      value = std::copysign(std::pow(stream.uniform(), -1 / tail), stream.uniform() - 0.5);
    return data;
  };
  rate.excess_risk = [](const VectorXd& w) { return w.norm(); };
  rate.smoke = {{500, 2000, 8000}, 500};
  rate.ci = {{500, 5000, 5e4}, 400};
  rate.nightly = {{500, 5000, 5e4, 5e5}, 400};
  return rate;
}

}  // namespace

std::vector<Claim> median_of_means_claims() {
  const std::vector<std::string> neighbours{"replace-one neighbours", "blocks chosen by index"};
  ClaimList claims("tao.median_of_means");
  const auto ranges = [](double largest_remainder) {
    return std::vector<ParameterRange>{{"truncation", 1, 0.01, 100, Scale::logarithmic},
                                       {"blocks", 1, 1, 9, Scale::integer},
                                       {"averaged", 0, 0, 1, Scale::integer},
                                       {"anchored", 1, 0, 1, Scale::integer},
                                       {"remainder", 0, 0, largest_remainder, Scale::integer},
                                       {"epsilon", 0.5, 0.001, 0.999, Scale::logarithmic},
                                       {"delta", 1e-5, 1e-12, 0.999, Scale::logarithmic}};
  };
  struct Corner {
    double blocks = 1, block_size = 1, remainder = 0, dimension = 1;
    bool averaged = false;
    double epsilon = 0.999, delta = 1e-5;
  };
  const auto at = [](const Corner& corner) {
    return Setting{{{"blocks", corner.blocks},
                    {"anchored", 1},
                    {"remainder", corner.remainder},
                    {"averaged", corner.averaged ? 1 : 0},
                    {"epsilon", corner.epsilon},
                    {"delta", corner.delta}},
                   static_cast<Index>(corner.block_size),
                   static_cast<Index>(corner.dimension)};
  };
  const Source proof{paper, "proof of Theorem 3"};
  claims.add(
      "sensitivity", Edition::printed, Expectation::holds, proof,
      "If m divides n, one record moves the vector of medians by at most 2 tau m sqrt(d)/n in l2, "
      "and some pair attains it for odd m.",
      neighbours,
      SensitivityClaim{
          family(Edition::printed, true),
          ranges(0),
          1,
          3,
          {at({.blocks = 1, .block_size = 3}), at({.blocks = 3, .block_size = 2, .dimension = 2}),
           at({.blocks = 9, .dimension = 3}), at({.blocks = 4}),
           at({.blocks = 4, .block_size = 2, .averaged = true})},
          true});
  claims.add(
      "sensitivity.remainder", Edition::printed, Expectation::refuted, proof,
      "One record moves the vector of medians by at most 2 tau m sqrt(d)/n in l2 for every m <= n. "
      "If m does not divide n, some block has fewer than n/m records.",
      neighbours,
      SensitivityClaim{family(Edition::printed, false),
                       ranges(8),
                       1,
                       3,
                       {at({.blocks = 3, .remainder = 2}), at({.blocks = 9, .remainder = 8})}});
  const SensitivityClaim tight{
      family(Edition::corrected, false),
      ranges(8),
      1,
      3,
      {at({.blocks = 3, .block_size = 2, .remainder = 2, .dimension = 2}),
       at({.blocks = 4, .remainder = 3}), at({.blocks = 2, .averaged = true}),
       at({.blocks = 8, .block_size = 2, .dimension = 2, .averaged = true})},
      true};
  claims.add(
      "sensitivity", Edition::corrected, Expectation::holds,
      {here, "Algorithm 3 with blocks of floor(n/m) records"},
      "One record moves the vector of medians by at most 2 tau sqrt(d)/floor(n/m), and by half of "
      "it if m is even and the two middle means are averaged; some pair attains each.",
      neighbours, tight);
  add_mutants(claims, tight, neighbours);
  claims.add("sensitivity.no_truncation", Edition::mutant, Expectation::refuted,
             {here, "Algorithm 3 without line 5"},
             "One record moves the vector of medians by at most 2 tau sqrt(d)/floor(n/m).",
             neighbours,
             SensitivityClaim{mutant({.truncates = false}), ranges(0), 1, 3, {at({.blocks = 1})}});
  claims.add("sensitivity.without_root_d", Edition::mutant, Expectation::refuted,
             {here, "Algorithm 3 with the sensitivity of one coordinate"},
             "One record moves the vector of medians by at most 2 tau/floor(n/m).", neighbours,
             SensitivityClaim{
                 mutant({.root_d = false}), ranges(0), 1, 3, {at({.blocks = 3, .dimension = 3})}});

  const auto guarantee = [](const ParameterPoint& point) {
    return PrivacyGuarantee{point.at("epsilon"), point.at("delta")};
  };
  const Source theorem{paper, "Theorem 3"};
  const std::vector<Setting> claimed{at({.blocks = 3}),
                                     at({.blocks = 9, .block_size = 2, .dimension = 2}),
                                     at({.blocks = 4, .averaged = true}),
                                     at({.blocks = 3, .epsilon = 0.01}),
                                     at({.blocks = 3, .delta = 1e-12}),
                                     at({.blocks = 3, .delta = 0.01}),
                                     at({.blocks = 3, .delta = 0.9})};
  const std::vector<Setting> certified(claimed.begin(), claimed.end() - 1);
  claims.add("privacy", Edition::printed, Expectation::holds, theorem,
             "If m divides n, Algorithm 3 is (epsilon, delta)-DP for 0 < epsilon, delta < 1.",
             neighbours,
             PrivacyClaim{family(Edition::printed, true), guarantee, claimed, certified});
  claims.add("privacy.remainder", Edition::printed, Expectation::refuted, theorem,
             "Algorithm 3 is (epsilon, delta)-DP for 0 < epsilon, delta < 1 for every m <= n, with "
             "blocks of floor(n/m) records. (Its noise is for blocks of n/m records: too small by "
             "a factor of up to 1 + 1/floor(n/m). The slack of Lemma 3 covers that at delta = 1e-5 "
             "if blocks hold at least 4 records.)",
             neighbours,
             PrivacyClaim{family(Edition::printed, false),
                          guarantee,
                          {at({.blocks = 3, .remainder = 2}), at({.blocks = 19, .remainder = 18}),
                           at({.blocks = 19, .block_size = 2, .remainder = 18}),
                           at({.blocks = 19, .block_size = 10, .remainder = 18}),
                           at({.blocks = 3, .remainder = 2, .delta = 0.01})},
                          {}});
  claims.add("privacy.remainder", Edition::corrected, Expectation::holds,
             {here, "Theorem 3 with blocks of at least 4 records"},
             "Algorithm 3 is (epsilon, 1e-5)-DP for 0 < epsilon < 1 for every m <= n/4, with "
             "blocks of floor(n/m) records: the sensitivity is below 1.25 times the one of its "
             "noise, and Lemma 3's noise is at least 1.298 times what the exact condition needs.",
             neighbours,
             PrivacyClaim{family(Edition::printed, false),
                          guarantee,
                          {at({.blocks = 19, .block_size = 4, .remainder = 18}),
                           at({.blocks = 99, .block_size = 4, .remainder = 98}),
                           at({.blocks = 99, .block_size = 4, .remainder = 98, .epsilon = 0.01})},
                          {}});
  claims.add("privacy", Edition::corrected, Expectation::holds,
             {here, "Theorem 3 with the exact sensitivity"},
             "Algorithm 3 with Delta = 2 tau sqrt(d)/floor(n/m), halved for averaged middles, is "
             "(epsilon, delta)-DP for 0 < epsilon, delta < 1, whatever m and n.",
             neighbours,
             PrivacyClaim{family(Edition::corrected, false), guarantee,
                          [&] {
                            std::vector<Setting> settings = claimed;
                            settings.push_back(at({.blocks = 19, .remainder = 18}));
                            return settings;
                          }(),
                          certified});
  claims.add(
      "privacy.half_noise", Edition::mutant, Expectation::refuted,
      {here, "Algorithm 3 with half of its noise"},
      "The algorithm is (epsilon, delta)-DP for 0 < epsilon, delta < 1.", neighbours,
      PrivacyClaim{[corrected = family(Edition::corrected, false)](const ParameterPoint& point) {
                     return with_noise_times(corrected(point), [](const Dataset&) { return 0.5; });
                   },
                   guarantee,
                   {at({.blocks = 3}), at({.blocks = 4, .dimension = 2})},
                   {}});

  const std::vector<std::string> moment{"E|x_j|^(1+v) <= u, with u and v known"};
  const std::string statement =
      "With m of line 1 and tau = (u epsilon n/sqrt(d))^(1/(1+v)) the error falls as Theorem 3 "
      "says, in n like n^(-v/(1+v))";
  claims.add("rate.half", Edition::printed, Expectation::holds,
             {paper, "Theorem 3 and Corollary 1"}, statement + "; d = 1, v = 1/2.", moment,
             rate({.share = 0.01, .tail = 1.55}, 0.5, 0.95, {{2e4, 7e4, 2.5e5, 8e5}, 24},
                  {{2e4, 2e5, 2e6}, 60}, {{2e4, 2e5, 2e6, 2e7}, 100}));
  claims.add("rate", Edition::printed, Expectation::holds, {paper, "Theorem 3 and Corollary 1"},
             statement + "; d = 2, v = 1.", moment,
             rate({.dimension = 2, .share = 0.01, .tail = 2.05}, 1, 0.5,
                  {{2e4, 7e4, 2.5e5, 8e5}, 16}, {{2e4, 2e5, 2e6}, 40}, {{2e4, 2e5, 2e6, 2e7}, 50}));
  const HardLaws laws{.words = half_weight_words(64), .records = 60};
  const PrivacyGuarantee hard{0.15, 1e-6};
  add_floor(claims, "", "Algorithm 3",
            "Lemma 21 with the words of a Hadamard matrix and the constants of Barber and Duchi "
            "(2014)",
            estimation_floor(laws, hard,
                             family(Edition::corrected, false)({{"truncation", laws.size},
                                                                {"blocks", 3},
                                                                {"epsilon", hard.epsilon},
                                                                {"delta", hard.delta}})));
  for (const auto& [what, order] : {std::pair{"rate.symmetric_half", 0.5}, {"rate.symmetric", 1.0}})
    claims.add(
        what, Edition::printed, Expectation::holds, {paper, "Theorem 3 and Corollary 1"},
        "For symmetric features in d = 5 the error falls like n^(-v/(1+v)), no slower and no "
        "faster; v = " +
            to_text(order) + ".",
        moment, symmetric_rate(order));
  for (const auto& [half, order] : {std::pair{"_half", 0.5}, {"", 1.0}}) {
    const std::string suffix = half, v = "; v = " + to_text(order) + ".";
    claims.add(
        "rate.dimension" + suffix, Edition::corrected, Expectation::holds,
        {here, "Theorem 3 with the constants of its noise, at Corollary 1's tau"},
        "With m of line 1 and Corollary 1's tau the error grows in d no faster than Theorem 3 "
        "says, like d^((1+2v)/(2+2v)) and the logarithm of d" +
            v,
        moment, dimension_rate(order));
    claims.add("rate.epsilon" + suffix, Edition::printed, Expectation::holds,
               {paper, "Theorem 3 and Corollary 1"},
               "With m of line 1 and Corollary 1's tau the error falls in epsilon as Theorem 3 "
               "says, like epsilon^(-v/(1+v))" +
                   v,
               moment, epsilon_rate(order));
    claims.add("rate.lower_bound" + suffix, Edition::printed, Expectation::holds,
               {paper, "Theorem 3 and Corollary 1; Lemma 21"},
               "On hard instances the error falls exactly like n^(-v/(1+v)), and so does a lower "
               "bound on every (epsilon, delta)-DP mechanism" +
                   v,
               moment, hard_rate(order));
  }
  claims.append(median_of_means_lemmas());
  return claims.take();
}

// ---- Command line -----------------------------------------------------------------------------

Algorithm median_of_means_algorithm() {
  const auto prepare = [](const Dataset& data, const RunOptions& options) {
    const Index n = data.size(), d = data.dimension();
    MedianOfMeansParameters p = median_of_means_from_theorem(
        n, d, options.number("epsilon"), options.number("delta"), options.number("moment"),
        options.number("order"), options.number("failure-probability"));
    if (!options.is_auto("truncation")) p.truncation = options.number("truncation");
    if (!options.is_auto("blocks")) p.blocks = options.integer("blocks");
    validate(p, n);
    require(p.epsilon < 1, "--epsilon", p.epsilon, "in (0, 1)");
    PreparedRun run;
    run.mechanism = [p](const Dataset& records, Releases& releases) {
      return median_of_means(records.features, p, releases);
    };
    run.guarantee = {p.epsilon, p.delta};
    run.guarantee_source = "tao.median_of_means.privacy.corrected";
    run.parameters = {{"truncation", to_text(p.truncation)},
                      {"blocks", std::to_string(p.blocks)},
                      {"records in a block", std::to_string(n / p.blocks)},
                      {"sensitivity of a coordinate", to_text(coordinate_sensitivity(p, n))},
                      {"noise standard deviation", to_text(noise_deviation(p, n, d))}};
    run.empirical_risk = [](const DataView& view, const VectorXd& w) {
      return (view.features.rowwise() - w.transpose()).rowwise().squaredNorm().mean();
    };
    run.risk_name = "mean squared distance of the features from w";
    return run;
  };
  return {"tao.median_of_means",
          "private mean of heavy-tailed features by a median of block means, (epsilon, delta)-DP",
          "Tao, Wu, Cheng and Wang, Algorithm 3",
          {{"epsilon", "0.5", "privacy parameter, in (0, 1)"},
           {"delta", "1e-5", "privacy parameter, in (0, 1)"},
           {"truncation", "auto", "tau, positive; auto: Corollary 1"},
           {"blocks", "auto", "m, 1 to n; auto: line 1, rounded up"},
           {"moment", "1", "u >= E|x_j|^(1+v): a public guess"},
           {"order", "1", "v, in (0, 1]"},
           {"failure-probability", "0.05", "xi of Theorem 3, in (0, 1)"}},
          prepare,
          median_of_means_claims};
}

}  // namespace dpverify::tao
