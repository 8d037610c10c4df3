// Lemmas 2, 22 to 24 and 26 of Tao, Wu, Cheng and Wang.
#include "algorithms/mechanisms/peeling_lemmas.hpp"

#include <array>
#include <cmath>

#include "algorithms/core/composition.hpp"
#include "algorithms/mechanisms/peeling.hpp"
#include "algorithms/tao/peeling.hpp"

namespace dpverify::tao {
namespace {

using enum Edition;
using enum Expectation;
using enum Scale;

struct Composed {
  Index sparsity = 1;
  double epsilon = 0.5, delta = 1e-5;
  static Fields<Composed> fields() {
    return {field("sparsity", &Composed::sparsity).range(1, 1, 60),
            field("epsilon", &Composed::epsilon).range(0.5, 1e-3, 1.0, logarithmic),
            field("delta", &Composed::delta).range(1e-5, 1e-12, 0.9, logarithmic)};
  }
};

// By optimal composition of s selections and s values with noise of scale b, lambda = 1.
double delta_of_steps(Index s, double b, double epsilon) {
  return composed_delta({{2 / b, s}, {1 / b, s}}, epsilon);
}

// d = s = 1: the whole of Peeling is one Laplace release that moves by lambda, whose delta at
// epsilon is 1 - e^((epsilon - lambda/b)/2) for epsilon <= lambda/b. In terms of 1 - delta.
template <class Real>
struct OneRelease {
  Real epsilon = 1, gap = 1e-6;
  static Fields<OneRelease> fields() {
    return {field("epsilon", &OneRelease::epsilon).range(1.0, 0.01, 1.0, logarithmic),
            field("1-delta", &OneRelease::gap).range(1e-6, 1e-9, 0.9, logarithmic)};
  }
  Real exact_gap() const {
    const Real b = 4 * sqrt(-2 * log1p(-gap)) / epsilon;
    return exp(min(Real(0), (epsilon - 1 / b) / 2));
  }
};

// The smallest factor c, to 2 decimals, for which b = c lambda sqrt(s log(1/delta))/epsilon is
// certified by optimal composition at epsilon = 1, delta = 1e-5.
struct SmallestFactor {
  Index sparsity;
  double factor;
};
constexpr std::array<SmallestFactor, 4> smallest_factors{
    {{1, 0.89}, {5, 1.97}, {20, 2.37}, {50, 2.42}}};

struct Row {
  Index row = 0;
  static Fields<Row> fields() {
    return {field("row", &Row::row).range<Index>(0, 0, smallest_factors.size() - 1)};
  }
  double delta_with(double offset) const {
    const auto& [s, factor] = smallest_factors[static_cast<std::size_t>(row)];
    const double root = std::sqrt(static_cast<double>(s) * -std::log(1e-5));
    return delta_of_steps(s, (factor + offset) * root, 1);
  }
};

template <class Real>
struct Density {
  Real t = 1, lambda = 1;
  static Fields<Density> fields() {
    return {field("t", &Density::t).range(1.0, 0.01, 10.0),
            field("lambda", &Density::lambda).range(1.0, 0.1, 10.0, logarithmic)};
  }
};

}  // namespace

std::vector<Claim> peeling_lemmas() {
  LemmaList lemmas("tao.peeling", Text::tao);
  lemmas.add<Composed>(
      "composition",
      [](const Composed& p) {
        const double b = noise_scale({.sparsity = p.sparsity,
                                      .epsilon = p.epsilon,
                                      .delta = p.delta,
                                      .factor = peeling_factor});
        return delta_of_steps(p.sparsity, b, p.epsilon);
      },
      {{proved, holds, "Lemma 22 by optimal composition",
        "Optimal composition of Peeling's 2s steps certifies epsilon at delta for 0 < epsilon <= "
        "1, 0 < delta <= 0.9.",
        [](const Composed& p) { return p.delta; }}});
  const std::string one_release =
      "With s = d = 1 the only release of Peeling that matters, one Laplace number moved by "
      "lambda, is (epsilon, delta)-DP for every delta ";
  const auto exact_gap = [](const auto& p) { return p.exact_gap(); };
  using Gaps = OneRelease<double>;
  lemmas.add<OneRelease>(
      "one_release", [](const auto& p) { return p.gap; },
      {{printed, refuted, "Lemma 22 and Theorem 10, 0 < delta < 1",
        one_release + "< 1. Its noise has the scale 4 lambda sqrt(2 log(1/delta))/epsilon. Sides: "
                      "1 - delta, and 1 - exact delta.",
        exact_gap},
       {corrected, holds, "Lemma 22 for delta <= 0.999",
        one_release + "<= 0.999. Sides: 1 - delta, and 1 - exact delta.", exact_gap,
        Gaps::fields().within(&Gaps::gap, 0.001, 0.001, 0.9999)}});
  const std::string by_composition =
      "Lemma 22 at epsilon = 1, delta = 1e-5, by optimal composition";
  const std::string factors = "0.89 (s = 1), 1.97 (5), 2.37 (20), 2.42 (50)";
  lemmas.add<Row>(
      "smallest_factor", [](const Row& p) { return p.delta_with(0); },
      {{corrected, holds, by_composition,
        "Peeling with noise of scale c lambda sqrt(s log(1/delta))/epsilon is certified "
        "by optimal composition for c = " +
            factors + ", where the text has 4 sqrt2 = 5.66.",
        1e-5}});
  lemmas.add<Row>("smaller_factor", 1e-5,
                  {{corrected, holds, by_composition,
                    "For Peeling with noise of scale c lambda sqrt(s log(1/delta))/epsilon, c 0.01 "
                    "less than " +
                        factors + ", optimal composition certifies no delta below 1e-5.",
                    [](const Row& p) { return p.delta_with(-0.01); }}});
  lemmas.add<Density>(
      "laplace_density", [](const auto& p) { return sinh(p.t / p.lambda); },
      {{printed, refuted, "Lemma 2",
        "exp(-x/lambda)/(2 lambda) is the density of the Laplace law with parameter lambda, so "
        "that its integral over [-t, t] is at most 1.",
        1},
       {corrected, holds, "Lemma 2 with |x|",
        "exp(-|x|/lambda)/(2 lambda) has the integral 1 - e^(-t/lambda) <= 1 over [-t, t].", 1,
        std::nullopt, [](const auto& p) { return -expm1(-p.t / p.lambda); }}});
  add_peeling_lemmas(lemmas, {"Lemma 23", "Lemma 24", "Lemma 26", "Lemma 26"});
  return lemmas.take();
}

}  // namespace dpverify::tao
