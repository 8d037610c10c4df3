#include "reports/audit_outputs.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <ostream>
#include <utility>

#include "algorithms/core/checked.hpp"
#include "audits/black_box/dependence.hpp"
#include "audits/black_box/faults.hpp"
#include "audits/black_box/output_files.hpp"
#include "reports/atomic_file.hpp"
#include "reports/evidence_text.hpp"
#include "reports/json.hpp"
#include "reports/layout.hpp"
#include "reports/program.hpp"
#include "reports/shell_words.hpp"

namespace dpverify {
namespace {

constexpr std::string_view independent_runs =
    "Taken for granted: every line is the output of a run of its own, with fresh noise. Several "
    "scores of one run (losses, canaries) are not.";

std::string_view about_bits(bool bits) {
  return bits
             ? "Outputs are compared bit by bit, as doubles: what only their last bits show may be "
               "no fault of the mechanism in real arithmetic (--bits no leaves them out)."
             : "Outputs are compared as numbers; what their last bits show is not looked for.";
}

// What is found against the independence of the lines, from the name of their file on; empty if
// nothing is.
std::string dependence_in(const OutputFiles& read, const std::vector<std::string>& files) {
  constexpr double significance = 1e-4;  // that an audit of independent runs is left undecided
  for (const std::size_t side : {0U, 1U})
    if (const std::string found = dependence(read.outputs[side], significance / 2); !found.empty())
      return fmt::format("{} depend on each other ({})", files[side], found);
  return "";
}

Claim claim_of_the_outputs(PrivacyGuarantee claimed, const std::string& where,
                           const std::string& statement, const std::string& assumption) {
  Claim claim;
  claim.id = claim.algorithm = "outputs";
  claim.source = {Text::command_line, where};
  claim.statement =
      fmt::format("{} is ({:.6g}, {:.4g})-DP.", statement, claimed.epsilon, claimed.delta);
  claim.assumptions = {assumption};
  claim.check = PrivacyClaim{};
  return claim;
}

// What the audit could have seen, for a claim that it did not refute: a claim is consistent only if
// the fault that was asked about would have been refuted.
std::string judge_power(const AuditFilesOptions& options, const std::array<Index, 2>& sizes,
                        Evidence& evidence) {
  const double smallest =
      smallest_refuted_fault(options.claimed, sizes[0], sizes[1], options.significance);
  const char* claimed = options.claimed.epsilon > 0 ? "epsilon" : "delta";
  if (smallest > options.fault) evidence.verdict = Verdict::inconclusive;
  if (!std::isfinite(smallest))
    return "So many outputs would refute Laplace noise however little it is only by luck. ";
  evidence.smallest_fault = smallest;
  return fmt::format(
      "So many outputs refute Laplace noise that needs {:.4g} times the claimed {} or more; a "
      "fault "
      "that shows in rarer events has to be larger{}. ",
      smallest, claimed,
      smallest > options.fault ? fmt::format(" (--fault {:.4g} was asked for)", options.fault)
                               : "");
}

// Uses the outputs up: of many, a copy would be the larger part of the memory.
Evidence audit_of_the_outputs(const AuditFilesOptions& options, OutputFiles read) {
  auto& [first, second] = read.outputs;
  const std::array sizes{static_cast<Index>(first.size()), static_cast<Index>(second.size())};
  const PrivacyGuarantee claimed = options.claimed;
  Evidence evidence{.claim = "", .method = "black-box audit"};
  evidence.claimed = claimed.epsilon;
  evidence.measurements = {{"delta claimed", claimed.delta}};
  evidence.samples = first.size() + second.size();
  evidence.seed = options.seed;
  if (const std::string dependent = dependence_in(read, options.files); !dependent.empty()) {
    evidence.verdict = Verdict::inconclusive;
    evidence.reason = fmt::format(
        "The lines of {}: they are not the outputs of independent runs in the order in which these "
        "came, and nothing is counted.",
        dependent);
    return evidence;
  }
  const bool bits = options.bits == Bits::yes ||
                    (options.bits == Bits::if_written && read.reader.full_precision());
  BlackBoxAudit audit =
      audit_outputs(std::move(first), std::move(second), claimed, options.significance,
                    RandomStream({.seed = options.seed, .claim = "outputs", .purpose = "halves"}),
                    bits ? OutputModel::doubles : OutputModel::reals);
  evidence.verdict = audit.verdict;
  evidence.estimate = audit.epsilon_lower;
  const double ratio = times_claimed(audit.epsilon_lower, claimed.epsilon);
  evidence.tightness =
      audit.verdict == Verdict::refuted ? above_claimed(ratio) : at_most_claimed(ratio);
  evidence.ceiling = audit.ceiling;
  evidence.measurements.push_back({"mu at least", audit.mu_lower});
  evidence.measurements.push_back({"outputs a side that decide", audit.samples_needed});
  evidence.tables = {std::move(audit.trade_off)};
  std::string power;
  if (audit.verdict != Verdict::refuted) power = judge_power(options, sizes, evidence);
  if (sizes[0] != sizes[1])
    power +=
        fmt::format("The files hold different numbers of outputs, {} and {}. ", sizes[0], sizes[1]);
  evidence.reason = fmt::format("{}. {}{} {}", read.reader.with_texts(audit.reason), power,
                                independent_runs, about_bits(bits));
  return evidence;
}

constexpr std::string_view of_the_program =
    "Taken for granted: the two datasets are neighbours, and every line is the output of a run of "
    "its own, with fresh noise.";

void require_datasets(const std::array<std::string, 2>& data) {
  for (const std::size_t side : {0U, 1U})
    require(access(data[side].c_str(), R_OK) == 0, side == 0 ? "--data" : "--neighbour",
            "'" + data[side] + "'", "a file that can be read");
  std::error_code error;
  if (std::filesystem::is_regular_file(data[0], error) &&
      std::filesystem::is_regular_file(data[1], error))
    require(read_file(data[0]) != read_file(data[1]), "--neighbour",
            "'" + data[1] + "', of the same bytes as --data", "another dataset");
}

// What the audit could have seen, for a claim that it did not refute.
std::string power_in_words(const ProgramRequest& request, const ProgramAudit& audit) {
  const std::string fault =
      fmt::format("Laplace noise that needs {:.4g} times the claimed {}", request.fault,
                  request.claimed.epsilon > 0 ? "epsilon" : "delta");
  return audit.runs_needed
             ? fmt::format(
                   "{} would have been refuted by these {} runs a dataset (in 18 of 20 "
                   "simulations); a fault that shows in rarer events needs more.",
                   fault, *audit.runs_needed)
             : fmt::format(
                   "{} would not surely have been refuted by {} runs a dataset: --samples "
                   "allows for more, --fault asks for a larger one.",
                   fault, request.most_runs);
}

Evidence evidence_of(const ProgramRequest& request, const ProgramAudit& audit) {
  const SequentialAudit& found = audit.found;
  Evidence evidence{.claim = "", .method = "black-box audit of a program, sequential"};
  evidence.claimed = request.claimed.epsilon;
  evidence.measurements = {{"delta claimed", request.claimed.delta},
                           {"runs a dataset", static_cast<double>(found.samples)}};
  if (audit.runs_needed)
    evidence.measurements.push_back(
        {"runs a dataset that refute the fault", static_cast<double>(*audit.runs_needed)});
  evidence.samples = 2 * found.samples;
  evidence.seed = request.seed;
  const bool refuted = found.verdict == Verdict::refuted;
  evidence.verdict = !audit.dependence.empty() ? Verdict::inconclusive
                     : refuted                 ? Verdict::refuted
                     : audit.runs_needed       ? Verdict::consistent
                                               : Verdict::inconclusive;
  if (!audit.dependence.empty()) {
    evidence.reason = fmt::format("Nothing is counted: {}.", audit.dependence);
    return evidence;
  }
  evidence.reason = found.reason + ".";
  if (refuted) {
    evidence.estimate = found.epsilon_lower;
    evidence.tightness = above_claimed(times_claimed(found.epsilon_lower, request.claimed.epsilon));
  } else {
    evidence.reason += " " + power_in_words(request, audit);
    if (audit.runs_needed) {
      evidence.smallest_fault = request.fault;
      evidence.strength = Strength::sampled;
    }
  }
  if (audit.single_runs)
    evidence.reason += fmt::format(
        " One run a start, because several at once did not all end well: how a run "
        "fails is an output{}{}.",
        audit.failures_in_words.empty() ? "" : ", ", audit.failures_in_words);
  evidence.reason +=
      fmt::format(" {} {}", of_the_program, about_bits(audit.model == OutputModel::doubles));
  return evidence;
}

}  // namespace

std::string audit_line(const std::vector<std::string>& what, const std::vector<std::string>& given,
                       const std::vector<std::string>& last) {
  std::vector<std::string> words{"audit"};
  for (const auto* part : {&what, &given, &last})
    words.insert(words.end(), part->begin(), part->end());
  return command(shell_command(words));
}

Context context_of_audit(std::uint64_t seed) {
  CheckContext context;
  context.seed = seed;
  return describe(context);
}

bool audit_files_command(const AuditFilesOptions& options, std::ostream& out) {
  const std::vector<std::string>& files = options.files;
  require(files.size() == 2, "--outputs", std::to_string(files.size()) + " files",
          "two files, one a dataset");
  OutputFiles read = read_output_files({files[0], files[1]});
  const Claim claim =
      claim_of_the_outputs(options.claimed, files[0] + ", " + files[1],
                           "The program whose outputs these are", std::string(independent_runs));
  Evidence evidence = audit_of_the_outputs(options, std::move(read));
  evidence.claim = claim.id;
  evidence.reproduce = audit_line({}, options.given, {"--seed", std::to_string(options.seed)});
  if (options.json)
    out << to_json(context_of_audit(options.seed), {claim}, {evidence});
  else
    out << printable_lines(evidence_in_words(claim, evidence, "these outputs"));
  return as_expected(claim, evidence);
}

bool audit_program_command(const AuditProgramOptions& options, std::ostream& out) {
  ProgramRequest request = options.request;
  require_datasets(request.data);
  if (options.bits != Bits::if_written)
    request.model = options.bits == Bits::yes ? OutputModel::doubles : OutputModel::reals;
  const Claim claim = claim_of_the_outputs(request.claimed, shell_command(request.words),
                                           "The program", std::string(of_the_program));
  Evidence evidence = evidence_of(request, audit_program(request));
  evidence.claim = claim.id;
  std::vector<std::string> last{"--seed", std::to_string(request.seed), "--exec", "--"};
  last.insert(last.end(), request.words.begin(), request.words.end());
  evidence.reproduce = audit_line({}, options.given, last);
  if (options.json)
    out << to_json(context_of_audit(request.seed), {claim}, {evidence});
  else
    out << printable_lines(evidence_in_words(claim, evidence, "these runs"));
  return as_expected(claim, evidence);
}

}  // namespace dpverify
