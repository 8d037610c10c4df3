// The mean of n independent numbers that are 1 with probability q and a otherwise, and its moments
// of order 1 + v: where lemmas on means of heavy-tailed numbers are decided exactly.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "algorithms/claims/fields.hpp"
#include "algorithms/claims/precise.hpp"
#include "algorithms/core/binomial.hpp"

namespace dpverify::tao {

template <class Real>
struct TwoPoint {
  Real n = 1, q = 0.1, a = 0, v = 0.5;

  static Fields<TwoPoint> fields() { return table<TwoPoint>(); }
  // Of a P that adds parameters to these.
  template <class P>
  static Fields<P> table() {
    return {field<P, Real>("n", &P::n).range(1, 1, 60, Scale::integer),
            field<P, Real>("q", &P::q).range(0.1, 1e-6, 0.999, Scale::logarithmic),
            field<P, Real>("a", &P::a).range(0, -1, 1),
            field<P, Real>("v", &P::v).range(0.5, 0.01, 1.0)};
  }

  Real mean() const { return q + (1 - q) * a; }
  Real raw_moment() const { return q + (1 - q) * pow(abs(a), 1 + v); }
  Real central_moment() const {
    return q * pow(abs(1 - mean()), 1 + v) + (1 - q) * pow(abs(a - mean()), 1 + v);
  }
};

inline const std::vector<std::string> two_point_law{
    "x is 1 with probability q and a otherwise, |a| <= 1; n <= 60"};

// E f(mean of the n numbers - their expectation), exactly.
template <class F>
double expectation(const TwoPoint<double>& x, F f) {
  return binomial_expectation(x.n, x.q,
                              [&](double k) { return f((k + (x.n - k) * x.a) / x.n - x.mean()); });
}

// P(|mean - expectation| >= t), `t` short of a rounding error.
inline double tail(const TwoPoint<double>& x, double t) {
  return expectation(x, [t](double error) { return std::abs(error) >= t * (1 + 1e-12); });
}

}  // namespace dpverify::tao
