#include "reports/evidence_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "algorithms/core/checked.hpp"
#include "bench/rate_tables.hpp"
#include "reports/layout.hpp"

namespace dpverify {
namespace {

constexpr Index most_records = 12;
constexpr Index most_features = 12;
constexpr std::size_t most_rows = 40;

std::string in_words(Verdict verdict) {
  switch (verdict) {
    case Verdict::consistent:
      return "consistent (nothing found against the claim)";
    case Verdict::refuted:
      return "refuted (the claim fails)";
    case Verdict::inconclusive:
      return "inconclusive (too little power to decide)";
    case Verdict::not_run:
      return "not_run (the plan leaves this check out)";
    case Verdict::error:
      return "error (the check could not be completed)";
  }
  return "";
}

std::string vector_in_words(const Eigen::Ref<const Eigen::RowVectorXd>& values) {
  std::vector<std::string> texts;
  for (Index j = 0; j < std::min(values.size(), most_features); ++j)
    texts.push_back(to_text(values[j]));
  if (values.size() > most_features)
    texts.push_back(fmt::format("... {} more", values.size() - most_features));
  return fmt::format("({})", fmt::join(texts, ", "));
}

std::string record_in_words(const Dataset& data, Index i) {
  return fmt::format("x = {}, y = {}", vector_in_words(data.features.row(i)),
                     to_text(data.labels[i]));
}

std::string pair_in_words(const NeighbouringPair& pair) {
  const RecordChange change = record_change(pair);
  const Index k = pair.replaced;
  std::string text =
      fmt::format("    {} records of {} features; {}\n", pair.data.size(), pair.data.dimension(),
                  change == RecordChange::replaced  ? fmt::format("record {} is replaced", k)
                  : change == RecordChange::removed ? fmt::format("record {} is removed", k)
                                                    : fmt::format("a record is added as {}", k));
  for (Index i = 0; i < std::min(pair.data.size(), most_records); ++i)
    if (i != k || change == RecordChange::added)
      text += fmt::format("    record {}: {}\n", i, record_in_words(pair.data, i));
  if (pair.data.size() > most_records) text += "    ... (all of them are in the report)\n";
  if (change == RecordChange::added)
    return text + fmt::format("    added:    {}\n", record_in_words(pair.neighbour, k));
  text += fmt::format("    record {}: {}\n", k, record_in_words(pair.data, k));
  return text + (change == RecordChange::removed
                     ? "    is removed\n"
                     : fmt::format("    becomes:  {}\n", record_in_words(pair.neighbour, k)));
}

std::string in_words(const ChannelFinding& finding) {
  std::string line = fmt::format("{}, {}", finding.channel, name(finding.verdict));
  if (finding.verdict == Verdict::not_run) return line + ": " + finding.reason;
  line += fmt::format("; epsilon at least {:.6g}", finding.epsilon_lower.value_or(0));
  if (finding.ceiling && std::isfinite(*finding.ceiling))
    line += fmt::format(" where it could have shown {:.6g}", *finding.ceiling);
  if (finding.samples > 0) line += fmt::format(", from {} runs a side", finding.samples);
  return line;
}

std::string witness_in_words(const Witness& witness) {
  std::string text = paragraph("Witness", witness.explanation);
  if (!witness.parameters.empty())
    text += fmt::format("    {}\n", printable(point_in_words(witness.parameters)));
  if (witness.pair) {
    text += pair_in_words(*witness.pair);
  }
  if (!witness.outcomes.empty())
    text += fmt::format("    outcomes: {}\n", fmt::join(witness.outcomes, ", "));
  return text;
}

std::string table_in_words(const Table& table) {
  std::vector<std::vector<std::string>> cells(1);
  for (const std::string& column : table.columns) cells[0].push_back(printable(column));
  for (const auto& row : table.rows) {
    if (cells.size() > most_rows) break;
    std::vector<std::string>& texts = cells.emplace_back();
    for (const double value : row)
      texts.push_back(std::isnan(value) ? "-" : fmt::format("{:.6g}", value));
  }
  std::string text = fmt::format("  {}:\n", printable(table.name));
  for (const auto& row : cells) text += fmt::format("    {}\n", fmt::join(row, "\t"));
  if (table.rows.size() > most_rows)
    text += fmt::format("    ... {} more rows in the report\n", table.rows.size() - most_rows);
  return text;
}

// All but the trials that only a comparison of two runs reads; the report has them.
std::string tables_in_words(const Evidence& evidence) {
  std::string text;
  for (const Table& table : evidence.tables)
    if (!holds_first_trials(table)) text += table_in_words(table);
  return text;
}

std::string fault_in_words(double fault, const Claim& claim) {
  if (std::holds_alternative<RateClaim>(claim.check))
    return fmt::format("a run slower by {:.3g} in the exponent would not be consistent", fault);
  // No four digits say that it is above 1; what is seen at a smaller fault is seen at this one.
  constexpr double smallest_said = 1.001;
  return fmt::format("{} of {:.4g} times less would have been refuted",
                     std::holds_alternative<FloorClaim>(claim.check) ? "noise" : "a claim",
                     std::max(fault, smallest_said));
}

std::string in_words(const Claim& claim, const Evidence& evidence, std::string_view file,
                     const std::string& standing) {
  std::string text = fmt::format("Evidence in {}\n", printable(file));
  text += paragraph("Verdict", in_words(evidence.verdict) + standing);
  if (!evidence.reading.empty()) text += paragraph("Reading", evidence.reading);
  text += paragraph("Reason", evidence.reason);
  text += paragraph("Method", fmt::format("{}; {} samples, seed {}", evidence.method,
                                          evidence.samples, evidence.seed));
  if (evidence.estimate) {
    std::string line = fmt::format("{:.6g}", *evidence.estimate);
    if (evidence.interval)
      line += fmt::format(" in [{:.6g}, {:.6g}] at level {}", evidence.interval->lower,
                          evidence.interval->upper, to_text(evidence.interval->level));
    text += paragraph("Estimate", line);
  }
  if (evidence.claimed) text += paragraph("Claimed", fmt::format("{:.6g}", *evidence.claimed));
  if (evidence.tightness)
    text += paragraph("Tightness", fmt::format("{:.6g} times what is claimed, at least; above 1 "
                                               "refutes",
                                               *evidence.tightness));
  if (evidence.ceiling)
    text += paragraph("Ceiling",
                      fmt::format("{:.6g} (the most this check could show)", *evidence.ceiling));
  if (evidence.smallest_fault)
    text += paragraph("Smallest fault", fault_in_words(*evidence.smallest_fault, claim));
  if (evidence.strength) text += paragraph("Strength", std::string(name(*evidence.strength)));
  for (const ChannelFinding& finding : evidence.channels)
    text += paragraph("Channel", in_words(finding));
  for (const Measurement& measurement : evidence.measurements)
    text += paragraph(measurement.name, fmt::format("{:.6g}", measurement.value));
  text += tables_in_words(evidence);
  if (evidence.witness) text += witness_in_words(*evidence.witness);
  return text + fmt::format("  Reproduce:\n    {}\n", evidence.reproduce);
}

}  // namespace

std::string rate_in_words(const Claim& claim, const Evidence& evidence) {
  std::string text =
      fmt::format("{}: {}, {}", claim.id, name(evidence.verdict), standing(claim, evidence));
  if (!evidence.reading.empty()) text += "; " + evidence.reading;
  text += "\n";
  text += tables_in_words(evidence);
  return text + paragraph("Reason", evidence.reason);
}

std::string evidence_in_words(const Claim& claim, const Evidence& evidence, std::string_view file) {
  return in_words(claim, evidence, file, ", " + std::string(standing(claim, evidence)));
}

std::string answer_in_words(const Claim& claim, const Evidence& evidence, std::string_view what) {
  return in_words(claim, evidence, what, "");
}

}  // namespace dpverify
