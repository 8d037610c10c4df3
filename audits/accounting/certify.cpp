#include "audits/accounting/certify.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace dpverify {
namespace {

// Replacements: every entry of the record, and minus that as the label. Small ones reach losses
// whose derivative vanishes for large residuals, huge ones saturate any truncation.
constexpr std::array<double, 6> replacements{0, 0.1, -0.1, 1, 1e6, -1e6};

}  // namespace

Certificate certify(const Mechanism& mechanism, Index records, Index dimension, double delta,
                    RandomStream stream, Index records_tried) {
  Dataset data{Matrix(records, dimension), VectorXd(records)};
  for (Index i = 0; i < records; ++i) {
    for (Index j = 0; j < dimension; ++j) data.features(i, j) = 10 * stream.normal();
    data.labels[i] = 10 * stream.normal();
  }
  const Transcript transcript = record(mechanism, data, stream);
  Certificate worst;
  worst.releases = static_cast<Index>(transcript.entries.size());
  const Index tried = std::min(records, records_tried);
  for (Index k = 0; k < tried; ++k) {
    const Index i = k * records / tried;  // spread over the dataset, hence over its parts
    std::vector<bool> touched(transcript.entries.size(), false);
    for (const double value : replacements) {
      Dataset neighbour = data;
      neighbour.features.row(i).setConstant(value);
      neighbour.labels[i] = -value;
      const Replay result = replay(mechanism, neighbour, transcript, LogRatios::skip);
      for (std::size_t r = 0; r < result.steps.size(); ++r)
        if (result.steps[r].change.distance > 0) touched[r] = true;
      if (!result.leak.empty()) {
        worst.epsilon = std::numeric_limits<double>::infinity();
        return worst;
      }
    }
    std::vector<double> epsilons;
    for (std::size_t r = 0; r < touched.size(); ++r)
      if (touched[r]) epsilons.push_back(declared_epsilon(transcript.entries[r].law));
    const bool pure = std::all_of(epsilons.begin(), epsilons.end(),
                                  [](double epsilon) { return std::isfinite(epsilon); });
    const std::vector<PureSteps> steps = pure ? merged(epsilons) : std::vector<PureSteps>{};
    const double epsilon =
        pure ? composed_epsilon(steps, delta) : std::numeric_limits<double>::infinity();
    if (epsilon <= worst.epsilon) continue;
    worst.epsilon = epsilon;
    worst.advanced = delta > 0 && pure ? advanced_composition(steps, delta) : 0;
    worst.steps = steps;
  }
  // A record outside every part pays nothing; if no record paid, the replacements showed nothing.
  if (worst.epsilon == 0) worst.epsilon = std::numeric_limits<double>::infinity();
  return worst;
}

}  // namespace dpverify
