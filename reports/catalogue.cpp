#include "reports/catalogue.hpp"

#include <algorithm>
#include <functional>
#include <stdexcept>

#include "algorithms/numbered_results.hpp"
#include "algorithms/registry.hpp"
#include "audits/must_catch/must_catch.hpp"
#include "bench/figures/panel_claims.hpp"
#include "bench/figures/panels.hpp"
#include "bench/problem_claims.hpp"
#include "reports/rates_command.hpp"

namespace dpverify {

const std::vector<Claim>& every_claim() {
  static const std::vector<Claim> all = [] {
    std::vector<Claim> out = claims();
    for (Claim& claim : problem_claims()) out.push_back(std::move(claim));
    for (Claim& claim : panel_claims(figures::panels())) out.push_back(std::move(claim));
    for (Claim& claim : must_catch_claims()) out.push_back(std::move(claim));
    std::ranges::sort(out, std::less<>{}, &Claim::id);
    const auto repeated = std::ranges::adjacent_find(out, std::equal_to<>{}, &Claim::id);
    if (repeated != out.end()) throw std::logic_error("two claims have the id " + repeated->id);
    return out;
  }();
  return all;
}

Catalogue own_catalogue() {
  return {.algorithms = algorithms,
          .claims = every_claim,
          .figures = figures::panels,
          .baseline = default_baseline(),
          .papers = numbered_papers(),
          .starts_projects = true,
          .more_commands =
              "  test                        Run the project's own tests (handled by "
              "the wrapper)\n"
              "  python                      Debian's python3 with the module dpverify (the "
              "wrapper too)\n\n"};
}

}  // namespace dpverify
