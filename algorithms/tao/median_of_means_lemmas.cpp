// Steps of the proofs of Theorems 3 and 4 of Tao, Wu, Cheng and Wang that one inequality decides.
#include <algorithm>
#include <cmath>

#include "algorithms/claims/lemmas.hpp"
#include "algorithms/core/log_gamma.hpp"
#include "algorithms/estimators/median_of_means.hpp"
#include "algorithms/tao/median_of_means.hpp"
#include "algorithms/tao/two_point.hpp"

namespace dpverify::tao {
namespace {

using enum Edition;
using enum Expectation;
using enum Scale;

// Lemmas 12 and 13.
void add_moments(LemmaList& lemmas) {
  lemmas.add<TwoPoint>(
      "central_moment", [](const auto& x) { return x.central_moment(); },
      {{printed, holds, "Lemma 13", "E|x - mu|^(1+v) <= 4 E|x|^(1+v), mu = E x.",
        [](const auto& x) { return 4 * x.raw_moment(); }},
       {corrected, holds, "Lemma 13 with 2^(1-v)",
        "E|x - mu|^(1+v) <= 2^(1-v) E|x|^(1+v), mu = E x.",
        [](const auto& x) { return pow(2, 1 - x.v) * x.raw_moment(); }}},
      two_point_law);
  lemmas.add<TwoPoint>(
      "raw_moment", [](const auto& x) { return x.raw_moment(); },
      {{printed, holds, "Lemma 13", "E|x|^(1+v) <= 2 E|x - mu|^(1+v) + 2 |mu|^(1+v), mu = E x.",
        [](const auto& x) { return 2 * x.central_moment() + 2 * pow(abs(x.mean()), 1 + x.v); }}},
      two_point_law);
  lemmas.add<TwoPoint<double>>(
      "bahr_esseen",
      [](const TwoPoint<double>& x) {
        return expectation(x, [&](double error) { return std::pow(std::abs(error), 1 + x.v); });
      },
      {{printed, holds, "Lemma 12",
        "For centred numbers with E|x|^(1+v) <= M the mean of n has E|mean|^(1+v) <= 2M/n^v.",
        [](const TwoPoint<double>& x) { return 2 * x.central_moment() / std::pow(x.n, x.v); }}},
      two_point_law);
}

// Of m + 1 and m - 1, fairly: E|x - m|^(1+v) = 1.
struct Shifted {
  double mean = 0, v = 1;
  static Fields<Shifted> fields() {
    return {field("mean", &Shifted::mean).range(0.0, -1e6, 1e6),
            field("v", &Shifted::v).range(1.0, 0.01, 1.0)};
  }
  double raw_moment() const {
    return (std::pow(std::abs(mean + 1), 1 + v) + std::pow(std::abs(mean - 1), 1 + v)) / 2;
  }
};

void add_converse(LemmaList& lemmas) {
  lemmas.add<Shifted>(
      "moments_are_equivalent", &Shifted::raw_moment,
      {{printed, refuted,
        "Section 4: a bounded raw moment implies a bounded central one, and vice versa",
        "A bounded central moment implies a bounded raw one: if E|x - mu|^(1+v) <= 1 then "
        "E|x|^(1+v) <= 100. (The 1 and the constant 100 are this check's; mean is mu = E x.)",
        100.0},
       {corrected, holds, "Lemma 13 with |mu| <= 1",
        "If E|x - mu|^(1+v) <= 1 and |mu| <= 1 then E|x|^(1+v) <= 4.", 4.0,
        Shifted::fields().within(&Shifted::mean, 0.0, -1.0, 1.0)}},
      {"x = mu + 1 or mu - 1, fairly"});
}

struct Tail : TwoPoint<double> {
  double t = 1;
  static Fields<Tail> fields() {
    return table<Tail>().with(field("t", &Tail::t).range(1.0, 1e-3, 10.0, logarithmic));
  }
  double bound(double constant) const {
    return constant * raw_moment() / (std::pow(n, v) * std::pow(t, 1 + v));
  }
};

// Theorem 4.
void add_mean_tail(LemmaList& lemmas) {
  const auto probability = [](const Tail& x) { return tail(x, x.t); };
  const std::string statement =
      "The mean of n numbers with expectation mu and E|x|^(1+v) <= M has P(|mean - mu| >= t) <= ";
  lemmas.add<Tail>(
      "mean_tail", probability,
      {{printed, holds, "Theorem 4",
        statement + "8M/(n^v t^(1+v)). Decided exactly on two-point laws.",
        [](const Tail& x) { return x.bound(8); }},
       {corrected, holds, "Theorem 4 with 2^(2-v)", statement + "2^(2-v) M/(n^v t^(1+v)).",
        [](const Tail& x) { return x.bound(std::pow(2, 2 - x.v)); }}},
      two_point_law);
  lemmas.add<Tail>(
      "mean_tail_nonnegative", probability,
      {{corrected, holds, "Theorem 4 for laws on {0, x}, with 1 in place of 8",
        statement + "M/(n^v t^(1+v)) if x is 1 with probability q and 0 otherwise.",
        [](const Tail& x) { return x.bound(1); }, Tail::fields().without<double>(&Tail::a)}},
      {"n <= 60"});
}

struct Constant {
  double m = 3, block = 1;
  static Fields<Constant> fields() {
    return {field("m", &Constant::m).range(3, 1, 30, integer),
            field("block", &Constant::block).range(1, 1, 10, integer)};
  }
};

struct Coordinates {
  double d = 1, xi = 0.1;
  static Fields<Coordinates> fields() {
    return {field("d", &Coordinates::d).range(1, 1, 10'000, integer),
            field("xi", &Coordinates::xi).range(0.1, 1e-9, 0.999, logarithmic)};
  }
  double blocks() const { return 4 * std::log(2 * d / xi); }
  double failure(double m) const { return d * std::exp(-m / 4); }
};

// Lines 1 and 7 of Algorithm 3.
void add_blocks(LemmaList& lemmas) {
  lemmas.add<Constant>(
      "block_means",
      [](const Constant& x) {
        const double n = x.m * x.block;
        return x.m / n * n;
      },
      {{printed, refuted, "Algorithm 3, line 7",
        "The block mean of line 7, (m/n) sum_{i=1}^n x_i, is at most 1 on data that are all 1. (m "
        "is the number of blocks and block the number of records in each, so that n is their "
        "product.)",
        1.0},
       {corrected,
        holds,
        "Algorithm 3, line 7, summed over the block",
        "On data that are all 1 the median of the block means is 1 (and so is its inverse).",
        1 + 1e-15,
        {},
        [](const Constant& x) {
          const auto m = static_cast<Index>(x.m);
          const Matrix ones = Matrix::Ones(m * static_cast<Index>(x.block), 1);
          const double median = dpverify::median_of_means(ones, m, MiddlePair::lower)[0];
          return std::max(median, 1 / median);
        }}});
  const auto half = [](const Coordinates& x) { return x.xi / 2; };
  lemmas.add<Coordinates>(
      "block_count", [](const Coordinates& x) { return x.failure(std::floor(x.blocks())); },
      {{printed, refuted, "Algorithm 3, line 1, and (16)",
        "m = 4 log(2d/xi) blocks give d e^(-m/4) <= xi/2. (Line 1 does not say how m becomes a "
        "whole number; rounding down is this check's.)",
        half},
       {corrected,
        holds,
        "Algorithm 3, line 1, rounded up",
        "m = 4 log(2d/xi), rounded up, gives d e^(-m/4) <= xi/2.",
        half,
        {},
        [](const Coordinates& x) { return x.failure(std::ceil(x.blocks())); }}});
}

struct Blocks {
  double m = 3;
  static Fields<Blocks> fields() { return {field("m", &Blocks::m).range(3, 1, 200, integer)}; }
  // P(X >= m/2), X binomial (m, 0.1).
  double half_bad() const {
    return binomial_expectation(m, 0.1, [this](double k) { return k >= m / 2; });
  }
};

// P(chi^2 with d degrees of freedom >= 2 y), by the finite sums for even and odd d.
double chi_square_above(int d, double y) {
  double sum = d % 2 == 0 ? 0 : std::erfc(std::sqrt(y));
  for (double k = d % 2 == 0 ? 0 : 0.5; k < d / 2.0; ++k)
    sum += std::exp(k * std::log(y) - y - log_gamma(k + 1));
  return sum;
}

// (15) and (17).
void add_tails(LemmaList& lemmas) {
  const auto bound = [](const Blocks& x) { return std::exp(-x.m / 4); };
  lemmas.add<Blocks>(
      "median", [](const Blocks& x) { return 1 - x.half_bad(); },
      {{printed, refuted, "(15)",
        "If each of m independent block means is within a radius of the mean with probability 0.9, "
        "their median is within it with probability at most e^(-m/4).",
        bound},
       {corrected,
        holds,
        "(15), the other way round",
        "If each block mean is far from the mean with probability 0.1, half of them or more are "
        "with probability at most e^(-m/4).",
        bound,
        {},
        &Blocks::half_bad}});
  lemmas.add<Coordinates>(
      "noise_norm",
      [](const Coordinates& x) {
        const double radius = 2 * (std::sqrt(x.d) + std::sqrt(-std::log(x.xi)));
        return chi_square_above(static_cast<int>(x.d), radius * radius / 2);
      },
      {{printed, holds, "(17)", "P(||noise||_2 >= 2 sigma (sqrt d + sqrt(log(1/xi)))) <= xi/2.",
        [](const Coordinates& x) { return x.xi / 2; },
        Coordinates::fields()
            .within(&Coordinates::d, 1, 1, 300)
            .within(&Coordinates::xi, 0.1, 1e-12, 0.999)}});
}

}  // namespace

std::vector<Claim> median_of_means_lemmas() {
  LemmaList lemmas("tao.median_of_means", Text::tao);
  add_moments(lemmas);
  add_converse(lemmas);
  add_mean_tail(lemmas);
  add_blocks(lemmas);
  add_tails(lemmas);
  return lemmas.take();
}

}  // namespace dpverify::tao
