#include "audits/exact/privacy_curve.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "algorithms/core/bisect.hpp"
#include "algorithms/core/numbers.hpp"

namespace dpverify {
namespace {

double log_sum(double a, double b) {
  const double high = std::max(a, b), low = std::min(a, b);
  return low == -infinity ? high : high + std::log1p(std::exp(low - high));
}

double loss(const OutputPair::Output& output) {
  if (output.log_p == output.log_q) return 0;  // also when both are -infinity
  return std::abs(output.log_p - output.log_q);
}

}  // namespace

OutputPair output_pair(const Mechanism& mechanism, const NeighbouringPair& pair,
                       std::size_t largest_paths) {
  std::map<std::vector<double>, OutputPair::Output> outputs;
  OutputPair result;
  const auto add = [&](const Dataset& data, double OutputPair::Output::*log_probability) {
    const std::vector<OutcomePath> paths = enumerate(mechanism, data, largest_paths);
    result.paths = paths.size();
    for (const OutcomePath& path : paths) {
      const std::vector<double> key(path.output.begin(), path.output.end());
      const auto [place, fresh] = outputs.try_emplace(
          key, OutputPair::Output{path.output, path.outcomes, -infinity, -infinity});
      double& total = place->second.*log_probability;
      total = log_sum(total, path.log_probability);
    }
  };
  add(pair.neighbour, &OutputPair::Output::log_q);
  add(pair.data, &OutputPair::Output::log_p);
  for (auto& [key, output] : outputs) result.outputs.push_back(std::move(output));
  return result;
}

double delta_at(const OutputPair& pair, double epsilon, Direction direction) {
  double delta = 0;
  for (const OutputPair::Output& output : pair.outputs) {
    const double p = direction == Direction::forward ? output.log_p : output.log_q;
    const double q = direction == Direction::forward ? output.log_q : output.log_p;
    if (p > epsilon + q) delta += std::exp(p) * -std::expm1(epsilon + q - p);
  }
  return std::min(delta, 1.0);
}

double delta_at(const OutputPair& pair, double epsilon) {
  return std::max(delta_at(pair, epsilon, Direction::forward),
                  delta_at(pair, epsilon, Direction::backward));
}

double smallest_epsilon(const OutputPair& pair, double delta) {
  double largest = 0, finite = 0;
  for (const OutputPair::Output& output : pair.outputs) {
    largest = std::max(largest, loss(output));
    if (std::isfinite(loss(output))) finite = std::max(finite, loss(output));
  }
  if (delta <= 0) return largest;
  if (delta_at(pair, 0) <= delta) return 0;
  // Beyond the largest finite loss only outputs impossible on one side add to delta.
  if (delta_at(pair, finite) > delta) return infinity;
  return bisect(
             0, finite, [&](double epsilon) { return !(delta_at(pair, epsilon) > delta); },
             [](double low, double high) { return high - low <= 1e-12 * high; })
      .low;
}

const OutputPair::Output& worst_output(const OutputPair& pair) {
  return *std::max_element(pair.outputs.begin(), pair.outputs.end(),
                           [](const auto& a, const auto& b) { return loss(a) < loss(b); });
}

}  // namespace dpverify
