// `dpverify validate`: does what a command has written match the schema?
#include <fmt/format.h>

#include <memory>
#include <ostream>
#include <stdexcept>

#include "reports/atomic_file.hpp"
#include "reports/commands.hpp"
#include "reports/envelope.hpp"
#include "reports/layout.hpp"
#include "reports/validate.hpp"

namespace dpverify {
namespace {

int validate_command(const std::string& file, const Console& console) {
  const auto errors = validate_report(read_file(file));
  // Where nothing could be read there is nothing to list.
  const bool unreadable = errors.size() == 1 && errors[0].starts_with(unreadable_start);
  if (!unreadable)
    for (const std::string& error : errors) console.out << printable(error) << "\n";
  if (!errors.empty())
    throw std::invalid_argument(fmt::format("{} does not match the schema{} ({})", file,
                                            unreadable ? ": " + errors[0] : std::string(),
                                            count_errors(errors)));
  console.out << printable(file) << " matches the schema, version " << schema_version << "\n";
  return as_expected_code;
}

}  // namespace

Command add_validate(CLI::App& app, const Console& console) {
  const auto file = std::make_shared<std::string>();
  CLI::App* command = app.add_subcommand("validate", "Check a JSON result against the JSON Schema");
  command->add_option("FILE", *file, "What a command has written as JSON")->required();
  return {command, [=, &console] { return validate_command(*file, console); }};
}

}  // namespace dpverify
