#include "bench/figures/run_figure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <mutex>
#include <optional>
#include <sstream>
#include <stdexcept>

#include "algorithms/core/checked.hpp"
#include "algorithms/core/parallel.hpp"
#include "bench/figures/statements.hpp"
#include "bench/trials.hpp"

namespace dpverify::figures {
namespace {

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

// The panel on fewer records.
Panel divided(Panel panel, double divisor) {
  const auto fewer = [=](double n) { return std::max(10.0, std::floor(n / divisor)); };
  panel.base.records = static_cast<Index>(fewer(static_cast<double>(panel.base.records)));
  if (panel.x_variable == Variable::records)
    std::ranges::transform(panel.x, panel.x.begin(), fewer);
  return panel;
}

std::string problem_in_words(const LinearProblem& problem) {
  return fmt::format("{} regression, features {}, noise {}, {}",
                     problem.loss == Loss::logistic ? "logistic" : "linear",
                     problem.features.in_words(), problem.noise.in_words(),
                     problem.sparse ? "w* with s* normal entries, of l2 norm 1"
                                    : "w* a random direction of l1 norm 1");
}

// What neither x nor the series varies: "n = 10000, epsilon = 1".
std::string fixed_in_words(const Panel& panel) {
  std::string text;
  const auto add = [&](Variable variable, double value) {
    if (variable == panel.x_variable || variable == panel.series_variable) return;
    text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", name(variable), value);
  };
  add(Variable::records, static_cast<double>(panel.base.records));
  add(Variable::dimension, static_cast<double>(panel.base.dimension));
  if (panel.problem.sparse) add(Variable::sparsity, static_cast<double>(panel.base.sparsity));
  add(Variable::epsilon, panel.base.epsilon);
  return text;
}

Figure described(const Panel& panel, const FigureOptions& options) {
  Figure figure{.id = panel.id, .title = panel.title, .source = panel.source, .note = panel.note};
  figure.problem = problem_in_words(panel.problem);
  figure.error =
      panel.problem.loss == Loss::logistic ? "excess empirical risk" : "excess population risk";
  figure.x_name = name(panel.x_variable);
  figure.series_name = name(panel.series_variable);
  figure.x = panel.x;
  figure.series = panel.series;
  figure.fixed = fixed_in_words(panel);
  figure.seed = options.seed;
  figure.trials = options.trials > 0 ? options.trials : panel.trials;
  figure.records_divisor = options.records_divisor;
  return figure;
}

constexpr std::array own_quantities{Quantity::run, Quantity::data_free, Quantity::noiseless,
                                    Quantity::noise, Quantity::signal};
constexpr std::array comparator_quantities{Quantity::run, Quantity::noise, Quantity::signal};

// Every curve, with one slot a number, which are filled in any order.
void add_curves(Figure& figure, const Panel& panel) {
  const auto add = [&](const std::string& method, Role role, const auto& quantities,
                       double series) {
    for (const Quantity quantity : quantities) {
      Curve curve{method, role, quantity, series, {}};
      curve.points.assign(
          panel.x.size(),
          Point{.values = std::vector<double>(static_cast<std::size_t>(figure.trials))});
      figure.curves.push_back(std::move(curve));
    }
  };
  for (const double series : panel.series) {
    add("", Role::experiments, std::array{Quantity::zero_vector}, series);
    for (const Method& method : panel.methods) {
      if (method.role == Role::comparator)
        add(method.name, method.role, comparator_quantities, series);
      else
        add(method.name, method.role, own_quantities, series);
    }
  }
}

// One trial at the k-th x of one series: every method on the same records.
void run_trial(Figure& figure, const Panel& panel, std::size_t k, double series,
               std::size_t number) {
  const Setting at = setting(panel, panel.x[k], series);
  const TrialStreams streams(figure.seed, panel.id, number);
  const std::string shape = fmt::format("n={} d={} s={}", at.records, at.dimension, at.sparsity);
  RandomStream data_stream = streams("data " + shape);
  const Instance instance = panel.problem.draw(at, data_stream);
  const Trial::Risk error = [&](const VectorXd& w) {
    return panel.problem.excess_risk(instance, w);
  };
  const Trial trial(instance.data, error, at.dimension);
  const auto set = [&](const std::string& method, Quantity quantity, double value) {
    const auto index = &figure.curve(method, quantity, series) - figure.curves.data();
    figure.curves[static_cast<std::size_t>(index)].points[k].values[number] = value;
  };
  set("", Quantity::zero_vector, trial.zero_vector());
  for (const Method& method : panel.methods) {
    const auto stream = [&](const char* what) {
      return streams(fmt::format("{} {} {} epsilon={}", what, method.name, shape, at.epsilon));
    };
    const Mechanism mechanism = method.make(at, instance);
    MeasuringReleases releases(stream("releases"));
    set(method.name, Quantity::run, trial.run(mechanism, releases));
    set(method.name, Quantity::noise, releases.first ? releases.first->noise : 0);
    set(method.name, Quantity::signal, releases.first ? releases.first->signal : 0);
    if (method.role == Role::comparator) continue;
    set(method.name, Quantity::noiseless, trial.non_private(mechanism));
    set(method.name, Quantity::data_free, trial.data_free(mechanism, stream("data-free releases")));
  }
}

// The place of one trial at the k-th x of one series.
struct Place {
  std::size_t k = 0;
  double series = 0;
  std::size_t trial = 0;
};

// Its numbers, in the order of the curves.
std::vector<double*> numbers_of(Figure& figure, const Place& at) {
  std::vector<double*> numbers;
  for (Curve& curve : figure.curves)
    if (curve.series == at.series) numbers.push_back(&curve.points[at.k].values[at.trial]);
  return numbers;
}

std::string key_of(const Figure& figure, const Place& at) {
  return fmt::format("figure {}, seed {}, records divided by {}, x {}, series {}, trial {}",
                     figure.id, figure.seed, figure.records_divisor, figure.x[at.k], at.series,
                     at.trial);
}

// False if it was not kept.
bool recall(Figure& figure, const Place& at, const CheckpointStore& store) {
  if (!store.recall) return false;
  const auto text = store.recall(key_of(figure, at));
  if (!text) return false;
  std::istringstream words(*text);
  std::string word;
  for (double* number : numbers_of(figure, at)) {
    if (!(words >> word)) return false;
    *number = std::strtod(word.c_str(), nullptr);
  }
  return !(words >> word);
}

void keep(Figure& figure, const Place& at, const CheckpointStore& store) {
  if (!store.keep) return;
  std::string text;
  for (const double* number : numbers_of(figure, at)) text += to_text(*number) + "\n";
  store.keep(key_of(figure, at), text);
}

// Trials number part, part + parts, ... of all; returns how many.
Index run_trials(Figure& figure, const Panel& panel, const FigureOptions& options, int part,
                 int parts) {
  const auto trials = static_cast<std::size_t>(figure.trials);
  const std::size_t cells = panel.x.size() * panel.series.size();
  const auto all = static_cast<Index>(cells * trials);
  const Index total = all < part ? 0 : (all - part) / parts + 1;
  std::mutex progress_lock;
  Index done = 0;
  parallel_for(total, options.threads, [&](Index task) {
    const auto number = static_cast<std::size_t>(task * parts + part - 1);
    // The last x, often the largest n, first: the threads end together.
    const std::size_t cell = cells - 1 - number / trials;
    const Place at{cell / panel.series.size(), panel.series[cell % panel.series.size()],
                   number % trials};
    if (!recall(figure, at, options.checkpoints)) {
      run_trial(figure, panel, at.k, at.series, at.trial);
      keep(figure, at, options.checkpoints);
    }
    const std::lock_guard lock(progress_lock);
    ++done;
    if (options.progress) options.progress(done, total);
  });
  return total;
}

void check(const FigureOptions& options) {
  require(options.records_divisor >= 1 && std::isfinite(options.records_divisor),
          "divisor of the records", options.records_divisor, "at least 1 and finite");
  require(options.trials >= 0, "trials", static_cast<double>(options.trials), "at least 0");
  require(at_least_one, "threads", options.threads);
}

std::vector<PrintedPoint> printed_points(const Panel& panel) {
  std::vector<PrintedPoint> out;
  for (const Statement& statement : panel.statements)
    if (statement.kind == Statement::Kind::values) {
      out.push_back({panel.x.front(), statement.value});
      out.push_back({panel.x.back(), statement.second_value});
    }
  return out;
}

}  // namespace

Figure run_figure(const Panel& original, const FigureOptions& options) {
  check(options);
  const auto start = std::chrono::steady_clock::now();
  const Panel panel = divided(original, options.records_divisor);
  Figure figure = described(panel, options);
  if (options.records_divisor == 1) figure.printed = printed_points(panel);
  add_curves(figure, panel);
  run_trials(figure, panel, options, 1, 1);
  for (Curve& curve : figure.curves)
    for (Point& point : curve.points) point = summarised(std::move(point.values));
  figure.judgements = judge(panel.statements, figure);
  figure.null_tests = null_tests(figure);
  figure.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return figure;
}

Index run_part(const Panel& original, const FigureOptions& options, int part, int parts) {
  check(options);
  require(part >= 1 && part <= parts, "part", part, "from 1 to the number of parts");
  const Panel panel = divided(original, options.records_divisor);
  Figure figure = described(panel, options);
  add_curves(figure, panel);
  return run_trials(figure, panel, options, part, parts);
}

}  // namespace dpverify::figures
