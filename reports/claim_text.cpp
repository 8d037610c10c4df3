#include "reports/claim_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "algorithms/core/checked.hpp"
#include "bench/rate_check.hpp"
#include "bench/rate_fit.hpp"
#include "reports/layout.hpp"

namespace dpverify {
namespace {

std::string_view in_words(Edition edition) {
  switch (edition) {
    case Edition::printed:
      return "printed (exactly as the text says)";
    case Edition::proved:
      return "proved (what its proof supports)";
    case Edition::corrected:
      return "corrected (what this project ships)";
    case Edition::reading:
      return "reading (one way to read a place that a copy of the text garbles, that two copies "
             "give "
             "differently or that the text leaves open; says nothing against the paper)";
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
    if (!setting.parameters.empty()) line += ", " + point_in_words(setting.parameters);
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
    if (!setting.parameters.empty()) line += ", " + point_in_words(setting.parameters);
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
        "the smallest epsilon, at the claimed delta, that the laws of what is released on two "
        "replace-one neighbours allow, against the claimed epsilon: without sampling error, from "
        "paths of outcomes, closed forms, convolution or quadrature, for the worst pair that a "
        "search finds at each setting. The figure is a lower bound on the true epsilon.");
  text += guarantees_in_words("Setting", check, check.settings);
  text += paragraph(
      "Certified",
      "at every setting, those above included, the epsilon that follows, at the claimed delta, "
      "from composing what the releases that "
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

// "d = 4", or "d = 2 to 200": where points have problems of their own, of those at the ends of the
// sweep.
std::string dimension_in_words(const RateClaim& check) {
  const Sweep& sweep = check.ci.values.empty() ? check.smoke : check.ci;
  if (check.draw || !check.point || sweep.values.empty())
    return fmt::format("d = {}", check.dimension);
  const auto at = [&check](double value) {
    const Index own = check.point(value).dimension;
    return own > 0 ? own : check.dimension;
  };
  const auto [least, most] = std::minmax({at(sweep.values.front()), at(sweep.values.back())});
  return least == most ? fmt::format("d = {}", least) : fmt::format("d = {} to {}", least, most);
}

std::string check_in_words(const RateClaim& check) {
  std::string how = fmt::format(
      "the {} as {} grows, against the theorem's bound (exponent {:.4g} apart from log factors)",
      statistic_in_words(check.failure_probability), check.variable, check.exponent);
  how += check.attained > 0
             ? fmt::format(
                   ": the exponent is attained to {:.3g}. On this instance no run need beat the "
                   "null controls, the data-free run and the zero vector.",
                   check.attained)
             : " and against two null controls: the data-free run and the zero vector. A run that "
               "does not beat both is vacuous, however its curve falls.";
  if (check.learns) how += " The claim says that it beats them.";
  return paragraph("Checked", how) +
         paragraph("Problem", check.problem + "; " + dimension_in_words(check)) +
         sweep_in_words("smoke", check.variable, check.smoke) +
         sweep_in_words("ci", check.variable, check.ci) +
         sweep_in_words("nightly", check.variable, sweep_of(check, Plan::nightly));
}

std::string check_in_words(const LemmaClaim& check) {
  return paragraph(
             "Checked",
             "the inequality, left <= right, at random points, at the ends of the ranges, along "
             "their edges, and where pattern searches from the best of these lead; a failure "
             "is made simpler.") +
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

std::string check_in_words(const ExperimentClaim& check) {
  std::vector<std::string> alternatives;
  for (const auto& row : check.alternatives) {
    std::vector<std::string> comparisons;
    for (const auto& [smaller, factor, larger] : row)
      comparisons.push_back(
          fmt::format("the mean of {} is less than {}that of {}", check.places.at(smaller),
                      factor == 1 ? std::string() : fmt::format("{:.4g} times ", factor),
                      check.places.at(larger)));
    alternatives.push_back(fmt::format("{}", fmt::join(comparisons, "; ")));
  }
  return paragraph("Checked",
                   fmt::format("over {} independent trials: {}. A false one is refuted in two "
                               "stages, the second on fresh trials, twice as many.",
                               check.trials, fmt::join(alternatives, "; or: "))) +
         paragraph("Problem", check.problem) +
         paragraph("Plan", fmt::format("{} runs it first", name(check.smallest_plan)));
}

std::string finding_in_words(const Finding& finding) {
  std::string text = paragraph("Severity", std::string(name(finding.severity)));
  text += paragraph("Why it fails", finding.why);
  text += paragraph("Touches", finding.touches);
  text += paragraph("Repair", finding.repair);
  if (!finding.repaired_by.empty()) text += paragraph("Repaired by", finding.repaired_by);
  if (!finding.same_as.empty()) text += paragraph("Same as", finding.same_as);
  return text;
}

}  // namespace

std::string claim_in_words(const Claim& claim) {
  std::string text = claim.id + "\n";
  text += paragraph("Statement", claim.statement);
  for (const std::string& assumption : claim.assumptions)
    text += paragraph("Assumption", assumption);
  text += paragraph("Source", std::string(name(claim.source.text)) + "; " + claim.source.where);
  text += paragraph("Edition", std::string(in_words(claim.edition)));
  text += paragraph("Expectation", std::string(in_words(claim.expectation)));
  if (claim.finding) text += finding_in_words(*claim.finding);
  return text + std::visit([](const auto& check) { return check_in_words(check); }, claim.check);
}

}  // namespace dpverify
