// The reports of Algorithm 4 in random order, as one release.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "algorithms/core/checked.hpp"
#include "algorithms/su/shuffled_mirror_descent.hpp"

namespace dpverify::su {
namespace {

// The log density of numbers of which one, any of them as likely, has mean `odd` and the others
// `rest`.
double log_density(const VectorXd& z, double odd, double rest, double deviation) {
  const double variance = deviation * deviation;
  const auto squares = (z.array() - rest).square();
  const VectorXd ratios = (squares - (z.array() - odd).square()) / (2 * variance);
  const double largest = ratios.maxCoeff();
  return largest + std::log((ratios.array() - largest).exp().mean()) -
         squares.sum() / (2 * variance) -
         static_cast<double>(z.size()) * std::log(deviation * std::sqrt(2 * std::numbers::pi));
}

}  // namespace

double shuffled_reports_delta(Index n, double standard_deviation, double epsilon, double cell) {
  require(n >= 1, "number of reports n", static_cast<double>(n), "at least 1");
  require(positive, "standard deviation", standard_deviation);
  require(epsilon >= 0 && epsilon < 10, "epsilon", epsilon, "in [0, 10)");
  require(positive, "cell", cell);
  const double width = 2 / standard_deviation, records = static_cast<double>(n);
  const auto below = [=](double x, double shift) {  // P(X <= x), and E X 1{X <= x} at shift -1
    return x > 0 ? std::erfc(-(std::log(x) / width + shift * width / 2) / std::numbers::sqrt2) / 2
                 : 0;
  };
  const auto last = static_cast<Index>(std::ceil(records * std::exp(epsilon) / cell));
  VectorXd law = VectorXd::Zero(last + 2);
  for (Index k = 0; k <= last; ++k) {
    const double a = static_cast<double>(k) * cell, b = a + cell;
    const double mass = below(b, 1) - below(a, 1), mean = below(b, -1) - below(a, -1);
    law[k] += (b * mass - mean) / cell;
    law[k + 1] += (mean - a * mass) / cell;
  }
  const auto sum = [last](const VectorXd& x, const VectorXd& y) {
    VectorXd out = VectorXd::Zero(last + 1);
    for (Index k = 0; k <= last; ++k) out.tail(last + 1 - k) += x[k] * y.head(last + 1 - k);
    return out;
  };
  VectorXd power = law.head(last + 1), total = VectorXd::Unit(last + 1, 0);
  for (Index left = n; left > 0; left /= 2) {
    if (left % 2 == 1) total = sum(total, power);
    if (left > 1) power = sum(power, power);
  }
  // E(limit - S)^+ of the mean S of n such X, of which E S = 1.
  const auto short_of = [&](double limit) {
    const VectorXd values =
        VectorXd::LinSpaced(last + 1, 0, static_cast<double>(last)) * cell / records;
    return (limit - values.array()).cwiseMax(0).matrix().dot(total);
  };
  const double growth = std::exp(epsilon);
  return std::max(1 - growth + short_of(growth), growth * short_of(1 / growth));
}

Mechanism shuffled_reports(double standard_deviation) {
  require(positive, "standard deviation", standard_deviation);
  return [standard_deviation](const Dataset& data, Releases& releases) -> VectorXd {
    const VectorXd means = data.features.col(0);
    // The median of the three first is the mean of all but one.
    const Index n = means.size();
    const double rest = n < 3 ? means[n - 1]
                              : std::max(std::min(means[0], means[1]),
                                         std::min(std::max(means[0], means[1]), means[2]));
    double odd = rest;
    Index others = 0;
    for (const double mean : means)
      if (mean != rest) {
        odd = mean;
        ++others;
      }
    HiddenRelease law{.size = n, .draw = [=](RandomStream& stream) {
                        VectorXd reports = means + standard_deviation * stream.normal_vector(n);
                        for (Index i = n - 1; i > 0; --i)
                          std::swap(reports[i], reports[stream.index(i + 1)]);
                        return reports;
                      }};
    // Of other datasets it is a sum over all orders.
    if (others <= 1)
      law.log_density = [=](const VectorXd& z) {
        return log_density(z, odd, rest, standard_deviation);
      };
    return releases.release(law);
  };
}

}  // namespace dpverify::su
