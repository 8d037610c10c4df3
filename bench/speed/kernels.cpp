#include "bench/speed/kernels.hpp"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <memory>
#include <numbers>
#include <stdexcept>
#include <utility>

#include "algorithms/core/enumerate.hpp"
#include "algorithms/core/gaussian.hpp"
#include "algorithms/core/log_gamma.hpp"
#include "algorithms/core/noisy_max.hpp"
#include "algorithms/core/releases.hpp"
#include "algorithms/estimators/median_of_means.hpp"
#include "algorithms/estimators/smooth_truncation.hpp"
#include "algorithms/mechanisms/peeling.hpp"
#include "audits/black_box/black_box.hpp"
#include "audits/exact/privacy_loss.hpp"
#include "audits/transcript/transcript_audit.hpp"
#include "bench/csv.hpp"

namespace dpverify::speed {
namespace {

RandomStream stream(std::string_view purpose) {
  return RandomStream({.seed = 20240229, .claim = "bench", .purpose = purpose});
}

double relative(double found, double right) {
  return std::abs(found - right) / std::max(std::abs(right), 1e-300);
}

// ---- draws: their twin is the mean of what they draw, whose value is known

Kernel draws(const std::string& name, double (*draw)(RandomStream&), double mean_magnitude) {
  const auto mean = [draw](std::int64_t count) {
    RandomStream from = stream("draws");
    double sum = 0;
    for (std::int64_t k = 0; k < count; ++k) sum += std::abs(draw(from));
    return sum / static_cast<double>(count);
  };
  return {.name = "draw_" + name,
          .words = "draws from the " + name + " law",
          .items = "draws",
          .sizes = {1'000, 100'000},
          .make = [=](std::int64_t count) { return [=] { return mean(count); }; },
          .allowed = 0.01,
          .difference = [=] { return relative(mean(200'000), mean_magnitude); }};
}

// ---- estimators

Matrix heavy(Index rows, Index columns) {
  RandomStream from = stream("values");
  Matrix values(rows, columns);
  for (double& x : values.reshaped()) x = from.normal() / std::pow(from.uniform(), 0.4);
  return values;
}

// E phi(a + b Z) by the midpoint rule over z.
double smooth_truncation_twin(double a, double b) {
  constexpr double step = 1e-3;
  double sum = 0;
  for (double z = -12 + step / 2; z < 12; z += step)
    sum += soft_truncation(a + b * z) * std::exp(-z * z / 2);
  return sum * step / std::sqrt(2 * std::numbers::pi);
}

Kernel smooth_truncated_mean() {
  return {.name = "smooth_truncated_mean",
          .words = "smoothly truncated mean of heavy-tailed numbers, scale 1 (Hu et al., (4))",
          .items = "numbers",
          .sizes = {10'000, 100'000, 1'000'000},
          .make = [](std::int64_t count) -> Work {
            return [values = heavy(count / 100, 100)] { return robust_mean(values, 1, 1).sum(); };
          },
          .allowed = 1e-6,
          .difference =
              [] {
                const Matrix values = heavy(50, 1);
                double sum = 0;
                for (const double x : values.reshaped())
                  sum += smooth_truncation_twin(x, std::abs(x));
                return relative(robust_mean(values, 1, 1)[0], sum / 50);
              },
          .bytes = 8};
}

Kernel median_of_block_means() {
  constexpr Index blocks = 200;
  return {.name = "median_of_means",
          .words = "medians of the means of 200 blocks, of 100 columns (Tao et al., Algorithm 3)",
          .items = "numbers",
          .sizes = {20'000, 200'000, 2'000'000},
          .make = [](std::int64_t count) -> Work {
            return [values = heavy(count / 100, 100)] {
              return median_of_means(values, blocks, MiddlePair::lower).sum();
            };
          },
          .allowed = 1e-12,
          .difference =
              [] {
                const Matrix values = heavy(400, 1);
                std::vector<double> means(blocks);
                for (std::size_t k = 0; k < means.size(); ++k)
                  means[k] = values.middleRows(static_cast<Index>(2 * k), 2).sum() / 2;
                std::sort(means.begin(), means.end());
                return relative(median_of_means(values, blocks, MiddlePair::lower)[0],
                                means[blocks / 2 - 1]);
              },
          .bytes = 8};
}

// ---- mechanisms

PeelingParameters peeling_parameters() {
  return {.sparsity = 40, .sensitivity = 1e-3, .epsilon = 1, .delta = 1e-5};
}

Kernel peeling_kernel() {
  return {
      .name = "peeling",
      .words = "Peeling, s = 40, of d numbers (Hu et al., Algorithm 4)",
      .items = "numbers",
      .sizes = {1'000, 10'000, 100'000},
      .make = [](std::int64_t d) -> Work {
        return [v = VectorXd(heavy(d, 1).col(0))] {
          SamplingReleases releases(stream("peeling"));
          return peeling(v, peeling_parameters(), releases).sum();
        };
      },
      .allowed = 0,
      .difference =
          [] {  // without noise: the 40 largest magnitudes
            const VectorXd v = heavy(1'000, 1).col(0);
            NoiselessReleases releases;
            const VectorXd found = peeling(v, peeling_parameters(), releases);
            std::vector<double> sizes(v.size());
            std::transform(v.begin(), v.end(), sizes.begin(), [](double x) { return std::abs(x); });
            std::sort(sizes.rbegin(), sizes.rend());
            double worst = 0;
            for (Index j = 0; j < v.size(); ++j)
              if (const double wanted = std::abs(v[j]) >= sizes[39] ? v[j] : 0; found[j] != wanted)
                worst = 1;
            return worst;
          },
      .bytes = 8};
}

Kernel noisy_max_law() {
  const auto law = [](Index count) {
    return noisy_max_log_probabilities(heavy(count, 1).col(0), 1);
  };
  return {.name = "noisy_max_law",
          .words = "law of the noisy maximum of m scores, Laplace noise",
          .items = "scores",
          .sizes = {30, 100, 300, 1'000},
          .make = [=](std::int64_t count) -> Work { return [=] { return law(count).sum(); }; },
          .allowed = 1e-10,
          .difference = [=] { return std::abs(law(200).array().exp().sum() - 1); }};
}

// ---- audits

// A selection of one of two, 0.1-DP, of the sign of each of T parts.
Mechanism selections(Index count) {
  return [count](const Dataset& data, Releases& releases) {
    double sum = 0;
    for (Index t = 0; t < count; ++t) {
      const double x = std::clamp(data.labels[0], -1.0, 1.0);
      sum += static_cast<double>(
          releases.select(ExponentialMechanism::with_epsilon(VectorXd{{x, -x}}, 2, 0.1)));
    }
    return VectorXd::Constant(1, sum);
  };
}

Dataset one_record(double label) { return {Matrix::Zero(1, 1), VectorXd::Constant(1, label)}; }

Kernel enumeration() {
  const auto total = [](Index count) {
    double sum = 0;
    for (const OutcomePath& path : enumerate(selections(count), one_record(1)))
      sum += std::exp(path.log_probability) * path.output[0];
    return sum;  // the mean of the sum of T selections
  };
  return {.name = "enumerate",
          .words = "every path of T selections out of two, 2^T in all",
          .items = "paths",
          .sizes = {1 << 4, 1 << 8, 1 << 12},
          .make = [=](std::int64_t paths) -> Work {
            const auto count = static_cast<Index>(std::lround(std::log2(paths)));
            return [=] { return total(count); };
          },
          .allowed = 1e-12,
          .difference = [=] { return relative(total(8), 8 * total(1)); }};
}

Kernel composition(const std::string& name, const std::string& words, LossLaw law,
                   const std::function<double(double)>& exact_epsilon) {
  return {.name = "compose_" + name,
          .words = words,
          .items = "steps",
          .sizes = {10, 100, 1'000, 10'000},
          .make = [=](std::int64_t count) -> Work {
            return [=] { return composed_epsilon_interval({{law, count}}, 1e-6).upper; };
          },
          .allowed = 1e-3,
          .difference =
              [=] {
                const Interval found = composed_epsilon_interval({{law, 100}}, 1e-6);
                const double right = exact_epsilon(100);
                return std::max({0.0, found.lower - right, right - found.upper}) +
                       (found.upper - found.lower > 1e-3 ? 1 : 0);
              }};
}

// gaussian_epsilon of `count` steps is that of one with sqrt(count) times mu.
Kernel gaussian_composition() {
  return composition("gaussian", "epsilon at delta = 1e-6 of T Gaussian steps of mu = 0.05",
                     gaussian_loss(0.05),
                     [](double count) { return gaussian_epsilon(0.05 * std::sqrt(count), 1e-6); });
}

Kernel randomised_response_composition() {
  // delta(epsilon) of T responses of 0.05, over the number that tell the truth.
  const auto epsilon = [](double count) {
    const double p = 1 / (1 + std::exp(-0.05));
    const auto delta = [&](double at) {
      double sum = 0;
      for (double k = 0; k <= count; ++k) {
        const double loss = 0.05 * (2 * k - count);
        if (loss <= at) continue;
        sum += std::exp(log_gamma(count + 1) - log_gamma(k + 1) - log_gamma(count - k + 1) +
                        k * std::log(p) + (count - k) * std::log1p(-p)) *
               -std::expm1(at - loss);
      }
      return sum;
    };
    double low = 0, high = 0.05 * count;
    for (int k = 0; k < 60; ++k) (delta((low + high) / 2) > 1e-6 ? low : high) = (low + high) / 2;
    return high;
  };
  return composition("randomised_response",
                     "epsilon at delta = 1e-6 of T randomised responses of 0.05",
                     randomised_response_loss(0.05), epsilon);
}

// Ten numbers with Laplace noise, each 0.2-DP.
Mechanism laplace_releases() {
  return [](const Dataset& data, Releases& releases) {
    VectorXd sum = VectorXd::Zero(1);
    const VectorXd value = VectorXd::Constant(1, std::clamp(data.labels[0], 0.0, 1.0));
    for (int t = 0; t < 10; ++t) sum += releases.release(LaplaceNoise{value, 1, 5});
    return sum;
  };
}

Kernel transcripts() {
  const auto audited = [](Index count) {
    return audit_transcripts(laplace_releases(), {one_record(0), one_record(1), 0}, {1, 1e-3},
                             count, 1e-3, {.seed = 20240229, .claim = "bench"});
  };
  return {.name = "audit_transcripts",
          .words = "audit of ten Laplace releases by transcripts",
          .items = "transcripts",
          .sizes = {3'000, 30'000},
          .make = [=](std::int64_t count) -> Work { return [=] { return audited(count).delta; }; },
          .allowed = 0,
          .difference = [=] {  // delta of the ten together, by convolution
            const double right = composed_delta_interval({{laplace_loss(0.2), 10}}, 1).upper;
            const Interval found = audited(30'000).forward;
            return found.lower <= right && right <= found.upper ? 0 : 1;
          }};
}

Kernel black_box() {
  const auto audited = [](Index count) {
    const auto outputs = [&](double value, std::string_view purpose) {
      RandomStream from = stream(purpose);
      std::vector<double> numbers(static_cast<std::size_t>(count));
      for (double& number : numbers) number = value + from.laplace() / 2;
      return Outputs(std::move(numbers), 1);
    };
    return audit_outputs(outputs(0, "first"), outputs(1, "second"), {1, 0}, 0.05,
                         stream("selection"), OutputModel::reals);
  };
  return {.name = "audit_outputs",
          .words = "audit of a number with half the Laplace noise by its outputs, drawing them too",
          .items = "outputs a side",
          .sizes = {1'000, 10'000, 100'000},
          .make = [=](std::int64_t count) -> Work {
            return [=] { return audited(count).epsilon_lower; };
          },
          .allowed = 0,
          .difference = [=] {  // above what is claimed, and not above the truth
            const double found = audited(20'000).epsilon_lower;
            return found > 1.7 && found <= 2 ? 0 : 1;
          }};
}

// ---- input

// A table of ten columns in a file that is removed in the end.
class CsvFile {
 public:
  explicit CsvFile(Index cells) : values_(heavy(cells / 10, 10)) {
    std::string name = (std::filesystem::temp_directory_path() / "dpverify-bench-XXXXXX").string();
    const int file = mkstemp(name.data());
    if (file < 0) throw std::runtime_error("cannot write to " + name);
    close(file);
    path_ = name;
    std::ofstream out(path_);
    out.precision(17);
    for (Index j = 0; j < 10; ++j) out << (j == 0 ? "" : ",") << "column" << j;
    out << '\n';
    for (Index i = 0; i < values_.rows(); ++i)
      for (Index j = 0; j < 10; ++j) out << values_(i, j) << (j == 9 ? '\n' : ',');
  }
  CsvFile(const CsvFile&) = delete;
  CsvFile& operator=(const CsvFile&) = delete;
  ~CsvFile() {
    std::error_code ignored;
    std::filesystem::remove(path_, ignored);
  }
  const std::string& path() const { return path_; }
  const Matrix& values() const { return values_; }

 private:
  Matrix values_;
  std::string path_;
};

Kernel csv() {
  return {.name = "read_csv",
          .words = "reading a CSV file of ten columns, numbers of 17 digits",
          .items = "cells",
          .sizes = {10'000, 100'000, 1'000'000},
          .make = [](std::int64_t cells) -> Work {
            return [file = std::make_shared<CsvFile>(cells)] {
              return read_csv(file->path()).values.sum();
            };
          },
          .allowed = 0,
          .difference =
              [] {
                const CsvFile file(1'000);
                return (read_csv(file.path()).values - file.values()).cwiseAbs().maxCoeff();
              },
          .bytes = 20};
}

}  // namespace

const std::vector<Kernel>& kernels() {
  static const std::vector<Kernel> all{
      draws(
          "Laplace", [](RandomStream& from) { return from.laplace(); }, 1),
      draws(
          "normal", [](RandomStream& from) { return from.normal(); },
          std::sqrt(2 / std::numbers::pi)),
      draws(
          "gamma", [](RandomStream& from) { return from.gamma(2.5); }, 2.5),
      smooth_truncated_mean(),
      median_of_block_means(),
      peeling_kernel(),
      noisy_max_law(),
      enumeration(),
      gaussian_composition(),
      randomised_response_composition(),
      transcripts(),
      black_box(),
      csv()};
  return all;
}

}  // namespace dpverify::speed
