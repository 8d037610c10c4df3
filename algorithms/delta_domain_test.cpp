// A run promises no delta that no claim covers.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>

#include "algorithms/registry.hpp"

namespace dpverify {
namespace {

PreparedRun prepared(const std::string& id, const std::string& delta) {
  for (const Algorithm& algorithm : algorithms()) {
    if (algorithm.id != id) continue;
    std::map<std::string, std::string> texts;
    for (const RunOption& option : algorithm.options) texts[option.name] = option.default_text;
    texts["delta"] = delta;
    return algorithm.prepare({Matrix::Ones(50, 2), VectorXd::Ones(50)}, RunOptions(texts));
  }
  throw std::logic_error("no algorithm " + id);
}

TEST(DeltaDomain, ARunRefusesADeltaBeyondItsClaim) {
  for (const auto& [id, largest, beyond] : {std::tuple{"hu.peeling", "0.9", "0.91"},
                                            {"hu.sparse_linear_regression", "0.9", "0.91"},
                                            {"hu.sparse_optimization", "0.9", "0.91"},
                                            {"hu.private_lasso", "0.99", "0.991"},
                                            {"tao.peeling", "0.9", "0.91"},
                                            {"tao.sparse_optimization", "0.9", "0.91"}}) {
    EXPECT_NO_THROW(prepared(id, largest)) << id;
    EXPECT_THROW(prepared(id, beyond), std::invalid_argument) << id;
  }
}

// What a run names as its guarantee holds, whatever the edition is called.
TEST(DeltaDomain, TheClaimThatARunCitesIsExpectedToHold) {
  for (const char* id : {"hu.peeling", "hu.sparse_linear_regression", "hu.sparse_optimization",
                         "hu.private_lasso", "tao.peeling", "tao.sparse_optimization"}) {
    const std::string cited = prepared(id, "1e-5").guarantee_source;
    const auto claim = std::ranges::find(claims(), cited, &Claim::id);
    ASSERT_NE(claim, claims().end()) << cited;
    EXPECT_EQ(claim->algorithm, id);
    EXPECT_EQ(claim->expectation, Expectation::holds) << cited;
  }
}

}  // namespace
}  // namespace dpverify
