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

Mechanism shuffled_reports(double standard_deviation) {
  require(standard_deviation > 0, "standard deviation", standard_deviation, "positive");
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
