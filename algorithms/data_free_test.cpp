// A run without data gives what it would if the values were computed and then dropped, whatever the
// data are.
#include <gtest/gtest.h>

#include <limits>
#include <map>
#include <set>
#include <string>

#include "algorithms/registry.hpp"

namespace dpverify {
namespace {

// Draws what DataFreeReleases draws, but has the values computed.
class EagerDataFree final : public Releases {
 public:
  explicit EagerDataFree(RandomStream stream) : stream_(stream) {}

 private:
  Outcome decide(const Law& law) override { return sample(without_data(law), stream_); }
  RandomStream stream_;
};

RandomStream stream() { return RandomStream({.seed = 3, .claim = "data_free_test"}); }

TEST(DataFree, OutputsAreThoseOfDroppedValuesWhateverTheData) {
  std::set<std::string> reading;  // more than the sizes
  for (const Algorithm& algorithm : algorithms()) {
    const Index d = algorithm.id.ends_with("truncated_mean") ? 1 : 2;
    const Dataset data{Matrix::Constant(60, d, 0.25), VectorXd::Constant(60, 0.5)};
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const Dataset unreadable{Matrix::Constant(60, d, nan), VectorXd::Constant(60, nan)};
    std::map<std::string, std::string> texts;
    for (const RunOption& option : algorithm.options) texts[option.name] = option.default_text;
    const PreparedRun prepared = algorithm.prepare(data, RunOptions(texts));
    DataFreeReleases lazy(stream());
    EagerDataFree eager(stream());
    const VectorXd output = prepared.mechanism(data, lazy);
    EXPECT_EQ(output, prepared.mechanism(data, eager)) << algorithm.id;
    try {
      DataFreeReleases again(stream());
      if (prepared.mechanism(unreadable, again) != output) reading.insert(algorithm.id);
    } catch (const std::exception&) {
      reading.insert(algorithm.id);
    }
  }
  EXPECT_EQ(reading, std::set<std::string>{});
}

}  // namespace
}  // namespace dpverify
