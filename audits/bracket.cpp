#include "audits/bracket.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "algorithms/core/rounding.hpp"

namespace dpverify {
namespace {

std::string certificate_in_words(const Bracket& bracket) {
  if (!bracket.certified) return certifies_nothing(bracket.problem);
  return fmt::format(
      "Composition certifies at most {:.4f} times the claimed epsilon, given the sensitivity "
      "claims.",
      *bracket.certified);
}

std::string open_in_words(const Bracket& bracket) {
  const double found = bracket.found.value_or(0);
  if (bracket.certified)
    return fmt::format("Open: the smallest epsilon is between {:.4f} and {:.4f} times the claimed.",
                       found, *bracket.certified);
  return fmt::format("Open: the smallest epsilon is at least {:.4f} times the claimed{}.", found,
                     bracket.beyond_certificates && bracket.looked
                         ? fmt::format(", and a search that reaches less than {} shows too little",
                                       least_share_found)
                         : "");
}

}  // namespace

Decision decide(const Bracket& bracket) {
  Decision out{.reason = certificate_in_words(bracket)};
  const bool reaches = bracket.found.value_or(0) >= least_share_found;
  const bool search_speaks =
      bracket.beyond_certificates && reaches && bracket.looked == Strength::exact_on_searched_pairs;
  if (bracket.certified && *bracket.certified <= 1 + rounding)
    out.strength = Strength::certified;
  else if (bracket.pair_is_given || search_speaks)
    out.strength = bracket.looked;
  if (out.strength)
    out.verdict = Verdict::consistent;
  else
    out.reason += (out.reason.empty() ? "" : " ") + open_in_words(bracket);
  return out;
}

std::string certifies_nothing(const std::string& problem) {
  return problem.empty() ? "" : fmt::format("Composition certifies nothing, because {}.", problem);
}

std::optional<double> smallest_fault(const std::optional<double>& found) {
  constexpr double none = 1e-9;
  if (!(found.value_or(0) > none)) return std::nullopt;
  return std::max(1.0, 1 / *found);
}

}  // namespace dpverify
