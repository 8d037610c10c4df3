// Theorem 1 of the truncated mean, and its attained exponent on the instances of Theorem 2, as
// rates.
#include <cmath>
#include <tuple>

#include "algorithms/claims/claim_list.hpp"
#include "algorithms/claims/rates.hpp"
#include "algorithms/core/checked.hpp"
#include "algorithms/problems/hard_laws.hpp"
#include "algorithms/problems/heavy_mean.hpp"
#include "algorithms/tao/truncated_mean.hpp"

namespace dpverify::tao {
namespace {

using enum Edition;
using enum Expectation;

constexpr double delta = 1e-5, failure_probability = 0.1;

// Theorem 1's parameters and bound.
RatePoint theorem_point(double n, double epsilon, double moment, double order) {
  const auto records = static_cast<Index>(n);
  const TruncatedMeanParameters p =
      truncated_mean_from_theorem(records, epsilon, delta, moment, order, failure_probability);
  return {.records = records,
          .mechanism = [p](const Dataset& data,
                           Releases& releases) { return truncated_mean(data, p, releases); },
          .bound = truncated_mean_bound(n, epsilon, delta, moment, order, failure_probability)};
}

RateTheorem theorem_1(double order, std::function<RatePoint(double)> at) {
  return {-order / (1 + order), failure_probability, false, std::move(at)};
}

// Moments of an order above 1 + v + 0.05 would be infinite, but for the largest value.
CountedMean heavy(double order) {
  return HeavyMean{.share = 0.05, .tail = 1 + order + 0.05}.rounded_down();
}

RatePoint heavy_point(double n, double epsilon, double order) {
  const CountedMean law = heavy(order);
  RatePoint point = theorem_point(n, epsilon, law.moment(1 + order), order);
  const Index records = point.records;
  const TruncatedMeanParameters p = truncated_mean_from_theorem(
      records, epsilon, delta, law.moment(1 + order), order, failure_probability);
  point.mechanism = [=](const Dataset& counts, Releases& releases) {
    const Matrix mean = law.block_means(counts.all(), records, [&](Index, double x) {
      return std::abs(x) <= p.truncation ? x : 0;
    });
    return truncated_mean(mean(0, 0), records, p, releases);
  };
  point.draw = [=](Index, RandomStream& stream) { return law.draw(1, records, stream); };
  point.excess_risk = [mean = law.mean()[0]](const VectorXd& w) { return std::abs(w[0] - mean); };
  return point;
}

RateProblem heavy_problem(double order, const std::string& fixed) {
  return {.words =
              "numbers that are 1, and in one case of twenty a power of 4, P(x >= 4^k) = 4^(-" +
              to_text(1 + order + 0.05) + " k) up to k = 10, drawn as counts; v = " +
              to_text(order) + ", " + fixed + ", delta = 1e-5; distance to the mean"};
}

RateClaim records_rate(double order, Sweeps sweeps) {
  return rate_claim("n", theorem_1(order, [=](double n) { return heavy_point(n, 1, order); }),
                    heavy_problem(order, "epsilon = 1"), std::move(sweeps));
}

RateClaim epsilon_rate() {
  return rate_claim("epsilon",
                    theorem_1(1, [](double epsilon) { return heavy_point(1e6, epsilon, 1); }),
                    heavy_problem(1, "n = 10^6"),
                    {{{0.0099, 0.05, 0.2, 0.99}, 400}, {{0.0099, 0.03, 0.1, 0.3, 0.99}, 600}});
}

// The instances of Theorem 2 at n: of two laws one is 0, the other (Lemma 16) u^(1/(1+v)) (n
// epsilon)^(1/(1+v)) with probability p = 1/(n epsilon), else 0; E|x|^(1+v) <= u = 1. The large
// value is above B, so that all is truncated.
RateClaim hard_rate(double order) {
  const double epsilon = 1;
  const auto at = [=](double n) {
    RatePoint point = theorem_point(n, epsilon, 1, order);
    const double probability = 1 / (n * epsilon);
    const HardLaws laws{.words = two_numbers(),
                        .records = point.records,
                        .probability = probability,
                        .size = std::pow(probability, -1 / (1 + order))};
    point.instance = [laws](RandomStream& stream) {
      const Index k = stream.index(2);
      return Instance{laws.draw(k, stream), [mean = laws.mean(k)[0]](const VectorXd& w) {
                        return std::abs(w[0] - mean);
                      }};
    };
    point.lower_bound = error_floor(laws, {epsilon, delta});
    return point;
  };
  RateClaim rate = rate_claim(
      "n", theorem_1(order, at),
      {.words = "one of two laws, drawn in each trial: numbers that are 0, or (n "
                "epsilon)^(1/(1+v)) with probability 1/(n epsilon), else 0 (the instance of "
                "Theorem 2 at each n); v = " +
                to_text(order) +
                ", epsilon = 1, delta = 1e-5; distance to the mean. Lower bound: Barber and Duchi "
                "(2014) on these two laws"},
      {{{10, 50, 200, 1000}, order < 1 ? 24000 : 12000}, {{100, 1e3, 1e4, 1e5}, 20000}});
  rate.attained = 0.01;
  return rate;
}

}  // namespace

std::vector<Claim> truncated_mean_rates() {
  const Source theorem{Text::tao, "Theorem 1"};
  const std::vector<std::string> moment{"E|x|^(1+v) <= u, with u and v known"};
  const std::string falls =
      " Theorem 1's B the error of Algorithm 1 falls as u^(1/(1+v)) (log(1/xi) "
      "sqrt(log(1.25/delta))/(n epsilon))^(v/(1+v))";
  ClaimList claims("tao.truncated_mean");
  for (const auto& [what, words, order] :
       {std::tuple{"rate.quarter", "1/4", 0.25}, {"rate.half", "1/2", 0.5}, {"rate", "1", 1.0}})
    claims.add(
        what, printed, holds, theorem, "With" + falls + ", v = " + words + ".", moment,
        records_rate(order, {{{1e5, 5e5, 2e6, 1e7}, 400}, {{1e5, 3e5, 1e6, 3e6, 1e7}, 600}}));
  claims.add("rate.epsilon", printed, holds, theorem,
             "At a fixed n, with" + falls + ", here in epsilon, v = 1.", moment, epsilon_rate());
  for (const auto& [what, order] :
       {std::pair{"rate.hard_quarter", 0.25}, {"rate.hard_half", 0.5}, {"rate.hard", 1.0}})
    claims.add(what, printed, holds, {Text::tao, "Theorems 1 and 2, Lemma 16"},
               "On the instances of Theorem 2 the error of Algorithm 1 falls exactly like "
               "n^(-v/(1+v)), v = " +
                   to_text(order) +
                   ", and so does a lower bound on every (epsilon, delta)-DP mechanism.",
               moment, hard_rate(order));
  return claims.take();
}

}  // namespace dpverify::tao
