#include "reports/audit_command.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ostream>

#include "algorithms/core/checked.hpp"
#include "audits/black_box/black_box.hpp"
#include "audits/black_box/dependence.hpp"
#include "bench/csv.hpp"
#include "reports/json.hpp"
#include "reports/selection.hpp"
#include "reports/shell_words.hpp"
#include "reports/text.hpp"

namespace dpverify {
namespace {

std::vector<Claim> privacy_claims(const std::vector<Claim>& claims, const std::string& id) {
  std::vector<Claim> found;
  for (const Claim& claim : claims)
    if (std::holds_alternative<PrivacyClaim>(claim.check) &&
        (claim.id == id || claim.algorithm == id))
      found.push_back(claim);
  if (!found.empty()) return found;
  const Claim& other = find_claim(claims, id);  // complains about an unknown id
  require(false, "claim to audit", "'" + id + "', of kind " + std::string(kind(other)),
          "a claim of kind privacy");
  return found;
}

Outputs read_outputs(const CsvTable& table) {
  Outputs outputs;
  for (Index i = 0; i < table.values.rows(); ++i) outputs.emplace_back(table.values.row(i));
  return outputs;
}

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
std::string dependence_in(const std::vector<CsvTable>& tables) {
  constexpr double significance = 1e-4;  // that an audit of independent runs is left undecided
  for (const CsvTable& table : tables) {
    const std::string found =
        dependence(read_outputs(table), significance / static_cast<double>(tables.size()));
    if (!found.empty()) return fmt::format("{} depend on each other ({})", table.path, found);
  }
  return "";
}

}  // namespace

NeighbouringPair read_pair(const std::vector<std::string>& files, const std::string& target) {
  require(files.size() == 2, "--pair", std::to_string(files.size()) + " files",
          "search, corner or two CSV files");
  std::vector<Dataset> read;
  std::vector<std::string> columns;
  for (const std::string& file : files) {
    const CsvTable table = read_csv(file);
    if (read.empty()) columns = table.columns;
    require(table.columns == columns, "columns of " + file, "others", "those of " + files[0]);
    read.push_back(dataset_with_target(table, target.empty() ? table.columns.back() : target).data);
  }
  const Dataset &data = read[0], &neighbour = read[1];
  const auto same = [&](Index i, Index j) {
    return data.features.row(i) == neighbour.features.row(j) &&
           data.labels[i] == neighbour.labels[j];
  };
  // The records agree up to the first difference, and after it in both.
  const Index shorter = std::min(data.size(), neighbour.size());
  Index first = 0;
  while (first < shorter && same(first, first)) ++first;
  const Index skip_data = data.size() >= neighbour.size() ? 1 : 0;
  const Index skip_neighbour = neighbour.size() >= data.size() ? 1 : 0;
  Index i = first + skip_data, j = first + skip_neighbour;
  while (i < data.size() && j < neighbour.size() && same(i, j)) ++i, ++j;
  const bool identical = first == shorter && data.size() == neighbour.size();
  require(!identical && i >= data.size() && j >= neighbour.size(), "the two datasets",
          identical ? "the same" : "differing in more than one record",
          "neighbours: one record replaced, or one more");
  return {data, neighbour, first};
}

bool audit_command(const std::vector<Claim>& claims, const AuditCommandOptions& options,
                   std::ostream& out) {
  AuditRequest request = options.request;
  if (request.choice == PairChoice::given) request.pair = read_pair(options.files, options.target);
  std::vector<Claim> audited = privacy_claims(claims, options.id);
  std::vector<Evidence> found;
  bool expected = true;
  for (Claim& claim : audited) {
    if (request.claimed) {
      claim.expectation = Expectation::holds;
      claim.statement += fmt::format(" Asked: is it ({:.6g}, {:.4g})-DP?", request.claimed->epsilon,
                                     request.claimed->delta);
    }
    request.setting = options.setting.value_or(0);
    Evidence evidence = audit_claim(claim, request);
    const std::size_t settings = count_settings(std::get<PrivacyClaim>(claim.check));
    while (!options.setting && claim.expectation == Expectation::refuted &&
           evidence.verdict != Verdict::refuted && request.setting + 1 < settings) {
      ++request.setting;
      evidence = audit_claim(claim, request);
    }
    std::vector<std::string> words{"./dpverify", "audit", claim.id};
    words.insert(words.end(), options.given.begin(), options.given.end());
    words.insert(words.end(), {"--setting", std::to_string(request.setting + 1), "--seed",
                               std::to_string(request.seed)});
    evidence.reproduce = shell_command(words);
    expected = expected && as_expected(claim, evidence);
    if (!options.json) {
      out << claim.id << "\n" << evidence_in_words(claim, evidence, "this audit") << std::endl;
    }
    found.push_back(std::move(evidence));
  }
  if (options.json) out << to_json(audited, found);
  return expected;
}

bool audit_files_command(const AuditFilesOptions& options, std::ostream& out) {
  const std::vector<std::string>& files = options.files;
  require(files.size() == 2, "--outputs", std::to_string(files.size()) + " files",
          "two CSV files, one a dataset");
  const CsvTable first = read_csv(files[0], CsvContent::outputs),
                 second = read_csv(files[1], CsvContent::outputs);
  require(first.columns == second.columns, "columns of " + files[1], "others",
          "those of " + files[0]);
  require(first.values.rows() >= 2 && second.values.rows() >= 2, "number of outputs a file",
          static_cast<double>(std::min(first.values.rows(), second.values.rows())), "at least 2");
  const bool bits = options.bits == Bits::yes || (options.bits == Bits::if_written &&
                                                  first.full_precision && second.full_precision);
  const std::string dependent = dependence_in({first, second});
  const PrivacyGuarantee claimed = options.claimed;
  Claim claim;
  claim.id = claim.algorithm = "outputs";
  claim.source = {Text::command_line, files[0] + ", " + files[1]};
  claim.statement = fmt::format("The program whose outputs these are is ({:.6g}, {:.4g})-DP.",
                                claimed.epsilon, claimed.delta);
  claim.assumptions = {std::string(independent_runs)};
  claim.check = PrivacyClaim{};
  Evidence evidence{.claim = claim.id, .method = "black-box audit"};
  evidence.claimed = claimed.epsilon;
  evidence.measurements = {{"delta claimed", claimed.delta}};
  evidence.samples = static_cast<std::uint64_t>(first.values.rows() + second.values.rows());
  evidence.seed = options.seed;
  if (dependent.empty()) {
    BlackBoxAudit audit =
        audit_outputs(read_outputs(first), read_outputs(second), claimed, options.significance,
                      RandomStream({.seed = options.seed, .claim = "outputs", .purpose = "halves"}),
                      bits ? OutputModel::doubles : OutputModel::reals);
    evidence.verdict = audit.verdict;
    evidence.estimate = audit.epsilon_lower;
    if (claimed.epsilon > 0) evidence.tightness = audit.epsilon_lower / claimed.epsilon;
    evidence.ceiling = audit.ceiling;
    evidence.measurements.push_back({"mu at least", audit.mu_lower});
    evidence.measurements.push_back({"outputs a side that decide", audit.samples_needed});
    evidence.tables = {std::move(audit.trade_off)};
    evidence.reason = fmt::format("{}. {} {}", audit.reason, independent_runs, about_bits(bits));
  } else {
    evidence.verdict = Verdict::inconclusive;
    evidence.reason = fmt::format(
        "The lines of {}: they are not the outputs of independent runs in the order in which these "
        "came, and nothing is counted.",
        dependent);
  }
  std::vector<std::string> words{"./dpverify", "audit"};
  words.insert(words.end(), options.given.begin(), options.given.end());
  words.insert(words.end(), {"--seed", std::to_string(options.seed)});
  evidence.reproduce = shell_command(words);
  if (options.json)
    out << to_json({claim}, {evidence});
  else
    out << evidence_in_words(claim, evidence, "these outputs");
  return as_expected(claim, evidence);
}

}  // namespace dpverify
