#include "algorithms/wang_xu/lemmas.hpp"

#include <cmath>

#include "algorithms/geometry/net.hpp"
#include "algorithms/wang_xu/l1_regression.hpp"

namespace dpverify::wang_xu {
namespace {

using Sides = LemmaClaim::Sides;
using enum Edition;
using enum Expectation;

const std::string paper = "Wang and Xu";
const std::string here = "this project";

// P(fails(K)), K binomial with n trials of probability q.
double failure_probability(double n, double q, const std::function<bool(double)>& fails) {
  double sum = 0;
  for (double k = 0; k <= n; ++k)
    if (fails(k))
      sum += std::exp(std::lgamma(n + 1) - std::lgamma(k + 1) - std::lgamma(n - k + 1) +
                      (k > 0 ? k * std::log(q) : 0) + (k < n ? (n - k) * std::log1p(-q) : 0));
  return sum;
}

// The law of the deviation lemmas: a residual is a/iota with probability q and 0 otherwise, the net
// has one point. Everything depends on iota through a only.
const std::vector<std::string> two_points{
    "one candidate; its residual is a/iota with probability q and 0 otherwise, n <= 60"};

std::vector<ParameterRange> deviation_ranges(std::vector<ParameterRange> more) {
  std::vector<ParameterRange> ranges{{"n", 1, 1, 60, Scale::integer},
                                     {"q", 0.5, 1e-3, 0.999, Scale::logarithmic},
                                     {"a", 1, 1e-3, 1e3, Scale::logarithmic},
                                     {"eta", 0.5, 1e-6, 0.99, Scale::logarithmic}};
  for (ParameterRange& range : more) ranges.push_back(std::move(range));
  return ranges;
}

const ParameterRange any_theta{"theta", 1.5, 1.001, 1.999, Scale::linear};
const ParameterRange two{"theta", 2, 2, 2, Scale::linear};

// Lemmas 4 and 7 (lower) and 5 and 8: how often the truncated risk is further below or above the
// risk q a than a^theta q/theta + log(1/eta)/n.
LemmaClaim deviation(const ParameterRange& theta_range, bool lower) {
  return {deviation_ranges({theta_range}), [lower](const ParameterPoint& p) {
            const double n = p.at("n"), q = p.at("q"), a = p.at("a"), theta = p.at("theta");
            const double one = LogTruncation(theta)(a);
            const double margin = q * std::pow(a, theta) / theta - std::log(p.at("eta")) / n;
            return Sides{failure_probability(n, q,
                                             [=](double k) {
                                               const double above = k / n * one - q * a;
                                               return (lower ? -above : above) > margin;
                                             }),
                         p.at("eta")};
          }};
}

// Lemma 10, every ||x_i|| = shift/(iota zeta): -1/n sum psi(residual - shift) against its bound.
// as_displayed: the display after (39), which bounds the sum (not the mean) from below.
LemmaClaim shifted_deviation(bool as_displayed) {
  return {deviation_ranges({any_theta, {"shift", 0, 0, 10, Scale::linear}}),
          [as_displayed](const ParameterPoint& p) {
            const double n = p.at("n"), q = p.at("q"), a = p.at("a"), theta = p.at("theta");
            const double shift = p.at("shift"), log_eta = -std::log(p.at("eta"));
            const LogTruncation psi(theta);
            const double far = psi(a - shift), near = psi(-shift);
            const double moments =
                std::exp2(theta - 1) / theta * (q * std::pow(a, theta) + std::pow(shift, theta));
            const auto fails = [=](double k) {
              const double mean = -(k * far + (n - k) * near) / n;
              return as_displayed ? n * mean < -q * a + moments + log_eta
                                  : mean > -q * a + shift + moments + log_eta / n;
            };
            return Sides{failure_probability(n, q, fails), p.at("eta")};
          }};
}

// (9) and (20): one best candidate and N - 1 others exactly 4 log(theta)/(n iota epsilon)
// log(N/eta) worse, with the exponent -n iota epsilon/(divisor log theta).
LemmaClaim selection() {
  return {{{"candidates", 2, 1, 1e6, Scale::logarithmic},
           {"eta", 0.05, 1e-9, 0.99, Scale::logarithmic},
           {"editions", 2, 0, 2, Scale::integer}},
          [](const ParameterPoint& p) {
            const double others = p.at("candidates") - 1;
            const double divisor = std::exp2(p.at("editions"));
            const double weight =
                others * std::exp(-4 / divisor * std::log(p.at("candidates") / p.at("eta")));
            return Sides{weight / (1 + weight), p.at("eta")};
          }};
}

LemmaClaim net_size(bool any_radius) {
  return {{{"dimension", 1, 1, 3, Scale::integer},
           {"zeta", any_radius ? 4.0 : 1.0, 1e-3, any_radius ? 100.0 : 1.0, Scale::logarithmic}},
          [any_radius](const ParameterPoint& p) {
            const double zeta = p.at("zeta"), d = p.at("dimension");
            const double net =
                any_radius ? 1 : cell_count(ball_net(static_cast<Index>(d), 0.5, zeta));
            return Sides{net, std::pow(3 / zeta, d)};
          }};
}

}  // namespace

void add_second_moment_lemmas(ClaimList& claims) {
  claims.add("lemma.net_size", printed, refuted, {paper, "Lemma 2"},
             "A bounded set of diameter Delta has covering number at most (3 Delta/zeta)^d for "
             "every zeta. (Above 3 Delta that is below 1.)",
             {"Delta = 1"}, net_size(true));
  claims.add("lemma.net_size", corrected, holds, {here, "Lemma 2 for zeta <= Delta"},
             "The cells of the net of a ball number at most (3 Delta/zeta)^d for zeta <= Delta.",
             {"Delta = 1", "d <= 3"}, net_size(false));
  claims.add("lemma.deviation_below", printed, holds, {paper, "Lemma 4"},
             "With probability 1 - eta, L(w) <= truncated risk + iota/2 E(y - <x, w>)^2 + "
             "log(N/eta)/(n iota). Decided exactly on two-point laws.",
             two_points, deviation(two, true));
  claims.add("lemma.deviation_above", printed, holds, {paper, "Lemma 5"},
             "With probability 1 - eta, truncated risk <= L(w) + iota/2 E(y - <x, w>)^2 + "
             "log(N/eta)/(n iota). Decided exactly on two-point laws.",
             two_points, deviation(two, false));
  claims.add("lemma.selection", printed, holds, {paper, "proof of Theorem 1, (9)"},
             "With probability 1 - eta the draw is within 4 log 2/(n iota epsilon) log(N/eta) of "
             "the best candidate. Decided exactly with the exponent of each edition (divided by "
             "1, 2 and 4), N - 1 candidates at the threshold.",
             {}, selection());
}

void add_theta_moment_lemmas(ClaimList& claims) {
  claims.add("lemma.deviation_below", printed, holds, {paper, "Lemma 7"},
             "With probability 1 - eta, L(w) <= truncated risk + iota^(theta - 1)/theta E|y - <x, "
             "w>|^theta + log(N/eta)/(n iota). Decided exactly on two-point laws.",
             two_points, deviation(any_theta, true));
  claims.add("lemma.deviation_above", printed, holds, {paper, "Lemma 8; (25)"},
             "With probability 1 - eta, truncated risk <= L(w) + iota^(theta - 1)/theta E|y - <x, "
             "w>|^theta + log(N/eta)/(n iota). Decided exactly on two-point laws.",
             two_points, deviation(any_theta, false));
  claims.add("lemma.shifted_deviation", printed, holds, {paper, "Lemma 10, behind Lemma 9"},
             "With probability 1 - eta, -1/(n iota) sum psi(iota |y - <x, w>| - iota zeta ||x||) "
             "<= -L(w) + zeta tau + (2 iota)^(theta - 1)/theta (E|y - <x, w>|^theta + zeta^theta "
             "tau^theta) + log(N/eta)/(n iota). Decided exactly on two-point laws.",
             {two_points[0], "every ||x|| is tau"}, shifted_deviation(false));
  claims.add(
      "lemma.chernoff_display", printed, refuted, {paper, "display after (39)"},
      "With probability 1 - eta, - sum psi(iota |y - <x, w>| - iota zeta ||x||) >= -iota "
      "L(w) + iota^theta 2^(theta - 1)/theta (E|y - <x, w>|^theta + zeta^theta E||x||^theta) "
      "+ log(1/eta). (The sign is turned round, and n is lost.)",
      {two_points[0], "every ||x|| is tau"}, shifted_deviation(true));
  claims.add("lemma.selection", printed, holds, {paper, "proof of Theorem 2, (20)"},
             "With probability 1 - eta the draw is within 4 log theta/(n iota epsilon) log(N/eta) "
             "of the best candidate. Decided exactly with the exponent of each edition (divided "
             "by 1, 2 and 4), N - 1 candidates at the threshold.",
             {}, selection());
}

}  // namespace dpverify::wang_xu
