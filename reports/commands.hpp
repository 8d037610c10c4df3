// The commands of the program, one a file. Each function adds a command with its options to `app`,
// and gives back what runs it. `console` and `catalogue` must live on.
#pragma once

#include "reports/arguments.hpp"
#include "reports/command_line.hpp"

namespace dpverify {

Command add_verify(CLI::App& app, const Console& console, const Catalogue& catalogue);
Command add_rates(CLI::App& app, const Console& console, const Catalogue& catalogue);
Command add_list(CLI::App& app, const Console& console, const Catalogue& catalogue);
Command add_explain(CLI::App& app, const Console& console, const Catalogue& catalogue);
Command add_audit(CLI::App& app, const Console& console, const Catalogue& catalogue);
// One command more for each algorithm.
Command add_run(CLI::App& app, const Console& console, const Catalogue& catalogue);
Command add_power(CLI::App& app, const Console& console, const Catalogue& catalogue);
Command add_compare(CLI::App& app, const Console& console);
Command add_report(CLI::App& app, const Console& console);
Command add_findings(CLI::App& app, const Console& console, const Catalogue& catalogue);
Command add_coverage(CLI::App& app, const Console& console, const Catalogue& catalogue);
Command add_init(CLI::App& app, const Console& console);
Command add_validate(CLI::App& app, const Console& console);

}  // namespace dpverify
