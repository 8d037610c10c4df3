// `dpverify explain`: one claim and its evidence in words.
#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <ostream>
#include <stdexcept>

#include "bench/rate_check.hpp"
#include "reports/atomic_file.hpp"
#include "reports/claim_text.hpp"
#include "reports/commands.hpp"
#include "reports/evidence_text.hpp"
#include "reports/json.hpp"
#include "reports/layout.hpp"
#include "reports/program.hpp"
#include "reports/report_file.hpp"
#include "reports/selection.hpp"
#include "reports/validate.hpp"

namespace dpverify {
namespace {

struct ExplainArguments {
  std::string id;
  std::string report;
};

// Where the usual plan leaves the claim out.
std::string plan_option(const Claim& claim) {
  std::optional<Plan> plan = Plan::smoke;
  if (const auto* rate = std::get_if<RateClaim>(&claim.check)) plan = plan_that_runs(*rate);
  if (const auto* experiment = std::get_if<ExperimentClaim>(&claim.check))
    plan = experiment->smallest_plan;
  return plan && plan != Plan::smoke ? fmt::format(" --plan {}", name(*plan)) : "";
}

int explain_command(const ExplainArguments& arguments, const Console& console,
                    const Catalogue& catalogue) {
  const Claim& claim = find_claim(catalogue.claims(), arguments.id);
  std::string text = claim_in_words(claim);
  for (const Claim& other : catalogue.claims())
    if (other.finding && other.finding->repaired_by == claim.id)
      text += paragraph("Repairs", other.id);
  std::filesystem::path file = arguments.report;
  if (file.empty()) file = std::filesystem::path(default_folder) / report_name;
  const std::string hint = fmt::format("\nTo check it:\n  {}\n",
                                       command("verify --only " + claim.id + plan_option(claim)));
  if (arguments.report.empty() && !file_exists(file)) {
    text += hint;
  } else {
    const std::string report = read_file(file);
    if (const auto errors = validate_report(report); !errors.empty())
      throw std::invalid_argument(fmt::format("{} does not match the schema: {} ({})",
                                              file.string(), errors.front(), count_errors(errors)));
    if (const auto evidence = read_evidence(report, claim.id))
      text += "\n" + evidence_in_words(claim, *evidence, file.string());
    else
      text += fmt::format("\n{} has no evidence on this claim.\n", file.string()) + hint;
  }
  console.out << with_coloured_verdicts(laid_out(printable_lines(text), console.columns),
                                        has_colours(console));
  return as_expected_code;
}

}  // namespace

Command add_explain(CLI::App& app, const Console& console, const Catalogue& catalogue) {
  const auto arguments = std::make_shared<ExplainArguments>();
  CLI::App* command = app.add_subcommand("explain", "One claim and its evidence in words");
  command->add_option("ID", arguments->id, "Id of the claim")->required();
  command->add_option("--report", arguments->report,
                      "Report with the evidence (default: out/report.json, if it exists)");
  return {command,
          [=, &console, &catalogue] { return explain_command(*arguments, console, catalogue); }};
}

}  // namespace dpverify
