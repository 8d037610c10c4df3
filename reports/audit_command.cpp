#include "reports/audit_command.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ostream>

#include "algorithms/core/checked.hpp"
#include "audits/black_box/black_box.hpp"
#include "bench/csv.hpp"
#include "reports/json.hpp"
#include "reports/selection.hpp"
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
  return {data, neighbour, std::min(first, data.size() - 1)};
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
    evidence.reproduce = fmt::format("./dpverify audit {} --setting {} --seed {}", claim.id,
                                     request.setting + 1, options.request.seed);
    expected = expected && as_expected(claim, evidence);
    if (!options.json) {
      out << claim.id << "\n" << evidence_in_words(claim, evidence, "this audit") << std::endl;
    }
    found.push_back(std::move(evidence));
  }
  if (options.json) out << to_json(audited, found);
  return expected;
}

bool audit_files_command(const std::vector<std::string>& files, PrivacyGuarantee claimed,
                         double significance, std::uint64_t seed, bool json, std::ostream& out) {
  require(files.size() == 2, "--outputs", std::to_string(files.size()) + " files",
          "two CSV files, one a dataset");
  const CsvTable first = read_csv(files[0]), second = read_csv(files[1]);
  require(first.columns == second.columns, "columns of " + files[1], "others",
          "those of " + files[0]);
  require(first.values.rows() >= 2 && second.values.rows() >= 2, "number of outputs a file",
          static_cast<double>(std::min(first.values.rows(), second.values.rows())), "at least 2");
  BlackBoxAudit audit = audit_outputs(
      read_outputs(first), read_outputs(second), claimed, significance,
      RandomStream({.seed = seed, .claim = "outputs", .purpose = "halves"}), OutputModel::reals);
  Claim claim;
  claim.id = claim.algorithm = "outputs";
  claim.source = {"the command line", files[0] + ", " + files[1]};
  claim.statement = fmt::format("The program whose outputs these are is ({:.6g}, {:.4g})-DP.",
                                claimed.epsilon, claimed.delta);
  claim.check = PrivacyClaim{};
  Evidence evidence{.claim = claim.id, .verdict = audit.verdict, .method = "black-box audit"};
  evidence.estimate = audit.epsilon_lower;
  evidence.claimed = claimed.epsilon;
  evidence.tightness = audit.epsilon_lower / claimed.epsilon;
  evidence.ceiling = audit.ceiling;
  evidence.measurements = {{"delta claimed", claimed.delta},
                           {"mu at least", audit.mu_lower},
                           {"outputs a side that decide", audit.samples_needed}};
  evidence.tables = {std::move(audit.trade_off)};
  evidence.samples = static_cast<std::uint64_t>(first.values.rows() + second.values.rows());
  evidence.seed = seed;
  evidence.reason = audit.reason;
  evidence.reproduce = fmt::format(
      "./dpverify audit --outputs {} {} --epsilon {} --delta {} --significance {} "
      "--seed {}",
      files[0], files[1], to_text(claimed.epsilon), to_text(claimed.delta), to_text(significance),
      seed);
  if (json)
    out << to_json({claim}, {evidence});
  else
    out << evidence_in_words(claim, evidence, "these outputs");
  return evidence.verdict != Verdict::refuted;
}

}  // namespace dpverify
