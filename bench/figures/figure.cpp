#include "bench/figures/figure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <mutex>
#include <optional>
#include <stdexcept>

#include "algorithms/core/checked.hpp"
#include "algorithms/core/parallel.hpp"
#include "bench/statistics.hpp"

namespace dpverify::figures {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

struct NoiseAndSignal {
  double noise = 0;
  double signal = 0;
};

NoiseAndSignal noise_and_signal(const Law& law) {
  if (const auto* exponential = std::get_if<ExponentialMechanism>(&law))
    return {std::log(static_cast<double>(exponential->scores.size())) / exponential->coefficient,
            exponential->scores.maxCoeff() - exponential->scores.mean()};
  if (const auto* noisy = std::get_if<NoisyMax>(&law))
    return {noisy->scale * std::log(static_cast<double>(noisy->scores.size())),
            noisy->scores.maxCoeff()};
  if (const auto* laplace = std::get_if<LaplaceNoise>(&law))
    return {laplace->scale, laplace->value.lpNorm<Eigen::Infinity>()};
  if (const auto* gaussian = std::get_if<GaussianNoise>(&law))
    return {gaussian->standard_deviation, gaussian->value.lpNorm<Eigen::Infinity>()};
  throw std::logic_error("no size of the noise is defined for a release of the law " +
                         law_name(law));
}

// Draws from each law, and keeps how noisy the first release was.
class MeasuringReleases final : public Releases {
 public:
  explicit MeasuringReleases(const RandomStream& stream) : stream_(stream) {}
  std::optional<NoiseAndSignal> first;

 private:
  Outcome decide(const Law& law) override {
    if (!first) first = noise_and_signal(law);
    return sample(law, stream_);
  }
  RandomStream stream_;
};

constexpr std::array own_quantities{Quantity::run, Quantity::data_free, Quantity::noiseless,
                                    Quantity::noise, Quantity::signal};
constexpr std::array comparator_quantities{Quantity::run, Quantity::noise, Quantity::signal};

}  // namespace

std::string_view name(Quantity quantity) {
  switch (quantity) {
    case Quantity::run:
      return "run";
    case Quantity::data_free:
      return "data_free";
    case Quantity::noiseless:
      return "noiseless";
    case Quantity::zero_vector:
      return "zero_vector";
    case Quantity::noise:
      return "noise";
    case Quantity::signal:
      return "signal";
  }
  return "";
}

std::vector<std::string> Figure::methods(bool comparators) const {
  std::vector<std::string> found;
  for (const Curve& curve : curves)
    if (curve.quantity == Quantity::run && (curve.role == Role::comparator) == comparators &&
        std::find(found.begin(), found.end(), curve.method) == found.end())
      found.push_back(curve.method);
  return found;
}

const Curve& Figure::curve(const std::string& method, Quantity quantity,
                           double series_value) const {
  for (const Curve& curve : curves)
    if (curve.quantity == quantity && curve.series == series_value &&
        (quantity == Quantity::zero_vector || curve.method == method))
      return curve;
  throw std::out_of_range(fmt::format("figure {} has no curve {} of '{}' at {} = {}", id,
                                      name(quantity), method, series_name, series_value));
}

Point summarised(std::vector<double> values) {
  Point point{std::move(values)};
  if (!std::all_of(point.values.begin(), point.values.end(),
                   [](double v) { return std::isfinite(v); })) {
    point.mean = point.upper = infinity;
    point.lower = -infinity;
    return point;
  }
  if (point.values.size() < 2) {
    point.mean = point.values.at(0);
    point.lower = -infinity;
    point.upper = infinity;
    return point;
  }
  const Located mean = locate_mean(point.values, 0.95);
  point.mean = mean.value;
  point.lower = mean.lower;
  point.upper = mean.upper;
  return point;
}

Figure run_figure(const Panel& original, const FigureOptions& options) {
  require(options.records_divisor >= 1 && std::isfinite(options.records_divisor),
          "divisor of the records", options.records_divisor, "at least 1 and finite");
  require(options.trials >= 0, "trials", static_cast<double>(options.trials), "at least 0");
  require(options.threads >= 1, "threads", options.threads, "at least 1");
  const auto start = std::chrono::steady_clock::now();
  Panel panel = original;
  const auto divided = [&options](double n) {
    return std::max(10.0, std::floor(n / options.records_divisor));
  };
  panel.base.records = static_cast<Index>(divided(static_cast<double>(panel.base.records)));
  if (panel.x_variable == Variable::records)
    std::transform(panel.x.begin(), panel.x.end(), panel.x.begin(), divided);

  Figure figure{.id = panel.id, .title = panel.title, .source = panel.source, .note = panel.note};
  figure.problem = fmt::format("{} regression, features {}, noise {}, {}",
                               panel.problem.loss == Loss::logistic ? "logistic" : "linear",
                               panel.problem.features.in_words(), panel.problem.noise.in_words(),
                               panel.problem.sparse ? "w* with s* normal entries, of l2 norm 1"
                                                    : "w* a random direction of l1 norm 1");
  figure.error =
      panel.problem.loss == Loss::logistic ? "excess empirical risk" : "excess population risk";
  figure.x_name = name(panel.x_variable);
  figure.series_name = name(panel.series_variable);
  figure.x = panel.x;
  figure.series = panel.series;
  for (const Variable variable :
       {Variable::records, Variable::dimension, Variable::sparsity, Variable::epsilon}) {
    if (variable == panel.x_variable || variable == panel.series_variable) continue;
    if (variable == Variable::sparsity && !panel.problem.sparse) continue;
    const double value = variable == Variable::records ? static_cast<double>(panel.base.records)
                         : variable == Variable::dimension
                             ? static_cast<double>(panel.base.dimension)
                         : variable == Variable::sparsity ? static_cast<double>(panel.base.sparsity)
                                                          : panel.base.epsilon;
    figure.fixed +=
        fmt::format("{}{} = {}", figure.fixed.empty() ? "" : ", ", name(variable), value);
  }
  figure.seed = options.seed;
  figure.trials = options.trials > 0 ? options.trials : panel.trials;
  figure.records_divisor = options.records_divisor;

  // One slot a number, filled in any order.
  const auto trials = static_cast<std::size_t>(figure.trials);
  const auto add_curve = [&](const std::string& method, Role role, Quantity quantity,
                             double series) {
    Curve curve{method, role, quantity, series, {}};
    curve.points.assign(panel.x.size(), Point{.values = std::vector<double>(trials)});
    figure.curves.push_back(std::move(curve));
  };
  for (const double series : panel.series) {
    add_curve("", Role::experiments, Quantity::zero_vector, series);
    for (const Method& method : panel.methods) {
      if (method.role == Role::comparator)
        for (const Quantity quantity : comparator_quantities)
          add_curve(method.name, method.role, quantity, series);
      else
        for (const Quantity quantity : own_quantities)
          add_curve(method.name, method.role, quantity, series);
    }
  }
  const auto slot = [&](const std::string& method, Quantity quantity, double series, std::size_t x,
                        std::size_t trial) -> double& {
    const auto index = &figure.curve(method, quantity, series) - figure.curves.data();
    return figure.curves[static_cast<std::size_t>(index)].points[x].values[trial];
  };

  const std::size_t cells = panel.x.size() * panel.series.size();
  const auto total = static_cast<Index>(cells * trials);
  std::mutex progress_lock;
  Index done = 0;
  parallel_for(total, options.threads, [&](Index task) {
    // The last x, often the largest n, first: the threads end together.
    const std::size_t cell = cells - 1 - static_cast<std::size_t>(task) / trials;
    const std::size_t trial = static_cast<std::size_t>(task) % trials;
    const std::size_t k = cell / panel.series.size();
    const double series = panel.series[cell % panel.series.size()];
    const Setting at = setting(panel, panel.x[k], series);
    const auto stream = [&](const std::string& purpose) {
      return RandomStream(
          {.seed = options.seed, .claim = panel.id, .purpose = purpose, .trial = trial});
    };
    const std::string shape = fmt::format("n={} d={} s={}", at.records, at.dimension, at.sparsity);
    RandomStream data_stream = stream("data " + shape);
    const Instance instance = panel.problem.draw(at, data_stream);
    const auto error = [&](const VectorXd& w) { return panel.problem.excess_risk(instance, w); };
    slot("", Quantity::zero_vector, series, k, trial) = error(VectorXd::Zero(at.dimension));
    const auto noise_stream = [&](const char* what, const Method& method) {
      return stream(fmt::format("{} {} {} epsilon={}", what, method.name, shape, at.epsilon));
    };
    for (const Method& method : panel.methods) {
      const Mechanism mechanism = method.make(at, instance);
      const auto set = [&](Quantity quantity, double value) {
        slot(method.name, quantity, series, k, trial) = value;
      };
      MeasuringReleases releases(noise_stream("releases", method));
      set(Quantity::run, error(mechanism(instance.data, releases)));
      set(Quantity::noise, releases.first ? releases.first->noise : 0);
      set(Quantity::signal, releases.first ? releases.first->signal : 0);
      if (method.role == Role::comparator) continue;
      NoiselessReleases noiseless;
      set(Quantity::noiseless, error(mechanism(instance.data, noiseless)));
      const Dataset nothing{Matrix::Zero(at.records, at.dimension), VectorXd::Zero(at.records)};
      DataFreeReleases data_free(noise_stream("data-free releases", method));
      set(Quantity::data_free, error(mechanism(nothing, data_free)));
    }
    const std::lock_guard lock(progress_lock);
    ++done;
    if (options.progress) options.progress(done, total);
  });

  for (Curve& curve : figure.curves)
    for (Point& point : curve.points) point = summarised(std::move(point.values));
  figure.judgements = judge(panel.statements, figure);
  figure.null_tests = null_tests(figure);
  figure.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return figure;
}

}  // namespace dpverify::figures
