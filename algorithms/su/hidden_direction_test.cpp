#include "algorithms/su/hidden_direction.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "algorithms/core/test_statistics.hpp"
#include "algorithms/losses/losses.hpp"

namespace dpverify::su {
namespace {

const HiddenDirection law{.lipschitz = 2, .dimension = 3, .share = 0.3, .signal = 2, .outlier = 40};

RandomStream stream(const char* purpose) {
  return RandomStream({.seed = 3, .claim = "hidden direction test", .purpose = purpose});
}

TEST(HiddenDirection, RiskIsTheMeanLossOfItsKinds) {
  const Dataset kinds = law.records();
  const Eigen::Vector3d shares(0.3, 0.35, 0.35), w(0.4, 9, -9);
  double expected = 0;
  for (Index k = 0; k < 3; ++k)
    expected +=
        shares[k] * (loss_value(Loss::pseudo_huber, kinds.features.row(k).dot(w), kinds.labels[k]) -
                     loss_value(Loss::pseudo_huber, 0, kinds.labels[k]));
  EXPECT_NEAR(law.risk(0.4), expected, 1e-14);
  // sqrt(1 + 1.2^2) - sqrt(1 + 2^2), and two outliers whose slopes cancel.
  EXPECT_NEAR(law.risk(0.4), 0.3 * (std::sqrt(2.44) - std::sqrt(5)), 1e-5);
}

// False-failure probability 2e-11.
TEST(HiddenDirection, RecordsAndCountsFollowTheShares) {
  RandomStream data = stream("records"), more = stream("counts");
  const Dataset records = law.draw(20'000, data);
  EXPECT_EQ(records.features.col(0), VectorXd::Constant(20'000, 2));
  EXPECT_TRUE(records.features.rightCols(2).isZero(0));
  std::vector<Index> drawn(3, 0);
  for (const double y : records.labels) ++drawn[y == 2 ? 0 : y == 40 ? 1 : 2];
  EXPECT_TRUE(counts_follow(drawn, Eigen::Vector3d(0.3, 0.35, 0.35)));
  const Dataset counts = law.draw_counts(50'001, more, 5);
  ASSERT_EQ(counts.size(), 15);
  std::vector<Index> counted(3, 0);
  for (Index batch = 0; batch < 5; ++batch) {
    EXPECT_EQ(counts.labels.segment(3 * batch, 3).sum(), 10'000);
    for (Index k = 0; k < 3; ++k)
      counted[static_cast<std::size_t>(k)] += static_cast<Index>(counts.labels[3 * batch + k]);
  }
  EXPECT_TRUE(counts_follow(counted, Eigen::Vector3d(0.3, 0.35, 0.35)));
}

TEST(HiddenDirection, MeanGradientOfABatchIsThatOfItsRecords) {
  Dataset counts{Matrix::Zero(6, 3), VectorXd(6)};
  counts.labels << 7, 7, 7, 2, 1, 1;
  const Eigen::Vector3d w(0.7, 1, 2);
  const Dataset kinds = law.records();
  const Matrix each = gradients(Loss::pseudo_huber, w, kinds.all());
  const VectorXd expected = (2 * each.row(0) + each.row(1) + each.row(2)).transpose() / 4;
  EXPECT_TRUE(law.mean_gradient(counts, w, 1).isApprox(expected, 1e-14));
  counts.labels.setZero();
  EXPECT_TRUE(law.mean_gradient(counts, w, 0).isZero(0));
}

}  // namespace
}  // namespace dpverify::su
