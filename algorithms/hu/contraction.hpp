// By how much a step of Algorithms 3 and 5 of Hu, Ni, Xiao and Wang shrinks the risk.
#pragma once

#include "algorithms/claims/fields.hpp"
#include "algorithms/claims/precise.hpp"

namespace dpverify::hu {

template <class Real>
struct Contraction {
  Real kappa = 1;  // gamma/mu
  static Fields<Contraction> fields() {
    return {field("kappa", &Contraction::kappa).range(1.0, 1.0, 1e4, Scale::logarithmic)};
  }
  // The factor of (70) at s = 72 kappa^2 s*: 2s*/(s + s*) + mu/(24 gamma).
  Real gain() const { return 2 / (72 * kappa * kappa + 1) + 1 / (24 * kappa); }
};

}  // namespace dpverify::hu
