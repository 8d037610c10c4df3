// A noisy maximum that shows its value: masses of cells of the value.
#include <algorithm>
#include <cmath>

#include "algorithms/core/checked.hpp"
#include "algorithms/core/numbers.hpp"
#include "algorithms/core/quadrature.hpp"
#include "audits/exact/methods.hpp"

namespace dpverify::exact {
namespace {

// Cells this many scales wide between scores, growing outside, where the loss levels off; beyond
// `reach` scales from every score the mass is below e^-reach on both sides and left out. All of it
// only lowers the figures.
constexpr double cell_width = 1.0 / 16;
constexpr double cell_reach = 45;
constexpr double cell_growth = 1.1;

// The masses of cells of the value, for each index if it is shown, by quadrature: post-processing.
OutputPair value_cells(const NoisyMaxValue& p, const NoisyMaxValue& q) {
  std::vector<double> kinks(p.scores.begin(), p.scores.end());
  kinks.insert(kinks.end(), q.scores.begin(), q.scores.end());
  std::sort(kinks.begin(), kinks.end());
  std::vector<double> ends;
  for (double out = cell_width; out < cell_reach; out *= cell_growth)
    ends.push_back(kinks.front() - out * p.scale);
  std::reverse(ends.begin(), ends.end());
  for (std::size_t k = 0; k + 1 < kinks.size(); ++k) {
    const double cells = std::ceil((kinks[k + 1] - kinks[k]) / (cell_width * p.scale));
    for (double c = 0; c < cells; ++c)
      ends.push_back(kinks[k] + (kinks[k + 1] - kinks[k]) * c / cells);
  }
  ends.push_back(kinks.back());
  for (double out = cell_width; out < cell_reach; out *= cell_growth)
    ends.push_back(kinks.back() + out * p.scale);

  const auto log_mass = [](const NoisyMaxValue& law, Index v,
                           const std::vector<QuadratureNode>& nodes) {
    VectorXd point(law.with_index ? 2 : 1);
    point[0] = static_cast<double>(v);
    double largest = -infinity, sum = 0;
    for (const QuadratureNode& node : nodes) {
      point[point.size() - 1] = node.x;
      const double term = log_density(law, point) + std::log(node.weight);
      if (term == -infinity) continue;
      if (term > largest) {
        sum *= std::exp(largest - term);
        largest = term;
      }
      sum += std::exp(term - largest);
    }
    return sum > 0 ? largest + std::log(sum) : -infinity;
  };
  OutputPair out;
  const Index indices = p.with_index ? p.scores.size() : 1;
  for (std::size_t k = 0; k + 1 < ends.size(); ++k) {
    const std::vector<QuadratureNode> nodes = quadrature_nodes(ends[k], ends[k + 1], p.scale);
    for (Index v = 0; v < indices; ++v) {
      OutputPair::Output output;
      output.log_p = log_mass(p, v, nodes);
      output.log_q = log_mass(q, v, nodes);
      if (output.log_p == -infinity && output.log_q == -infinity) continue;
      const double middle = (ends[k] + ends[k + 1]) / 2;
      if (p.with_index)
        output.value = Eigen::Vector2d(static_cast<double>(v), middle);
      else
        output.value = VectorXd::Constant(1, middle);
      out.outputs.push_back(std::move(output));
    }
  }
  return out;
}

}  // namespace

std::unique_ptr<PairAudit> value_audit(const Mechanism& mechanism, const NeighbouringPair& pair) {
  const auto law_on = [&](const Dataset& data) {
    const Transcript transcript =
        record(mechanism, data, RandomStream({.claim = "value", .purpose = "outcomes"}));
    require(transcript.entries.size() == 1, "number of releases",
            static_cast<double>(transcript.entries.size()), "1");
    return std::get<NoisyMaxValue>(transcript.entries[0].law);
  };
  const NoisyMaxValue here = law_on(pair.data), there = law_on(pair.neighbour);
  require(compare(here, there).comparable, "noise of the two datasets", "different", "the same");
  return finite_audit(value_cells(here, there));
}

}  // namespace dpverify::exact
