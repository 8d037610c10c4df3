#include <bit>
#include <cmath>
#include <map>
#include <numbers>
#include <utility>
#include <vector>

#include "audits/must_catch/row.hpp"

namespace dpverify::must_catch {
namespace {

// One epoch of noisy sums over batches, as private training makes them: of n scalar gradients (the
// labels, clipped to [-1, 1]) n sums are released, each with noise N(0, deviation^2). Which records
// are in which batch is not released.

VectorXd clipped(const Dataset& data) { return data.labels.cwiseMax(-1).cwiseMin(1); }

// Far above the smallest doubles wherever outcomes of these mechanisms are.
double normal_density(double z, double deviation) {
  return std::exp(-(z / deviation) * (z / deviation) / 2) /
         (deviation * std::sqrt(2 * std::numbers::pi));
}

VectorXd with_noise(VectorXd sums, double deviation, RandomStream& stream) {
  for (double& sum : sums) sum += deviation * stream.normal();
  return sums;
}

// Each record is in each batch with probability 1/n, by coins of its own.
Mechanism poisson_batches(double deviation) {
  return [=](const Dataset& data, Releases& releases) {
    const VectorXd x = clipped(data);
    const Index n = x.size();
    const double rate = 1 / static_cast<double>(n);
    const auto draw = [=](RandomStream& stream) {
      VectorXd sums = VectorXd::Zero(n);
      for (double& sum : sums)
        for (const double record : x) sum += stream.uniform() < rate ? record : 0;
      return with_noise(std::move(sums), deviation, stream);
    };
    const auto log_density = [=](const VectorXd& point) {
      std::map<double, double> sums{{0, 1}};  // what a batch may sum to, and its probability
      for (const double record : x) {
        std::map<double, double> more;
        for (const auto& [sum, probability] : sums) {
          more[sum] += (1 - rate) * probability;
          more[sum + record] += rate * probability;
        }
        sums = std::move(more);
      }
      double total = 0;
      for (const double y : point) {
        double density = 0;
        for (const auto& [sum, probability] : sums)
          density += probability * normal_density(y - sum, deviation);
        total += std::log(density);
      }
      return total;
    };
    return releases.release(HiddenRelease{.size = n, .draw = draw, .log_density = log_density});
  };
}

// The records in a random order, a batch each.
Mechanism shuffled_batches(double deviation) {
  return [=](const Dataset& data, Releases& releases) {
    const VectorXd x = clipped(data);
    const Index n = x.size();
    const auto draw = [=](RandomStream& stream) {
      VectorXd sums = x;
      for (Index i = n - 1; i > 0; --i) std::swap(sums[i], sums[stream.index(i + 1)]);
      return with_noise(std::move(sums), deviation, stream);
    };
    // The mean over all orders: a permanent over n!, by the sets of records in the first batches.
    const auto log_density = [=](const VectorXd& point) {
      const std::size_t records = static_cast<std::size_t>(n), sets = std::size_t{1} << records;
      std::vector<double> means(sets, 0.0);
      means[0] = 1;
      for (std::size_t set = 0; set + 1 < sets; ++set) {
        const auto batch = static_cast<std::size_t>(std::popcount(set));
        for (std::size_t k = 0; k < records; ++k)
          if ((set >> k & 1) == 0) {
            const auto i = static_cast<Index>(k);
            means[set | std::size_t{1} << k] +=
                means[set] * normal_density(point[static_cast<Index>(batch)] - x[i], deviation) /
                static_cast<double>(batch + 1);
          }
      }
      return std::log(means.back());
    };
    return releases.release(HiddenRelease{.size = n, .draw = draw, .log_density = log_density});
  };
}

}  // namespace

std::vector<Row> batch_rows() {
  constexpr double deviation = 0.7;
  std::vector<double> there(10, -1.0), gone(10, -1.0);
  there.back() = 1;
  gone.back() = 0;
  return {
      {.name = "shuffled_accounted_as_poisson",
       .source = {Text::chua_2024, "batches that are shuffled, accounted for as Poisson sampling"},
       .fault =
           "the batches of an epoch are the records in a random order, while the noise is what "
           "Poisson sampling needs",
       .guarantee = {3, 2.3e-3},
       .pair = label_lists(there, gone),
       .broken = shuffled_batches(deviation),
       .twin = poisson_batches(deviation)},
  };
}

}  // namespace dpverify::must_catch
