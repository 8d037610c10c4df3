#include <gtest/gtest.h>

#include "algorithms/registry.hpp"

namespace dpverify {
namespace {

TEST(Rates, BoundsFallInTheRecordsAndEpsilonAndGrowInTheDimensions) {
  int rates = 0;
  for (const Claim& claim : claims()) {
    const auto* rate = std::get_if<RateClaim>(&claim.check);
    if (rate == nullptr) continue;
    ++rates;
    if (rate->variable == "n" || rate->variable == "epsilon") {
      EXPECT_LE(rate->exponent, 0) << claim.id;
    } else {
      EXPECT_GE(rate->exponent, 0) << claim.id << " in " << rate->variable;
    }
  }
  EXPECT_GT(rates, 50);
}

}  // namespace
}  // namespace dpverify
