#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>

#include "algorithms/core/exact_sampling.hpp"
#include "algorithms/core/numbers.hpp"
#include "algorithms/su/objective_perturbation.hpp"
#include "audits/must_catch/row.hpp"

namespace dpverify::must_catch {
namespace {

VectorXd one(double value) { return VectorXd::Constant(1, value); }
double clipped_sum(const Dataset& data) { return data.labels.cwiseMax(0).cwiseMin(1).sum(); }

Mechanism laplace_sum(double scale) {
  return [=](const Dataset& data, Releases& releases) {
    return releases.release(
        LaplaceNoise{.value = one(clipped_sum(data)), .sensitivity = 1, .scale = scale});
  };
}

// The generator is seeded with one random byte, so that the noise is one of 256 values.
Mechanism seeded_with_one_byte(double scale) {
  return [=](const Dataset& data, Releases& releases) {
    const Index byte = releases.select(HiddenSelection{
        .count = 256,
        .draw = [](RandomStream& stream) { return stream.index(256); },
        .log_probabilities = [] { return VectorXd(VectorXd::Constant(256, -std::log(256.0))); }});
    RandomStream noise(
        {.seed = static_cast<std::uint64_t>(byte), .claim = "generator", .purpose = "noise"});
    return one(clipped_sum(data) + scale * noise.laplace());
  };
}

// Inversion of a uniform double: what the textbook formula gives, rounding included. Which doubles
// can come out depends on the value it is added to (Mironov, 2012).
Mechanism textbook_laplace(double scale) {
  return [=](const Dataset& data, Releases& releases) {
    const double value = clipped_sum(data);
    return releases.release(
        HiddenRelease{.size = 1,
                      .draw = [=](RandomStream& stream) -> VectorXd {
                        // A multiple of 2^-53 in (0, 1), as generators give.
                        const double u = (static_cast<double>(stream.bits() >> 11) + 0.5) * 0x1p-53;
                        const double noise = u < 0.5 ? std::log(2 * u) : -std::log(2 * (1 - u));
                        return one(value + scale * noise);
                      },
                      .log_density = {}});
  };
}

// The method of Box and Muller on uniform doubles, with the same fault.
Mechanism textbook_gaussian(double standard_deviation) {
  return [=](const Dataset& data, Releases& releases) {
    const double value = clipped_sum(data);
    return releases.release(HiddenRelease{
        .size = 1,
        .draw = [=](RandomStream& stream) -> VectorXd {
          const double u = (static_cast<double>(stream.bits() >> 11) + 0.5) * 0x1p-53;
          const double v = (static_cast<double>(stream.bits() >> 11) + 0.5) * 0x1p-53;
          const double noise = std::sqrt(-2 * std::log(u)) * std::cos(2 * std::numbers::pi * v);
          return one(value + standard_deviation * noise);
        },
        .log_density = {}});
  };
}

class BitsOfStream final : public BitSource {
 public:
  explicit BitsOfStream(RandomStream& stream) : stream_(stream) {}
  std::uint64_t bits() override { return stream_.bits(); }

 private:
  RandomStream& stream_;
};

// As `run` draws it: the exact sum with the noise, rounded to a grid that the scale alone decides.
// `log_mass` of the noise that is rounded to a multiple of the step, so far from the value.
Mechanism rounded_sum(double scale, LazyReal (*noise)(BitSource&),
                      const std::function<double(double distance, double step)>& log_mass) {
  const double step = noise_grid(scale);
  return [=](const Dataset& data, Releases& releases) {
    const double value = clipped_sum(data);
    return releases.release(HiddenRelease{.size = 1,
                                          .draw = [=](RandomStream& stream) -> VectorXd {
                                            BitsOfStream bits(stream);
                                            LazyReal z = noise(bits);
                                            return one(rounded_to_grid(value, scale, z, bits));
                                          },
                                          .log_density =
                                              [=](const VectorXd& point) {
                                                if (std::fmod(point[0], step) != 0)
                                                  return -infinity;
                                                return log_mass(std::abs(point[0] - value), step);
                                              }});
  };
}

Mechanism rounded_laplace(double scale) {
  return rounded_sum(scale, exact_laplace, [scale](double distance, double step) {
    const auto within = [scale](double x) { return -std::expm1(-x / scale) / 2; };
    const double nearer = step / 2 - distance;
    return nearer > 0 ? std::log(within(nearer) + within(step / 2 + distance))
                      : nearer / scale + std::log(within(step));
  });
}

// So narrow a step has the density of its middle.
Mechanism rounded_gaussian(double standard_deviation) {
  return rounded_sum(standard_deviation, exact_normal, [=](double distance, double step) {
    const double z = distance / standard_deviation;
    return -z * z / 2 + std::log(step / standard_deviation) - std::log(2 * std::numbers::pi) / 2;
  });
}

// Draws again, at most twice, if the first result is of no use: further than `tolerance` from the
// exact sum, or outside the public range [-1, 2].
Mechanism retry(bool by_exact_sum, double scale) {
  return [=](const Dataset& data, Releases& releases) {
    const double sum = clipped_sum(data), tolerance = 1;
    VectorXd noisy;
    for (int attempt = 0; attempt < 3; ++attempt) {
      noisy = releases.release(LaplaceNoise{.value = one(sum), .sensitivity = 1, .scale = scale});
      const bool failed =
          by_exact_sum ? std::abs(noisy[0] - sum) > tolerance : noisy[0] < -1 || noisy[0] > 2;
      if (!failed) break;
    }
    return noisy;
  };
}

// Clips by comparisons, which are all false for NaN: the record passes and spoils the sum. Shown
// is then NaN whatever the noise.
Mechanism clip_by_comparison(bool nan_counts_as_zero) {
  return [=](const Dataset& data, Releases& releases) {
    double sum = 0;
    for (double x : data.labels) {
      if (nan_counts_as_zero && std::isnan(x)) x = 0;
      if (x < 0) x = 0;
      if (x > 1) x = 1;
      sum += x;
    }
    return releases.release(
        HiddenRelease{.size = 1,
                      .draw = [=](RandomStream& stream) { return one(sum + stream.laplace()); },
                      // NaN is an atom.
                      .log_density =
                          [=](const VectorXd& point) {
                            if (std::isnan(sum) || std::isnan(point[0]))
                              return std::isnan(sum) && std::isnan(point[0]) ? 0 : -infinity;
                            return -std::abs(point[0] - sum) - std::numbers::ln2;
                          }});
  };
}

// Objective perturbation of the sum of n losses; `lost`: with the ridge and the noise that the mean
// of the losses would need.
Mechanism perturbed_objective(bool lost) {
  return [=](const Dataset& data, Releases& releases) {
    auto p = su::objective_perturbation_from_theorem(Edition::corrected, data.size(), 1, 1, 1e-5,
                                                     Loss::pseudo_huber, 1, 10);
    const auto n = static_cast<double>(data.size());
    if (lost) {
      p.ridge /= n;
      p.standard_deviation /= n;
    }
    return su::objective_perturbation(data, p, releases);
  };
}

}  // namespace

std::vector<Row> glue_rows() {
  const NeighbouringPair zero_one = label_lists({0}, {1});
  return {
      {.name = "naive_double_laplace",
       .source = {Text::mironov_2012, "significance of the least significant bits"},
       .fault = "the set of doubles that can come out depends on the value",
       .guarantee = {0.1, 0},
       .pair = zero_one,
       .broken = textbook_laplace(10),
       .twin = rounded_laplace(10),
       .bits = true},
      {.name = "naive_double_gaussian",
       .source = {Text::mironov_2012, "significance of the least significant bits"},
       .fault = "the set of doubles that the method of Box and Muller gives depends on the value",
       .guarantee = {0.5, 1e-6},
       .pair = zero_one,
       .broken = textbook_gaussian(10),
       .twin = rounded_gaussian(10),
       .bits = true},
      {.name = "one_byte_seed",
       .source = {Text::folklore, "seeding"},
       .fault = "the generator is seeded with one random byte",
       .guarantee = {1, 0},
       .pair = zero_one,
       .broken = seeded_with_one_byte(1),
       .twin = laplace_sum(1)},
      {.name = "retry_on_failure",
       .source = {Text::folklore, "retries"},
       .fault = "it draws again when the result is too far from the exact sum",
       .guarantee = {1, 0},
       .pair = zero_one,
       .broken = retry(true, 1),
       .twin = retry(false, 3)},
      {.name = "nan_through_clipping",
       .source = {Text::folklore, "clipping by comparisons"},
       .fault = "a record that is NaN passes the clipping and makes the sum NaN",
       .guarantee = {1, 0},
       .pair = label_lists({0, 0}, {0, std::numeric_limits<double>::quiet_NaN()}),
       .broken = clip_by_comparison(false),
       .twin = clip_by_comparison(true)},
      {.name = "objective_perturbation_lost_1_over_n",
       .source = {Text::folklore, "objective perturbation, from a mean to a sum of losses"},
       .fault = "ridge and noise are those of the mean of the losses while the sum is minimised",
       .guarantee = {1, 1e-5},
       .pair = {.data = {Matrix::Constant(10, 1, 1), VectorXd::Constant(10, 0)},
                .neighbour = {Matrix::Constant(10, 1, 1),
                              (VectorXd(10) << 0, 0, 0, 0, 0, 0, 0, 0, 0, 100).finished()},
                .replaced = 9},
       .broken = perturbed_objective(true),
       .twin = perturbed_objective(false)},
  };
}

}  // namespace dpverify::must_catch
