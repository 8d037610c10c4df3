#include "reports/audit_sampling.hpp"

#include <fmt/format.h>

#include <ostream>

#include "algorithms/core/checked.hpp"
#include "algorithms/core/rounding.hpp"
#include "audits/bracket.hpp"
#include "reports/arguments.hpp"
#include "reports/audit_outputs.hpp"
#include "reports/evidence_text.hpp"
#include "reports/json.hpp"

namespace dpverify {
namespace {

constexpr std::string_view of_the_steps =
    "Taken for granted: the vector of every record is clipped to the norm that the noise is "
    "measured in, each step has fresh noise in every coordinate, and nobody sees which records are "
    "in which batch.";

std::string batches_in_words(BatchSampling sampler, double rate) {
  switch (sampler) {
    case BatchSampling::poisson:
      return fmt::format("each record is in each batch with probability {:.6g}", rate);
    case BatchSampling::fixed_size:
      return fmt::format("each batch is a new random subset of {:.6g} of the records", rate);
    case BatchSampling::shuffle:
      return fmt::format("the records are shuffled every epoch and cut into {:.6g} batches",
                         1 / rate);
  }
  return "";
}

std::string about_ends(BatchSampling sampler, SampledNeighbours neighbours) {
  const bool replaced = neighbours == SampledNeighbours::replace_one;
  switch (sampler) {
    case BatchSampling::poisson:
      return replaced ? "The lower end is that of a record 1 that becomes -1; the upper one holds "
                        "for all records."
                      : "Both ends are of one pair of laws, the worst there is.";
    case BatchSampling::fixed_size:
      return "The lower end is that of the worst record where all others are the same, -1 or 0; "
             "the upper one holds for all records.";
    case BatchSampling::shuffle:
      return "The lower end is what the largest sum of each epoch tells of a record where all "
             "others are -1 or 0; the upper one is that of a record whose batches are known: no "
             "amplification by shuffling is counted.";
  }
  return "";
}

// What a sampler needs at the claimed delta and at the claimed epsilon.
struct SamplingNeeds {
  BatchSampling sampler;
  Interval epsilon, delta;
};

SamplingNeeds needs_of(BatchSampling sampler, const AuditSamplingOptions& options) {
  return {sampler, sampled_epsilon(sampler, options.steps, options.claimed.delta),
          sampled_delta(sampler, options.steps, options.claimed.epsilon)};
}

std::string in_words(const SamplingNeeds& needs, PrivacyGuarantee claimed) {
  return fmt::format(
      "delta {:.4g} needs an epsilon from {:.4g} to {:.4g}, and epsilon {:.4g} a delta from {:.4g} "
      "to {:.4g}",
      claimed.delta, needs.epsilon.lower, needs.epsilon.upper, claimed.epsilon, needs.delta.lower,
      needs.delta.upper);
}

Table table_of(std::string name, const std::vector<SamplingNeeds>& all,
               Interval SamplingNeeds::*figure) {
  Table table{std::move(name), {}, {{}}};
  for (const SamplingNeeds& one : all) {
    table.columns.push_back(fmt::format("{} at least", dpverify::name(one.sampler)));
    table.columns.push_back(fmt::format("{} at most", dpverify::name(one.sampler)));
    table.rows[0].push_back((one.*figure).lower);
    table.rows[0].push_back((one.*figure).upper);
  }
  return table;
}

Claim claim_of_the_steps(const AuditSamplingOptions& options) {
  const SampledSteps& steps = options.steps;
  Claim claim;
  claim.id = "sampling.privacy";
  claim.algorithm = "sampling";
  claim.source = {Text::command_line, fmt::format("--sampling {}", name(options.sampler))};
  claim.statement = fmt::format(
      "{} noisy sums over batches, where {}, with Gaussian noise of standard deviation {:.6g} "
      "times the clipping norm, are ({:.6g}, {:.4g})-DP together for {} neighbours.",
      steps.steps, batches_in_words(options.sampler, steps.rate), steps.noise,
      options.claimed.epsilon, options.claimed.delta, name(steps.neighbours));
  claim.assumptions = {std::string(of_the_steps)};
  claim.check = PrivacyClaim{};
  return claim;
}

// The bracket decides. In words why, where it does not refute.
std::string judge_sampling(const SamplingNeeds& needs, PrivacyGuarantee claimed,
                           Evidence& evidence) {
  const double found = needs.epsilon.lower / claimed.epsilon;
  if (found > 1 + rounding) {
    evidence.verdict = Verdict::refuted;
    evidence.tightness = above_claimed(found);
    return "";
  }
  const Decision decision =
      decide({.found = found, .certified = needs.epsilon.upper / claimed.epsilon, .problem = {}});
  evidence.verdict = decision.verdict;
  evidence.strength = decision.strength;
  evidence.tightness = at_most_claimed(found);
  evidence.smallest_fault = smallest_fault(found);
  return decision.reason + " ";
}

Evidence evidence_of_the_steps(const AuditSamplingOptions& options) {
  std::vector<SamplingNeeds> all;
  for (const BatchSampling sampler : all_samplings)
    if (has_batches(sampler, options.steps.rate)) all.push_back(needs_of(sampler, options));
  Evidence evidence{.claim = "sampling.privacy",
                    .method = "convolution of the losses of the steps"};
  evidence.seed = options.seed;
  evidence.claimed = options.claimed.epsilon;
  evidence.measurements = {{"delta claimed", options.claimed.delta}};
  for (const SamplingNeeds& one : all) {
    if (one.sampler != options.sampler) continue;
    evidence.estimate = one.epsilon.lower;
    evidence.measurements.push_back({"epsilon certified", one.epsilon.upper});
    evidence.measurements.push_back({"delta at least", one.delta.lower});
    evidence.measurements.push_back({"delta at most", one.delta.upper});
    const std::string decision = judge_sampling(one, options.claimed, evidence);
    evidence.reason =
        fmt::format("With {} batches {}. {}{}", name(one.sampler), in_words(one, options.claimed),
                    decision, about_ends(one.sampler, options.steps.neighbours));
  }
  for (const SamplingNeeds& one : all)
    if (one.sampler != options.sampler)
      evidence.reason += fmt::format(" With {} batches and the same noise {}.", name(one.sampler),
                                     in_words(one, options.claimed));
  evidence.reason += " " + std::string(of_the_steps);
  evidence.tables = {
      table_of(fmt::format("epsilon at delta {:.4g}, by sampling", options.claimed.delta), all,
               &SamplingNeeds::epsilon),
      table_of(fmt::format("delta at epsilon {:.4g}, by sampling", options.claimed.epsilon), all,
               &SamplingNeeds::delta)};
  return evidence;
}

template <class Choice>
Choice read_choice(std::string_view option, const std::string& text,
                   std::initializer_list<std::pair<const char*, Choice>> choices) {
  std::string words;
  for (const auto& [word, choice] : choices) {
    if (text == word) return choice;
    words += (words.empty() ? "" : ", ") + std::string(word);
  }
  require(false, option, "'" + text + "'", "one of " + words);
  return {};
}

double read_rate(const CLI::App& command, const SamplingArguments& arguments) {
  const bool by_size = command.count("--batch") > 0 || command.count("--records") > 0;
  require(by_size != (command.count("--rate") > 0), "--rate", by_size ? "given twice" : "missing",
          "given with --sampling, or --batch and --records in its place");
  if (!by_size) return read_number("--rate", arguments.rate, fraction_or_one);
  require(command.count("--batch") > 0 && command.count("--records") > 0,
          command.count("--batch") > 0 ? "--records" : "--batch", "missing",
          "given with --batch and --records");
  const auto records = read_integer<Index>("--records", arguments.records, 1, 1'000'000'000'000);
  const auto batch = read_integer<Index>("--batch", arguments.batch, 1, records);
  return static_cast<double>(batch) / static_cast<double>(records);
}

}  // namespace

bool audit_sampling_command(const AuditSamplingOptions& options, std::ostream& out) {
  const Claim claim = claim_of_the_steps(options);
  Evidence evidence = evidence_of_the_steps(options);
  evidence.reproduce = audit_line({}, options.given, {"--seed", std::to_string(options.seed)});
  if (options.json)
    out << to_json(context_of_audit(options.seed), {claim}, {evidence});
  else
    out << answer_in_words(claim, evidence, "these steps");
  return as_expected(claim, evidence);
}

void add_sampling_options(CLI::App& command, SamplingArguments& arguments) {
  command
      .add_option("--sampling", arguments.sampling,
                  "Instead of an ID: noisy sums over batches, the steps of DP-SGD, drawn like this "
                  "(docs/audits.md)")
      ->type_name("poisson|fixed|shuffle");
  command.add_option("--noise", arguments.noise,
                     "With --sampling: standard deviation over the clipping norm");
  command.add_option("--rate", arguments.rate,
                     "With --sampling: the share of the records that is in a batch");
  command.add_option("--batch", arguments.batch,
                     "With --sampling and --records, instead of --rate: records in a batch");
  command.add_option("--records", arguments.records, "With --batch: records in all");
  command.add_option("--steps", arguments.steps, "With --sampling: batches in all epochs");
  command
      .add_option("--neighbours", arguments.neighbours,
                  "With --sampling: a record more or less, or another one")
      ->type_name("add-remove|replace")
      ->capture_default_str();
}

AuditSamplingOptions read_sampling(const CLI::App& command, const SamplingArguments& arguments,
                                   const AuditQuestion& question) {
  AuditSamplingOptions out{question, BatchSampling::poisson, {}};
  out.sampler = read_choice<BatchSampling>("--sampling", arguments.sampling,
                                           {{"poisson", BatchSampling::poisson},
                                            {"fixed", BatchSampling::fixed_size},
                                            {"shuffle", BatchSampling::shuffle}});
  for (const char* option : {"--noise", "--steps"})
    require(command.count(option) > 0, option, "missing", "given with --sampling");
  out.steps.noise = read_number("--noise", arguments.noise,
                                {[](double x) { return x >= 0.1 && x <= 1000; }, "in [0.1, 1000]"});
  out.steps.rate = read_rate(command, arguments);
  out.steps.steps = read_integer<Index>("--steps", arguments.steps, 1, 10'000'000);
  out.steps.neighbours = read_choice<SampledNeighbours>(
      "--neighbours", arguments.neighbours,
      {{"add-remove", SampledNeighbours::add_remove}, {"replace", SampledNeighbours::replace_one}});
  require(has_batches(out.sampler, out.steps.rate), "--rate", out.steps.rate,
          "1/(a whole number of batches an epoch) for --sampling shuffle");
  return out;
}

}  // namespace dpverify
