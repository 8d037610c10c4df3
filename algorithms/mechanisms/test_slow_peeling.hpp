// For tests: Peeling written again from the papers' text with loops over plain vectors, and an
// interpreter of releases that follows a script.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <variant>
#include <vector>

#include "algorithms/core/releases.hpp"

namespace dpverify {

using Numbers = std::vector<double>;

inline VectorXd to_vector(const Numbers& numbers) {
  return Eigen::Map<const VectorXd>(numbers.data(), static_cast<Index>(numbers.size()));
}

// One release as the paper describes it, and the outcome that the script gives it. `scale` is of
// the Laplace noise.
struct ScriptedStep {
  Numbers values;
  double sensitivity = 0;
  double scale = 0;
  Outcome outcome;
};

// Answers each release with the script's outcome and expects the law to be the script's.
class ScriptedReleases final : public Releases {
 public:
  explicit ScriptedReleases(std::vector<ScriptedStep> script) : script_(std::move(script)) {}
  bool finished() const { return next_ == script_.size(); }

 private:
  static void expect_near(double actual, double expected, const char* what, std::size_t step) {
    EXPECT_NEAR(actual, expected, 1e-9 * std::abs(expected) + 1e-12) << what << ", step " << step;
  }

  Outcome decide(const Law& law) override {
    if (finished()) throw std::logic_error("more releases than the script has");
    const ScriptedStep& step = script_[next_];
    const VectorXd& values = pre_noise_value(law);
    EXPECT_EQ(values.size(), static_cast<Index>(step.values.size())) << "step " << next_;
    for (Index j = 0; j < std::min<Index>(values.size(), static_cast<Index>(step.values.size()));
         ++j)
      expect_near(values[j], step.values[static_cast<std::size_t>(j)], "value", next_);
    expect_near(declared_sensitivity(law), step.sensitivity, "sensitivity", next_);
    if (std::holds_alternative<Index>(step.outcome)) {
      EXPECT_TRUE(std::holds_alternative<NoisyMax>(law)) << "step " << next_;
      if (const auto* noisy = std::get_if<NoisyMax>(&law))
        expect_near(noisy->scale, step.scale, "scale", next_);
    } else {
      EXPECT_TRUE(std::holds_alternative<LaplaceNoise>(law)) << "step " << next_;
      if (const auto* laplace = std::get_if<LaplaceNoise>(&law))
        expect_near(laplace->scale, step.scale, "scale", next_);
    }
    return script_[next_++].outcome;
  }

  std::vector<ScriptedStep> script_;
  std::size_t next_ = 0;
};

// Algorithm 4, lines 2 to 8, with Laplace noise of scale b: round i chooses coordinate chosen[i] of
// [d] without S (repeats: of [d]), and coordinate j of S is released as v_j + noise[j]. Appends its
// releases to the script.
inline Numbers slow_peeling(const Numbers& v, double lambda, double b,
                            const std::vector<Index>& chosen, const Numbers& noise,
                            std::vector<ScriptedStep>& script, bool repeats = false) {
  std::set<Index> selected;
  for (const Index j_star : chosen) {
    Numbers magnitudes;
    Index place = -1;
    for (Index j = 0; j < static_cast<Index>(v.size()); ++j) {
      if (!repeats && selected.count(j) > 0) continue;
      if (j == j_star) place = static_cast<Index>(magnitudes.size());
      magnitudes.push_back(std::abs(v[static_cast<std::size_t>(j)]));
    }
    script.push_back({magnitudes, lambda, b, place});
    selected.insert(j_star);
  }
  Numbers out(v.size(), 0.0);
  for (const Index j : selected) {
    const auto k = static_cast<std::size_t>(j);
    out[k] = v[k] + noise[k];
    script.push_back({{v[k]}, lambda, b, Outcome{VectorXd::Constant(1, out[k])}});
  }
  return out;
}

}  // namespace dpverify
