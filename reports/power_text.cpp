#include "reports/power_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <string_view>

#include "algorithms/core/numbers.hpp"
#include "reports/report.hpp"

namespace dpverify {
namespace {

// A claim that is expected to hold, and what was found.
struct Look {
  const Claim* claim;
  const Evidence* evidence;
};
using Looks = std::vector<Look>;

constexpr std::array kinds{"sensitivity", "privacy", "rate", "lemma", "floor", "experiment"};
constexpr std::array variables{"n", "epsilon", "d", "s"};

const RateClaim* rate_of(const Look& look) { return std::get_if<RateClaim>(&look.claim->check); }

// A broken mechanism's twin, or another claim about one pair: not about an algorithm.
bool on_a_given_pair(const Look& look) {
  const auto* privacy = std::get_if<PrivacyClaim>(&look.claim->check);
  return privacy != nullptr && privacy->pair;
}

template <class Condition>
Looks those(const Looks& looks, const Condition& condition) {
  Looks out;
  std::ranges::copy_if(looks, std::back_inserter(out), condition);
  return out;
}

// Of what is consistent; infinite where no fault would have been seen.
std::vector<double> faults(const Looks& looks) {
  std::vector<double> out;
  for (const Look& look : looks)
    if (look.evidence->verdict == Verdict::consistent)
      out.push_back(look.evidence->smallest_fault.value_or(infinity));
  std::ranges::sort(out);
  return out;
}

constexpr double no_fault = 1e6;  // one that would have to be larger is none

// To three digits, rounded up: what is smaller is not promised.
std::string in_words(double fault, bool of_a_rate) {
  if (!(fault > 0) || fault > no_fault) return "none";
  const double unit = std::pow(10, 2 - std::floor(std::log10(fault)));
  const double rounded = std::ceil(fault * unit * (1 - 1e-12)) / unit;
  return fmt::format("{}{:.3g}", of_a_rate ? "" : "x ", rounded);
}

// From the best to the worst.
std::string span(const Looks& looks) {
  const std::vector<double> all = faults(looks);
  if (all.empty()) return "-";
  const bool rate = rate_of(looks.front()) != nullptr;
  const std::string best = in_words(all.front(), rate), worst = in_words(all.back(), rate);
  return best == worst ? best : fmt::format("{} to {}", best, worst);
}

std::string kind_row(const Looks& looks, const std::string& name) {
  const std::vector<double> all = faults(looks);
  const bool rate = rate_of(looks.front()) != nullptr;
  const auto count = [&](Verdict verdict) {
    return std::ranges::count_if(
        looks, [verdict](const Look& look) { return look.evidence->verdict == verdict; });
  };
  return fmt::format("| {} | {} | {} | {} | {} | {} | {} | {} |\n", name, looks.size(),
                     count(Verdict::consistent), count(Verdict::inconclusive),
                     count(Verdict::not_run), all.empty() ? "-" : in_words(all.front(), rate),
                     all.empty() ? "-" : in_words(all[(all.size() - 1) / 2], rate),
                     all.empty() ? "-" : in_words(all.back(), rate));
}

std::string kind_table(const Looks& looks) {
  std::string text =
      "| kind | claims | consistent | inconclusive | left out | smallest fault: best | median | "
      "worst |\n"
      "|---|---|---|---|---|---|---|---|\n";
  for (const char* kind_name : kinds) {
    const Looks all =
        those(looks, [&](const Look& look) { return kind(*look.claim) == kind_name; });
    if (!all.empty()) text += kind_row(all, kind_name);
    for (const Strength strength : all_strengths) {
      const Looks strong =
          those(all, [&](const Look& look) { return look.evidence->strength == strength; });
      if (!strong.empty())
        text += kind_row(strong, fmt::format("{}, {}", kind_name, name(strength)));
    }
  }
  return text;
}

std::string algorithm_row(const std::string& algorithm, const Looks& looks) {
  std::vector<std::string> cells{algorithm};
  for (const char* kind_name : {"sensitivity", "privacy"})
    cells.push_back(
        span(those(looks, [&](const Look& look) { return kind(*look.claim) == kind_name; })));
  for (const char* variable : variables)
    cells.push_back(span(those(looks, [&](const Look& look) {
      return rate_of(look) != nullptr && rate_of(look)->variable == variable;
    })));
  return fmt::format("| {} |\n", fmt::join(cells, " | "));
}

}  // namespace

std::string power_document(const std::vector<Claim>& claims, const std::vector<Evidence>& evidence,
                           const std::string& origin) {
  Looks looks;
  for (const Evidence& each : evidence) {
    const auto claim = std::ranges::find(claims, each.claim, &Claim::id);
    if (claim != claims.end() && claim->expectation == Expectation::holds)
      looks.push_back({&*claim, &each});
  }
  std::map<std::string, Looks> algorithms;
  for (const Look& look : looks)
    if (!on_a_given_pair(look)) algorithms[look.claim->algorithm].push_back(look);
  std::string text = fmt::format(
      "# What the checks would have seen\n\n"
      "A verdict `consistent` is worth what would have changed it. Of a rate, the smallest fault "
      "is a run that is slower by so\n"
      "much in the exponent, seen with probability 0.9; of a floor, noise of so many times "
      "less; of everything else, a claim of so\n"
      "many times less. None: no such fault would have been seen, however large. Left out: the "
      "plan does not "
      "run it. Of the claims that are\n"
      "expected to hold, the twins of the broken mechanisms among them; {}.\n\n{}",
      origin, kind_table(looks));
  text += fmt::format(
      "\nOf each algorithm of the papers, from its best claim to its worst: sensitivities, "
      "privacy, "
      "and rates in each variable.\n\n"
      "| algorithm | sensitivity | privacy | rate in {} |\n|---|---|---|{}\n",
      fmt::join(variables, " | rate in "), "---|---|---|---|");
  for (const auto& [algorithm, all] : algorithms) text += algorithm_row(algorithm, all);
  return text;
}

}  // namespace dpverify
