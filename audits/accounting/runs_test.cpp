// What `run` states as its guarantee, beside what the releases of the run that it prepares cost.
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "algorithms/registry.hpp"
#include "audits/accounting/certify.hpp"

namespace dpverify {
namespace {

PreparedRun prepared_by_default(const Algorithm& algorithm, const Dataset& data) {
  std::map<std::string, std::string> texts;
  for (const RunOption& option : algorithm.options) texts[option.name] = option.default_text;
  // Of many blocks the median hardly ever feels a record.
  if (algorithm.id == "tao.dp_sco") texts.at("blocks") = "1";
  return algorithm.prepare(data, RunOptions(texts));
}

// Given their sensitivities: no more than is stated. What is found is all of it for Frank-Wolfe,
// and a tenth for one step of the private LASSO, whose share is that of advanced composition.
TEST(PreparedRuns, StateWhatTheirReleasesCost) {
  constexpr Index records = 60;
  for (const Algorithm& algorithm : algorithms()) {
    const Index dimension = algorithm.id == "tao.truncated_mean" ? 1 : 2;
    const PreparedRun run = prepared_by_default(
        algorithm, {Matrix::Constant(records, dimension, 0.5), VectorXd::Ones(records)});
    const Certificate found = certify(run.mechanism, records, dimension, run.guarantee.delta,
                                      RandomStream({.seed = 1, .claim = algorithm.id}), 3);
    EXPECT_LE(found.epsilon, run.guarantee.epsilon * (1 + 1e-9)) << algorithm.id << found.problem;
    EXPECT_GE(found.epsilon, run.guarantee.epsilon / 10) << algorithm.id;
  }
}

}  // namespace
}  // namespace dpverify
