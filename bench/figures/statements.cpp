#include "bench/figures/statements.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include "algorithms/core/numbers.hpp"
#include "bench/statistics.hpp"

namespace dpverify::figures {
namespace {

constexpr double level = 0.05;        // of a statement, and of a method's null tests
constexpr double near_printed = 1.5;  // a value is the printed one up to this factor

double log_ratio(const std::vector<double>& x) { return std::log(x.back()) / std::log(x.front()); }

// Collects the comparisons of one statement, and the places they are at.
class Collector {
 public:
  explicit Collector(const std::string& method) : method_(method) {}

  Place run(std::size_t x, double series) const {
    return {.method = method_, .x = x, .series = series};
  }
  void all_hold(const Place& smaller, double factor, const Place& larger) {
    if (out_.alternatives.empty()) next_alternative();
    out_.alternatives.back().push_back({add(smaller), factor, add(larger)});
  }
  void next_alternative() { out_.alternatives.emplace_back(); }
  StatedComparisons take() { return std::move(out_); }

 private:
  std::size_t add(const Place& place) {
    const auto known = std::ranges::find(out_.places, place);
    const auto index = static_cast<std::size_t>(known - out_.places.begin());
    if (known == out_.places.end()) out_.places.push_back(place);
    return index;
  }

  const std::string& method_;
  StatedComparisons out_;
};

double factor_of(const Statement& statement) { return statement.value > 0 ? statement.value : 1; }

class Judge {
 public:
  Judge(const Statement& statement, const Figure& figure, const std::string& method)
      : statement_(statement), figure_(figure), method_(method) {}

  Judgement decided() const {
    Judgement judgement{statement_.text, method_};
    judgement.reason = figures();
    if (statement_.kind == Statement::Kind::values && figure_.records_divisor != 1) {
      judgement.reason += "; the statement is about the printed n";
      return judgement;
    }
    const StatedComparisons stated = comparisons_of(statement_, method_, figure_.x, figure_.series);
    Errors errors;
    for (const Place& place : stated.places) {
      errors.push_back(errors_at(place));
      if (is_multiplied(place) && !(summarise(errors.back()).mean > 0)) {
        judgement.reason += "; a mean error is not positive: the errors have no ratio";
        return judgement;
      }
    }
    judgement.finding = decide(stated.alternatives, errors, level / 2);  // two-sided
    return judgement;
  }

 private:
  std::vector<double> errors_at(const Place& place) const {
    if (place.method.empty())
      return std::vector<double>(run(figure_.series.front()).front().values.size(), place.printed);
    return figure_.curve(place.method, place.quantity, place.series).points[place.x].values;
  }

  // Times an error that is not positive nothing is larger or smaller.
  bool is_multiplied(const Place& place) const {
    using enum Statement::Kind;
    switch (statement_.kind) {
      case grows_faster_than_log:
        return place.x == 0;
      case series_matter_little:
        return true;
      case near_noiseless:
      case above_method:
        return factor_of(statement_) != 1 &&
               (place.method != method_ || place.quantity != Quantity::run);
      case falls:
      case grows:
      case values:
        break;
    }
    return false;
  }

  const std::vector<Point>& run(double series) const {
    return figure_.curve(method_, Quantity::run, series).points;
  }

  std::string each_series(const std::function<std::string(double)>& in_words) const {
    std::string text;
    for (const double s : figure_.series)
      text += fmt::format("{}{} = {}: {}", text.empty() ? "" : "; ", figure_.series_name, s,
                          in_words(s));
    return text;
  }

  std::string first_to_last() const {
    return each_series([this](double s) {
      return fmt::format("{:.3g} to {:.3g}", run(s).front().mean, run(s).back().mean);
    });
  }

  std::string beside(const std::string& method, Quantity quantity, const char* what) const {
    return each_series([&](double s) {
      return fmt::format("{:.3g}, {}: {:.3g}", run(s).back().mean, what,
                         figure_.curve(method, quantity, s).points.back().mean);
    });
  }

  std::string last_series_over_first() const {
    const auto& first = run(figure_.series.front());
    const auto& last = run(figure_.series.back());
    double lowest = infinity, highest = -infinity;
    for (std::size_t k = 0; k < first.size(); ++k) {
      lowest = std::min(lowest, last[k].mean / first[k].mean);
      highest = std::max(highest, last[k].mean / first[k].mean);
    }
    return fmt::format("error at {} = {} over that at {}: {:.2f} to {:.2f}", figure_.series_name,
                       figure_.series.back(), figure_.series.front(), lowest, highest);
  }

  // What was measured, in the statement's own terms.
  std::string figures() const {
    using enum Statement::Kind;
    switch (statement_.kind) {
      case falls:
      case grows:
      case values:
        return first_to_last();
      case grows_faster_than_log:
        return fmt::format("{}; the logarithm grows {:.2f}-fold", first_to_last(),
                           log_ratio(figure_.x));
      case series_matter_little:
        return last_series_over_first();
      case near_noiseless:
        return beside(method_, Quantity::noiseless, "without noise");
      case above_method:
        return beside(statement_.other, Quantity::run, statement_.other.c_str());
    }
    return "";
  }

  const Statement& statement_;
  const Figure& figure_;
  const std::string& method_;
};

}  // namespace

StatedComparisons comparisons_of(const Statement& statement, const std::string& method,
                                 const std::vector<double>& x, const std::vector<double>& series) {
  using enum Statement::Kind;
  Collector out(method);
  const std::size_t last = x.size() - 1;
  const auto run = [&](std::size_t at, double s) { return out.run(at, s); };
  switch (statement.kind) {
    case falls:
      for (const double s : series) out.all_hold(run(last, s), 1, run(0, s));
      break;
    case grows:
      for (const double s : series) out.all_hold(run(0, s), 1, run(last, s));
      break;
    case grows_faster_than_log:
      for (const double s : series) out.all_hold(run(0, s), 1 / log_ratio(x), run(last, s));
      break;
    case series_matter_little:
      for (std::size_t k = 0; k < x.size(); ++k) {
        out.all_hold(run(k, series.front()), statement.value, run(k, series.back()));
        out.all_hold(run(k, series.back()), statement.value, run(k, series.front()));
      }
      break;
    case values:
      for (const double s : series) {
        out.next_alternative();
        for (const auto& [at, value] : {std::pair(std::size_t{0}, statement.value),
                                        std::pair(last, statement.second_value)}) {
          out.all_hold(run(at, s), near_printed, {.printed = value});
          out.all_hold({.printed = value}, near_printed, run(at, s));
        }
      }
      break;
    case near_noiseless:
      for (const double s : series) {
        Place noiseless = run(last, s);
        noiseless.quantity = Quantity::noiseless;
        out.all_hold(run(last, s), factor_of(statement), noiseless);
      }
      break;
    case above_method:
      for (const double s : series) {
        Place other = run(last, s);
        other.method = statement.other;
        out.all_hold(other, 1 / factor_of(statement), run(last, s));
      }
      break;
  }
  return out.take();
}

std::vector<Judgement> judge(const std::vector<Statement>& statements, const Figure& figure) {
  std::vector<Judgement> judgements;
  const std::vector<std::string> methods = figure.methods(false);
  for (const Statement& statement : statements)
    for (const std::string& method : methods) {
      // Between two methods it is about the experiments' parameters, the first edition.
      if (statement.kind == Statement::Kind::above_method && method != methods.front()) continue;
      judgements.push_back(Judge(statement, figure, method).decided());
    }
  return judgements;
}

std::vector<NullTest> null_tests(const Figure& figure) {
  std::vector<NullTest> tests;
  for (const std::string& method : figure.methods(false)) {
    NullTest test{.method = method,
                  .points = static_cast<Index>(figure.x.size() * figure.series.size())};
    const double share = level / 2 / static_cast<double>(test.points);  // two-sided
    for (const double s : figure.series)
      for (std::size_t k = 0; k < figure.x.size(); ++k) {
        // The error of the run is less than that of the zero vector, and than without data.
        const Errors errors{figure.curve(method, Quantity::run, s).points[k].values,
                            figure.curve("", Quantity::zero_vector, s).points[k].values,
                            figure.curve(method, Quantity::data_free, s).points[k].values};
        const Confirmation finding = decide({{{0, 1, 1}, {0, 1, 2}}}, errors, share);
        test.better += finding == Confirmation::confirmed ? 1 : 0;
        test.worse += finding == Confirmation::contradicted ? 1 : 0;
      }
    tests.push_back(test);
  }
  return tests;
}

}  // namespace dpverify::figures
