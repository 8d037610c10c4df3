// Private mean of heavy-tailed vectors, coordinate by coordinate the median of the means of blocks
// of thresholded records: Tao, Wu, Cheng and Wang, Algorithm 3 (DPHDME).
#pragma once

#include <vector>

#include "algorithms/claims/algorithm.hpp"
#include "algorithms/claims/claims.hpp"
#include "algorithms/core/lazy_matrix.hpp"
#include "algorithms/estimators/median_of_means.hpp"
#include "algorithms/problems/counted_mean.hpp"

namespace dpverify::tao {

struct MedianOfMeansParameters {
  double truncation = 1;  // tau > 0, in the unit of the records
  Index blocks = 1;       // m, 1..n
  double epsilon = 0.5;   // > 0; the theorem claims privacy below 1
  double delta = 1e-5;    // in (0, 1)
  // The text does not say which median of an even number of blocks it takes.
  MiddlePair middle = MiddlePair::lower;
  // How far one record moves a coordinate of the median.
  //   printed:   2 tau m/n, too small if m does not divide n
  //   corrected: 2 tau/floor(n/m), and half of it for an even m with averaged middles: exact
  Edition sensitivity = Edition::corrected;
};

// records: n x d, d >= 1. Releases the vector of medians with Gaussian noise of standard deviation
// sqrt(2 log(1.25/delta)) Delta/epsilon, Delta = sqrt(d) times the sensitivity of a coordinate:
// (epsilon, delta)-DP for replace-one neighbours and epsilon < 1. Returns d numbers. Throws
// std::invalid_argument for parameters out of their domains or fewer records than blocks.
VectorXd median_of_means(const LazyMatrix& records, const MedianOfMeansParameters& parameters,
                         Releases& releases);

// The means of the blocks of `size` records each that `counts` counts, thresholded at `limit`.
Matrix thresholded_block_means(const CountedMean& law, const DataView& counts, Index size,
                               double limit);
// The same for `records` records given through the means of their thresholded blocks, m x d.
VectorXd median_of_block_means(const LazyMatrix& means, Index records,
                               const MedianOfMeansParameters& parameters, Releases& releases);

double coordinate_sensitivity(const MedianOfMeansParameters& parameters, Index records);
double noise_deviation(const MedianOfMeansParameters& parameters, Index records, Index dimension);

// m of line 1, block_count(), rounded up as (16) needs it, and Corollary 1's tau = (u epsilon
// n/sqrt(d))^(1/(1+v)), where E|x_j|^(1+v) <= u, v in (0, 1].
MedianOfMeansParameters median_of_means_from_theorem(Index n, Index dimension, double epsilon,
                                                     double delta, double moment, double order,
                                                     double failure_probability);

// Theorem 3 at Corollary 1's tau, with log factors: sqrt(d) (u^(1/(1+v)) (log(d'/xi)/n)^(v/(1+v)) +
// u/tau^v) + tau sqrt(d) (sqrt(d) + sqrt(log(1/xi))) log(d'/xi) sqrt(log(1/delta))/(epsilon n),
// d' = 2d.
double median_of_means_bound(double n, double dimension, double epsilon, double delta,
                             double moment, double order, double failure_probability);

// The same with the noise that the parameters make in place of its last term, whose constant is far
// from the others': ... + noise_deviation (sqrt(d) + sqrt(log(1/xi))).
double median_of_means_noise_bound(const MedianOfMeansParameters& parameters, Index n,
                                   Index dimension, double moment, double order,
                                   double failure_probability);

// Of the vector of medians: sqrt(dimension) times that of a coordinate.
double l2_sensitivity(const MedianOfMeansParameters& parameters, Index records, Index dimension);

// Throws std::invalid_argument as median_of_means() does.
void validate(const MedianOfMeansParameters& parameters, Index records);

std::vector<Claim> median_of_means_rates();
std::vector<Claim> median_of_means_lemmas();
Algorithm median_of_means_algorithm();

}  // namespace dpverify::tao
