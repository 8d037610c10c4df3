#include "algorithms/su/phased_sgd.hpp"

#include <algorithm>
#include <cmath>

#include "algorithms/core/checked.hpp"
#include "algorithms/su/lipschitz.hpp"

namespace dpverify::su {

void validate(const PhasedSgdParameters& p) {
  const double beta = smoothness(p.loss, p.lipschitz);
  require(p.step > 0 && p.step * beta <= 8, "step eta", p.step,
          "in (0, " + to_text(8 / beta) + "] (steps eta/4^i of at most 2/beta)");
  require(fraction, "delta", p.delta);
  require(p.epsilon > 0 && p.epsilon <= -2 * std::log(p.delta), "epsilon", p.epsilon,
          "in (0, " + to_text(-2 * std::log(p.delta)) + "] (2 log(1/delta))");
}

double phased_step(PhasedStep print, Index n, Index dimension, double epsilon, double delta,
                   double lipschitz) {
  const double root_n = std::sqrt(static_cast<double>(n));
  const double root_d = std::sqrt(static_cast<double>(dimension));
  const double logarithm = -std::log(delta);
  switch (print) {
    case PhasedStep::lemma_14:
      return std::min(4 / root_n, epsilon / (2 * root_d * std::sqrt(logarithm))) / lipschitz;
    case PhasedStep::theorem_13:
      return std::min(4 / root_n, epsilon / (2 * root_d * logarithm)) / lipschitz;
    case PhasedStep::proof:
      return std::min(1 / root_n, epsilon / (root_d * std::sqrt(logarithm))) / lipschitz;
  }
  return 0;
}

VectorXd phased_sgd(const Dataset& data, const PhasedSgdParameters& p, Releases& releases) {
  const LipschitzRecords records(p.loss, data.all(), 2, p.lipschitz);
  validate(p);
  VectorXd w = VectorXd::Zero(data.dimension());  // line 2: w_0
  double eta = p.step;
  Index first = 0;                                            // of the records of the phase
  for (Index size = data.size() / 2; size >= 1; size /= 2) {  // floor(n/2^i), i = 1..floor(log2 n)
    eta /= 4;
    const auto n_i = static_cast<double>(size);
    const auto mean = [&]() -> VectorXd {
      VectorXd sum = w, x;  // w_i^1
      for (Index t = first; t < first + size; ++t) {
        records.read_features(t, x);
        w -= eta * loss_derivative(p.loss, x.dot(w), records.label(t)) * x;  // line 5
        sum += w;
      }
      return sum / (n_i + 1);  // line 7
    };
    double change = 2 * p.lipschitz * eta;
    if (p.sensitivity != Edition::printed) change *= n_i / (n_i + 1);
    w = releases.release(
        GaussianNoise{.value = VectorXd::Zero(w.size()),
                      .sensitivity = change,
                      .standard_deviation = 2 * change * std::sqrt(-std::log(p.delta)) / p.epsilon},
        mean);  // line 8
    first += size;
  }
  return w;
}

PhasedSgdParameters phased_sgd_from_theorem(Index n, Index dimension, double epsilon, double delta,
                                            Loss loss, double lipschitz) {
  PhasedSgdParameters p{.loss = loss, .lipschitz = lipschitz, .epsilon = epsilon, .delta = delta};
  p.step = std::min(1 / smoothness(loss, lipschitz),
                    phased_step(PhasedStep::lemma_14, n, dimension, epsilon, delta, lipschitz));
  validate(p);
  return p;
}

double phased_sgd_bound(Index n, Index dimension, double epsilon, double delta, double lipschitz,
                        double optimum_norm) {
  const auto records = static_cast<double>(n);
  return lipschitz * optimum_norm * optimum_norm *
         (1 / std::sqrt(records) +
          std::sqrt(static_cast<double>(dimension) * -std::log(delta)) / (epsilon * records));
}

}  // namespace dpverify::su
