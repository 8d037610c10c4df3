// The rates that the copies read here have for the abstracts of Hu, Ni, Xiao and Wang, against
// those of their theorems.
#pragma once

#include "algorithms/claims/fields.hpp"
#include "algorithms/claims/precise.hpp"

namespace dpverify::hu {

// epsilon = 1, zeta = 0.05; n is only a number here.
template <class Real>
struct Abstract {
  Real n, d;
  static Fields<Abstract> fields() {
    return {field("n", &Abstract::n).range(1e6, 1e3, 1e40, Scale::logarithmic),
            field("d", &Abstract::d).range(2.0, 2.0, 1e6, Scale::logarithmic)};
  }
};

// A theorem's n^exponent with `log_power` powers of log(dn/zeta).
inline auto theorem_rate(double exponent, double log_power) {
  return [=](const auto& p) { return pow(p.n, exponent) * pow(log(p.d * p.n / 0.05), log_power); };
}

// An abstract's n^exponent with constant 10 and log d log^3 n for what its O-tilde may hide.
inline auto abstract_rate(double exponent) {
  return [=](const auto& p) { return 10 * log(p.d) * pow(log(p.n), 3) * pow(p.n, exponent); };
}

}  // namespace dpverify::hu
