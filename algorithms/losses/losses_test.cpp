#include "algorithms/losses/losses.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>

namespace dpverify {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

constexpr Loss all[] = {Loss::squared,  Loss::logistic,      Loss::absolute,
                        Loss::biweight, Loss::geman_mcclure, Loss::pseudo_huber};

TEST(Losses, EveryOneIsAChoiceByItsName) {
  const auto choices = loss_choices();
  ASSERT_EQ(choices.size(), std::size(all));
  for (std::size_t k = 0; k < std::size(all); ++k) {
    EXPECT_EQ(choices[k].first, name(all[k]));
    EXPECT_EQ(choices[k].second, all[k]);
  }
  EXPECT_EQ(name(Loss::logistic), "logistic");
}

TEST(Losses, ValuesAtKnownPoints) {
  EXPECT_EQ(loss_value(Loss::squared, 3, -1), 16);
  EXPECT_EQ(loss_value(Loss::absolute, 3, -1), 4);
  EXPECT_NEAR(loss_value(Loss::logistic, 0, 1), 0.6931471805599453, 1e-16);
  EXPECT_NEAR(loss_value(Loss::logistic, 2, 1), 0.12692801104297250, 1e-16);   // log(1 + e^-2)
  EXPECT_NEAR(loss_value(Loss::logistic, 2, -1), 2.12692801104297250, 1e-15);  // log(1 + e^2)
  // log(1 + e^-40) = e^-40 to 17 digits: lost by a formula that adds first.
  EXPECT_NEAR(loss_value(Loss::logistic, 40, 1) / 4.248354255291589e-18, 1, 1e-15);
}

TEST(Losses, DerivativeIsTheCentralDifference) {
  // The error of a central difference with step h is h^2 |f'''|/6; |f'''| is at most 8 (the
  // biweight loss at the ends of its interval), beside rounding of some 1e-15 |f|/h.
  constexpr double h = 1e-5;
  for (const Loss loss : all) {
    for (const double y : {-1.0, 1.0}) {
      for (const double p : {-8.0, -1.5, -0.1, 0.0, 0.3, 2.0, 9.0}) {
        const double difference =
            (loss_value(loss, p + h, y) - loss_value(loss, p - h, y)) / (2 * h);
        const double allowed = 1.4 * h * h + 4e-16 * (loss_value(loss, p, y) + 1) / h;
        EXPECT_NEAR(loss_derivative(loss, p, y), difference, allowed)
            << name(loss) << " at p = " << p << ", y = " << y;
      }
    }
  }
}

TEST(Losses, RobustLossesAtKnownPoints) {
  // Residual 1/2: (1 - (3/4)^3)/6 and (1/2)(3/4)^2; the largest derivative is 16/(25 sqrt5).
  EXPECT_NEAR(loss_value(Loss::biweight, 2, 1.5), 0.09635416666666667, 1e-16);
  EXPECT_NEAR(loss_derivative(Loss::biweight, 1, 1.5), -0.28125, 1e-16);
  EXPECT_NEAR(loss_derivative(Loss::biweight, 1 / std::sqrt(5), 0), 0.2862167011199731, 1e-16);
  EXPECT_NEAR(loss_value(Loss::biweight, 1, 0), 1 / 6.0, 1e-17);
  EXPECT_NEAR(loss_value(Loss::biweight, 3e-6, 0) / 4.5e-12, 1, 1e-11);  // r^2/2 (1 - r^2 + ...)
  EXPECT_NEAR(loss_value(Loss::biweight, -7, 1), 1 / 6.0, 1e-17);
  EXPECT_EQ(loss_derivative(Loss::biweight, 1, 0), 0);
  EXPECT_EQ(loss_derivative(Loss::biweight, -7, 1), 0);
  // Residual 3: 9/20 and 3/100.
  EXPECT_NEAR(loss_value(Loss::geman_mcclure, 3, 0), 0.45, 1e-16);
  EXPECT_NEAR(loss_derivative(Loss::geman_mcclure, 1, 4), -0.03, 1e-17);
  EXPECT_EQ(loss_value(Loss::geman_mcclure, 2, 2), 0);
  EXPECT_EQ(loss_derivative(Loss::geman_mcclure, 2, 2), 0);
  // Residual 3/4: 5/4 - 1 and (3/4)/(5/4).
  EXPECT_NEAR(loss_value(Loss::pseudo_huber, 0.75, 0), 0.25, 1e-16);
  EXPECT_NEAR(loss_derivative(Loss::pseudo_huber, 0, 0.75), -0.6, 1e-16);
  // 5e-19 to 17 digits: lost by sqrt(1 + r^2) - 1.
  EXPECT_NEAR(loss_value(Loss::pseudo_huber, 1e-9, 0) / 5e-19, 1, 1e-15);
  for (const double huge : {1e300, -1e300}) {
    EXPECT_NEAR(loss_value(Loss::biweight, huge, 0), 1 / 6.0, 1e-17);
    EXPECT_EQ(loss_derivative(Loss::biweight, huge, 0), 0);
    EXPECT_EQ(loss_value(Loss::geman_mcclure, huge, 0), 0.5);
    EXPECT_EQ(loss_derivative(Loss::geman_mcclure, huge, 0), 0);
    EXPECT_EQ(loss_value(Loss::pseudo_huber, huge, 0), 1e300);
    EXPECT_EQ(loss_derivative(Loss::pseudo_huber, huge, 0), huge / 1e300);
  }
}

TEST(Losses, KinkOfTheAbsoluteLoss) {
  EXPECT_EQ(loss_derivative(Loss::absolute, 2, 2), 0);
  EXPECT_EQ(loss_derivative(Loss::absolute, std::nextafter(2, 3), 2), 1);
  EXPECT_EQ(loss_derivative(Loss::absolute, std::nextafter(2, 1), 2), -1);
}

TEST(Losses, SecondDerivativeIsThatOfTheFirst) {
  for (const Loss loss : {Loss::squared, Loss::logistic, Loss::absolute, Loss::biweight,
                          Loss::geman_mcclure, Loss::pseudo_huber})
    for (const double p : {-3.0, -0.9, -0.2, 0.05, 0.45, 2.5})
      for (const double y : {-1.0, 1.0}) {
        const double h = 1e-6;
        const double slope =
            (loss_derivative(loss, p + h, y) - loss_derivative(loss, p - h, y)) / (2 * h);
        EXPECT_NEAR(loss_second_derivative(loss, p, y), slope, 1e-8) << name(loss) << " " << p;
      }
  EXPECT_EQ(loss_second_derivative(Loss::logistic, 1e300, -1), 0);
  EXPECT_EQ(loss_second_derivative(Loss::geman_mcclure, 1e200, 0), 0);
  EXPECT_EQ(loss_second_derivative(Loss::pseudo_huber, -1e200, 0), 0);
}

TEST(Losses, HugePredictions) {
  EXPECT_EQ(loss_value(Loss::logistic, 1e300, 1), 0);
  EXPECT_EQ(loss_value(Loss::logistic, 1e300, -1), 1e300);
  EXPECT_EQ(loss_value(Loss::logistic, -1e300, 1), 1e300);
  EXPECT_EQ(loss_derivative(Loss::logistic, 1e300, 1), 0);
  EXPECT_EQ(loss_derivative(Loss::logistic, -1e300, 1), -1);
  EXPECT_EQ(loss_derivative(Loss::logistic, 1e300, -1), 1);
  EXPECT_EQ(loss_derivative(Loss::squared, 1e300, 0), 2e300);
  EXPECT_EQ(loss_derivative(Loss::squared, -1e300, 1e300), -4e300);
  EXPECT_EQ(loss_value(Loss::squared, 1e300, 0), std::numeric_limits<double>::infinity());
  EXPECT_EQ(loss_value(Loss::absolute, -1e300, 1e300), 2e300);
  EXPECT_EQ(loss_derivative(Loss::absolute, -1e300, 1e300), -1);
}

TEST(Losses, GradientsAndRiskOfARunOfRecords) {
  const Dataset data{(Matrix(3, 2) << 9, 9, 1, 2, 3, -1).finished(),
                     (VectorXd(3) << 9, 4, -2).finished()};
  const VectorXd w = (VectorXd(2) << 0.5, 1).finished();
  const DataView part = data.part(1, 1);
  ASSERT_EQ(part.size(), 3);
  // Predictions 13.5, 2.5, 0.5; residuals 4.5, -1.5, 2.5.
  EXPECT_EQ(gradients(Loss::squared, w, part), (Matrix(3, 2) << 81, 81, -3, -6, 15, -5).finished());
  EXPECT_EQ(gradients(Loss::absolute, w, part), (Matrix(3, 2) << 9, 9, -1, -2, 3, -1).finished());
  EXPECT_NEAR(empirical_risk(Loss::squared, w, part), (20.25 + 2.25 + 6.25) / 3, 1e-14);
  EXPECT_NEAR(empirical_risk(Loss::absolute, w, part), 8.5 / 3, 1e-15);
  // The gradient of the risk is the mean of the gradients.
  const double h = 1e-6;
  for (Index j = 0; j < 2; ++j) {
    VectorXd up = w, down = w;
    up[j] += h;
    down[j] -= h;
    const double difference =
        (empirical_risk(Loss::squared, up, part) - empirical_risk(Loss::squared, down, part)) /
        (2 * h);
    // Exact for a quadratic but for rounding, 1e-15 * 10/h.
    EXPECT_NEAR(gradients(Loss::squared, w, part).col(j).mean(), difference, 1e-8);
  }
}

TEST(Losses, MeanSquaredDistanceAndTheNameOfAMeanLoss) {
  const Dataset data{(Matrix(2, 2) << 1, 2, 4, 6).finished(), VectorXd::Zero(2)};
  // (1, 1) is at distance 1 of the first point, sqrt(9 + 25) of the second.
  EXPECT_EQ(mean_squared_distance(data.all(), VectorXd::Ones(2)), (1 + 34) / 2.0);
  EXPECT_EQ(mean_loss_name(Loss::squared), "mean squared loss");
  EXPECT_EQ(mean_loss(Loss::absolute)(data.all(), VectorXd::Ones(2)), (3 + 10) / 2.0);
}

TEST(Losses, LengthOfWMustMatch) {
  const Dataset data{Matrix::Zero(2, 3), VectorXd::Zero(2)};
  EXPECT_THAT([&] { gradients(Loss::squared, VectorXd::Zero(2), data.all()); },
              ThrowsMessage<std::invalid_argument>(
                  "length of w is 2, but must be the number of features, 3"));
  EXPECT_THROW(empirical_risk(Loss::squared, VectorXd::Zero(2), data.all()), std::invalid_argument);
}

TEST(Losses, LabelsOfTheLogisticLoss) {
  const Dataset data{Matrix::Zero(3, 1), (VectorXd(3) << 1, -1, 0).finished()};
  EXPECT_THAT(
      [&] { validate_labels(Loss::logistic, data.all()); },
      ThrowsMessage<std::invalid_argument>(HasSubstr("label of record 2 is another number")));
  for (Index i = 0; i < 3; ++i) {
    Dataset bad{Matrix::Zero(3, 1), VectorXd::Ones(3)};
    bad.labels[i] = 0.5;
    EXPECT_THROW(validate_labels(Loss::logistic, bad.all()), std::invalid_argument) << i;
  }
  EXPECT_NO_THROW(validate_labels(Loss::squared, data.all()));
  EXPECT_NO_THROW(validate_labels(Loss::logistic, data.part(1, 3)));
}

}  // namespace
}  // namespace dpverify
