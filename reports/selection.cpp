#include "reports/selection.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <fnmatch.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "algorithms/core/checked.hpp"
#include "reports/envelope.hpp"
#include "reports/program.hpp"

namespace dpverify {
namespace {

std::string nearest_ids(const std::vector<Claim>& claims, std::string_view pattern) {
  std::vector<std::pair<std::size_t, std::string_view>> ranked;
  for (const Claim& claim : claims) ranked.emplace_back(edit_distance(pattern, claim.id), claim.id);
  constexpr std::size_t shown = 3;
  const auto end = ranked.begin() + static_cast<std::ptrdiff_t>(std::min(shown, ranked.size()));
  std::partial_sort(ranked.begin(), end, ranked.end());
  std::vector<std::string_view> ids;
  for (auto each = ranked.begin(); each != end; ++each) ids.push_back(each->second);
  return fmt::format("{}", fmt::join(ids, ", "));
}

bool matches(const std::string& glob, const Claim& claim) {
  return fnmatch(glob.c_str(), claim.id.c_str(), 0) == 0;
}

// Keeps the claims of which the word is one of `wanted`.
void keep(std::vector<Claim>& claims, const char* option, const std::vector<std::string>& wanted,
          const std::function<std::string(const Claim&)>& word) {
  if (wanted.empty()) return;
  std::set<std::string> known;
  for (const Claim& claim : claims) known.insert(word(claim));
  known.erase("");
  for (const std::string& one : wanted)
    require(
        known.contains(one), option, "'" + one + "'",
        fmt::format("one of {}, which are those of the claims selected", fmt::join(known, ", ")));
  std::erase_if(claims, [&](const Claim& claim) {
    return std::ranges::find(wanted, word(claim)) == wanted.end();
  });
}

}  // namespace

std::vector<Claim> select_claims(const std::vector<Claim>& claims, const ClaimFilter& filter,
                                 const std::function<std::vector<Evidence>()>& evidence) {
  std::vector<Claim> left = select_claims(claims, filter.only);
  for (const std::string& glob : filter.exclude) {
    const auto removed = std::erase_if(left, [&](const Claim& c) { return matches(glob, c); });
    require(removed > 0 ||
                std::ranges::any_of(claims, [&](const Claim& c) { return matches(glob, c); }),
            "--exclude", "'" + glob + "'",
            "a pattern that matches the id of a claim; the nearest: " + nearest_ids(claims, glob));
  }
  keep(left, "--paper", filter.papers,
       [](const Claim& claim) { return claim.id.substr(0, claim.id.find('.')); });
  keep(left, "--kind", filter.kinds, [](const Claim& claim) { return std::string(kind(claim)); });
  keep(left, "--edition", filter.editions,
       [](const Claim& claim) { return std::string(name(claim.edition)); });
  keep(left, "--severity", filter.severities, [](const Claim& claim) {
    return claim.finding ? identifier(name(claim.finding->severity)) : "";
  });
  if (!filter.verdicts.empty()) {
    std::map<std::string, std::string> found;
    for (const Evidence& one : evidence()) found[one.claim] = name(one.verdict);
    keep(left, "--verdict", filter.verdicts,
         [&](const Claim& claim) { return found.contains(claim.id) ? found[claim.id] : ""; });
  }
  require(!left.empty(), "claims selected", "none", "at least one");
  return left;
}

std::vector<Claim> select_claims(const std::vector<Claim>& claims,
                                 const std::vector<std::string>& globs) {
  if (globs.empty()) return claims;
  for (const std::string& glob : globs) {
    const bool used = std::ranges::any_of(claims, [&](const Claim& c) { return matches(glob, c); });
    if (!used)
      require(
          false, "--only", "'" + glob + "'",
          "a pattern that matches the id of a claim; the nearest: " + nearest_ids(claims, glob));
  }
  std::vector<Claim> selected;
  for (const Claim& claim : claims)
    if (std::ranges::any_of(globs, [&](const std::string& g) { return matches(g, claim); }))
      selected.push_back(claim);
  return selected;
}

const Claim& find_claim(const std::vector<Claim>& claims, std::string_view id) {
  const auto found = std::ranges::find(claims, id, &Claim::id);
  if (found == claims.end())
    require(false, "claim", fmt::format("'{}'", id),
            fmt::format("an id that {} shows; the nearest: {}", command("list"),
                        nearest_ids(claims, id)));
  return *found;
}

std::size_t edit_distance(std::string_view pattern, std::string_view text) {
  // distance[j]: from the pattern so far to the first j characters of the text.
  std::vector<std::size_t> distance(text.size() + 1);
  std::iota(distance.begin(), distance.end(), std::size_t{0});
  for (const char symbol : pattern) {
    const std::size_t skip_symbol = symbol == '*' ? 0 : 1;
    std::size_t diagonal = distance[0];
    distance[0] += skip_symbol;
    for (std::size_t j = 1; j <= text.size(); ++j) {
      const bool same = symbol == '*' || symbol == '?' || symbol == text[j - 1];
      const std::size_t replaced = diagonal + (same ? 0 : 1);
      const std::size_t skipped = distance[j] + skip_symbol;
      const std::size_t inserted = distance[j - 1] + (symbol == '*' ? 0 : 1);
      diagonal = distance[j];
      distance[j] = std::min({replaced, skipped, inserted});
    }
  }
  return distance.back();
}

}  // namespace dpverify
