// `dpverify list`: the claims.
#include <filesystem>
#include <memory>
#include <ostream>

#include "reports/claims_document.hpp"
#include "reports/commands.hpp"
#include "reports/json.hpp"
#include "reports/layout.hpp"
#include "reports/report_file.hpp"
#include "reports/report_text.hpp"
#include "reports/selection.hpp"

namespace dpverify {
namespace {

struct ListArguments {
  ClaimFilter filter;
  std::string report = (std::filesystem::path(default_folder) / report_name).string();
  bool json = false;
  bool markdown = false;
};

int list_command(const ListArguments& arguments, const Console& console,
                 const Catalogue& catalogue) {
  const std::vector<Claim> claims = select_claims(catalogue.claims(), arguments.filter, [&] {
    return read_measured_file(arguments.report).evidence;
  });
  console.out << (arguments.json       ? to_json(describe(CheckContext{}), claims)
                  : arguments.markdown ? claims_document(claims)
                                       : laid_out(claim_list(claims), console.columns));
  return as_expected_code;
}

}  // namespace

Command add_list(CLI::App& app, const Console& console, const Catalogue& catalogue) {
  const auto arguments = std::make_shared<ListArguments>();
  CLI::App* command = app.add_subcommand("list", "List the claims");
  add_filter(*command, arguments->filter);
  command->add_option("--report", arguments->report,
                      "Report that --verdict looks into (default: out/report.json)");
  CLI::Option* json =
      command->add_flag("--json", arguments->json, "As JSON, with statement and assumptions");
  command
      ->add_flag("--markdown", arguments->markdown,
                 "As a page of Markdown, with statements, sources and expected verdicts")
      ->excludes(json);
  return {command,
          [=, &console, &catalogue] { return list_command(*arguments, console, catalogue); }};
}

}  // namespace dpverify
