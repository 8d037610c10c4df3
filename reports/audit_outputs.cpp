#include "reports/audit_outputs.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <optional>
#include <ostream>
#include <utility>

#include "algorithms/core/checked.hpp"
#include "audits/black_box/dependence.hpp"
#include "audits/black_box/faults.hpp"
#include "audits/black_box/output_files.hpp"
#include "bench/csv.hpp"
#include "reports/atomic_file.hpp"
#include "reports/evidence_text.hpp"
#include "reports/json.hpp"
#include "reports/layout.hpp"
#include "reports/memory_file.hpp"
#include "reports/program.hpp"
#include "reports/run_evidence.hpp"
#include "reports/shell_words.hpp"

namespace dpverify {
namespace {

constexpr std::string_view no_bits = "--bits no";

constexpr std::string_view independent_runs =
    "Taken for granted: every line is the output of a run of its own, with fresh noise. Several "
    "scores of one run (losses, canaries) are not: --one-run audits them.";

// What is found against the independence of the lines, from the name of their file on; empty if
// nothing is.
std::string dependence_in(const OutputFiles& read, const std::vector<std::string>& files) {
  constexpr double significance = 1e-4;  // that an audit of independent runs is left undecided
  for (const std::size_t side : {0U, 1U})
    if (const std::string found = dependence(read.outputs[side], significance / 2); !found.empty())
      return fmt::format("{} depend on each other ({})", files[side], found);
  return "";
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

// Sizes of which an audit that parts its outputs would count so many.
std::array<Index, 2> sizes_that_count(const std::array<std::size_t, 2>& counted) {
  return {2 * static_cast<Index>(counted[0]), 2 * static_cast<Index>(counted[1])};
}

// Uses the outputs up: of many, a copy would be the larger part of the memory.
Evidence audit_of_the_outputs(const AuditFilesOptions& options, OutputFiles read) {
  auto& [first, second] = read.outputs;
  const std::array held{first.size(), second.size()};
  const PrivacyGuarantee claimed = options.claimed;
  Evidence evidence{.claim = "", .method = "black-box audit"};
  evidence.claimed = claimed.epsilon;
  evidence.measurements = {{"delta claimed", claimed.delta}};
  evidence.samples = held[0] + held[1];
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
  const OutputModel model = bits ? OutputModel::doubles : OutputModel::reals;
  const RandomStream halves({.seed = options.seed, .claim = "outputs", .purpose = "halves"});
  const auto next = [&](std::size_t side) { return read.further(side); };
  const bool many = read.has_further();
  BlackBoxAudit audit = many ? audit_outputs(std::move(first), std::move(second), next, claimed,
                                             options.significance, halves, model)
                             : audit_outputs(std::move(first), std::move(second), claimed,
                                             options.significance, halves, model);
  const std::array<std::size_t, 2>& further = read.further_sizes();
  evidence.samples += further[0] + further[1];
  const std::array sizes{static_cast<Index>(held[0] + further[0]),
                         static_cast<Index>(held[1] + further[1])};
  evidence.verdict = audit.verdict;
  evidence.estimate = audit.epsilon_lower;
  const double ratio = times_claimed(audit.epsilon_lower, claimed.epsilon);
  evidence.tightness =
      audit.verdict == Verdict::refuted ? above_claimed(ratio) : at_most_claimed(ratio);
  evidence.ceiling = audit.ceiling;
  evidence.measurements.push_back(
      {"mu of Gaussian differential privacy, at least", audit.mu_lower});
  evidence.measurements.push_back({"outputs a side that decide", audit.samples_needed});
  evidence.tables = {std::move(audit.trade_off)};
  std::string power;
  if (audit.verdict != Verdict::refuted)
    power = judge_power(options, many ? sizes_that_count(further) : sizes, evidence);
  if (many)
    power += fmt::format(
        "The first {} outputs of each file chose what to look at, the others were counted. ",
        held[0]);
  if (sizes[0] != sizes[1])
    power +=
        fmt::format("The files hold different numbers of outputs, {} and {}. ", sizes[0], sizes[1]);
  evidence.reason = fmt::format("{}. {}{} {}", read.reader.with_texts(audit.reason), power,
                                independent_runs, about_bits(model, no_bits));
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

Evidence evidence_of_the_program(const ProgramRequest& request, const ProgramAudit& audit) {
  Evidence evidence = evidence_of({.claimed = request.claimed,
                                   .significance = request.significance,
                                   .most_runs = request.most_runs,
                                   .fault = request.fault,
                                   .model = audit.model,
                                   .seed = request.seed},
                                  audit.runs,
                                  {.method = "black-box audit of a program, sequential",
                                   .granted = of_the_program,
                                   .most_runs = "--samples",
                                   .fault = "--fault",
                                   .no_bits = no_bits});
  if (audit.single_runs)
    evidence.reason += " One run a start, because several at once did not all end well.";
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
  OutputFiles read({files[0], files[1]});
  const Claim claim = claim_of_the_outputs(options.claimed, files[0] + ", " + files[1],
                                           "The program whose outputs these are", independent_runs);
  Evidence evidence = audit_of_the_outputs(options, std::move(read));
  evidence.claim = claim.id;
  evidence.reproduce = audit_line({}, options.given, {"--seed", std::to_string(options.seed)});
  if (options.json)
    out << to_json(context_of_audit(options.seed), {claim}, {evidence});
  else
    out << printable_lines(answer_in_words(claim, evidence, "these outputs"));
  return as_expected(claim, evidence);
}

bool audit_program_command(const AuditProgramOptions& options, std::ostream& out) {
  ProgramRequest request = options.request;
  std::optional<MemoryFile> neighbour;
  if (!options.without.empty()) {
    neighbour.emplace(csv_without(request.data[0], options.without));
    request.data[1] = neighbour->path();
  }
  require_datasets(request.data);
  if (options.bits != Bits::if_written)
    request.model = options.bits == Bits::yes ? OutputModel::doubles : OutputModel::reals;
  const Claim claim = claim_of_the_outputs(request.claimed, shell_command(request.words),
                                           "The program", of_the_program);
  Evidence evidence = evidence_of_the_program(request, audit_program(request));
  std::vector<std::string> last{"--seed", std::to_string(request.seed), "--exec", "--"};
  last.insert(last.end(), request.words.begin(), request.words.end());
  evidence.reproduce = audit_line({}, options.given, last);
  if (options.json)
    out << to_json(context_of_audit(request.seed), {claim}, {evidence});
  else
    out << printable_lines(answer_in_words(claim, evidence, "these runs"));
  return as_expected(claim, evidence);
}

}  // namespace dpverify
