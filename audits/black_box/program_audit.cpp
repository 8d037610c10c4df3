#include "audits/black_box/program_audit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <utility>

#include "algorithms/core/checked.hpp"
#include "algorithms/core/parallel.hpp"

namespace dpverify {
namespace {

// A start that does not end well, where runs share their starts.
struct FailedStart {};

struct Lines {
  std::vector<std::string> lines;
  std::string failure;    // in words; empty: as many lines as runs, exit status 0
  std::string complaint;  // of a failure
};

std::string replaced(std::string text, std::string_view what, const std::string& by) {
  for (std::size_t at = text.find(what); at != text.npos; at = text.find(what, at + by.size()))
    text.replace(at, what.size(), by);
  return text;
}

std::vector<std::string> words_of_start(const ProgramRequest& request, std::size_t side, Index runs,
                                        std::uint64_t start) {
  RandomStream stream(
      {.seed = request.seed, .claim = "outputs", .purpose = "starts", .trial = start});
  const std::string seed = std::to_string(stream.index(std::numeric_limits<std::int32_t>::max()));
  std::vector<std::string> words;
  bool named = false;
  for (const std::string& word : request.words) {
    named = named || word.find("{data}") != word.npos || word.find("{runs}") != word.npos;
    words.push_back(
        replaced(replaced(replaced(word, "{runs}", std::to_string(runs)), "{seed}", seed), "{data}",
                 request.data[side]));
  }
  if (!named) words.insert(words.end(), {request.data[side], std::to_string(runs)});
  return words;
}

std::vector<std::string> split_lines(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

Lines run_start(const ProgramRequest& request, std::size_t side, Index runs, std::uint64_t start) {
  std::size_t seen = 0;
  Index ends = 0;
  const auto more = [&](std::string_view printed) {
    ends += std::count(printed.begin() + static_cast<std::ptrdiff_t>(seen), printed.end(), '\n');
    seen = printed.size();
    return ends < runs || (ends == runs && printed.ends_with('\n'));
  };
  const ProcessRun run =
      run_process(words_of_start(request, side, runs, start), request.limits, more);
  Lines out{split_lines(run.printed), "", run.complaint};
  const auto lines = static_cast<Index>(out.lines.size());
  if (run.end.kind == ProcessEnd::Kind::stopped || (run.end.is_success() && lines > runs))
    out.failure = fmt::format("printed more than the {} it was asked for",
                              runs == 1 ? "line" : fmt::format("{} lines", runs));
  else if (!run.end.is_success())
    out.failure = in_words(run.end, request.limits);
  else if (lines < runs)
    out.failure = lines == 0 ? "printed nothing"
                             : fmt::format("printed {} lines of {} it was asked for", lines, runs);
  return out;
}

// Whether starts on one dataset print the same, again and again.
class Repetition {
 public:
  // Of the texts of two starts of as many runs, read from outputs of which two are equal with
  // probability at most `equal`.
  void compare(const Lines& one, const Lines& other, double equal) {
    if (one.lines.size() < 2 || one.lines.size() != other.lines.size()) return;
    log_chance_ = one.lines == other.lines
                      ? log_chance_ + static_cast<double>(one.lines.size()) * std::log(equal)
                      : 0;
  }
  bool is_seen() const { return log_chance_ < std::log(1e-9); }

 private:
  double log_chance_ = 0;
};

// The probability that two lines are equal, as far as these show it.
double chance_of_equal(std::vector<std::string> lines) {
  std::ranges::sort(lines);
  double pairs = 0;
  for (auto start = lines.begin(); start != lines.end();) {
    const auto end = std::upper_bound(start, lines.end(), *start);
    pairs += static_cast<double>(end - start) * static_cast<double>(end - start);
    start = end;
  }
  return pairs / static_cast<double>(lines.size() * lines.size());
}

class ProgramSource {
 public:
  ProgramSource(const ProgramRequest& request, bool single_runs)
      : request_(request), single_runs_(single_runs) {}

  // Throws FailedStart where runs share their starts and one fails.
  std::array<Outputs, 2> next(Index count) {
    const Index even = (2 * count + request_.processes - 1) / request_.processes;
    const Index each = single_runs_ ? 1 : std::clamp<Index>(even, 1, most_a_start_);
    std::array<Outputs, 2> outputs;
    const std::array<std::vector<Lines>, 2> printed = start_all(count, each);
    for (const std::size_t side : {0U, 1U}) {
      for (const Lines& lines : printed[side]) read(lines, side, outputs[side]);
      if (!single_runs_) look_for_repetition(printed[side], side);
      log_.keep(side, outputs[side]);
    }
    return outputs;
  }

  const RunLog& log() const { return log_; }

 private:
  // What `count` runs a dataset print, `each` a start.
  std::array<std::vector<Lines>, 2> start_all(Index count, Index each) {
    const Index starts = (count + each - 1) / each;
    std::array<std::vector<Lines>, 2> printed;
    for (auto& side : printed) side.resize(static_cast<std::size_t>(starts));
    const auto before = std::chrono::steady_clock::now();
    parallel_for(2 * starts, request_.processes, [&](Index task) {
      const auto side = static_cast<std::size_t>(task % 2);
      const Index k = task / 2;
      printed[side][static_cast<std::size_t>(k)] =
          run_start(request_, side, std::min(each, count - k * each),
                    starts_ + static_cast<std::uint64_t>(task));
    });
    starts_ += static_cast<std::uint64_t>(2 * starts);
    // A start takes a quarter of its time at most, as far as the last ones tell.
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - before;
    const double rounds = std::ceil(2 * static_cast<double>(starts) / request_.processes);
    const double of_a_run = taken.count() / rounds / static_cast<double>(each);
    most_a_start_ = static_cast<Index>(
        std::clamp(request_.limits.seconds / 4 / std::max(of_a_run, 1e-9), 1.0, 4096.0));
    return printed;
  }

  void read(const Lines& printed, std::size_t side, Outputs& outputs) {
    if (printed.failure.empty()) {
      for (const std::string& line : printed.lines) log_.reader.read(line, outputs);
      return;
    }
    if (!single_runs_) throw FailedStart{};
    outputs.push_back(log_.failed(side, printed.failure));
    log_.complaint = printed.complaint;
  }

  void look_for_repetition(const std::vector<Lines>& starts, std::size_t side) {
    for (const Lines& start : starts) {
      repetition_[side].compare(last_[side], start, chance_of_equal(start.lines));
      last_[side] = start;
    }
    require(!repetition_[side].is_seen(), "the program",
            "one that prints the same lines at every start",
            "one that draws fresh noise ({seed} stands for a number that changes)");
  }

  const ProgramRequest& request_;
  bool single_runs_;
  std::uint64_t starts_ = 0;
  Index most_a_start_ = 64;
  RunLog log_;
  std::array<Lines, 2> last_;
  std::array<Repetition, 2> repetition_;
};

constexpr Index pilot_runs = 16, pilot_starts = 4;  // a dataset

// The first runs, which are not audited: whether the outputs are written in full, how long they
// take, and whether the program runs at all.
void fly_pilot(ProgramSource& source, bool single_runs) {
  source.next(single_runs ? pilot_starts : pilot_runs);
  require(!source.log().all_failed_alike(pilot_starts), "every run of the program",
          source.log().failures_in_words(),
          "one that prints its lines and ends with exit status 0, on one dataset at least");
}

ProgramAudit audit_starts(const ProgramRequest& request, bool single_runs) {
  ProgramSource source(request, single_runs);
  fly_pilot(source, single_runs);
  ProgramAudit audit{.single_runs = single_runs};
  audit.model = request.model.value_or(source.log().reader.full_precision() ? OutputModel::doubles
                                                                            : OutputModel::reals);
  audit.runs = audit_runs({.claimed = request.claimed,
                           .significance = request.significance / 2,
                           .most_runs = request.most_runs,
                           .fault = request.fault,
                           .model = audit.model,
                           .threads = request.processes,
                           .seed = request.seed},
                          source.log(), [&](Index count) { return source.next(count); });
  require(audit.runs.failures_in_words.empty() || audit.runs.found.verdict == Verdict::refuted,
          "the number of runs that fail", audit.runs.failures_in_words,
          "0, where the claim is not refuted: failures that do not depend on the data are faults "
          "of the program");
  return audit;
}

}  // namespace

ProgramAudit audit_program(const ProgramRequest& request) {
  try {
    return audit_starts(request, false);
  } catch (const FailedStart&) {
    return audit_starts(request, true);
  }
}

}  // namespace dpverify
