// Confidence bounds on the mean of nonnegative variables, valid for every sample size.
#pragma once

#include <vector>

namespace dpverify {

// log of the wealth of bets that the mean of independent X_i >= 0 exceeds m > 0: the average over
// fixed shares c of prod_i (1 - c + c X_i/m). If the mean is at most m it exceeds 1/a with
// probability at most a (Markov); it grows with every X_i and falls with m. m = 0: infinity if some
// X_i > 0, else 0.
double log_wealth(const std::vector<double>& values, double m);

// A lower bound on the mean, to a relative 1e-3, rounded down; too large with probability at most
// `significance`. values >= 0, not empty.
double mean_lower(const std::vector<double>& values, double significance);

// An upper bound on the mean of values in [0, largest], from the lower bound of the rest.
double mean_upper(const std::vector<double>& values, double largest, double significance);

}  // namespace dpverify
