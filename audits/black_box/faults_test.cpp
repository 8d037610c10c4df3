#include "audits/black_box/faults.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <tuple>

#include "algorithms/core/numbers.hpp"
#include "audits/black_box/black_box.hpp"

namespace dpverify {
namespace {

TEST(Faults, TakeSoManyRuns) {
  const auto runs = [](PrivacyGuarantee claimed, double fault) {
    return runs_to_refute(claimed, fault, 0.025, 100'000, 2).value_or(-1);
  };
  EXPECT_GT(runs({1, 0}, 2), runs({1, 0}, 4));
  EXPECT_GT(runs({1, 0}, 2), 20);
  EXPECT_LT(runs({1, 0}, 2), 2000);
  EXPECT_GT(runs({0, 0.1}, 2), 20);  // of total variation 0.2
  EXPECT_EQ(runs({1, 0}, 1.001), -1);
  EXPECT_EQ(runs({0, 1e-300}, 2), -1);
  EXPECT_GT(runs({1, 1e-300}, 2), 20);
}

// Laplace noise of scale 1 on numbers so far apart, audited at 1/fault of what it needs.
int refuted_of_20(double distance, PrivacyGuarantee claimed, Index first, Index second) {
  int refuted = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const auto outputs = [&](double number, Index count, std::string_view purpose) {
      return draw_outputs(
          [number](RandomStream& s) {
            const double magnitude = -std::log(s.uniform());
            return VectorXd::Constant(1, number + (s.uniform() < 0.5 ? -1 : 1) * magnitude);
          },
          count, {.seed = seed, .claim = "a fault", .purpose = purpose});
    };
    const BlackBoxAudit audit = audit_outputs(
        outputs(distance, first, "first"), outputs(0, second, "second"), claimed, 0.05,
        RandomStream({.seed = seed, .claim = "a fault", .purpose = "halves"}), OutputModel::reals);
    if (audit.verdict == Verdict::refuted) ++refuted;
  }
  return refuted;
}

// 13 or fewer of 20 have probability 0.0004 where each has 0.9.
TEST(Faults, OfTheSmallestSizeAreRefuted) {
  for (const auto& [claimed, first, second] :
       {std::tuple{PrivacyGuarantee{1, 0}, Index{400}, Index{400}},
        std::tuple{PrivacyGuarantee{0.3, 0}, Index{3000}, Index{3000}},
        std::tuple{PrivacyGuarantee{1, 0.01}, Index{1500}, Index{600}},
        std::tuple{PrivacyGuarantee{3, 0}, Index{2000}, Index{2000}}}) {
    const double fault = smallest_refuted_fault(claimed, first, second, 0.05);
    EXPECT_GT(fault, 1);
    EXPECT_LT(fault, 4);
    EXPECT_GE(refuted_of_20(fault * claimed.epsilon, claimed, first, second), 14)
        << claimed.epsilon << " " << fault;
  }
  // Of a total variation of fault * delta.
  const double fault = smallest_refuted_fault({0, 0.1}, 1000, 1000, 0.05);
  EXPECT_LT(fault, 4);
  EXPECT_GE(refuted_of_20(-2 * std::log1p(-fault * 0.1), {0, 0.1}, 1000, 1000), 14) << fault;
}

TEST(Faults, AreNotRefutedByTooFewOutputs) {
  EXPECT_EQ(smallest_refuted_fault({20, 0}, 1000, 1000, 0.05), infinity);
  EXPECT_EQ(smallest_refuted_fault({1, 0}, 2, 2, 0.05), infinity);
  EXPECT_EQ(smallest_refuted_fault({0, 0.9}, 10, 10, 0.05), infinity);
}

}  // namespace
}  // namespace dpverify
