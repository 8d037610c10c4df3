#include "bench/figures/statements.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "bench/statistics.hpp"

namespace dpverify::figures {
namespace {

constexpr double level = 0.05;  // of a statement, and of a method's null tests

// 1 if mean(a) > factor mean(b), -1 if below, 0 if neither is significant at `share` of the level
// (two-sided, paired by trial: the same trial may have the same data on both sides).
int compare(const Point& a, double factor, const Point& b, double share) {
  std::vector<double> differences(a.values.size());
  for (std::size_t k = 0; k < differences.size(); ++k)
    differences[k] = a.values[k] - factor * b.values[k];
  if (differences.size() < 2 || !std::all_of(differences.begin(), differences.end(),
                                             [](double v) { return std::isfinite(v); }))
    return 0;
  const Sample sample = summarise(differences);
  const double margin =
      student_t_quantile(level * share / 2, static_cast<double>(sample.size - 1)) *
      sample.standard_error;
  return sample.mean > margin ? 1 : sample.mean < -margin ? -1 : 0;
}

// `wanted` is the sign that each comparison should have.
Confirmation decide(const std::vector<int>& signs, int wanted) {
  if (std::any_of(signs.begin(), signs.end(), [=](int sign) { return sign == -wanted; }))
    return Confirmation::contradicted;
  return std::all_of(signs.begin(), signs.end(), [=](int sign) { return sign == wanted; })
             ? Confirmation::confirmed
             : Confirmation::undecided;
}

class Judge {
 public:
  Judge(const Statement& statement, const Figure& figure, const std::string& method)
      : statement_(statement), figure_(figure), method_(method) {}

  Judgement decided() const {
    Judgement judgement{statement_.text, method_};
    using Kind = Statement::Kind;
    switch (statement_.kind) {
      case Kind::falls:
        judgement.finding = ends(1, -1);
        judgement.reason = first_to_last();
        break;
      case Kind::grows:
        judgement.finding = ends(1, 1);
        judgement.reason = first_to_last();
        break;
      case Kind::grows_faster_than_log:
        judgement.reason =
            fmt::format("{}; the logarithm grows {:.2f}-fold", first_to_last(), log_ratio());
        for (const double s : figure_.series)
          if (!(run(s).front().mean > 0)) return without_ratio(judgement);
        judgement.finding = ends(log_ratio(), 1);
        break;
      case Kind::series_matter_little:
        series_matter_little(judgement);
        break;
      case Kind::values:
        values(judgement);
        break;
      case Kind::near_noiseless:
        against(
            judgement, [this](double s) { return curve(Quantity::noiseless, s); }, "without noise",
            -1);
        break;
      case Kind::above_method:
        against(
            judgement,
            [this](double s) { return figure_.curve(statement_.other, Quantity::run, s); },
            statement_.other, 1);
        break;
    }
    return judgement;
  }

 private:
  const Curve& curve(Quantity quantity, double series) const {
    return figure_.curve(method_, quantity, series);
  }
  const std::vector<Point>& run(double series) const { return curve(Quantity::run, series).points; }
  double log_ratio() const { return std::log(figure_.x.back()) / std::log(figure_.x.front()); }

  std::string each_series(const std::function<std::string(double)>& figures) const {
    std::string text;
    for (const double s : figure_.series)
      text += fmt::format("{}{} = {}: {}", text.empty() ? "" : "; ", figure_.series_name, s,
                          figures(s));
    return text;
  }

  std::string first_to_last() const {
    return each_series([this](double s) {
      return fmt::format("{:.3g} to {:.3g}", run(s).front().mean, run(s).back().mean);
    });
  }

  // Times an error that is not positive nothing is larger or smaller.
  static Judgement without_ratio(Judgement judgement) {
    judgement.reason += judgement.reason.empty() ? "" : "; ";
    judgement.reason += "a mean error is not positive: the errors have no ratio";
    return judgement;
  }

  // The last point against `factor` times the first.
  Confirmation ends(double factor, int wanted) const {
    std::vector<int> signs;
    for (const double s : figure_.series)
      signs.push_back(compare(run(s).back(), factor, run(s).front(),
                              1 / static_cast<double>(figure_.series.size())));
    return decide(signs, wanted);
  }

  void series_matter_little(Judgement& judgement) const {
    const auto& first = run(figure_.series.front());
    const auto& last = run(figure_.series.back());
    std::vector<int> signs;
    double smallest = first[0].mean, lowest = last[0].mean / first[0].mean, highest = lowest;
    for (std::size_t k = 0; k < first.size(); ++k) {
      const double share = 0.5 / static_cast<double>(first.size());
      signs.push_back(compare(first[k], statement_.value, last[k], share));
      signs.push_back(compare(last[k], statement_.value, first[k], share));
      smallest = std::min({smallest, first[k].mean, last[k].mean});
      lowest = std::min(lowest, last[k].mean / first[k].mean);
      highest = std::max(highest, last[k].mean / first[k].mean);
    }
    if (!(smallest > 0)) {
      judgement = without_ratio(judgement);
      return;
    }
    judgement.finding = decide(signs, -1);
    judgement.reason =
        fmt::format("error at {} = {} over that at {}: {:.2f} to {:.2f}", figure_.series_name,
                    figure_.series.back(), figure_.series.front(), lowest, highest);
  }

  // -1: the point's interval lies outside value/1.5..1.5 value; 1: inside; 0: neither.
  static int near(const Point& point, double value, double share) {
    Point constant = point;
    std::fill(constant.values.begin(), constant.values.end(), value);
    const int upper = compare(point, 1.5, constant, share),
              lower = compare(point, 1 / 1.5, constant, share);
    if (upper == -1 && lower == 1) return 1;
    return upper == 1 || lower == -1 ? -1 : 0;
  }

  void values(Judgement& judgement) const {
    judgement.reason = first_to_last();
    if (figure_.records_divisor != 1) {
      judgement.reason += "; the statement is about the printed n";
      return;
    }
    const double share = 0.25 / static_cast<double>(figure_.series.size());
    bool all_outside = true;
    for (const double s : figure_.series) {
      const int first = near(run(s).front(), statement_.value, share);
      const int last = near(run(s).back(), statement_.second_value, share);
      if (first == 1 && last == 1) judgement.finding = Confirmation::confirmed;
      all_outside &= first == -1 || last == -1;
    }
    if (all_outside) judgement.finding = Confirmation::contradicted;
  }

  void against(Judgement& judgement, const std::function<Curve(double)>& other,
               const std::string& what, int wanted) const {
    const double factor = statement_.value > 0 ? statement_.value : 1;
    std::vector<int> signs;
    for (const double s : figure_.series)
      signs.push_back(compare(run(s).back(), factor, other(s).points.back(),
                              1 / static_cast<double>(figure_.series.size())));
    judgement.reason = each_series([&](double s) {
      return fmt::format("{:.3g}, {}: {:.3g}", run(s).back().mean, what,
                         other(s).points.back().mean);
    });
    for (const double s : figure_.series)
      if (factor != 1 && !(other(s).points.back().mean > 0)) {
        judgement = without_ratio(judgement);
        return;
      }
    judgement.finding = decide(signs, wanted);
  }

  const Statement& statement_;
  const Figure& figure_;
  const std::string& method_;
};

}  // namespace

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
    const double share = 0.5 / static_cast<double>(test.points);
    for (const double s : figure.series)
      for (std::size_t k = 0; k < figure.x.size(); ++k) {
        const Point& run = figure.curve(method, Quantity::run, s).points[k];
        const int zero =
            compare(run, 1, figure.curve("", Quantity::zero_vector, s).points[k], share);
        const int data_free =
            compare(run, 1, figure.curve(method, Quantity::data_free, s).points[k], share);
        test.better += zero == -1 && data_free == -1 ? 1 : 0;
        test.worse += zero == 1 || data_free == 1 ? 1 : 0;
      }
    tests.push_back(test);
  }
  return tests;
}

}  // namespace dpverify::figures
