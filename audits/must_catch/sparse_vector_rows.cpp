#include "audits/must_catch/row.hpp"
#include "audits/must_catch/sparse_vector.hpp"

namespace dpverify::must_catch {
namespace {

// Half of the budget for the threshold, half for `cutoff` queries above (Lyu, Su and Li, 2017,
// Algorithm 1): epsilon-DP for queries of sensitivity 1.
SparseVector correct(double epsilon, Index cutoff) {
  return {.threshold_scale = 2 / epsilon,
          .query_scale = 4 * static_cast<double>(cutoff) / epsilon,
          .cutoff = cutoff};
}

// The number of the first query above at half of the budget, then its value with fresh noise.
Mechanism number_then_value(double epsilon) {
  return [=, number = sparse_vector(correct(epsilon / 2, 1))](const Dataset& data,
                                                              Releases& releases) {
    const VectorXd answers = number(data, releases);
    Index above = 0;
    const bool found = answers.maxCoeff(&above) > 0;
    VectorXd out = Eigen::Vector2d(static_cast<double>(answers.size()), 0);
    if (found)
      out << static_cast<double>(above),
          releases.release(
              LaplaceNoise{.value = VectorXd::Constant(1, data.features.col(above).sum()),
                           .sensitivity = 1,
                           .scale = 2 / epsilon})[0];
    return out;
  };
}

}  // namespace

std::vector<Row> sparse_vector_rows() {
  // One record; each of its entries, 0 or 1, is what it adds to one query.
  const NeighbouringPair rises = feature_rows({{0, 0, 0, 0, 0, 1}}, {{1, 1, 1, 1, 1, 0}});
  const NeighbouringPair rises_often =
      feature_rows({{0, 0, 0, 0, 0, 0, 0, 0, 1}}, {{1, 1, 1, 1, 1, 1, 1, 1, 0}});
  const NeighbouringPair crosses = feature_rows({{0, 0, 0, 1, 1, 1}}, {{1, 1, 1, 0, 0, 0}});
  return {
      {.name = "svt_releases_value",
       .source = {Text::lyu_2017, "Algorithm 3"},
       .fault = "it shows the noisy query that passed the threshold",
       .guarantee = {1, 0},
       .pair = rises,
       .broken = sparse_vector_with_answer({.threshold_scale = 2, .query_scale = 2}, Shown::value),
       .twin = number_then_value(1)},
      {.name = "svt_noise_not_scaled_by_cutoff",
       .source = {Text::lyu_2017, "Algorithm 4"},
       .fault = "the noise of the queries does not grow with the number of queries above",
       .guarantee = {1, 0},
       .pair = crosses,
       .broken = sparse_vector({.threshold_scale = 4, .query_scale = 4.0 / 3, .cutoff = 3}),
       .twin = sparse_vector(correct(1, 3))},
      {.name = "svt_no_query_noise",
       .source = {Text::lyu_2017, "Algorithm 5"},
       .fault = "only the threshold is noisy",
       .guarantee = {1, 0},
       .pair = feature_rows({{0, 1}}, {{1, 0}}),
       .broken = sparse_vector({.threshold_scale = 2, .query_scale = 0, .cutoff = 2}),
       .twin = sparse_vector(correct(1, 2))},
      {.name = "svt_no_cutoff",
       .source = {Text::lyu_2017, "Algorithm 6"},
       .fault = "it answers every query, however many are above",
       .guarantee = {1, 0},
       .pair = crosses,
       .broken = sparse_vector({.threshold_scale = 2, .query_scale = 2, .cutoff = 6}),
       .twin = sparse_vector(correct(1, 6))},
      {.name = "gap_svt",
       .source = {Text::wang_2020, "gap sparse vector"},
       .fault = "it shows the noisy query where its gap to the noisy threshold would be free",
       .guarantee = {1, 0},
       .pair = rises_often,
       .broken = sparse_vector_with_answer(correct(1, 1), Shown::value),
       .twin = sparse_vector_with_answer(correct(1, 1), Shown::gap)},
      {.name = "adaptive_svt",
       .source = {Text::wang_2020, "adaptive sparse vector"},
       .fault = "it shows the noisy query of either try",
       .guarantee = {1, 0},
       .pair = rises_often,
       .broken = adaptive_sparse_vector(correct(1, 1), 1, Shown::value),
       .twin = adaptive_sparse_vector(correct(1, 1), 1, Shown::gap)},
  };
}

}  // namespace dpverify::must_catch
