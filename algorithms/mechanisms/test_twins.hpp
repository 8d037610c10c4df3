// For tests: an interpreter that keeps the laws it is asked for, and small helpers.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "algorithms/claims/claims.hpp"
#include "algorithms/core/releases.hpp"

namespace dpverify {

using Numbers = std::vector<double>;

inline VectorXd to_vector(const Numbers& numbers) {
  return Eigen::Map<const VectorXd>(numbers.data(), static_cast<Index>(numbers.size()));
}

// One feature, no labels.
inline Dataset column(const Numbers& numbers) {
  const auto n = static_cast<Index>(numbers.size());
  return {Eigen::Map<const Matrix>(numbers.data(), n, 1), VectorXd::Zero(n)};
}

// Draws from each law of Gaussian noise and keeps both. Other laws are not expected.
class CapturingReleases final : public Releases {
 public:
  std::vector<GaussianNoise> laws;
  std::vector<VectorXd> outcomes;

 private:
  Outcome decide(const Law& law) override {
    laws.push_back(std::get<GaussianNoise>(law));
    outcomes.push_back(std::get<VectorXd>(sample(law, stream_)));
    return outcomes.back();
  }
  RandomStream stream_{RandomStream::Key{.seed = 11, .claim = "capturing releases"}};
};

inline void expect_same_law(const GaussianNoise& law, const GaussianNoise& expected) {
  ASSERT_EQ(law.value.size(), expected.value.size());
  for (Index j = 0; j < law.value.size(); ++j)
    EXPECT_NEAR(law.value[j], expected.value[j], 1e-12 * (1 + std::abs(expected.value[j])));
  EXPECT_NEAR(law.sensitivity / expected.sensitivity, 1, 1e-12);
  EXPECT_NEAR(law.standard_deviation / expected.standard_deviation, 1, 1e-12);
}

inline bool has_claim(const std::vector<Claim>& claims, const std::string& id) {
  return std::any_of(claims.begin(), claims.end(), [&](const Claim& c) { return c.id == id; });
}

}  // namespace dpverify
