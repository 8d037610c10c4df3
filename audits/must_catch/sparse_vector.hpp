// The sparse vector technique and its variants: programs that compare queries with a noisy
// threshold and draw their noise inside.
#pragma once

#include "algorithms/core/releases.hpp"

namespace dpverify::must_catch {

// Each query is the sum of one column of features. Query i is "above" if
// query + Laplace(query_scale) >= threshold + Laplace(threshold_scale), the threshold's noise drawn
// once. The program stops after `cutoff` queries above.
struct SparseVector {
  double threshold = 0;
  double threshold_scale = 1;  // > 0
  double query_scale = 1;      // >= 0; 0: no noise
  Index cutoff = 1;            // >= 1
};

// Shows one 0 or 1 a query, zeros after the stop. At most 12 queries. The mechanism remembers the
// probabilities it has integrated.
Mechanism sparse_vector(const SparseVector& p);

// Stops at the first query above and shows its number and
//   value: its noisy query;
//   gap:   its noisy query less the noisy threshold.
// The number of queries and 0 if none is above.
enum class Shown { value, gap };
Mechanism sparse_vector_with_answer(const SparseVector& p, Shown shown);

// The same, but each query is tried with noise of twice the query scale first, against the noisy
// threshold plus `margin`: a query far above costs less. Shows the query's number, whether the
// first try succeeded, and the answer. p.cutoff is not used.
Mechanism adaptive_sparse_vector(const SparseVector& p, double margin, Shown shown);

}  // namespace dpverify::must_catch
