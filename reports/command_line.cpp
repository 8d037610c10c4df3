#include "reports/command_line.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <algorithm>
#include <new>
#include <ostream>
#include <sstream>
#include <stdexcept>
#include <system_error>

#include "algorithms/core/build_info.hpp"
#include "algorithms/core/checked.hpp"
#include "reports/atomic_file.hpp"
#include "reports/commands.hpp"
#include "reports/layout.hpp"
#include "reports/program.hpp"

namespace dpverify {
namespace {

// Complains if the arguments name no command of `app`. A misspelt one is left over as an argument
// that nobody took.
void require_command(const CLI::App& app, std::string_view what) {
  if (!app.get_subcommands().empty()) return;
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands({})) names.push_back(command->get_name());
  const std::vector<std::string> left_over = app.remaining();
  require(false, what, left_over.empty() ? "missing" : "'" + left_over[0] + "'",
          fmt::format("one of {} (see --help)", fmt::join(names, ", ")));
}

// The arguments, last first, as CLI11 takes them. What follows --exec are the words of another
// program, which may look like options: they become one argument, joined by NUL. They go up to an
// option of the command, or, after `--exec --`, to the end.
std::vector<std::string> arguments_of(int argc, const char* const* argv, const CLI::App& app) {
  std::vector<std::string> arguments(argv + 1, argv + argc);
  const auto exec = std::ranges::find(arguments, "--exec");
  const std::vector<const CLI::App*> commands = app.get_subcommands(
      [&](const CLI::App* each) { return !arguments.empty() && each->get_name() == arguments[0]; });
  if (exec != arguments.end() && !commands.empty()) {
    const auto is_option = [&](const std::string& word) {
      return word.starts_with("--") &&
             commands[0]->get_option_no_throw(word.substr(0, word.find('='))) != nullptr;
    };
    auto first = exec + 1, last = arguments.end();
    if (first != last && *first == "--")
      ++first;
    else
      last = std::find_if(first, last, is_option);
    const std::string words = fmt::format("{}", fmt::join(first, last, std::string_view("\0", 1)));
    if (first != last) {
      *exec = "--exec=" + words;
      arguments.erase(exec + 1, last);
    }
  }
  std::ranges::reverse(arguments);
  return arguments;
}

std::string version_line() {
  const BuildInfo build = build_info();
  const Program& self = program();
  const std::string own =
      fmt::format("{}{}{}", self.name, self.version.empty() ? "" : " ", self.version);
  const std::string library = fmt::format("dpverify {}", build.version);
  return fmt::format("{} (commit {}{}, {}{})", own, self.git.commit.substr(0, 12),
                     self.git.dirty ? " with changes" : "", own == library ? "" : library + ", ",
                     build.compiler);
}

int dispatch(int argc, const char* const* argv, const Console& console,
             const Catalogue& catalogue) {
  CLI::App app(
      "Checks differentially private optimisation algorithms against the claims of their papers.",
      program().name);
  app.set_version_flag("--version", version_line);
  app.require_subcommand(1);
  app.get_formatter()->label("SUBCOMMAND", "COMMAND");
  std::vector<Command> commands{add_verify(app, console, catalogue),
                                add_rates(app, console, catalogue),
                                add_list(app, console, catalogue),
                                add_explain(app, console, catalogue),
                                add_audit(app, console, catalogue),
                                add_run(app, console, catalogue),
                                add_report(app, console),
                                add_findings(app, console, catalogue),
                                add_power(app, console, catalogue),
                                add_compare(app, console),
                                add_validate(app, console)};
  if (!catalogue.papers.empty()) commands.push_back(add_coverage(app, console, catalogue));
  if (catalogue.starts_projects) commands.push_back(add_init(app, console));
  for (CLI::App* command : app.get_subcommands({})) command->group("Commands");
  // Last, because the commands would inherit it.
  app.footer(catalogue.more_commands +
             "Exit codes:\n"
             "  0  every verdict as expected\n"
             "  1  a verdict not as expected\n"
             "  2  usage, bad input, a file or output that cannot be written or not enough memory\n"
             "  3  as expected, but a time limit left claims out\n"
             "  4  a rate worse than in the baseline or a report worse than another\n"
             "  5  internal error");

  if (argc < 2) {
    console.out << laid_out(app.help(), console.columns);
    return as_expected_code;
  }
  try {
    app.parse(arguments_of(argc, argv, app));
  } catch (const CLI::ParseError& outcome) {
    // Help and version arrive as exceptions too.
    if (outcome.get_exit_code() == 0) {
      std::ostringstream text;
      app.exit(outcome, text, text);
      console.out << laid_out(text.str(), console.columns);
      return as_expected_code;
    }
    require_command(app, "command");
    if (const CLI::App* run = app.get_subcommand("run"); *run) require_command(*run, "algorithm");
    throw std::invalid_argument(std::string(outcome.what()) + " (see --help)");
  }
  const auto parsed = std::ranges::find_if(
      commands, [](const Command& command) { return command.parsed->parsed(); });
  return parsed->run();
}

int complain(const Console& console, std::string message, ExitCode code) {
  std::ranges::replace(message, '\n', ' ');
  console.err << program().name << ": " << printable(message) << std::endl;
  return code;
}

}  // namespace

int run_command_line(int argc, const char* const* argv, const Console& console,
                     const Catalogue& catalogue) {
  try {
    const int code = dispatch(argc, argv, console, catalogue);
    console.out.flush();
    if (!console.out) throw FileError("cannot write to standard output");
    return code;
  } catch (const std::invalid_argument& error) {
    return complain(console, error.what(), bad_input_code);
  } catch (const FileError& error) {
    return complain(console, error.what(), bad_input_code);
  } catch (const std::system_error& error) {  // no process to be had, for instance
    return complain(console, error.what(), bad_input_code);
  } catch (const NonFiniteRelease& error) {
    // Finite data too large for the arithmetic.
    return complain(console, error.what(), bad_input_code);
  } catch (const std::bad_alloc&) {
    return complain(console, "not enough memory", bad_input_code);
  } catch (const std::exception& error) {
    return complain(console, std::string("internal error: ") + error.what(), internal_code);
  } catch (...) {
    return complain(console, "internal error: an exception of unknown type", internal_code);
  }
}

}  // namespace dpverify
