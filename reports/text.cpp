#include "reports/text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <map>
#include <sstream>
#include <utility>

#include "algorithms/core/checked.hpp"
#include "bench/rate_check.hpp"

namespace dpverify {
namespace {

constexpr std::size_t line_width = 100;
constexpr Index most_records = 12;
constexpr Index most_features = 12;
constexpr std::size_t most_rows = 40;

template <class Items, class Length>
std::size_t widest(const Items& items, const Length& length) {
  std::size_t width = 0;
  for (const auto& item : items) width = std::max(width, std::size_t{length(item)});
  return width;
}

std::string figure(const Evidence& evidence) {
  if (evidence.tightness) return fmt::format("tightness {:.4g}", *evidence.tightness);
  if (evidence.estimate && evidence.claimed)
    return fmt::format("{:.4g} against {:.4g}", *evidence.estimate, *evidence.claimed);
  if (evidence.estimate) return fmt::format("estimate {:.4g}", *evidence.estimate);
  return "";
}

// The reason, led by the reading unless the reason gives it.
std::string reason(const Evidence& evidence) {
  const auto found = std::ranges::search(
      evidence.reason, evidence.reading,
      [](unsigned char a, unsigned char b) { return std::tolower(a) == std::tolower(b); });
  const bool said = evidence.reading.empty() || !found.empty();
  return said ? evidence.reason : evidence.reading + ": " + evidence.reason;
}

std::string coloured(std::string_view text, bool good, bool colours) {
  if (!colours) return std::string(text);
  return fmt::format("\033[{}m{}\033[0m", good ? "32" : "1;31", text);
}

std::string summary_line(const Summary& summary) {
  std::vector<std::string> counts;
  for (const Verdict verdict : all_verdicts)
    if (const int count = summary.verdicts[static_cast<std::size_t>(verdict)]; count > 0)
      counts.push_back(fmt::format("{} {}", count, name(verdict)));
  std::string line =
      fmt::format("{} claims: {}; {} as expected, {} unexpected", summary.claims,
                  fmt::join(counts, ", "), summary.as_expected, summary.unexpected.size());
  if (summary.mutation_score)
    line += fmt::format("; mutation score {:.3g} ({} of {} mutants refuted)",
                        *summary.mutation_score, summary.mutants_refuted, summary.mutants);
  for (const ChannelScore& score : summary.channels)
    line += fmt::format("; {}{} caught {} of {} broken mechanisms, flagged {} of {} twins",
                        score.channel, score.channel == "any" ? " channel" : "", score.caught,
                        score.broken, score.flagged, score.twins);
  return line;
}

// "  label: text", wrapped between words, with every further line indented by four.
std::string paragraph(std::string_view label, const std::string& text) {
  std::string result = fmt::format("  {}:", label);
  std::size_t column = result.size();
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    if (column + 1 + word.size() > line_width) {
      result += "\n   ";
      column = 3;
    }
    result += " " + word;
    column += 1 + word.size();
  }
  return result + "\n";
}

std::string_view in_words(Edition edition) {
  switch (edition) {
    case Edition::printed:
      return "printed (exactly as the text says)";
    case Edition::proved:
      return "proved (what its proof supports)";
    case Edition::corrected:
      return "corrected (what this project ships)";
    case Edition::reading:
      return "reading (one way to read a place that a copy of the text garbles, or that two copies "
             "give differently; says nothing against the paper)";
    case Edition::mutant:
      return "mutant (the corrected algorithm with one planted fault)";
  }
  return "";
}

std::string_view in_words(Expectation expectation) {
  return expectation == Expectation::holds
             ? "holds (a run in which it is not consistent fails)"
             : "refuted (known to be false; a run that can no longer refute it fails)";
}

std::string_view in_words(Verdict verdict) {
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

std::string_view in_words(Scale scale) {
  switch (scale) {
    case Scale::linear:
      return "";
    case Scale::logarithmic:
      return ", log scale";
    case Scale::integer:
      return ", integers";
  }
  return "";
}

std::string in_words(const ParameterPoint& parameters) {
  std::vector<std::string> texts;
  for (const auto& [name, value] : parameters)
    texts.push_back(fmt::format("{} = {}", name, to_text(value)));
  return fmt::format("{}", fmt::join(texts, ", "));
}

std::string ranges_in_words(const std::vector<ParameterRange>& ranges) {
  std::string text;
  for (const ParameterRange& range : ranges)
    text += paragraph("Range", fmt::format("{} from {} to {}{}", range.name, to_text(range.lower),
                                           to_text(range.upper), in_words(range.scale)));
  return text;
}

std::string settings_in_words(const std::vector<Setting>& settings) {
  std::string text;
  for (const Setting& setting : settings) {
    std::string line = fmt::format("n = {}, d = {}", setting.records, setting.dimension);
    if (!setting.parameters.empty()) line += ", " + in_words(setting.parameters);
    text += paragraph("Setting", line);
  }
  return text;
}

std::string check_in_words(const SensitivityClaim& check) {
  std::string how =
      "at every release, the change of the pre-noise value between replace-one neighbours, with "
      "all earlier outcomes equal, against the sensitivity that the law declares. A RapidCheck "
      "property draws parameters from the ranges, small datasets with tiny, equal, huge and "
      "heavy-tailed values, and reachable outcomes, and shrinks a failure to a small pair. A "
      "search of the worst pair at the settings measures the tightness. Data that reaches the "
      "output outside the releases refutes the claim as well.";
  if (check.attained) how += " The claim is an equality: some pair must reach the bound.";
  how += check.smallest_dimension == check.largest_dimension
             ? fmt::format(" The property uses {} features.", check.smallest_dimension)
             : fmt::format(" The property uses {} to {} features.", check.smallest_dimension,
                           check.largest_dimension);
  return paragraph("Checked", how) + ranges_in_words(check.ranges) +
         settings_in_words(check.settings);
}

std::string guarantees_in_words(std::string_view label, const PrivacyClaim& check,
                                const std::vector<Setting>& settings) {
  std::string text;
  for (const Setting& setting : settings) {
    const PrivacyGuarantee guarantee = check.guarantee(setting.parameters);
    std::string line = fmt::format("n = {}, d = {}", setting.records, setting.dimension);
    if (!setting.parameters.empty()) line += ", " + in_words(setting.parameters);
    line += fmt::format("; claimed epsilon {}, delta {}", to_text(guarantee.epsilon),
                        to_text(guarantee.delta));
    text += paragraph(label, line);
  }
  return text;
}

std::string check_in_words(const PrivacyClaim& check) {
  std::string text;
  if (check.pair)
    return paragraph("Checked",
                     "on one given pair of neighbours, through every channel that can see the "
                     "mechanism: the exact laws of its releases, sampled transcripts with their "
                     "likelihood ratios, and its outputs alone. Each gives a lower bound on the "
                     "true epsilon at the claimed delta.") +
           guarantees_in_words("Setting", check, check.settings);
  if (!check.settings.empty())
    text += paragraph(
        "Checked",
        "the smallest epsilon, at the claimed delta, that the output probabilities on two "
        "replace-one neighbours allow, against the claimed epsilon. Both distributions are "
        "computed exactly, by walking every path of outcomes, for the worst pair that a search "
        "finds at each setting. The figure is a lower bound on the true epsilon.");
  text += guarantees_in_words("Setting", check, check.settings);
  if (!check.certified.empty())
    text += paragraph(
        "Certified",
        "the epsilon that follows, at the claimed delta, from composing what the releases that "
        "one record touches declare, against the claimed epsilon. The figure is an upper bound on "
        "the true epsilon, as far as the declared sensitivities hold.");
  return text + guarantees_in_words("Certified setting", check, check.certified);
}

std::string sweep_in_words(std::string_view plan, std::string_view variable, const Sweep& sweep) {
  std::vector<std::string> values;
  for (const double value : sweep.values) values.push_back(to_text(value));
  return paragraph(
      fmt::format("Plan {}", plan),
      fmt::format("{} = {}; {} trials each", variable, fmt::join(values, ", "), sweep.trials));
}

std::string check_in_words(const RateClaim& check) {
  std::string how = fmt::format(
      "the {} as {} grows, against the theorem's bound (exponent {:.4g} apart from log factors)",
      check.failure_probability > 0
          ? fmt::format("{:.4g}-quantile of the excess risk", 1 - check.failure_probability)
          : "mean excess risk",
      check.variable, check.exponent);
  how += check.attained > 0
             ? fmt::format(
                   ": the exponent is attained to {:.3g}. On this instance no run need beat the "
                   "null controls, the data-free run and the zero vector.",
                   check.attained)
             : " and against two null controls: the data-free run and the zero vector. A run that "
               "does not beat both is vacuous, however its curve falls.";
  if (check.learns) how += " The claim says that it beats them.";
  return paragraph("Checked", how) +
         paragraph("Problem", fmt::format("{}; d = {}", check.problem, check.dimension)) +
         sweep_in_words("smoke", check.variable, check.smoke) +
         sweep_in_words("ci", check.variable, check.ci) +
         sweep_in_words("nightly", check.variable, sweep_of(check, Plan::nightly));
}

std::string check_in_words(const LemmaClaim& check) {
  return paragraph("Checked",
                   "the inequality, left <= right, at every corner of the ranges, on a grid, and "
                   "at points that RapidCheck draws; a failure is shrunk.") +
         ranges_in_words(check.ranges);
}

std::string check_in_words(const FloorClaim& check) {
  return paragraph(
             "Checked",
             fmt::format(
                 "the mean error over independent trials, each on an instance drawn uniformly and "
                 "on records of its own, against {:.4g}, what every ({:.4g}, {:.4g})-DP mechanism "
                 "errs on average. An upper bound on it below that refutes, whatever the law of "
                 "the errors. The same mechanism without noise must fall below it, or the check "
                 "has no power.",
                 check.bound, check.guarantee.epsilon, check.guarantee.delta)) +
         paragraph("Problem", check.problem);
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
  if (!witness.parameters.empty()) text += fmt::format("    {}\n", in_words(witness.parameters));
  if (witness.pair) {
    text += pair_in_words(*witness.pair);
  }
  if (!witness.outcomes.empty())
    text += fmt::format("    outcomes: {}\n", fmt::join(witness.outcomes, ", "));
  return text;
}

std::string table_in_words(const Table& table) {
  std::vector<std::vector<std::string>> cells{table.columns};
  for (const auto& row : table.rows) {
    if (cells.size() > most_rows) break;
    std::vector<std::string>& texts = cells.emplace_back();
    for (const double value : row)
      texts.push_back(std::isnan(value) ? "-" : fmt::format("{:.6g}", value));
  }
  std::string text = fmt::format("  {}:\n", table.name);
  for (const auto& row : cells) {
    text += "   ";
    for (std::size_t column = 0; column < row.size(); ++column) {
      const std::size_t width = widest(cells, [&](const std::vector<std::string>& each) {
        return column < each.size() ? each[column].size() : 0;
      });
      text += fmt::format(" {:>{}}", row[column], width);
    }
    text += "\n";
  }
  if (table.rows.size() > most_rows)
    text += fmt::format("    ... {} more rows in the report\n", table.rows.size() - most_rows);
  return text;
}

// All but the trials that only a comparison of two runs reads; the report has them.
std::string tables_in_words(const Evidence& evidence) {
  std::string text;
  for (const Table& table : evidence.tables)
    if (table.name != first_trials_table) text += table_in_words(table);
  return text;
}

std::string_view standing(const Claim& claim, const Evidence& evidence) {
  if (evidence.verdict == Verdict::not_run) return "left out";
  return as_expected(claim, evidence) ? "as expected" : "UNEXPECTED";
}

}  // namespace

std::string report_table(const Report& report, bool colours) {
  const std::size_t verdict_width =
      widest(report.evidence, [](const Evidence& each) { return name(each.verdict).size(); });
  const std::size_t id_width =
      widest(report.evidence, [](const Evidence& each) { return each.claim.size(); });
  const std::size_t figure_width =
      widest(report.evidence, [](const Evidence& each) { return figure(each).size(); });
  std::string text;
  for (std::size_t i = 0; i < report.claims.size(); ++i) {
    const Evidence& evidence = report.evidence[i];
    const bool good =
        as_expected(report.claims[i], evidence) || evidence.verdict == Verdict::not_run;
    const std::string status = fmt::format("{:<{}}  {:<11}", name(evidence.verdict), verdict_width,
                                           standing(report.claims[i], evidence));
    text += fmt::format("{}  {:<{}}  {:<{}}  {}\n", coloured(status, good, colours), evidence.claim,
                        id_width, figure(evidence), figure_width, reason(evidence));
  }
  if (!report.summary.unexpected.empty()) text += "\n";
  return text + unexpected_in_words(report, colours);
}

std::string rate_in_words(const Claim& claim, const Evidence& evidence) {
  std::string text =
      fmt::format("{}: {}, {}", claim.id, name(evidence.verdict), standing(claim, evidence));
  if (!evidence.reading.empty()) text += "; " + evidence.reading;
  text += "\n";
  text += tables_in_words(evidence);
  return text + paragraph("Reason", evidence.reason);
}

std::string unexpected_in_words(const Report& report, bool colours) {
  std::string text;
  for (const UnexpectedVerdict& each : report.summary.unexpected)
    text += fmt::format("{}: {} is {}, but was expected to be {}\n  {}\n",
                        coloured("UNEXPECTED", false, colours), each.claim, name(each.verdict),
                        each.expectation == Expectation::holds ? "consistent" : "refuted",
                        each.reproduce);
  return text + "\n" + summary_line(report.summary) + "\n";
}

std::string claim_list(const std::vector<Claim>& claims) {
  const std::size_t id_width = widest(claims, [](const Claim& claim) { return claim.id.size(); });
  std::string text;
  for (const Claim& claim : claims)
    text += fmt::format("{:<{}}  {:<11}  {:<9}  {:<7}  {}; {}\n", claim.id, id_width, kind(claim),
                        name(claim.edition), name(claim.expectation), name(claim.source.text),
                        claim.source.where);
  return text;
}

std::string claims_table(const std::vector<Claim>& claims) {
  constexpr std::array editions{Edition::printed, Edition::proved, Edition::corrected};
  // Ids are <algorithm>.<statement>.<edition>.
  const auto statement = [](const Claim& claim) {
    const std::size_t from = claim.algorithm.size() + 1;
    return claim.id.substr(from, claim.id.size() - from - name(claim.edition).size() - 1);
  };
  struct Rows {
    std::map<std::string, std::map<Edition, Expectation>> statements;
    int mutants = 0;
  };
  std::map<std::string, Rows> algorithms;
  for (const Claim& claim : claims) {
    Rows& rows = algorithms[claim.algorithm];
    if (claim.edition == Edition::mutant)
      ++rows.mutants;
    else if (claim.edition != Edition::reading)  // says nothing of the paper
      rows.statements[statement(claim)][claim.edition] = claim.expectation;
  }
  std::string text = "| algorithm | claim |";
  for (const Edition edition : editions) text += fmt::format(" {} |", name(edition));
  text += " mutants |\n|---|---|---|---|---|---|\n";
  for (const auto& [algorithm, rows] : algorithms) {
    bool first = true;
    const auto start = [&](const std::string& what) {
      text += fmt::format("| {} | {} |", first ? "`" + algorithm + "`" : "", what);
      first = false;
    };
    for (const auto& [what, verdicts] : rows.statements) {
      start(what);
      for (const Edition edition : editions) {
        const auto found = verdicts.find(edition);
        text += found == verdicts.end()                 ? " |"
                : found->second == Expectation::refuted ? " **refuted** |"
                                                        : " consistent |";
      }
      text += " |\n";
    }
    if (rows.mutants == 0) continue;
    start("planted faults");
    text += fmt::format(" | | | **refuted**{} |\n",
                        rows.mutants > 1 ? fmt::format(", all {}", rows.mutants) : "");
  }
  return text;
}

std::string claim_in_words(const Claim& claim) {
  std::string text = claim.id + "\n";
  text += paragraph("Statement", claim.statement);
  for (const std::string& assumption : claim.assumptions)
    text += paragraph("Assumption", assumption);
  text += paragraph("Source", std::string(name(claim.source.text)) + "; " + claim.source.where);
  text += paragraph("Edition", std::string(in_words(claim.edition)));
  text += paragraph("Expectation", std::string(in_words(claim.expectation)));
  return text + std::visit([](const auto& check) { return check_in_words(check); }, claim.check);
}

std::string evidence_in_words(const Claim& claim, const Evidence& evidence, std::string_view file) {
  std::string text = fmt::format("Evidence in {}\n", file);
  text += paragraph("Verdict",
                    fmt::format("{}, {}", in_words(evidence.verdict),
                                as_expected(claim, evidence) ? "as expected" : "UNEXPECTED"));
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
    text +=
        paragraph("Tightness",
                  fmt::format("{:.6g} (estimate/claimed; {} 1 refutes)", *evidence.tightness,
                              std::holds_alternative<FloorClaim>(claim.check) ? "below" : "above"));
  if (evidence.ceiling)
    text += paragraph("Ceiling",
                      fmt::format("{:.6g} (the most this check could show)", *evidence.ceiling));
  for (const ChannelFinding& finding : evidence.channels)
    text += paragraph("Channel", in_words(finding));
  for (const Measurement& measurement : evidence.measurements)
    text += paragraph(measurement.name, fmt::format("{:.6g}", measurement.value));
  text += tables_in_words(evidence);
  if (evidence.witness) text += witness_in_words(*evidence.witness);
  return text + fmt::format("  Reproduce:\n    {}\n", evidence.reproduce);
}

}  // namespace dpverify
