#include "reports/figure_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace dpverify::figures {

namespace {

std::string interval(const Point& point) {
  return fmt::format("{:.3g} [{:.3g}, {:.3g}]", point.mean, point.lower, point.upper);
}

std::string mean(const Curve& curve, std::size_t k) {
  return fmt::format("{:.3g}", curve.points[k].mean);
}

std::string table(const std::vector<std::vector<std::string>>& rows) {
  std::string text;
  for (const auto& row : rows) text += fmt::format("  {}\n", fmt::join(row, "\t"));
  return text;
}

std::string heading_in_words(const Figure& figure) {
  std::string text =
      fmt::format("{}  {}\n{}; {}\n{}{}; {} trials, mean [95% interval]\n", figure.id, figure.title,
                  figure.source, figure.problem, figure.error,
                  figure.fixed.empty() ? "" : "; " + figure.fixed, figure.trials);
  if (figure.records_divisor != 1) text += fmt::format("n divided by {}\n", figure.records_divisor);
  return text;
}

// A row a point of the figure: its series and x, then what `cells(series, index of x)` adds.
template <class Cells>
std::string points_table(const Figure& figure, const std::vector<std::string>& head,
                         const Cells& cells) {
  std::vector<std::vector<std::string>> rows{{figure.series_name, figure.x_name}};
  rows[0].insert(rows[0].end(), head.begin(), head.end());
  for (const double s : figure.series)
    for (std::size_t k = 0; k < figure.x.size(); ++k) {
      rows.push_back({fmt::format("{}", s), fmt::format("{}", figure.x[k])});
      const std::vector<std::string> more = cells(s, k);
      rows.back().insert(rows.back().end(), more.begin(), more.end());
    }
  return table(rows);
}

std::string methods_in_words(const Figure& figure) {
  std::string text;
  for (const std::string& method : figure.methods(false)) {
    text += fmt::format("\nparameters of the {}\n", method);
    text += points_table(
        figure,
        {"private", "data-free", "no noise", "zero vector", "noise/signal at the first release"},
        [&](double s, std::size_t k) -> std::vector<std::string> {
          const auto at = [&](Quantity quantity) -> const Curve& {
            return figure.curve(method, quantity, s);
          };
          return {interval(at(Quantity::run).points[k]), mean(at(Quantity::data_free), k),
                  mean(at(Quantity::noiseless), k), mean(at(Quantity::zero_vector), k),
                  fmt::format("{:.3g}", at(Quantity::noise).points[k].mean /
                                            at(Quantity::signal).points[k].mean)};
        });
  }
  const std::vector<std::string> comparators = figure.methods(true);
  if (comparators.empty()) return text;
  return text + "\ncomparators\n" + points_table(figure, comparators, [&](double s, std::size_t k) {
           std::vector<std::string> cells;
           for (const std::string& method : comparators)
             cells.push_back(interval(figure.curve(method, Quantity::run, s).points[k]));
           return cells;
         });
}

std::string null_tests_in_words(const Figure& figure) {
  std::string text = "\ndoing nothing\n";
  for (const NullTest& test : figure.null_tests)
    text += fmt::format(
        "  {}: better than the zero vector and the data-free run at {} of {} points, worse than "
        "one of them at {}, undecided with {} trials at {}{}\n",
        test.method, test.better, test.points, test.worse, figure.trials,
        test.points - test.better - test.worse, test.vacuous() ? ": vacuous" : "");
  return text;
}

std::string judgements_in_words(const Figure& figure) {
  std::string text = "\nwhat the text says\n";
  bool starred = false;
  for (const Judgement& judgement : figure.judgements) {
    const bool vacuous = std::ranges::any_of(figure.null_tests, [&](const NullTest& test) {
      return test.method == judgement.method && test.vacuous();
    });
    const bool star = vacuous && judgement.finding == Confirmation::confirmed;
    starred |= star;
    text += fmt::format("  {:<13}  {:<11}  {} ({})\n",
                        std::string(name(judgement.finding)) + (star ? "*" : ""), judgement.method,
                        judgement.statement, judgement.reason);
  }
  if (starred) text += "  * of a vacuous curve: no evidence that anything was learned\n";
  return text;
}

}  // namespace

std::string figure_text(const Figure& figure) {
  std::string text = heading_in_words(figure) + methods_in_words(figure) +
                     null_tests_in_words(figure) + judgements_in_words(figure);
  if (!figure.note.empty()) text += fmt::format("\n{}\n", figure.note);
  return text;
}

}  // namespace dpverify::figures
