#include "reports/registry.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <csignal>
#include <cstdlib>
#include <exception>
#include <functional>
#include <iostream>
#include <new>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "algorithms/core/checked.hpp"

namespace dpverify {
namespace {

bool is_word(std::string_view text) {
  constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyz0123456789_";
  return !text.empty() && text.find_first_not_of(letters) == text.npos;
}

std::vector<std::string_view> parts_of(std::string_view id) {
  std::vector<std::string_view> parts;
  for (std::size_t start = 0; start <= id.size();) {
    const std::size_t end = std::min(id.find('.', start), id.size());
    parts.push_back(id.substr(start, end - start));
    start = end + 1;
  }
  return parts;
}

void require_id(const Claim& claim) {
  const std::vector<std::string_view> parts = parts_of(claim.id);
  const bool good = parts.size() >= 4 && std::ranges::all_of(parts, is_word) &&
                    parts[2] == kind(claim) && parts.back() == name(claim.edition) &&
                    claim.algorithm == fmt::format("{}.{}", parts[0], parts[1]);
  require(good, "id of a claim", fmt::format("'{}', of algorithm '{}'", claim.id, claim.algorithm),
          fmt::format("PAPER.ALGORITHM.{}[.WHAT].{}, of algorithm PAPER.ALGORITHM, each part of "
                      "a-z, 0-9 and _",
                      kind(claim), name(claim.edition)));
}

// What the report needs to name it by.
void require_words(const Claim& claim) {
  const auto words = [&claim](std::string_view text, std::string_view what) {
    require(!text.empty(), fmt::format("{} of {}", what, claim.id), "empty", "words");
  };
  words(claim.statement, "statement");
  words(claim.source.where, "place in the source");
  for (const std::string& assumption : claim.assumptions) words(assumption, "an assumption");
}

// Destructors of libraries that need memory when there is none end the program.
[[noreturn]] void say_why_and_end() {
  try {
    if (const std::exception_ptr failure = std::current_exception())
      std::rethrow_exception(failure);
  } catch (const std::bad_alloc&) {
    constexpr std::string_view line = "dpverify: not enough memory\n";
    static_cast<void>(!write(STDERR_FILENO, line.data(), line.size()));
    _exit(bad_input_code);
  } catch (...) {
    std::abort();
  }
  std::abort();
}

// What COLUMNS says, or else the terminal; 0 if it is none. A terminal that does not say has 80.
std::size_t columns_on(int descriptor) {
  const char* said = std::getenv("COLUMNS");
  const std::string_view text = said == nullptr ? "" : said;
  std::size_t columns = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), columns);
  if (error == std::errc{} && end == text.data() + text.size() && columns > 0) return columns;
  if (isatty(descriptor) != 1) return 0;
  winsize size{};
  return ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

}  // namespace

std::vector<Claim> claims_of(const Registry& registry) {
  std::vector<Claim> all = registry.claims;
  for (const Algorithm& algorithm : registry.algorithms)
    for (Claim& claim : algorithm.claims()) all.push_back(std::move(claim));
  require(!all.empty(), "number of claims in the registry", "0", "at least 1");
  std::ranges::for_each(all, require_id);
  std::ranges::for_each(all, require_words);
  std::ranges::sort(all, std::less<>{}, &Claim::id);
  const auto repeated = std::ranges::adjacent_find(all, std::equal_to<>{}, &Claim::id);
  if (repeated != all.end())
    require(false, "id of a claim", "'" + repeated->id + "', that of another one", "used once");
  return all;
}

void same_on_every_processor(char** argv) {
#if defined(__GLIBC__) && defined(__x86_64__)
  constexpr const char* tunables = "GLIBC_TUNABLES";
  constexpr const char* before = "DPVERIFY_TUNABLES_BEFORE";  // and that this has been done
  const auto restore = [&](const char* original) {
    if (*original == '\0')
      unsetenv(tunables);
    else
      setenv(tunables, original, 1);
    unsetenv(before);
  };
  if (const char* original = std::getenv(before)) {
    restore(std::string(original).c_str());  // programs that are audited see what the user has set
    return;
  }
  const char* found = std::getenv(tunables);
  const std::string original = found == nullptr ? "" : found;
  const bool fuses = __builtin_cpu_supports("fma") != 0 || __builtin_cpu_supports("fma4") != 0;
  if (!fuses || original.find("glibc.cpu.hwcaps") != original.npos) return;
  const std::string masked =
      (original.empty() ? "" : original + ":") + "glibc.cpu.hwcaps=-FMA,-FMA4";
  setenv(tunables, masked.c_str(), 1);
  setenv(before, original.c_str(), 1);
  execv("/proc/self/exe", argv);
  restore(original.c_str());  // it goes on with what it has
#else
  static_cast<void>(argv);
#endif
}

int run_program(int argc, char** argv, const Catalogue& catalogue) {
  // A reader that stops reading is an output that cannot be written, as a full disk is.
  std::signal(SIGPIPE, SIG_IGN);
  std::set_terminate(say_why_and_end);
#ifdef __GLIBC__
  // Trials free and ask for vectors of the same sizes again and again: kept, not returned to the
  // system, which would bring every page back by a fault of its own.
  mallopt(M_MMAP_THRESHOLD, 32 << 20);  // bytes; the largest that glibc takes
  mallopt(M_TRIM_THRESHOLD, 64 << 20);
#endif
  return run_command_line(argc, argv,
                          {.out = std::cout,
                           .err = std::cerr,
                           .out_is_terminal = isatty(STDOUT_FILENO) == 1,
                           .err_is_terminal = isatty(STDERR_FILENO) == 1,
                           .columns = columns_on(STDOUT_FILENO),
                           .err_columns = std::max<std::size_t>(1, columns_on(STDERR_FILENO))},
                          catalogue);
}

}  // namespace dpverify
