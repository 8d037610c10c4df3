#include "reports/compare.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <stdexcept>

namespace dpverify {
namespace {

constexpr double rounding = 1e-9;   // of figures that are computed
constexpr double power_loss = 1.1;  // of the smallest fault

using ById = std::map<std::string, const Evidence*>;

ById by_id(const Measured& measured) {
  ById out;
  for (const Evidence& one : measured.evidence) out[one.claim] = &one;
  return out;
}

bool sampled(const Evidence& evidence) { return evidence.interval && evidence.interval->level < 1; }

std::string estimate_in_words(const Evidence& evidence) {
  const std::string figure = fmt::format("{:.6g}", *evidence.estimate);
  return evidence.interval ? fmt::format("{} in [{:.6g}, {:.6g}]", figure, evidence.interval->lower,
                                         evidence.interval->upper)
                           : figure;
}

bool apart(const Evidence& older, const Evidence& newer) {
  if (sampled(older) && sampled(newer))
    return older.interval->upper < newer.interval->lower ||
           newer.interval->upper < older.interval->lower;
  const double a = *older.estimate, b = *newer.estimate;
  return !(a == b || std::abs(a - b) <= rounding * std::max(std::abs(a), std::abs(b)));
}

std::optional<std::string> estimate_change(const Evidence& older, const Evidence& newer) {
  if (!older.estimate || !newer.estimate || !apart(older, newer)) return std::nullopt;
  return fmt::format("{} -> {}", estimate_in_words(older), estimate_in_words(newer));
}

std::optional<std::string> power_change(const Evidence& older, const Evidence& newer) {
  if (older.verdict != Verdict::consistent || newer.verdict != Verdict::consistent ||
      !older.smallest_fault)
    return std::nullopt;
  if (!newer.smallest_fault) return fmt::format("{:.4g} -> none", *older.smallest_fault);
  if (*newer.smallest_fault < power_loss * *older.smallest_fault) return std::nullopt;
  return fmt::format("{:.4g} -> {:.4g}", *older.smallest_fault, *newer.smallest_fault);
}

}  // namespace

std::string_view name(Change change) {
  switch (change) {
    case Change::verdict:
      return "verdict";
    case Change::lost:
      return "lost";
    case Change::added:
      return "added";
    case Change::estimate:
      return "estimate";
    case Change::power:
      return "power";
  }
  throw std::logic_error("a change without a name");
}

Comparison compare(const Measured& older, const Measured& newer) {
  const ById before = by_id(older), after = by_id(newer);
  Comparison out;
  const auto add = [&](const std::string& claim, Change change, const std::string& in_words) {
    out.differences.push_back({claim, change, in_words});
  };
  for (const auto& [id, old_one] : before) {
    const auto it = after.find(id);
    if (it == after.end()) {
      add(id, Change::lost, std::string(name(old_one->verdict)));
      continue;
    }
    const Evidence& new_one = *it->second;
    const std::size_t so_far = out.differences.size();
    if (old_one->verdict != new_one.verdict)
      add(id, Change::verdict,
          fmt::format("{} -> {}", name(old_one->verdict), name(new_one.verdict)));
    if (const auto words = estimate_change(*old_one, new_one)) add(id, Change::estimate, *words);
    if (const auto words = power_change(*old_one, new_one)) add(id, Change::power, *words);
    if (out.differences.size() > so_far) continue;
    ++(old_one->estimate == new_one.estimate ? out.same : out.within_noise);
  }
  for (const auto& [id, new_one] : after)
    if (!before.contains(id)) add(id, Change::added, std::string(name(new_one->verdict)));
  std::ranges::stable_sort(out.differences, {}, &Difference::change);
  return out;
}

}  // namespace dpverify
