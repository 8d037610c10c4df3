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
#include "bench/figures/panel_trial.hpp"
#include "bench/figures/statements.hpp"

namespace dpverify::figures {
namespace {

// The panel on fewer records.
Panel divided(Panel panel, double divisor) {
  const auto fewer = [=](double n) { return std::max(10.0, std::floor(n / divisor)); };
  panel.base.records = static_cast<Index>(fewer(static_cast<double>(panel.base.records)));
  if (panel.x_variable == Variable::records)
    std::ranges::transform(panel.x, panel.x.begin(), fewer);
  return panel;
}

Figure described(const Panel& panel, const FigureOptions& options) {
  Figure figure{
      .id = panel.id, .title = panel.title, .source = source_in_words(panel), .note = panel.note};
  figure.problem = panel.problem.in_words();
  figure.error = panel.problem.error_in_words();
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
  const PanelTrial trial(panel, at, figure.seed, number);
  const auto set = [&](const std::string& method, Quantity quantity, double value) {
    const auto index = &figure.curve(method, quantity, series) - figure.curves.data();
    figure.curves[static_cast<std::size_t>(index)].points[k].values[number] = value;
  };
  set("", Quantity::zero_vector, trial.zero_vector());
  for (const Method& method : panel.methods) {
    NoiseAndSignal first;
    set(method.name, Quantity::run, trial.run(method, at.epsilon, &first));
    set(method.name, Quantity::noise, first.noise);
    set(method.name, Quantity::signal, first.signal);
    if (method.role == Role::comparator) continue;
    set(method.name, Quantity::noiseless, trial.noiseless(method, at.epsilon));
    set(method.name, Quantity::data_free, trial.data_free(method, at.epsilon));
  }
}

// The cell of one trial at the k-th x of one series.
struct Cell {
  std::size_t k = 0;
  double series = 0;
  std::size_t trial = 0;
};

// Its numbers, in the order of the curves.
std::vector<double*> numbers_of(Figure& figure, const Cell& at) {
  std::vector<double*> numbers;
  for (Curve& curve : figure.curves)
    if (curve.series == at.series) numbers.push_back(&curve.points[at.k].values[at.trial]);
  return numbers;
}

std::string key_of(const Figure& figure, const Cell& at) {
  return fmt::format("figure {}, seed {}, records divided by {}, x {}, series {}, trial {}",
                     figure.id, figure.seed, figure.records_divisor, figure.x[at.k], at.series,
                     at.trial);
}

// False if it was not kept.
bool recall(Figure& figure, const Cell& at, const CheckpointStore& store) {
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

void keep(Figure& figure, const Cell& at, const CheckpointStore& store) {
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
    const Cell at{cell / panel.series.size(), panel.series[cell % panel.series.size()],
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
