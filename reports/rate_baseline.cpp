#include "reports/rate_baseline.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "bench/rate_tables.hpp"
#include "bench/statistics.hpp"
#include "reports/json_text.hpp"

namespace dpverify {
namespace {

using Json = nlohmann::ordered_json;
constexpr int baseline_version = 2;

// To four digits, as the baseline keeps them, so that both runs are rounded alike. JSON knows no
// infinity.
double rounded(double value) {
  const double finite = std::isfinite(value) ? value : 1e300;
  return std::strtod(fmt::format("{:.4g}", finite).c_str(), nullptr);
}

std::vector<RateRecord::Point> first_trials(const Evidence& evidence) {
  std::vector<RateRecord::Point> points;
  for (const FirstTrials& each : read_first_trials(evidence)) {
    RateRecord::Point point{.value = each.value};
    for (const double ratio : each.ratios) point.ratios.push_back(rounded(ratio));
    points.push_back(std::move(point));
  }
  return points;
}

// The points that both runs visit; the baseline's trials first.
struct Shared {
  std::vector<double> values;
  std::vector<Stratum> strata;
};

Shared shared_points(const RateRecord& then, const RateRecord& now) {
  Shared shared;
  for (const RateRecord::Point& point : now.points)
    for (const RateRecord::Point& earlier : then.points)
      if (earlier.value == point.value) {
        shared.values.push_back(point.value);
        shared.strata.push_back({earlier.ratios, point.ratios});
      }
  return shared;
}

double median(std::vector<double> values) {
  std::ranges::sort(values);
  return (values[(values.size() - 1) / 2] + values[values.size() / 2]) / 2;
}

// Of the same claim, the same plan first.
const RateRecord* counterpart(const std::vector<RateRecord>& baseline, const RateRecord& record) {
  const RateRecord* found = nullptr;
  for (const RateRecord& each : baseline)
    if (each.claim == record.claim && (found == nullptr || each.plan == record.plan)) found = &each;
  return found;
}

Plan read_plan(const std::string& text) {
  for (const Plan plan : {Plan::smoke, Plan::ci, Plan::nightly})
    if (text == name(plan)) return plan;
  throw std::invalid_argument("plan is " + text);
}

}  // namespace

std::vector<RateRecord> rate_records(const Report& report) {
  std::vector<RateRecord> records;
  for (std::size_t k = 0; k < report.claims.size(); ++k) {
    const Evidence& evidence = report.evidence[k];
    if (!std::holds_alternative<RateClaim>(report.claims[k].check) ||
        evidence.verdict != Verdict::consistent)
      continue;
    records.push_back({.claim = evidence.claim,
                       .plan = report.context.plan,
                       .seed = report.context.seed,
                       .points = first_trials(evidence)});
  }
  return records;
}

std::vector<RateRecord> with_records(std::vector<RateRecord> baseline,
                                     const std::vector<RateRecord>& records) {
  for (const RateRecord& record : records) {
    std::erase_if(baseline, [&](const RateRecord& each) {
      return each.claim == record.claim && each.plan == record.plan;
    });
    baseline.push_back(record);
  }
  std::ranges::sort(baseline, {}, [](const RateRecord& each) {
    return std::pair(each.claim, static_cast<int>(each.plan));
  });
  return baseline;
}

std::string baseline_text(const std::vector<RateRecord>& records) {
  // A line a point, so that a change of the baseline reads well.
  std::vector<std::string> lines;
  for (const RateRecord& each : records) {
    std::vector<std::string> points;
    for (const RateRecord::Point& point : each.points)
      points.push_back(
          fmt::format("        {}", Json{{"value", point.value}, {"ratios", point.ratios}}.dump()));
    lines.push_back(
        fmt::format("    {{\n      \"claim\": {},\n      \"plan\": {},\n      \"seed\": {},\n"
                    "      \"points\": [\n{}\n      ]\n    }}",
                    Json(each.claim).dump(), Json(name(each.plan)).dump(), each.seed,
                    fmt::join(points, ",\n")));
  }
  return fmt::format("{{\n  \"rate_baseline_version\": {},\n  \"rates\": [\n{}\n  ]\n}}\n",
                     baseline_version, fmt::join(lines, ",\n"));
}

std::vector<RateRecord> read_baseline(std::string_view text, std::string_view place) {
  try {
    const Json json = parse_json(text);
    if (json.at("rate_baseline_version") != baseline_version)
      throw std::invalid_argument(fmt::format("its version is not {}", baseline_version));
    std::vector<RateRecord> records;
    for (const Json& each : json.at("rates")) {
      RateRecord record{
          .claim = each.at("claim").get<std::string>(),
          .plan = read_plan(each.at("plan").get<std::string>()),
          .seed = read_integer(each.at("seed"), std::numeric_limits<std::uint64_t>::max())};
      for (const Json& point : each.at("points")) {
        record.points.push_back({.value = point.at("value").get<double>(),
                                 .ratios = point.at("ratios").get<std::vector<double>>()});
        if (record.points.back().ratios.empty())
          throw std::invalid_argument(record.claim + " has a point without trials");
      }
      records.push_back(std::move(record));
    }
    return records;
  } catch (const std::exception& failure) {
    throw std::invalid_argument(
        fmt::format("{} is no baseline of rates: {}", place, failure.what()));
  }
}

Regressions regressions(const std::vector<RateRecord>& baseline,
                        const std::vector<RateRecord>& records) {
  Regressions out;
  std::vector<std::pair<std::string, Shared>> pairs;
  for (const RateRecord& now : records)
    if (const RateRecord* then = counterpart(baseline, now))
      if (Shared shared = shared_points(*then, now); !shared.values.empty())
        pairs.emplace_back(now.claim, std::move(shared));
  out.compared = static_cast<int>(pairs.size());
  if (pairs.empty()) return out;
  const double limit = normal_quantile(false_alarm_probability / out.compared);
  for (const auto& [claim, shared] : pairs) {
    const double score = rank_sum_score(shared.strata);
    if (score <= limit) continue;
    std::vector<std::string> changes;
    for (std::size_t k = 0; k < shared.values.size(); ++k)
      changes.push_back(fmt::format("{:.4g} at {:.6g} (was {:.4g})",
                                    median(shared.strata[k].second), shared.values[k],
                                    median(shared.strata[k].first)));
    out.lines.push_back(
        fmt::format("{}: the median of excess risk/bound is {}; {:.1f} standard deviations of the "
                    "rank sum, where more than {:.1f} is a regression",
                    claim, fmt::join(changes, ", "), score, limit));
  }
  return out;
}

}  // namespace dpverify
