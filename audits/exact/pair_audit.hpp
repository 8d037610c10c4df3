// The exact privacy of a mechanism on one replace-one pair, where its law is known.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "algorithms/claims/evidence.hpp"
#include "algorithms/core/dataset.hpp"
#include "algorithms/core/releases.hpp"
#include "audits/exact/privacy_curve.hpp"

namespace dpverify {

// finite:    every release has finitely many outcomes: all outcome paths are enumerated, unless a
//            run shows more than 10^5 of them.
// gaussian:  the loss of the Gaussian releases whose shift is the same whatever came before is that
//            of one N(0, 1) against N(mu, 1), mu^2 the sum of (shift/standard deviation)^2: exact
//            if nothing else moves, a lower bound otherwise.
// value:     one noisy maximum that shows its value: masses of cells of it by quadrature.
// composed:  as gaussian, with Laplace noise and selections among the releases: the losses whose
// law
//            is the same whatever came before, convolved; the lower end counts.
// objective: one objective perturbation in one dimension, through its cumulative distribution, and
//            after it Gaussian releases of fixed shifts, as above.
// none:      another kind of mechanism.
enum class AuditMethod { finite, gaussian, value, composed, objective, none };

// Reads the method from one run on the pair's dataset.
AuditMethod audit_method(const Mechanism& mechanism, const NeighbouringPair& pair);
// In words: "enumeration of outcome paths", ...
std::string_view describe(AuditMethod method);

class PairAudit {
 public:
  virtual ~PairAudit() = default;
  // The smallest delta for which the pair is (epsilon, delta)-indistinguishable, epsilon >= 0.
  virtual double delta(double epsilon, Direction direction) const = 0;
  double delta(double epsilon) const;  // the larger of both directions
  // The smallest epsilon >= 0 at delta, rounded down; infinity if there is none.
  virtual double epsilon(double delta) const = 0;
  // What a search climbs: a quantity that grows with epsilon(delta) and is cheaper or smoother.
  virtual double objective(double delta) const { return epsilon(delta); }
  virtual std::vector<Measurement> measurements() const = 0;
  // The outcomes that lead to the worst output; empty where no single one is named.
  virtual std::vector<Index> path() const { return {}; }
  virtual std::string explanation() const = 0;
};

// Throws std::invalid_argument for `none`.
std::unique_ptr<PairAudit> audit_pair(AuditMethod method, const Mechanism& mechanism,
                                      const NeighbouringPair& pair);

}  // namespace dpverify
