#include "algorithms/wang_xu/shared_lemmas.hpp"

#include <cmath>

#include "algorithms/core/binomial.hpp"
#include "algorithms/wang_xu/log_truncation.hpp"

namespace dpverify::wang_xu {
namespace {

using enum Edition;
using enum Expectation;
using enum Scale;

// How often the truncated risk is further above (direction 1) or below (-1) the risk q a than
// a^theta q/theta + log(1/eta)/n.
double far(const TwoPoints& p, double direction) {
  const double one = LogTruncation(p.theta)(p.a);
  const double margin = p.q * std::pow(p.a, p.theta) / p.theta - std::log(p.eta) / p.n;
  return binomial_expectation(
      p.n, p.q, [=](double k) { return direction * (k / p.n * one - p.q * p.a) > margin; });
}

// One best candidate and the others exactly 4 log(theta)/(n iota epsilon) log(N/eta) worse, with
// the exponent -n iota epsilon/(2^edition log theta).
template <class Real>
struct Draw {
  Real candidates = 2, eta = 0.05, edition = 2;
  static Fields<Draw> fields() {
    return {field("candidates", &Draw::candidates).range(2.0, 1.0, 1e6, logarithmic),
            field("eta", &Draw::eta).range(0.05, 1e-9, 0.99, logarithmic),
            field("editions", &Draw::edition).range(2, 0, 2, integer)};
  }
  Real weight_of_others() const {
    return (candidates - 1) * exp(-4 / pow(Real(2), edition) * log(candidates / eta));
  }
};

}  // namespace

Fields<TwoPoints> TwoPoints::fields() {
  return {field("n", &TwoPoints::n).range(1, 1, 60, integer),
          field("q", &TwoPoints::q).range(0.5, 1e-3, 0.999, logarithmic),
          field("a", &TwoPoints::a).range(1.0, 1e-3, 1e3, logarithmic),
          field("eta", &TwoPoints::eta).range(0.5, 1e-6, 0.99, logarithmic),
          field("theta", &TwoPoints::theta).range(1.5, 1.001, 1.999),
          field("shift", &TwoPoints::shift).range(0.0, 0.0, 10.0)};
}

void add_shared_lemmas(LemmaList& lemmas, const SharedLemmas& theorem) {
  const auto eta = [](const TwoPoints& p) { return p.eta; };
  const std::string margin =
      " + " + theorem.moment + " + log(N/eta)/(n iota). Decided exactly on two-point laws.";
  lemmas.add<TwoPoints>(
      "deviation_below", [](const TwoPoints& p) { return far(p, -1); },
      {{printed, holds, theorem.below, "With probability 1 - eta, L(w) <= truncated risk" + margin,
        eta, theorem.laws}},
      {two_points});
  lemmas.add<TwoPoints>(
      "deviation_above", [](const TwoPoints& p) { return far(p, 1); },
      {{printed, holds, theorem.above, "With probability 1 - eta, truncated risk <= L(w)" + margin,
        eta, theorem.laws}},
      {two_points});
  lemmas.add<Draw>(
      "selection",
      [](const auto& p) {
        const auto weight = p.weight_of_others();
        return weight / (1 + weight);
      },
      {{printed, holds, theorem.selection,
        "With probability 1 - eta the draw is within 4 " + theorem.log_theta +
            "/(n iota epsilon) log(N/eta) of the best candidate. Decided exactly with the "
            "exponent of each edition (divided by 1, 2 and 4), N - 1 candidates at the threshold.",
        [](const auto& p) { return p.eta; }}});
}

}  // namespace dpverify::wang_xu
