#include "reports/rate_baseline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "bench/rate_check.hpp"
#include "reports/json_text.hpp"

namespace dpverify {
namespace {

using Json = nlohmann::ordered_json;
constexpr int baseline_version = 1;

double measured(const Evidence& evidence, std::string_view name) {
  for (const Measurement& each : evidence.measurements)
    if (each.name == name) return each.value;
  throw std::logic_error(fmt::format("{} has no measurement '{}'", evidence.claim, name));
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
                       .exponent = evidence.estimate.value(),
                       .exponent_margin = measured(evidence, exponent_margin_name),
                       .easy_end = measured(evidence, easy_end_name),
                       .ratio = measured(evidence, ratio_name),
                       .log_ratio_margin = measured(evidence, log_ratio_margin_name)});
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
  Json list = Json::array();
  for (const RateRecord& each : records)
    list.push_back({{"claim", each.claim},
                    {"plan", name(each.plan)},
                    {"seed", each.seed},
                    {"exponent", each.exponent},
                    {"exponent_margin", each.exponent_margin},
                    {"easy_end", each.easy_end},
                    {"ratio", each.ratio},
                    {"log_ratio_margin", each.log_ratio_margin}});
  return Json{{"rate_baseline_version", baseline_version}, {"rates", std::move(list)}}.dump(2) +
         "\n";
}

std::vector<RateRecord> read_baseline(std::string_view text, std::string_view place) {
  try {
    const Json json = parse_json(text);
    if (json.at("rate_baseline_version") != baseline_version)
      throw std::invalid_argument(fmt::format("its version is not {}", baseline_version));
    std::vector<RateRecord> records;
    for (const Json& each : json.at("rates"))
      records.push_back(
          {.claim = each.at("claim").get<std::string>(),
           .plan = read_plan(each.at("plan").get<std::string>()),
           .seed = read_integer(each.at("seed"), std::numeric_limits<std::uint64_t>::max()),
           .exponent = each.at("exponent").get<double>(),
           .exponent_margin = each.at("exponent_margin").get<double>(),
           .easy_end = each.at("easy_end").get<double>(),
           .ratio = each.at("ratio").get<double>(),
           .log_ratio_margin = each.at("log_ratio_margin").get<double>()});
    return records;
  } catch (const std::exception& failure) {
    throw std::invalid_argument(
        fmt::format("{} is no baseline of rates: {}", place, failure.what()));
  }
}

Regressions regressions(const std::vector<RateRecord>& baseline,
                        const std::vector<RateRecord>& records) {
  Regressions out;
  for (const RateRecord& now : records) {
    const RateRecord* then = counterpart(baseline, now);
    if (then == nullptr) continue;
    ++out.compared;
    if (now.exponent - now.exponent_margin > then->exponent + then->exponent_margin)
      out.lines.push_back(
          fmt::format("{}: the exponent is {:.3f} +- {:.3f}, and was {:.3f} +- {:.3f}", now.claim,
                      now.exponent, now.exponent_margin, then->exponent, then->exponent_margin));
    else if (now.easy_end == then->easy_end && std::log(now.ratio) - now.log_ratio_margin >
                                                   std::log(then->ratio) + then->log_ratio_margin)
      out.lines.push_back(fmt::format(
          "{}: excess risk/bound at {:.6g} is {:.4g}, at least {:.4g}, and was {:.4g}, at most "
          "{:.4g}",
          now.claim, now.easy_end, now.ratio, now.ratio * std::exp(-now.log_ratio_margin),
          then->ratio, then->ratio * std::exp(then->log_ratio_margin)));
  }
  return out;
}

}  // namespace dpverify
