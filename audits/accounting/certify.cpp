#include "audits/accounting/certify.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "algorithms/core/gaussian.hpp"
#include "algorithms/core/numbers.hpp"
#include "algorithms/core/rounding.hpp"
#include "audits/exact/privacy_loss.hpp"

namespace dpverify {
namespace {

// Replacements: every entry of the record, and minus that as the label. Small ones reach losses
// whose derivative vanishes for large residuals, huge ones saturate any truncation.
constexpr std::array<double, 6> replacements{0, 0.1, -0.1, 1, 1e6, -1e6};

}  // namespace

std::string broken_promise(const Replay& replayed) {
  if (!replayed.leak.empty()) return replayed.leak;
  if (replayed.worst_ratio <= 1 + rounding) return "";
  const Replay::Step& step = replayed.steps[replayed.worst_step];
  return fmt::format("release {} moves by {:.6g} where a sensitivity of {:.6g} is declared",
                     replayed.worst_step + 1, step.change.distance, step.declared_sensitivity);
}

double composed_epsilon(const std::vector<PrivacyCost>& costs, double delta) {
  std::vector<double> pure;
  double mu_squared = 0, rho = 0;
  for (const PrivacyCost& cost : costs) {
    if (std::isfinite(cost.epsilon))
      pure.push_back(cost.epsilon);
    else
      mu_squared += cost.mu * cost.mu;
    rho += cost.rho;
  }
  const double by_zcdp = zcdp_epsilon(rho, delta);
  const double mu = std::sqrt(mu_squared) * (1 + 1e-15);
  if (std::isinf(mu)) return by_zcdp;
  if (mu == 0) return std::min(by_zcdp, composed_epsilon(merged(pure), delta));
  if (pure.empty()) return std::min(by_zcdp, gaussian_epsilon(mu, delta));
  if (delta <= 0) return by_zcdp;
  // Randomised response is the worst of all pure steps.
  std::vector<LossSteps> steps{{gaussian_loss(mu), 1}};
  for (const PureSteps& one : merged(pure))
    steps.push_back({randomised_response_loss(one.epsilon), one.count});
  return std::min(by_zcdp, composed_epsilon_interval(steps, delta).upper);
}

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
      worst.problem = broken_promise(result);
      if (!worst.problem.empty()) {
        worst.epsilon = infinity;
        return worst;
      }
    }
    std::vector<PrivacyCost> costs;
    std::vector<double> epsilons;
    for (std::size_t r = 0; r < touched.size(); ++r) {
      if (!touched[r]) continue;
      costs.push_back(declared_cost(transcript.entries[r].law));
      epsilons.push_back(costs.back().epsilon);
    }
    if (costs.empty()) continue;
    const double epsilon = composed_epsilon(costs, delta);
    if (worst.paid > 0 && epsilon <= worst.epsilon) continue;
    worst.epsilon = epsilon;
    worst.paid = static_cast<Index>(costs.size());
    const bool pure = std::all_of(epsilons.begin(), epsilons.end(),
                                  [](double cost) { return std::isfinite(cost); });
    worst.advanced = delta > 0 && pure ? advanced_composition(merged(epsilons), delta) : 0;
  }
  // A record outside every part pays nothing; if no record paid, the replacements showed nothing.
  if (worst.paid == 0) {
    worst.epsilon = infinity;
    worst.problem = "no replaced record moved any release";
  } else if (std::isinf(worst.epsilon)) {
    worst.problem = "a release declares no cost";
  }
  return worst;
}

}  // namespace dpverify
