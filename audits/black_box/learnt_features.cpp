// Features that are learnt from all coordinates.
#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <utility>

#include "algorithms/core/numbers.hpp"
#include "audits/black_box/features.hpp"

namespace dpverify::black_box {
namespace {

// How far apart the two sides are in a scaled coordinate or in its square, whichever tells more:
// the difference of the means over the standard deviation.
double separation(const OutputRange& first, const OutputRange& second, const Scaling& scale,
                  Index i) {
  struct Moments {
    double size = 0, sums[4] = {};  // of the powers 1 to 4
    double mean(int power) const { return sums[power - 1] / size; }
    double variance(int power) const {
      return std::max(0.0, mean(2 * power) - mean(power) * mean(power));
    }
  };
  const auto moments = [&](const OutputRange& sample) {
    Moments out;
    out.size = static_cast<double>(sample.size());
    for (const Output x : sample) {
      const double value = scale.at(x, i);
      double power = 1;
      for (double& sum : out.sums) sum += power *= value;
    }
    return out;
  };
  const Moments one = moments(first), other = moments(second);
  double most = 0;
  for (const int power : {1, 2}) {
    const double difference = std::abs(one.mean(power) - other.mean(power));
    const double spread = std::sqrt(one.variance(power) + other.variance(power));
    if (difference > 0) most = std::max(most, spread > 0 ? difference / spread : infinity);
  }
  return most;
}

}  // namespace

Scaling scaling(const OutputRange& first, const OutputRange& second, Index dimension) {
  Scaling out{VectorXd::Zero(dimension), VectorXd::Ones(dimension)};
  for (Index i = 0; i < dimension; ++i) {
    std::vector<double> values;
    for (const OutputRange* sample : {&first, &second})
      for (const Output x : *sample)
        if (i < x.size() && std::isfinite(x[i])) values.push_back(x[i]);
    if (values.empty()) continue;
    const auto quantile = [&](std::size_t quarter) {
      const auto place =
          values.begin() + static_cast<std::ptrdiff_t>(quarter * (values.size() - 1) / 4);
      std::nth_element(values.begin(), place, values.end());
      return *place;
    };
    out.centre[i] = quantile(2);
    const double range = quantile(3) - quantile(1);
    if (range > 0 && std::isfinite(range)) out.scale[i] = range;
  }
  return out;
}

Feature linear_direction(const OutputRange& first, const OutputRange& second,
                         const Scaling& scale) {
  constexpr std::size_t most_coordinates = 100;
  const Index dimension = scale.centre.size();
  VectorXd separations(dimension);
  for (Index i = 0; i < dimension; ++i) separations[i] = separation(first, second, scale, i);
  std::vector<Index> kept(static_cast<std::size_t>(dimension));
  std::iota(kept.begin(), kept.end(), Index{0});
  std::stable_sort(kept.begin(), kept.end(),
                   [&](Index a, Index b) { return separations[a] > separations[b]; });
  kept.resize(std::min(kept.size(), most_coordinates));

  const auto width = static_cast<Index>(kept.size());
  const auto row = [kept, scale, width](const Output& x) {
    VectorXd out(2 * width + 1);
    for (Index k = 0; k < width; ++k) {
      out[k] = scale.at(x, kept[static_cast<std::size_t>(k)]);
      out[width + k] = out[k] * out[k];
    }
    out[2 * width] = 1;
    return out;
  };
  Eigen::MatrixXd normal = Eigen::MatrixXd::Zero(2 * width + 1, 2 * width + 1);
  VectorXd right = VectorXd::Zero(2 * width + 1);
  for (const OutputRange* sample : {&first, &second})
    for (const Output x : *sample) {
      const VectorXd values = row(x);
      const double weight = 1 / static_cast<double>(sample->size());
      normal.selfadjointView<Eigen::Lower>().rankUpdate(values, weight);
      right += (sample == &first ? weight : -weight) * values;
    }
  normal.diagonal().array() += 1e-3;
  const VectorXd weights = normal.selfadjointView<Eigen::Lower>().ldlt().solve(right);

  std::vector<Index> order(static_cast<std::size_t>(width));
  for (Index k = 0; k < width; ++k) order[static_cast<std::size_t>(k)] = k;
  std::stable_sort(order.begin(), order.end(),
                   [&](Index a, Index b) { return std::abs(weights[a]) > std::abs(weights[b]); });
  std::string name = "linear score (";
  for (std::size_t k = 0; k < std::min<std::size_t>(3, order.size()); ++k)
    name += fmt::format("{:+.2g} scaled output[{}] ", weights[order[k]],
                        kept[static_cast<std::size_t>(order[k])]);
  return {name + "...)", [row, weights](const Output& x) { return weights.dot(row(x)); }};
}

Feature neighbours(const OutputRange& first, const OutputRange& second, const Scaling& scale) {
  constexpr std::size_t nearest = 15;
  const std::size_t each = std::min<std::size_t>({first.size(), second.size(), 250});
  const Index dimension = scale.centre.size();
  Eigen::MatrixXd points(dimension, static_cast<Index>(2 * each));
  for (std::size_t k = 0; k < each; ++k)
    for (Index i = 0; i < dimension; ++i) {
      points(i, static_cast<Index>(k)) = scale.at(first[k], i);
      points(i, static_cast<Index>(each + k)) = scale.at(second[k], i);
    }
  const std::size_t used = std::min(nearest, each);
  return {fmt::format("number of the {} nearest outputs that are of the first sample", used),
          [points = std::make_shared<const Eigen::MatrixXd>(std::move(points)), scale, used,
           each](const Output& x) {
            VectorXd place(points->rows());
            for (Index i = 0; i < place.size(); ++i) place[i] = scale.at(x, i);
            std::vector<std::pair<double, bool>> distances;
            distances.reserve(2 * each);
            for (Index k = 0; k < points->cols(); ++k)
              distances.emplace_back((points->col(k) - place).squaredNorm(),
                                     k < static_cast<Index>(each));
            const auto end = distances.begin() + static_cast<std::ptrdiff_t>(used);
            std::nth_element(distances.begin(), end - 1, distances.end());
            return static_cast<double>(
                std::count_if(distances.begin(), end, [](const auto& d) { return d.second; }));
          }};
}

}  // namespace dpverify::black_box
