// A robust linear regression with few kinds of records, drawn as counts of each kind: a sweep may
// then take millions of records for the price of a dozen.
#pragma once

#include "algorithms/core/numbers.hpp"
#include "algorithms/losses/losses.hpp"
#include "algorithms/problems/counted_mean.hpp"

namespace dpverify::su {

// x in {-1, 1}^d with independent fair signs, or one of the d unit vectors, drawn uniformly; y =
// <x, w*> + noise, the noise 0, or +-outlier with probability `outlier_share`, symmetric.
struct SignModel {
  Loss loss = Loss::pseudo_huber;
  VectorXd optimum;          // w*, d numbers, d at most 10 for signs
  bool one_feature = false;  // x is a unit vector
  double outlier = 10;
  double outlier_share = 0.2;

  // n records, split evenly into batches (floor(n/batches) each): labels[batch * kinds + k] counts
  // the records of kind k; the features are unused.
  Dataset draw_counts(Index n, RandomStream& stream, Index batches = 1) const;
  // Mean gradient at w of a batch of such counts, gradients with ||.||_q above `truncation` counted
  // as 0; 0 for an empty batch.
  VectorXd mean_gradient(const Dataset& counts, const VectorXd& w, Index batch, double q = 2,
                         double truncation = infinity) const;
  // One record of each kind.
  Dataset records() const;
  // E loss(<x, w> - y) - E loss(<x, w*> - y); w* is the minimiser for convex losses.
  double excess_risk(const VectorXd& w) const;

 private:
  struct Kind {
    VectorXd x;
    double y = 0;
    double probability = 0;
  };
  Index directions() const;
  Index kinds() const { return 3 * directions(); }
  Kind kind(Index k) const;
};

}  // namespace dpverify::su
