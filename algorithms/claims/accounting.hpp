// Whether the noise of an algorithm is what its theorem says, from both sides. A certificate shows
// too little noise only as far as the claimed epsilon has no slack; these claims have none.
#pragma once

#include <algorithm>
#include <functional>
#include <source_location>
#include <string>
#include <vector>

#include "algorithms/claims/claim_list.hpp"
#include "algorithms/claims/family.hpp"
#include "algorithms/claims/planted_faults.hpp"

namespace dpverify {

// What the releases of one run declare together, as rho-zCDP, on twelve records of zeros.
double declared_rho(const Mechanism& mechanism, Index features);

template <class P>
struct Accounting {
  Edition edition = Edition::printed;
  Source source;
  std::string releases;                 // "The T selections of Algorithm 1, each of epsilon,"
  std::string in_words;                 // what they come to: "T epsilon^2/8"
  std::function<double(const P&)> rho;  // the same, on twelve records
  Index features = 5;
};

// A planted fault: the algorithm run with other parameters, or another one.
template <class P>
struct AccountingFault {
  std::string name;      // "budget_not_split"
  std::string in_words;  // what follows "although "
  Family<P> family;
};

// The releases of `run`, with so much of their noise, have the rho that is stated, over its range.
template <class P>
LemmaClaim equal_rho(const Family<P>& run, const Accounting<P>& stated, double noise = 1) {
  return {.ranges = run.fields.ranges(),
          .sides =
              [=](const ParameterPoint& point) {
                const P parameters = run.fields.read(point);
                const double declared =
                    declared_rho(with_noise_alone_times(run(parameters), noise), stated.features);
                const double ratio = declared / stated.rho(parameters);
                return LemmaClaim::Sides{std::max(ratio, 1 / ratio), 1 + 1e-9};
              },
          .precise_sides = {}};
}

template <class P>
std::string rho_statement(const Accounting<P>& stated) {
  return stated.releases + " declare costs in zCDP whose rho add up to " + stated.in_words;
}

// lemma.accounting: rho of the releases is that of the theorem, to 1e-9 and over the claimed range.
template <class P>
void add_accounting_alone(ClaimList& claims, const Family<P>& honest, const Accounting<P>& stated,
                          std::source_location stated_at = std::source_location::current()) {
  claims.add("lemma.accounting", stated.edition, Expectation::holds, stated.source,
             rho_statement(stated) + ". Sides: the larger of their two ratios, and 1 + 1e-9.", {},
             equal_rho(honest, stated), stated_at);
}

// The same, and mutants for which it is not so: a tenth of the noise is lost, and each of the
// faults.
template <class P>
void add_accounting(ClaimList& claims, const Family<P>& honest, const Accounting<P>& stated,
                    const std::vector<AccountingFault<P>>& faults = {},
                    std::source_location stated_at = std::source_location::current()) {
  add_accounting_alone(claims, honest, stated, stated_at);
  const auto add_fault = [&](const std::string& name, const std::string& fault, LemmaClaim check) {
    claims.add("lemma.accounting." + name, Edition::mutant, Expectation::refuted,
               {Text::this_project, "a planted fault"},
               rho_statement(stated) + ", although " + fault + ".", {}, std::move(check),
               stated_at);
  };
  add_fault("less_noise", "the noise is 1.1 times too small", equal_rho(honest, stated, 1 / 1.1));
  for (const AccountingFault<P>& fault : faults)
    add_fault(fault.name, fault.in_words, equal_rho(honest.running(fault.family.run), stated));
}

}  // namespace dpverify
