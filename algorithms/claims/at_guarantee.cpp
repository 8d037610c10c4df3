#include "algorithms/claims/at_guarantee.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "algorithms/core/checked.hpp"
#include "algorithms/core/rounding.hpp"

namespace dpverify {
namespace {

bool has_parameter(const ParameterPoint& point, std::string_view name) {
  return std::ranges::any_of(point, [&](const auto& entry) { return entry.first == name; });
}

ParameterPoint with_parameter(const ParameterPoint& point, std::string_view name, double value) {
  ParameterPoint out;
  for (const auto& [parameter, own] : point) out.add(parameter, parameter == name ? value : own);
  return out;
}

// One of both numbers of the guarantee.
struct AskedNumber {
  std::string name;
  double value;
  double PrivacyGuarantee::*claimed;
};

void require_in_range(const Claim& claim, const AskedNumber& asked) {
  for (const ParameterRange& range : std::get<PrivacyClaim>(claim.check).ranges)
    if (range.name == asked.name)
      require(asked.value >= range.lower && asked.value <= range.upper, "--" + asked.name,
              asked.value,
              fmt::format("in [{}, {}], where {} claims it, or given with --keep-noise",
                          to_text(range.lower), to_text(range.upper), claim.id));
}

bool same_number(double a, double b) { return std::abs(a - b) <= rounding * b; }

void set_parameters(const Claim& claim, const std::vector<AskedNumber>& asked, Setting& setting) {
  const auto& guarantee = std::get<PrivacyClaim>(claim.check).guarantee;
  PrivacyGuarantee wanted = guarantee(setting.parameters);
  for (const AskedNumber& one : asked) {
    require_in_range(claim, one);
    require(
        has_parameter(setting.parameters, one.name) || same_number(wanted.*one.claimed, one.value),
        "--" + one.name, one.value,
        fmt::format("given with --keep-noise: the mechanism of {} has no parameter {}", claim.id,
                    one.name));
    wanted.*one.claimed = one.value;
    setting.parameters = with_parameter(setting.parameters, one.name, one.value);
  }
  const PrivacyGuarantee claimed = guarantee(setting.parameters);
  require(same_number(claimed.epsilon, wanted.epsilon) && same_number(claimed.delta, wanted.delta),
          "--" + asked.front().name, asked.front().value,
          fmt::format("given with --keep-noise: with it {} claims epsilon {:.6g} and delta {:.6g}",
                      claim.id, claimed.epsilon, claimed.delta));
}

}  // namespace

Claim at_guarantee(Claim claim, const AskedGuarantee& asked) {
  auto* check = std::get_if<PrivacyClaim>(&claim.check);
  require(check != nullptr, "claim", "'" + claim.id + "'", "a claim of kind privacy");
  std::vector<AskedNumber> numbers;
  if (asked.epsilon) numbers.push_back({"epsilon", *asked.epsilon, &PrivacyGuarantee::epsilon});
  if (asked.delta) numbers.push_back({"delta", *asked.delta, &PrivacyGuarantee::delta});
  if (numbers.empty()) return claim;
  for (auto* settings : {&check->settings, &check->certified})
    for (Setting& setting : *settings) set_parameters(claim, numbers, setting);
  claim.statement += " Asked: with";
  for (const AskedNumber& one : numbers)
    claim.statement +=
        fmt::format("{} {} = {}", &one == numbers.data() ? "" : ",", one.name, to_text(one.value));
  claim.statement += ".";
  return claim;
}

}  // namespace dpverify
