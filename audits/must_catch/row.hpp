// One broken mechanism and its correct twin.
#pragma once

#include <string>
#include <vector>

#include "algorithms/claims/claims.hpp"

namespace dpverify::must_catch {

struct Row {
  std::string name;
  Source source;      // where the fault was seen
  std::string fault;  // what is wrong, one sentence
  PrivacyGuarantee guarantee;
  NeighbouringPair pair;
  Mechanism broken;
  Mechanism twin;
  bool bits = false;  // the outputs are looked at bit by bit
};

// Datasets of these rows of features, labels 0; the pair differs in its last record.
NeighbouringPair feature_rows(const std::vector<std::vector<double>>& data,
                              const std::vector<std::vector<double>>& neighbour);
// Datasets of these labels, one feature 0 each; of sizes that may differ.
NeighbouringPair label_lists(const std::vector<double>& data, const std::vector<double>& neighbour);

std::vector<Row> sparse_vector_rows();
std::vector<Row> selection_rows();  // noisy maximum, exponential mechanism, randomised response
std::vector<Row> sum_rows();        // sums, counts, histograms, thresholds
std::vector<Row> glue_rows();       // seeds, floating point, control flow, optimisers
std::vector<Row> batch_rows();      // how the batches of a training are drawn

}  // namespace dpverify::must_catch
