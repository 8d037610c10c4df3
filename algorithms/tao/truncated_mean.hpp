// Private mean of a heavy-tailed number by truncation: Tao, Wu, Cheng and Wang, Algorithm 1.
#pragma once

#include <vector>

#include "algorithms/claims/algorithm.hpp"
#include "algorithms/claims/claims.hpp"

namespace dpverify::tao {

struct TruncatedMeanParameters {
  double truncation = 1;  // B > 0, in the unit of the records
  double epsilon = 0.5;   // > 0; the theorem claims privacy up to 1
  double delta = 1e-5;    // in (0, 1]
};

// Records: one feature, no label. Step 3's noise has standard deviation sqrt(8 log(1.25/delta))
// B/(n epsilon): (epsilon, delta)-DP for replace-one neighbours and epsilon <= 1. Returns one
// number. Throws std::invalid_argument for parameters out of their domains or more than one
// feature.
VectorXd truncated_mean(const Dataset& data, const TruncatedMeanParameters& parameters,
                        Releases& releases);

// The same for n records whose truncated mean is given.
VectorXd truncated_mean(double kept_mean, Index n, const TruncatedMeanParameters& parameters,
                        Releases& releases);

// 2B/n: one record moves the truncated mean by as much at most.
double mean_sensitivity(const TruncatedMeanParameters& parameters, Index records);
double noise_deviation(const TruncatedMeanParameters& parameters, Index records);

// Step 1: B = (u n epsilon/(log(1/xi) sqrt(log(1.25/delta))))^(1/(1+v)), where E|x|^(1+v) <= u is
// known, v in (0, 1], and xi in (0, 1) is the failure probability.
TruncatedMeanParameters truncated_mean_from_theorem(Index n, double epsilon, double delta,
                                                    double moment, double order,
                                                    double failure_probability);

// (10) without its 9: u^(1/(1+v)) (sqrt(log(1.25/delta)) log(1/xi)/(n epsilon))^(v/(1+v)).
double truncated_mean_bound(double n, double epsilon, double delta, double moment, double order,
                            double failure_probability);

// Throws std::invalid_argument as truncated_mean() does.
void validate(const TruncatedMeanParameters& parameters, const Dataset& data);

std::vector<Claim> truncated_mean_rates();
std::vector<Claim> truncated_mean_lemmas();
Algorithm truncated_mean_algorithm();

}  // namespace dpverify::tao
