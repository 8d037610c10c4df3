#include "bench/comparisons.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "algorithms/core/bisect.hpp"
#include "algorithms/core/numbers.hpp"
#include "bench/statistics.hpp"

namespace dpverify {
namespace {

// 1 if the mean of the first is significantly above `factor` times that of the second, -1 if it is
// below, 0 if it is neither.
int sign(const std::vector<double>& first, double factor, const std::vector<double>& second,
         double level) {
  std::vector<double> differences(first.size());
  for (std::size_t k = 0; k < differences.size(); ++k)
    differences[k] = first[k] - factor * second[k];
  if (differences.size() < 2 ||
      !std::ranges::all_of(differences, [](double v) { return std::isfinite(v); }))
    return 0;
  const Sample sample = summarise(differences);
  const double margin =
      student_t_quantile(level, static_cast<double>(sample.size - 1)) * sample.standard_error;
  return sample.mean > margin ? 1 : sample.mean < -margin ? -1 : 0;
}

double mean(const std::vector<double>& values) { return summarise(values).mean; }

}  // namespace

std::string_view name(Confirmation finding) {
  constexpr std::array<std::string_view, 3> names{"confirmed", "contradicted", "undecided"};
  return names[static_cast<std::size_t>(finding)];
}

std::size_t number_of_comparisons(const std::vector<std::vector<ErrorComparison>>& statement) {
  return std::accumulate(statement.begin(), statement.end(), std::size_t{0},
                         [](std::size_t sum, const auto& row) { return sum + row.size(); });
}

Confirmation decide(const std::vector<std::vector<ErrorComparison>>& statement,
                    const Errors& errors, double level) {
  const double each = level / static_cast<double>(number_of_comparisons(statement));
  bool confirmed = false, contradicted = true;
  for (const auto& row : statement) {
    bool holds = true, fails = false;
    for (const auto& [smaller, factor, larger] : row) {
      const int found = sign(errors.at(smaller), factor, errors.at(larger), each);
      holds &= found == -1;
      fails |= found == 1;
    }
    confirmed |= holds;
    contradicted &= fails;
  }
  return confirmed      ? Confirmation::confirmed
         : contradicted ? Confirmation::contradicted
                        : Confirmation::undecided;
}

MeanRatio ratio_of_means(const ErrorComparison& comparison, const Errors& errors, double level) {
  const std::vector<double>& first = errors.at(comparison.smaller);
  const std::vector<double>& second = errors.at(comparison.larger);
  const double above = mean(first), below = comparison.factor * mean(second);
  MeanRatio ratio{.estimate = below > 0   ? above / below
                              : above > 0 ? infinity
                                          : 1,
                  .lower = 0,
                  .upper = infinity};
  const auto found = [&](double at) { return sign(first, at * comparison.factor, second, level); };
  // The ends are sought between powers of 4, so that no scale of the errors matters.
  constexpr double smallest = 0x1p-60, largest = 0x1p60;
  constexpr int steps = 60;
  double at = smallest;
  while (at < largest && found(at) == 1) at *= 4;
  if (at > smallest)
    ratio.lower = at < largest
                      ? bisect(
                            at / 4, at, [&](double middle) { return found(middle) != 1; }, steps)
                            .low
                      : largest;
  at = largest;
  while (at > smallest && found(at) == -1) at /= 4;
  if (at < largest)
    ratio.upper = at > smallest
                      ? bisect(
                            at, 4 * at, [&](double middle) { return found(middle) == -1; }, steps)
                            .high
                      : smallest;
  return ratio;
}

}  // namespace dpverify
