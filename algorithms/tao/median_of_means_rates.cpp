// Theorem 3 of the private median of means, and its attained exponents, as rates.
#include <algorithm>
#include <cmath>

#include "algorithms/claims/claim_list.hpp"
#include "algorithms/claims/rates.hpp"
#include "algorithms/core/checked.hpp"
#include "algorithms/problems/hard_laws.hpp"
#include "algorithms/problems/heavy_mean.hpp"
#include "algorithms/tao/median_of_means.hpp"

namespace dpverify::tao {
namespace {

using enum Edition;
using enum Expectation;

constexpr double xi = 0.25;  // failure probability

// What Theorem 3 needs to know beside the number of records.
struct Task {
  Index dimension = 1;
  double epsilon = 0.99, delta = 1e-5, moment = 1, order = 1;

  MedianOfMeansParameters parameters(Index n) const {
    return median_of_means_from_theorem(n, dimension, epsilon, delta, moment, order, xi);
  }
  double bound(double n) const {
    return median_of_means_bound(n, static_cast<double>(dimension), epsilon, delta, moment, order,
                                 xi);
  }
};

// Theorem 3's parameters and bound.
RatePoint theorem_point(const Task& task, double n) {
  const auto records = static_cast<Index>(n);
  return {.records = records,
          .mechanism =
              [p = task.parameters(records)](const Dataset& data, Releases& releases) {
                return median_of_means(data.features, p, releases);
              },
          .bound = task.bound(n)};
}

RateTheorem theorem_3(double exponent, std::function<RatePoint(double)> at) {
  return {exponent, xi, false, std::move(at)};
}

double in_records(double order) { return -order / (1 + order); }  // and in epsilon

// The mechanism on counts of records, so that n may be large.
Mechanism on_counts(const CountedMean& law, Index n, const MedianOfMeansParameters& p) {
  return [=](const Dataset& counts, Releases& releases) {
    return median_of_block_means(
        thresholded_block_means(law, counts.all(), n / p.blocks, p.truncation), n, p, releases);
  };
}

RatePoint counted_point(const CountedMean& law, Index n, double epsilon, double order,
                        Edition edition) {
  const Task task{.dimension = law.dimension,
                  .epsilon = epsilon,
                  .moment = law.moment(1 + order),
                  .order = order};
  const MedianOfMeansParameters p = task.parameters(n);
  // Corrected: without sqrt(log(1/xi)), a constant that at small d hides how fast sqrt(d) grows.
  const double bound =
      edition == printed ? task.bound(static_cast<double>(n))
                         : median_of_means_noise_bound(p, n, task.dimension, task.moment, order, 1);
  return {
      .records = n,
      .mechanism = on_counts(law, n, p),
      .bound = bound,
      .dimension = task.dimension,
      .draw = [=](Index, RandomStream& stream) { return law.draw(p.blocks, n / p.blocks, stream); },
      .excess_risk = [mean = law.mean()](const VectorXd& w) { return (w - mean).norm(); }};
}

RateClaim records_rate(const HeavyMean& law, double order, Sweeps sweeps) {
  const auto at = [law = law.rounded_down(), order](double n) {
    return counted_point(law, static_cast<Index>(n), 0.99, order, printed);
  };
  return rate_claim(
      "n", theorem_3(in_records(order), at),
      {.words = std::to_string(law.dimension) + (law.dimension == 1 ? " feature" : " features") +
                " that are 1, and in one case of a hundred a power of 4, P(x >= 4^k) = 4^(-" +
                to_text(law.tail) + " k) up to k = 10, drawn as counts; v = " + to_text(order) +
                ", epsilon = 0.99, delta = 1e-5, xi = 0.25; distance to the mean",
       .dimension = law.dimension},
      std::move(sweeps));
}

// Coordinates that are 1, and in one case of a hundred 5.
CountedMean two_values(Index dimension) { return {dimension, dimension, {5, 1}, {0.01, 0.99}}; }

std::string counted_words(double order, const std::string& fixed) {
  return " features that are 1, and in one case of a hundred 5, drawn as counts; delta = 1e-5, xi "
         "= "
         "0.25, v = " +
         to_text(order) + ", " + fixed + "; distance to the mean";
}

RateClaim dimension_rate(double order) {
  const auto at = [order](double d) {
    return counted_point(two_values(static_cast<Index>(d)),
                         order == 1 ? 100'000'000 : 100'000'000'000, 0.99, order, corrected);
  };
  return rate_claim(
      "d", theorem_3((1 + 2 * order) / (2 + 2 * order), at),
      {.words = "d" + counted_words(order, std::string("n = ") + (order == 1 ? "10^8" : "10^11") +
                                               ", epsilon = 0.99")},
      {{{2, 10, 40, 200}, 48}, {{2, 6, 20, 60, 200}, 150}});
}

RateClaim epsilon_rate(double order) {
  const auto at = [order](double epsilon) {
    return counted_point(two_values(2), 10'000'000'000, epsilon, order, printed);
  };
  return rate_claim("epsilon", theorem_3(in_records(order), at),
                    {.words = "2" + counted_words(order, "n = 10^10"), .dimension = 2},
                    {{{0.0099, 0.05, 0.2, 0.99}, 200}, {{0.0099, 0.03, 0.1, 0.3, 0.99}, 600}});
}

// Two records, on average, of the n are the law's word of 16 entries, times n^(1/(1+v)): E|x_j|^(1
// + v) <= u = 2.
RateClaim hard_rate(double order) {
  const Task task{.dimension = 16, .delta = 1e-6, .moment = 2, .order = order};
  const auto at = [=](double n) {
    RatePoint point = theorem_point(task, n);
    const HardLaws laws{.words = half_weight_words(task.dimension),
                        .records = point.records,
                        .probability = 2 / n,
                        .size = std::pow(n, 1 / (1 + order))};
    const MedianOfMeansParameters p = task.parameters(point.records);
    point.mechanism = on_counts(laws.counted(), point.records, p);
    point.instance = [=, block = point.records / p.blocks](RandomStream& stream) {
      const Index k = stream.index(laws.words.count);
      return Instance{laws.draw_counts(k, p.blocks, block, stream),
                      [mean = laws.mean(k)](const VectorXd& w) { return (w - mean).norm(); }};
    };
    point.lower_bound = error_floor(laws, {task.epsilon, task.delta});
    return point;
  };
  RateClaim rate = rate_claim(
      "n", theorem_3(in_records(order), at),
      {.words = "one of 30 laws, drawn in each trial: records that are n^(1/(1+v)) times the law's "
                "word of a Hadamard code of length 16 with probability 2/n, else 0, drawn as "
                "counts; v = " +
                to_text(order) +
                ", epsilon = 0.99, delta = 1e-6, xi = 0.25; distance to the mean. Lower bound: "
                "Barber and Duchi (2014) on these laws",
       .dimension = task.dimension},
      {{{1e4, 5e4, 2e5, 1e6}, 600}, {{1e4, 1e5, 1e6, 1e7}, 4000}});
  rate.attained = 0.02;
  return rate;
}

// Symmetric Pareto features, mean 0: |x| >= 1, P(|x| > t) = t^-(1 + v + 0.05). Most of the error is
// the noise, whose exponent is the claimed one.
RateClaim symmetric_rate(double order) {
  const double tail = 1 + order + 0.05;
  const Task task{.dimension = 5, .moment = tail / 0.05, .order = order};
  const auto draw = [tail, d = task.dimension](Index n, RandomStream& stream) {
    Dataset data{Matrix(n, d), VectorXd::Zero(n)};
    for (double& value : data.features.reshaped()) {
      const double size = std::exp(stream.exponential() / tail);
      value = stream.coin() ? size : -size;
    }
    return data;
  };
  RateClaim rate = rate_claim(
      "n", theorem_3(in_records(order), [=](double n) { return theorem_point(task, n); }),
      {"5 symmetrised Pareto features of index " + to_text(tail) + "; v = " + to_text(order) +
           ", epsilon = 0.99, delta = 1e-5, xi = 0.25; distance to the mean, 0",
       task.dimension, draw, [](const VectorXd& w) { return w.norm(); }},
      {{}, {{500, 2e3, 1e4, 5e4}, 600}, {{500, 5000, 5e4, 5e5}, 400}});
  rate.attained = 0.03;
  return rate;
}

const Source theorem{Text::tao, "Theorem 3 and Corollary 1"};
const std::vector<std::string> moment{"E|x_j|^(1+v) <= u, with u and v known"};

void add_in_records(ClaimList& claims) {
  const std::string falls =
      "With m of line 1 and tau = (u epsilon n/sqrt(d))^(1/(1+v)) the error of Algorithm 3 falls "
      "as Theorem 3 says, in n like n^(-v/(1+v)); ";
  claims.add("rate.half", printed, holds, theorem, falls + "d = 1, v = 1/2.", moment,
             records_rate({.share = 0.01, .tail = 1.55}, 0.5,
                          {{{1e8, 5e8, 2e9, 1e10}, 300}, {{1e8, 3e8, 1e9, 3e9, 1e10}, 1000}}));
  claims.add("rate", printed, holds, theorem, falls + "d = 2, v = 1.", moment,
             records_rate({.dimension = 2, .share = 0.01, .tail = 2.05}, 1,
                          {{{1e7, 5e7, 2e8, 1e9}, 150}, {{1e7, 3e7, 1e8, 3e8, 1e9}, 500}}));
  for (const auto& [what, order] : {std::pair{"rate.symmetric_half", 0.5}, {"rate.symmetric", 1.0}})
    claims.add(what, printed, holds, theorem,
               "For symmetric features in d = 5 the error of Algorithm 3 falls like n^(-v/(1+v)), "
               "no slower and no faster; v = " +
                   to_text(order) + ".",
               moment, symmetric_rate(order));
}

void add_others(ClaimList& claims, const std::string& suffix, double order) {
  const std::string with = "With m of line 1 and Corollary 1's tau the error of Algorithm 3 ";
  const std::string v = "; v = " + to_text(order) + ".";
  claims.add(
      "rate.dimension" + suffix, corrected, holds,
      {Text::this_project,
       "Theorem 3 with the constants of its noise, at Corollary 1's tau, without the term "
       "sqrt(log(1/xi)) beside sqrt(d), and with log(2d) for log(2d/xi)"},
      with +
          "grows in d no faster than sqrt(d) times the noise of a coordinate, and the bias of "
          "Theorem 3: like d^((1+2v)/(2+2v)) and the logarithm of d" +
          v,
      moment, dimension_rate(order));
  claims.add("rate.epsilon" + suffix, printed, holds, theorem,
             with + "falls in epsilon as Theorem 3 says, like epsilon^(-v/(1+v))" + v, moment,
             epsilon_rate(order));
  claims.add("rate.lower_bound" + suffix, printed, holds,
             {Text::tao, "Theorem 3 and Corollary 1; Lemma 21"},
             "On hard instances the error of Algorithm 3 falls exactly like n^(-v/(1+v)), and so "
             "does a lower bound on every (epsilon, delta)-DP mechanism" +
                 v,
             moment, hard_rate(order));
}

}  // namespace

std::vector<Claim> median_of_means_rates() {
  ClaimList claims("tao.median_of_means");
  add_in_records(claims);
  add_others(claims, "_half", 0.5);
  add_others(claims, "", 1);
  return claims.take();
}

}  // namespace dpverify::tao
