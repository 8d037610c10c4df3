// The checks of a Python function: the claims that it makes, decided by the checks of every claim.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "algorithms/claims/evidence.hpp"
#include "python/callables.hpp"

namespace dpverify::python {

struct CheckedFunction {
  std::string name;       // lower-case letters, digits and underscores
  std::string where;      // "mean (means.py:12)"
  std::string reproduce;  // the call that repeats the check
};

// What a check found.
struct Outcomes {
  std::string report;   // JSON, see reports/report.schema.json; empty: every run has failed
  std::string raised;   // in words; empty: no call has raised anything
  py::list exceptions;  // the first of each type
};

struct CheckOptions {
  CheckedFunction subject;
  std::optional<PrivacyGuarantee> claimed;  // absent: sensitivity alone
  Domain domain;                            // unless a pair is given
  std::optional<NeighbouringPair> pair;     // privacy on this pair alone
  // A record is what one user gives: so many rows of what the mechanism sees, side by side.
  Index rows_per_user = 1;
  Plan plan = Plan::smoke;
  double significance = 1e-6;  // of the sampled channels
  std::uint64_t seed = 0;
};

// Does each release of `function(array, releases)` move by at most the sensitivity it declares, and
// is the whole private as claimed? Throws std::invalid_argument for options out of their range,
// and what ends the check (KeyboardInterrupt).
Outcomes check_mechanism(const py::function& function, const CheckOptions& options);

struct AuditOptions {
  CheckedFunction subject;
  RunRequest request;
  std::optional<bool> bits;  // absent: if the outputs are written in full
};

// Is `function(data)`, with noise of its own, private as claimed on the two?
Outcomes audit_callable(const py::function& function, const std::array<py::object, 2>& data,
                        const AuditOptions& options);

Plan read_plan(const std::string& name);

// Two arrays, the adjacent rows of a user being one record, as a pair of neighbours. Throws
// std::invalid_argument if they are not.
NeighbouringPair read_pair(const py::object& pair, Index rows_per_user);

}  // namespace dpverify::python
