#include "audits/exact/pair_audit.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "audits/exact/methods.hpp"

namespace dpverify {

bool exact::is_selection(const Law& law) {
  return support_size(law) > 0 && !std::holds_alternative<GridExponentialMechanism>(law);
}

double PairAudit::delta(double epsilon) const {
  return std::max(delta(epsilon, Direction::forward), delta(epsilon, Direction::backward));
}

AuditMethod audit_method(const Mechanism& mechanism, const NeighbouringPair& pair) {
  const Transcript transcript =
      record(mechanism, pair.data, RandomStream({.claim = "method", .purpose = "outcomes"}));
  const auto& entries = transcript.entries;
  // As far as one run shows; selections with too many paths are composed like other releases.
  double log_paths = 0;
  bool finite = true, composable = true;
  for (const auto& entry : entries) {
    const auto count = static_cast<double>(support_size(entry.law));
    finite = finite && count > 0;
    composable = composable && exact::is_selection(entry.law);
    log_paths += std::log(std::max(count, 1.0));
  }
  if (finite && (log_paths < std::log(1e5) || !composable)) return AuditMethod::finite;
  const auto is_gaussian = [](const auto& entry) {
    return std::holds_alternative<GaussianNoise>(entry.law);
  };
  if (entries.size() == 1 && std::holds_alternative<NoisyMaxValue>(entries[0].law))
    return AuditMethod::value;
  const auto* perturbed = std::get_if<ObjectivePerturbation>(&entries[0].law);
  if (perturbed != nullptr && perturbed->objective->dimension() == 1 &&
      std::all_of(entries.begin() + 1, entries.end(), is_gaussian))
    return AuditMethod::objective;
  // Objectives and generalised Gaussian noise alone have no loss that is known here.
  const auto is_known = [](const auto& entry) {
    return std::holds_alternative<LaplaceNoise>(entry.law) || exact::is_selection(entry.law);
  };
  if (std::any_of(entries.begin(), entries.end(), is_known)) return AuditMethod::composed;
  return std::any_of(entries.begin(), entries.end(), is_gaussian) ? AuditMethod::gaussian
                                                                  : AuditMethod::none;
}

std::string_view describe(AuditMethod method) {
  switch (method) {
    case AuditMethod::finite:
      return "enumeration of outcome paths";
    case AuditMethod::gaussian:
      return "the closed form of Gaussian shifts";
    case AuditMethod::value:
      return "quadrature over cells of the value";
    case AuditMethod::composed:
      return "convolution of the losses of the releases";
    case AuditMethod::objective:
      return "the distribution function of the minimiser";
    case AuditMethod::none:
      break;
  }
  return "no exact method";
}

std::unique_ptr<PairAudit> audit_pair(AuditMethod method, const Mechanism& mechanism,
                                      const NeighbouringPair& pair) {
  switch (method) {
    case AuditMethod::finite:
      return exact::finite_audit(output_pair(mechanism, pair));
    case AuditMethod::gaussian:
      return exact::gaussian_audit(mechanism, pair);
    case AuditMethod::value:
      return exact::value_audit(mechanism, pair);
    case AuditMethod::composed:
      return exact::composed_audit(mechanism, pair);
    case AuditMethod::objective:
      return exact::objective_audit(mechanism, pair);
    case AuditMethod::none:
      break;
  }
  throw std::invalid_argument("no exact audit for a mechanism of this kind");
}

}  // namespace dpverify
