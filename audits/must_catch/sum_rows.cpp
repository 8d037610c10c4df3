#include <algorithm>
#include <cmath>
#include <limits>

#include "algorithms/core/gaussian.hpp"
#include "audits/must_catch/row.hpp"

namespace dpverify::must_catch {
namespace {

VectorXd one(double value) { return VectorXd::Constant(1, value); }

// Sum of the labels clipped to [0, 1]: sensitivity 1, also when a record comes or goes.
double clipped_sum(const Dataset& data) { return data.labels.cwiseMax(0).cwiseMin(1).sum(); }
double count(const Dataset& data) { return static_cast<double>(data.size()); }

VectorXd with_laplace(double value, double sensitivity, double scale, Releases& releases) {
  return releases.release(
      LaplaceNoise{.value = one(value), .sensitivity = sensitivity, .scale = scale});
}

// f + Laplace(scale), f of sensitivity 1.
Mechanism laplace(double (*f)(const Dataset&), double scale) {
  return [=](const Dataset& data, Releases& releases) {
    return with_laplace(f(data), 1, scale, releases);
  };
}

Mechanism without_noise(double (*f)(const Dataset&)) {
  return [=](const Dataset& data, Releases&) { return one(f(data)); };
}

// One bin a column of features, each record in one bin; neighbours by one record more or less.
Mechanism histogram(double scale) {
  return [=](const Dataset& data, Releases& releases) {
    return releases.release(LaplaceNoise{
        .value = data.features.colwise().sum().transpose(), .sensitivity = 1, .scale = scale});
  };
}

// All partial sums of a stream of labels in [0, 1], from noisy items and noisy blocks of two: each
// item is in at most two noisy sums. `block_scale` 0: the blocks' sums without noise.
Mechanism smart_sum(double item_scale, double block_scale) {
  return [=](const Dataset& data, Releases& releases) {
    constexpr Index block = 2;
    VectorXd sums(data.size());
    double before = 0, items = 0, exact = 0;  // blocks so far; noisy and exact sum of this one
    for (Index i = 0; i < data.size(); ++i) {
      const double item = data.labels[i];
      exact += item;
      if ((i + 1) % block == 0) {
        before += block_scale > 0 ? with_laplace(exact, 1, block_scale, releases)[0] : exact;
        items = exact = 0;
      } else {
        items += with_laplace(item, 1, item_scale, releases)[0];
      }
      sums[i] = before + items;
    }
    return sums;
  };
}

// The mean of labels in [0, 1] where records may come and go.
Mechanism mean(bool noisy_count) {
  return [=](const Dataset& data, Releases& releases) {
    const double sum = with_laplace(clipped_sum(data), 1, 2, releases)[0];
    const double size = noisy_count ? with_laplace(count(data), 1, 2, releases)[0] : count(data);
    return one(sum / std::max(size, 1.0));
  };
}

// A noisy count, or an error (NaN) if too few records are there.
Mechanism count_with_status(bool status_from_noisy_count) {
  return [=](const Dataset& data, Releases& releases) {
    const VectorXd noisy = with_laplace(count(data), 1, 1 / std::log(3.0), releases);
    const double seen = status_from_noisy_count ? noisy[0] : count(data);
    return seen < 2 ? one(std::numeric_limits<double>::quiet_NaN()) : noisy;
  };
}

// One step of noisy gradient descent on a batch of scalar gradients (the labels), clipped to [-1,
// 1]: each gradient before the mean, or the mean itself, which one record then moves by 2.
Mechanism gradient_step(double mu, bool clip_each) {
  return [=](const Dataset& data, Releases& releases) {
    const double n = count(data);
    const double mean = clip_each ? data.labels.cwiseMax(-1).cwiseMin(1).mean()
                                  : std::clamp(data.labels.mean(), -1.0, 1.0);
    return releases.release(
        GaussianNoise{.value = one(mean), .sensitivity = 2 / n, .standard_deviation = 2 / n / mu});
  };
}

// How many records hold a key (label 1), shown only if its noisy value is at least the lowest value
// to show; integer noise P(Z = k) = (1 - a)/(1 + a) a^|k|, a = exp(-epsilon). A key nobody holds is
// not shown. The largest values shown are one outcome.
constexpr double key_threshold = 5;
constexpr Index shown_values = 200;

// P(Z >= k) for k >= 1
double upper_tail(double epsilon, double k) {
  return std::exp(-epsilon * k) / (1 + std::exp(-epsilon));
}

Mechanism thresholded_key(double epsilon, double lowest) {
  return [=](const Dataset& data, Releases& releases) {
    const double holders = data.labels.sum();
    // Outcome 0: not shown; k: the noisy count is lowest + k - 1, the last one also above.
    const auto outcome_of = [=](double noisy) {
      return noisy < lowest ? Index{0}
                            : std::min(shown_values, static_cast<Index>(noisy - lowest) + 1);
    };
    const auto draw = [=](RandomStream& stream) -> Index {
      if (holders == 0) return 0;
      const auto geometric = [&] { return std::floor(stream.exponential() / epsilon); };
      const double up = geometric(), down = geometric();
      return outcome_of(holders + up - down);
    };
    const auto log_probabilities = [=]() -> VectorXd {
      VectorXd p = VectorXd::Zero(shown_values + 1);
      if (holders == 0) {
        p[0] = 1;
      } else {
        for (Index k = 1; k <= shown_values; ++k) {
          const double z = lowest + static_cast<double>(k) - 1 - holders;
          p[k] = upper_tail(epsilon, z) - (k < shown_values ? upper_tail(epsilon, z + 1) : 0);
        }
        p[0] = 1 - upper_tail(epsilon, lowest - holders);
      }
      return p.array().log();
    };
    const Index shown = releases.select(HiddenSelection{shown_values + 1, draw, log_probabilities});
    return one(shown == 0 ? 0 : lowest + static_cast<double>(shown) - 1);
  };
}

// The sum of squares of labels in [0, 100], as linear regression needs it.
Mechanism sum_of_squares(bool upper_bound_used) {
  return [=](const Dataset& data, Releases& releases) {
    const double lower = 0, upper = 100;
    const double sum = data.labels.cwiseMax(lower).cwiseMin(upper).squaredNorm();
    const double bound = upper_bound_used ? upper : lower;
    const double sensitivity = bound * bound;
    if (sensitivity == 0) return one(sum);  // Laplace noise of scale 0
    return with_laplace(sum, sensitivity, sensitivity, releases);
  };
}

// The mean of the labels of the records whose first feature is positive.
Mechanism group_mean(bool divide_by_group) {
  return [=](const Dataset& data, Releases& releases) {
    const VectorXd member = (data.features.col(0).array() > 0).cast<double>();
    const double sum = data.labels.cwiseMax(0).cwiseMin(1).dot(member);
    const double divisor = divide_by_group ? std::max(member.sum(), 1.0) : count(data);
    return with_laplace(sum / divisor, 1 / divisor, 1 / divisor, releases);
  };
}

// The sum of amounts up to a largest one, each rounded to a multiple of 1/1024, of which doubles
// sum thousands exactly. In single precision a sum of some 10^9 is a multiple of 64: there each
// further largest amount, 64 times 15625.625, counts for 64 times 15626.
constexpr double largest_amount = 1'000'040;

Mechanism sum_of_amounts(bool single_precision) {
  return [=](const Dataset& data, Releases& releases) {
    const VectorXd amounts =
        (data.labels.cwiseMax(0).cwiseMin(largest_amount) * 1024).array().round() / 1024;
    float rounded = 0;
    for (const double amount : amounts) rounded += static_cast<float>(amount);
    return with_laplace(single_precision ? static_cast<double>(rounded) : amounts.sum(),
                        largest_amount, largest_amount, releases);
  };
}

// So many records of the largest amount, the last replaced by `last`.
std::vector<double> largest_amounts(std::size_t count, double last) {
  std::vector<double> amounts(count, largest_amount);
  amounts.back() = last;
  return amounts;
}

Mechanism clipped_mean(bool clipped_used) {
  return [=](const Dataset& data, Releases& releases) {
    const VectorXd clipped = data.labels.cwiseMax(0).cwiseMin(1);
    const double n = count(data);
    return with_laplace(clipped_used ? clipped.mean() : data.labels.mean(), 1 / n, 1 / n, releases);
  };
}

// Two noisy sums of the same records.
Mechanism two_sums(double scale) {
  return [=](const Dataset& data, Releases& releases) -> VectorXd {
    const double first = with_laplace(clipped_sum(data), 1, scale, releases)[0];
    const double second = with_laplace(clipped_sum(data), 1, scale, releases)[0];
    return Eigen::Vector2d(first, second);
  };
}

// Four steps, each on a part of the records of its own or on all.
Mechanism four_parts(bool disjoint) {
  return [=](const Dataset& data, Releases& releases) {
    VectorXd means(4);
    for (Index t = 1; t <= 4; ++t) {
      const DataView part = disjoint ? data.part(t, 4) : data.all();
      const auto n = static_cast<double>(part.size());
      means[t - 1] =
          with_laplace(part.labels.cwiseMax(0).cwiseMin(1).mean(), 1 / n, 1 / n, releases)[0];
    }
    return means;
  };
}

// Sixteen gradients, the last one an outlier.
std::vector<double> batch_with(double outlier) {
  std::vector<double> batch(16, 0.0);
  batch.back() = outlier;
  return batch;
}

// Noise that is too small, or none.
std::vector<Row> noise_rows() {
  const double log_3 = std::log(3.0);
  const NeighbouringPair one_more = label_lists({1, 1}, {1});
  return {
      {.name = "histogram_inverted_scale",
       .source = {Text::ding_2018, "histogram"},
       .fault = "the noise has scale epsilon instead of 1/epsilon",
       .guarantee = {0.1, 0},
       .pair = feature_rows({{0, 1, 0}, {1, 0, 0}}, {{0, 1, 0}}),
       .broken = histogram(0.1),
       .twin = histogram(10)},
      {.name = "laplace_half_noise",
       .source = {Text::dwork_2006, "Laplace mechanism"},
       .fault = "the noise has half of the scale that the sensitivity asks for",
       .guarantee = {1, 0},
       .pair = label_lists({0}, {1}),
       .broken = laplace(clipped_sum, 0.5),
       .twin = laplace(clipped_sum, 1)},
      {.name = "partial_sum_half_noise",
       .source = {Text::wang_2020, "PartialSum"},
       .fault = "the sum gets half of the noise",
       .guarantee = {1, 0},
       .pair = label_lists({1, 0.5, 0}, {1, 0.5, 1}),
       .broken = laplace(clipped_sum, 0.5),
       .twin = laplace(clipped_sum, 1)},
      {.name = "smart_sum_zero_noise",
       .source = {Text::wang_2020, "SmartSum"},
       .fault = "the sums of blocks get no noise",
       .guarantee = {2, 0},
       .pair = label_lists({1, 0, 1, 0}, {1, 0, 1, 1}),
       .broken = smart_sum(1, 0),
       .twin = smart_sum(1, 1)},
      {.name = "non_private_sum",
       .source = {Text::stochastic_tester, "sum"},
       .fault = "it is the sum itself",
       .guarantee = {log_3, 0},
       .pair = one_more,
       .broken = without_noise(clipped_sum),
       .twin = laplace(clipped_sum, 1 / log_3)},
      {.name = "non_private_count",
       .source = {Text::stochastic_tester, "count"},
       .fault = "it is the count itself",
       .guarantee = {log_3, 0},
       .pair = one_more,
       .broken = without_noise(count),
       .twin = laplace(count, 1 / log_3)},
      {.name = "half_epsilon_sum",
       .source = {Text::stochastic_tester, "sum at half of epsilon"},
       .fault = "the noise is calibrated to twice the epsilon",
       .guarantee = {log_3, 0},
       .pair = one_more,
       .broken = laplace(clipped_sum, 1 / (2 * log_3)),
       .twin = laplace(clipped_sum, 1 / log_3)},
  };
}

// What depends on exact counts.
std::vector<Row> count_rows() {
  const double log_3 = std::log(3.0);
  const NeighbouringPair one_more = label_lists({1, 1}, {1});
  return {
      {.name = "mean_with_exact_count",
       .source = {Text::folklore, "mean where records come and go"},
       .fault = "the sum is noisy but the number of records is not",
       .guarantee = {1, 0},
       .pair = one_more,
       .broken = mean(false),
       .twin = mean(true)},
      {.name = "count_with_exact_error_status",
       .source = {Text::stochastic_tester, "count with an error status"},
       .fault = "whether it fails depends on the exact count",
       .guarantee = {log_3, 0},
       .pair = one_more,
       .broken = count_with_status(false),
       .twin = count_with_status(true)},
      {.name = "normaliser_from_data",
       .source = {Text::folklore, "mean over a batch drawn by the data"},
       .fault = "it divides by a number of records that depends on the records",
       .guarantee = {1.2, 0},
       .pair = {.data = {Matrix::Constant(4, 1, 1), Eigen::Vector4d(1, 1, 1, 0)},
                .neighbour = {Eigen::Vector4d(1, 1, 1, -1), Eigen::Vector4d(1, 1, 1, 0)},
                .replaced = 3},
       .broken = group_mean(true),
       .twin = group_mean(false)},
      {.name = "threshold_delta_off_by_one",
       .source = {Text::folklore, "thresholded keys"},
       .fault = "delta leaves out the noise that lands exactly on the threshold",
       // A key of one holder is shown with probability P(1 + Z > threshold), which the twin
       // attains: rounded up, since its last bits are other ones on other processors.
       .guarantee = {1, upper_tail(1, key_threshold) * (1 + 1e-12)},
       .pair = label_lists({0, 1}, {0, 0}),
       .broken = thresholded_key(1, key_threshold),
       .twin = thresholded_key(1, key_threshold + 1)},
  };
}

// A sensitivity that does not hold.
std::vector<Row> sensitivity_rows() {
  return {
      {.name = "clipped_gradient_over_batch",
       .source = {Text::tramer_2022, "auditing an implementation of private learning"},
       .fault =
           "the mean gradient is clipped and not each gradient, so that the sensitivity is off "
           "by the batch size, 16",
       .guarantee = {0.21, 1e-5},
       .pair = label_lists(batch_with(-1e3), batch_with(1e3)),
       .broken = gradient_step(gaussian_mu(0.21, 1e-5), false),
       .twin = gradient_step(gaussian_mu(0.21, 1e-5), true)},
      {.name = "linear_regression_lower_bound_twice",
       .source = {Text::folklore, "linear regression, sensitivity of x^2 on (0, 100)"},
       .fault = "the sensitivity comes from the lower bound twice: 0 instead of 10000",
       .guarantee = {1, 0},
       .pair = label_lists({50, 0}, {50, 100}),
       .broken = sum_of_squares(false),
       .twin = sum_of_squares(true)},
      {.name = "clips_then_uses_raw",
       .source = {Text::folklore, "clipped mean"},
       .fault = "the clipped copy is computed and the raw labels are used",
       .guarantee = {1, 0},
       .pair = label_lists({0.5, 0}, {0.5, 1e3}),
       .broken = clipped_mean(false),
       .twin = clipped_mean(true)},
      {.name = "single_precision_sum",
       .source = {Text::casacuberta_2022, "sums of floating-point numbers"},
       .fault =
           "the sum is rounded at every step, so that one record moves it by more than it holds",
       .guarantee = {1, 0},
       .pair = label_lists(largest_amounts(1000, largest_amount), largest_amounts(1000, 0)),
       .broken = sum_of_amounts(true),
       .twin = sum_of_amounts(false)},
  };
}

// A budget that is spent more than once.
std::vector<Row> composition_rows() {
  return {
      {.name = "budget_spent_twice",
       .source = {Text::folklore, "composition"},
       .fault = "two releases of the same records are charged as one",
       .guarantee = {1, 0},
       .pair = label_lists({0}, {1}),
       .broken = two_sums(1),
       .twin = two_sums(2)},
      {.name = "parts_reused",
       .source = {Text::folklore, "parallel composition"},
       .fault = "every step reads all records while the steps are charged as if on disjoint parts",
       .guarantee = {1, 0},
       .pair = label_lists({0, 0, 0, 0}, {0, 0, 0, 1}),
       .broken = four_parts(false),
       .twin = four_parts(true)},
  };
}

}  // namespace

std::vector<Row> sum_rows() {
  std::vector<Row> rows;
  for (auto* group : {noise_rows, count_rows, sensitivity_rows, composition_rows})
    for (Row& row : group()) rows.push_back(std::move(row));
  return rows;
}

}  // namespace dpverify::must_catch
