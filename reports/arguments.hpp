// Arguments of the commands, as typed. They are read here rather than by CLI11, so that every
// complaint (std::invalid_argument) has the same form.
#pragma once

#include <CLI/App.hpp>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "algorithms/claims/evidence.hpp"
#include "algorithms/core/checked.hpp"
#include "reports/command_line.hpp"
#include "reports/selection.hpp"

namespace dpverify {

enum class MessageDetail;  // see bench/csv.hpp

// A command of the program, after its options were added: where they were parsed, and what then
// gives the exit code.
struct Command {
  const CLI::App* parsed;
  std::function<int()> run;
};

// On a terminal, unless the user wants none (NO_COLOR).
bool has_colours(const Console& console);

inline constexpr const char* default_folder = "out";

// For Index and std::size_t, std::uint64_t, int.
template <class Number>
Number read_integer(std::string_view what, const std::string& text, Number smallest,
                    Number largest);
double read_number(std::string_view what, const std::string& text, const Domain& domain);
std::uint64_t read_seed(const std::string& text);
int read_threads(const std::string& text);  // empty: one a core

// An option that would change nothing is a misunderstanding. `why` goes on after "given".
void refuse_options(const CLI::App& command, std::initializer_list<const char*> options,
                    std::string_view why);

// The options as typed, each followed by its values, but for the given ones.
std::vector<std::string> options_given(const CLI::App& command,
                                       std::initializer_list<std::string_view> leave_out);

// --only, --exclude, --paper, --kind, --edition, --severity, --verdict: which claims.
void add_filter(CLI::App& command, ClaimFilter& filter);
// --seed and --threads.
void add_seed(CLI::App& command, std::string& seed);
void add_threads(CLI::App& command, std::string& threads, const char* help);
std::string default_seed();

// --show-data, of commands that read the user's records.
void add_show_data(CLI::App& command, bool& show_data);
MessageDetail message_detail(bool show_data);

// Of `verify` and `rates`.
struct CheckArguments {
  ClaimFilter filter;
  std::string plan = "smoke";
  std::string out = default_folder;
  std::string seed = default_seed();
  std::string threads;
};
void add_check_options(CLI::App& command, CheckArguments& arguments);

// --shard and --costs: a part of the run, for one of several machines.
struct ShardArguments {
  std::string shard;
  std::string costs;
};
void add_shard(CLI::App& command, ShardArguments& arguments);
// Verdicts are those of the report in the folder that the next one goes to.
std::vector<Claim> claims_asked_for(const CheckArguments& arguments,
                                    const std::vector<Claim>& every_claim);
CheckContext check_context(const CheckArguments& arguments, const std::vector<Claim>& every_claim);

}  // namespace dpverify
