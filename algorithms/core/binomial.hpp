// X binomial: n trials of probability q in [0, 1].
#pragma once

namespace dpverify {

// P(X = k), k = 0..n.
double binomial_probability(double n, double k, double q);

// E f(X), f a function of a double with a number or a truth value: P(f(X)).
template <class F>
double binomial_expectation(double n, double q, F f) {
  double sum = 0;
  for (double k = 0; k <= n; ++k) sum += binomial_probability(n, k, q) * f(k);
  return sum;
}

}  // namespace dpverify
