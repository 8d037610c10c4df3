#include "python/checks.hpp"

#include <fmt/format.h>
#include <pybind11/numpy.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string_view>
#include <utility>
#include <vector>

#include "algorithms/claims/claim_list.hpp"
#include "algorithms/claims/plans.hpp"
#include "algorithms/core/checked.hpp"
#include "algorithms/core/determinism.hpp"
#include "audits/audit.hpp"
#include "audits/subject.hpp"
#include "python/outputs.hpp"
#include "reports/audit_outputs.hpp"
#include "reports/check.hpp"
#include "reports/json.hpp"
#include "reports/pair_files.hpp"
#include "reports/run_evidence.hpp"

namespace dpverify::python {
namespace {

void validate(const CheckOptions& options) {
  if (options.claimed) {
    const auto& [epsilon, delta] = *options.claimed;
    require(positive_and_finite, "epsilon", epsilon);
    require(fraction_or_zero, "delta", delta);
  }
  require(fraction, "significance", options.significance);
  if (!options.pair) validate(options.domain);
  require(!options.pair || options.claimed, "epsilon", "missing",
          "given with a pair: privacy is all that is checked on it");
}

std::string range_in_words(const Domain& domain) {
  const double low = domain.low.minCoeff(), high = domain.high.maxCoeff();
  const bool same = (domain.low.array() == low).all() && (domain.high.array() == high).all();
  const char* numbers = domain.integers ? "whole numbers" : "numbers";
  if (!same) return fmt::format("{} in a range of each column's own", numbers);
  if (std::isinf(low) && std::isinf(high)) return numbers;
  return fmt::format("{} from {} to {}", numbers, to_text(low), to_text(high));
}

std::string counted(Index count, std::string_view what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

std::string records_in_words(const CheckOptions& options) {
  const Index records = options.domain.records, rows = options.rows_per_user;
  if (rows == 1) return counted(records, "record");
  return fmt::format("{} of {} each", counted(records, "user"), counted(rows, "row"));
}

std::string datasets_in_words(const CheckOptions& options) {
  if (options.pair) return "the given pair of datasets";
  const Index columns = options.domain.columns() / options.rows_per_user;
  return fmt::format("datasets of {} and {} of {}, {} replaced", records_in_words(options),
                     counted(columns, "column"), range_in_words(options.domain),
                     options.rows_per_user == 1 ? "one record" : "all rows of one user");
}

std::vector<Claim> claims_of(const CheckOptions& options, const Mechanism& mechanism) {
  const auto family = [mechanism](const ParameterPoint&) { return mechanism; };
  const Source source{Text::command_line, options.subject.where};
  const std::string where = datasets_in_words(options);
  ClaimList claims("python." + options.subject.name);
  const Index columns = options.domain.columns();
  std::vector<Setting> settings{{{}, options.domain.records, columns}};
  if (options.pair)
    settings = {{{}, options.pair->data.size(), options.pair->data.dimension()}};
  else
    claims.add(
        "sensitivity", Edition::printed, Expectation::holds, source,
        fmt::format("On {}, each release moves by at most the sensitivity it declares.", where), {},
        SensitivityClaim{family, {}, columns, columns, settings});
  if (options.claimed)
    claims.add("privacy", Edition::printed, Expectation::holds, source,
               fmt::format("On {}, the mechanism is ({:.6g}, {:.4g})-DP.", where,
                           options.claimed->epsilon, options.claimed->delta),
               {},
               PrivacyClaim{.mechanism = family,
                            .guarantee = [claimed = *options.claimed](
                                             const ParameterPoint&) { return claimed; },
                            .settings = settings,
                            .certified = {},
                            .pair = options.pair});
  return claims.take();
}

AuditRequest request_of(const CheckOptions& options, const Mechanism& mechanism) {
  const PlanBudget& plan = budget_of(options.plan);
  AuditRequest request;
  request.budget.transcripts = plan.pair_transcripts;
  request.budget.most_transcripts = 4 * plan.pair_transcripts;
  request.budget.outputs = plan.pair_outputs;
  request.budget.significance = options.significance;
  request.evaluations = plan.audit_evaluations;
  request.certificate = !options.pair;
  request.seed = options.seed;
  // A search climbs the laws of the releases; beside them there is nothing to climb.
  const Setting setting{{}, options.domain.records, options.domain.columns()};
  if (!options.pair && !own_randomness(mechanism, plain_pair(setting).data).empty())
    request.choice = PairChoice::corner;
  return request;
}

// What throws on the way is evidence too, as it is in check().
Evidence evidence_on_privacy(const Claim& claim, const CheckOptions& options,
                             const Mechanism& mechanism) {
  try {
    return audit_claim(claim, request_of(options, mechanism));
  } catch (const std::exception& failure) {
    Evidence evidence{.claim = claim.id, .verdict = Verdict::error, .method = "audit, stopped"};
    evidence.seed = options.seed;
    evidence.reason = fmt::format("the check stopped: {}", failure.what());
    return evidence;
  }
}

std::string exceptions_in_words(const Caller& caller) {
  const std::string raised = caller.raised_in_words();
  if (raised.empty()) return "";
  return fmt::format(" An exception is an output, known by its type; the mechanism {}.", raised);
}

// The searches draw from all datasets; what is shown is what the mechanism has seen of them.
void show_the_domain(const Claim& claim, const CheckOptions& options, Evidence& evidence) {
  if (options.pair) return;
  if (evidence.witness && evidence.witness->pair)
    evidence.witness->pair = in_domain(options.domain, *evidence.witness->pair);
  if (std::holds_alternative<SensitivityClaim>(claim.check))
    evidence.reason += fmt::format(
        " (Random cases are cut, or filled up with zeros, to {}, and moved into the range: the "
        "pair shown is what the mechanism saw.)",
        records_in_words(options));
}

// Whether some run ends without an exception: on few plain datasets and on drawn ones.
bool ends_at_all(const Mechanism& mechanism, const CheckOptions& options, const Caller& caller) {
  RandomStream stream({.seed = options.seed, .claim = "python", .purpose = "pilot"});
  constexpr int runs = 10;
  for (int k = 0; k < runs; ++k) {
    Dataset data;
    if (options.pair) {
      data = k % 2 == 0 ? options.pair->data : options.pair->neighbour;
    } else {
      data.features.resize(options.domain.records, options.domain.columns());
      for (double& entry : data.features.reshaped()) entry = k == 0 ? 0 : stream.normal();
      data.labels = VectorXd::Zero(options.domain.records);
    }
    SamplingReleases releases(stream);
    mechanism(data, releases);
  }
  Index raised = 0;
  for (const auto& [type, failures] : caller.raised()) raised += failures.count;
  return raised < caller.calls();
}

// JSON of the claims with their evidence.
std::string report_on(const Mechanism& mechanism, const CheckOptions& options,
                      const Caller& caller) {
  const std::vector<Claim> claims = claims_of(options, mechanism);
  std::vector<Evidence> found;
  for (const Claim& claim : claims) {
    Evidence evidence = std::holds_alternative<SensitivityClaim>(claim.check)
                            ? evidence_on(claim, {.seed = options.seed, .plan = options.plan})
                            : evidence_on_privacy(claim, options, mechanism);
    show_the_domain(claim, options, evidence);
    {
      const py::gil_scoped_acquire lock;
      evidence.reason += exceptions_in_words(caller);
    }
    evidence.reproduce = options.subject.reproduce;
    found.push_back(std::move(evidence));
  }
  return to_json(context_of_audit(options.seed), claims, found);
}

constexpr std::string_view of_the_callable =
    "Taken for granted: the two datasets are neighbours, and every call is a run of its own, with "
    "fresh noise.";

void validate(const RunRequest& request) {
  const auto& [epsilon, delta] = request.claimed;
  require(not_negative_and_finite, "epsilon", epsilon);
  require(fraction_or_zero, "delta", delta);
  require(epsilon > 0 || delta > 0, "epsilon", epsilon, "positive, or 0 with delta above 0");
  require(fraction, "significance", request.significance);
  require(request.most_runs >= 100 && request.most_runs <= 100'000'000, "most_runs",
          static_cast<double>(request.most_runs), "from 100 to 100000000");
  require(request.fault > 1 && std::isfinite(request.fault), "fault", request.fault,
          "above 1 and finite");
}

// JSON of the audit; empty if every run of the pilot has failed alike on either dataset.
std::string report_on_runs(const py::function& function, const std::array<py::object, 2>& data,
                           const AuditOptions& options, Caller& caller, RunLog& log) {
  const auto next = [&](Index count) { return next_runs(function, data, count, caller, log); };
  constexpr Index pilot_runs = 16;  // not audited
  const std::array<Outputs, 2> pilot = next(pilot_runs);
  if (log.all_failed_alike(pilot_runs)) return "";
  std::ptrdiff_t full = 0;
  for (const Outputs& side : pilot) full += std::ranges::count_if(side, has_full_precision);
  RunRequest request = options.request;
  request.model =
      options.bits.value_or(full >= pilot_runs) ? OutputModel::doubles : OutputModel::reals;
  const RunAudit audit = audit_runs(request, log, next);
  Evidence evidence = evidence_of(request, audit,
                                  {.method = "black-box audit of a Python function, sequential",
                                   .granted = of_the_callable,
                                   .most_runs = "most_runs",
                                   .fault = "fault",
                                   .no_bits = "bits=False"});
  evidence.reproduce = options.subject.reproduce;
  const Claim claim = claim_of_the_outputs(request.claimed, options.subject.where,
                                           "The function " + options.subject.name, of_the_callable);
  return to_json(context_of_audit(request.seed), {claim}, {evidence});
}

// What `run` gives while other Python threads go on. What stops it is raised here.
template <class Run>
std::string without_the_lock(Caller& caller, const Run& run) {
  std::string report;
  {
    const py::gil_scoped_release unlocked;
    try {
      report = run();
    } catch (const Stopped&) {
      report.clear();
    }
  }
  caller.raise_if_stopped();
  return report;
}

}  // namespace

Plan read_plan(const std::string& name) {
  for (const PlanBudget& plan : plan_budgets)
    if (plan.name == name) return plan.plan;
  require(false, "plan", "'" + name + "'", "smoke, ci or nightly");
  return Plan::smoke;
}

NeighbouringPair read_pair(const py::object& pair, Index rows_per_user) {
  require(py::len_hint(pair) == 2, "pair", "another object", "two arrays");
  std::array<Dataset, 2> sides;
  for (const std::size_t side : {0U, 1U}) {
    const py::array array = py::array::ensure(pair[py::int_(side)]);
    require(array && array.ndim() == 2 && array.size() > 0, "a dataset of the pair",
            "another object", "an array of records (rows) and columns");
    const Index rows = array.shape(0);
    require(rows % rows_per_user == 0, "rows of a dataset of the pair", static_cast<double>(rows),
            fmt::format("a multiple of rows_per_user ({})", rows_per_user));
    const VectorXd entries = read_vector(array, "a dataset of the pair");
    sides[side].features = Eigen::Map<const Matrix>(entries.data(), rows / rows_per_user,
                                                    array.shape(1) * rows_per_user);
    sides[side].labels = VectorXd::Zero(rows / rows_per_user);
    dpverify::validate(sides[side]);
  }
  require(sides[0].dimension() == sides[1].dimension(), "columns of the neighbour",
          static_cast<double>(sides[1].dimension() / rows_per_user),
          fmt::format("as many as those of the data ({})", sides[0].dimension() / rows_per_user));
  try {
    return as_neighbours(std::move(sides[0]), std::move(sides[1]));
  } catch (const std::invalid_argument& refusal) {
    if (rows_per_user == 1) throw;
    throw std::invalid_argument(fmt::format("{} (a record is all {} rows of a user, adjacent)",
                                            refusal.what(), rows_per_user));
  }
}

Outcomes check_mechanism(const py::function& function, const CheckOptions& options) {
  validate(options);
  Caller caller;
  PrintedOutputs texts;
  std::optional<Domain> domain;
  if (!options.pair) domain = options.domain;
  const Mechanism mechanism = mechanism_of(function, domain, options.rows_per_user, caller, texts);
  Outcomes found;
  found.report = without_the_lock(caller, [&] {
    return ends_at_all(mechanism, options, caller) ? report_on(mechanism, options, caller) : "";
  });
  found.raised = caller.raised_in_words();
  found.exceptions = caller.exceptions();
  return found;
}

Outcomes audit_callable(const py::function& function, const std::array<py::object, 2>& data,
                        const AuditOptions& options) {
  validate(options.request);
  Caller caller;
  RunLog log;
  Outcomes found;
  found.report = without_the_lock(
      caller, [&] { return report_on_runs(function, data, options, caller, log); });
  found.raised = log.failures_in_words();
  found.exceptions = caller.exceptions();
  return found;
}

}  // namespace dpverify::python
