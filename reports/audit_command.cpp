#include "reports/audit_command.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ostream>

#include "algorithms/core/checked.hpp"
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
    Evidence evidence = audit_claim(claim, request);
    evidence.reproduce =
        fmt::format("./dpverify audit {} --seed {}", claim.id, options.request.seed);
    expected = expected && as_expected(claim, evidence);
    if (!options.json) {
      out << claim.id << "\n" << evidence_in_words(claim, evidence, "this audit") << std::endl;
    }
    found.push_back(std::move(evidence));
  }
  if (options.json) out << to_json(audited, found);
  return expected;
}

}  // namespace dpverify
