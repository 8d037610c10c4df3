// Programs whose noise is inside.
#pragma once

#include <functional>

#include "algorithms/core/laws/law_kind.hpp"

namespace dpverify {

// A program that draws noise inside and shows one of `count` results: `draw` runs it,
// `log_probabilities` says what it should draw from, known otherwise (by integration, say).
// Promises nothing.
struct HiddenSelection {
  Index count = 1;
  std::function<Index(RandomStream&)> draw;
  std::function<VectorXd()> log_probabilities;  // -infinity allowed; they sum to 1

  static constexpr std::string_view name = "program with finitely many results";
  static constexpr double sensitivity = 0;
  const VectorXd& pre_noise_value() const;  // throws, as the next three that say so
  void validate() const;
  Index noiseless_outcome() const;  // throws
  PrivacyCost cost() const { return {}; }
  Index support_size() const { return count; }
  bool same_shape(const HiddenSelection& other) const { return count == other.count; }
  bool same_noise(const HiddenSelection&) const { return true; }  // as far as one can see
  double distance(const HiddenSelection&, const Index*) const { return 1; }  // unknown
  HiddenSelection without_data() const;                                      // throws
  HiddenSelection with_noise_times(double factor) const;                     // throws
};

// The same with a vector of `size` numbers as its result. `log_density` may be empty: then only
// what comes out can be audited. It is with respect to one measure on both of any two datasets.
struct HiddenRelease {
  Index size = 1;
  std::function<VectorXd(RandomStream&)> draw;
  std::function<double(const VectorXd&)> log_density;

  static constexpr std::string_view name = "program";
  static constexpr double sensitivity = 0;
  const VectorXd& pre_noise_value() const;  // throws, as the next three that say so
  void validate() const;
  VectorXd noiseless_outcome() const;  // throws
  PrivacyCost cost() const { return {}; }
  Index outcome_size() const { return size; }
  double log_density_at(const VectorXd& point) const;  // throws if it is unknown
  bool same_shape(const HiddenRelease& other) const { return size == other.size; }
  bool same_noise(const HiddenRelease&) const { return true; }  // as far as one can see
  double distance(const HiddenRelease&, const VectorXd*) const { return 1; }  // unknown
  HiddenRelease without_data() const;                                         // throws
  HiddenRelease with_noise_times(double factor) const;                        // throws
};

}  // namespace dpverify
