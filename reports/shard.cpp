#include "reports/shard.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <map>
#include <memory>
#include <mutex>
#include <numeric>
#include <optional>
#include <ostream>

#include "algorithms/core/checked.hpp"
#include "algorithms/core/parallel.hpp"
#include "bench/experiment_check.hpp"
#include "bench/rate_check.hpp"
#include "reports/layout.hpp"
#include "reports/report_file.hpp"
#include "reports/report_text.hpp"
#include "reports/verify.hpp"

namespace dpverify {
namespace {

constexpr int most_shards = 1'000'000;
constexpr const char* forms = "I/N with 1 <= I <= N <= 1000000, or auto under mpirun";

Shard read_rank() {
  const char *rank = std::getenv("OMPI_COMM_WORLD_RANK"),
             *size = std::getenv("OMPI_COMM_WORLD_SIZE");
  require(rank != nullptr && size != nullptr, "--shard", "'auto'", forms);
  Shard shard;
  shard.count = read_integer<int>("OMPI_COMM_WORLD_SIZE", size, 1, most_shards);
  shard.number = read_integer<int>("OMPI_COMM_WORLD_RANK", rank, 0, shard.count - 1) + 1;
  return shard;
}

// What goes to one part whole: a claim, or a piece of one.
struct Unit {
  std::size_t claim = 0;  // its place among those that are shared
  double seconds = 0;
  std::optional<ShardPiece> piece;
};

// Claims of more than so many seconds in pieces.
std::vector<Unit> divided(const std::vector<Unit>& whole, const std::vector<Claim>& claims,
                          const CheckContext& context, double most_seconds) {
  std::vector<Unit> units;
  for (const Unit& unit : whole) {
    const Claim& claim = claims[unit.claim];
    std::vector<ShardPiece> pieces;
    if (unit.seconds > most_seconds) pieces = pieces_of_check(claim, context);
    double work = 0;
    for (const ShardPiece& piece : pieces) work += piece.work;
    if (pieces.size() < 2 || work == 0) {
      units.push_back(unit);
      continue;
    }
    for (ShardPiece& piece : pieces) {
      const double seconds = unit.seconds * piece.work / work;
      units.push_back({.claim = unit.claim, .seconds = seconds, .piece = std::move(piece)});
    }
  }
  return units;
}

}  // namespace

std::vector<ShardPiece> pieces_of_check(const Claim& claim, const CheckContext& context) {
  const auto kept = std::make_shared<Claim>(claim);  // as long as its pieces
  std::vector<ShardPiece> pieces;
  if (std::holds_alternative<RateClaim>(claim.check)) {
    for (const RatePiece& piece : planned_pieces(claim, context))
      pieces.push_back({claim.id, piece.key, piece.work, [kept, piece](const CheckContext& with) {
                          keep_piece(*kept, with, piece);
                        }});
  } else if (std::holds_alternative<ExperimentClaim>(claim.check)) {
    for (Index trial = 0; trial < planned_trials(claim, context); ++trial)
      pieces.push_back(
          {claim.id, trial_key(claim, context, trial), 1,
           [kept, trial](const CheckContext& with) { keep_trial(*kept, with, trial); }});
  }
  return pieces;
}

Shard read_shard(const ShardArguments& arguments) {
  const std::string& text = arguments.shard;
  require(!text.empty() || arguments.costs.empty(), "--costs", "given without --shard",
          "left out: it would change nothing");
  if (text.empty()) return {};
  Shard shard;
  if (text == "auto") {
    shard = read_rank();
  } else {
    const std::size_t slash = text.find('/');
    require(slash != std::string::npos, "--shard", "'" + text + "'", forms);
    shard.count = read_integer<int>("N of --shard", text.substr(slash + 1), 1, most_shards);
    shard.number = read_integer<int>("I of --shard", text.substr(0, slash), 1, shard.count);
  }
  if (!arguments.costs.empty()) shard.measured = read_measured_file(arguments.costs).timings;
  return shard;
}

Share share_of(const std::vector<Claim>& claims, const CheckContext& context, const Shard& shard) {
  std::map<std::string, double> known;
  for (const ClaimTiming& one : shard.measured) known[one.claim] = one.seconds;
  std::vector<Unit> units;
  double all = 0;
  for (std::size_t i = 0; i < claims.size(); ++i) {
    const auto it = known.find(claims[i].id);
    units.push_back(
        {.claim = i, .seconds = it == known.end() ? guessed_seconds(claims[i]) : it->second});
    all += units.back().seconds;
  }
  if (shard.count > 1) units = divided(units, claims, context, all / shard.count / 2);

  std::vector<std::size_t> order(units.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::greater{}, [&](std::size_t i) { return units[i].seconds; });
  std::vector<double> load(static_cast<std::size_t>(shard.count), 0.0);
  std::vector<char> ours(units.size(), 0);
  for (const std::size_t i : order) {
    const auto least = std::ranges::min_element(load);
    *least += units[i].seconds;
    ours[i] = least - load.begin() == shard.number - 1 ? 1 : 0;
  }
  Share share;
  for (std::size_t i = 0; i < units.size(); ++i) {
    if (ours[i] == 0) continue;
    share.seconds += units[i].seconds;
    if (units[i].piece)
      share.pieces.push_back(*units[i].piece);
    else
      share.claims.push_back(claims[units[i].claim]);
  }
  return share;
}

MeasuredPieces measure_pieces(const std::vector<ShardPiece>& pieces, const CheckContext& context,
                              const std::function<bool()>& over) {
  MeasuredPieces out;
  std::mutex mutex;  // of out
  CheckContext inner = context;
  inner.threads = std::max(1, context.threads / std::max(1, static_cast<int>(pieces.size())));
  parallel_for(static_cast<Index>(pieces.size()), context.threads, [&](Index k) {
    const ShardPiece& each = pieces[static_cast<std::size_t>(k)];
    const bool too_late = over();
    std::string failure;
    try {
      if (!too_late) each.keep(inner);
    } catch (const std::exception& error) {
      failure = each.claim + ": " + error.what();
    }
    const std::scoped_lock lock(mutex);
    if (!failure.empty())
      out.failures.push_back(failure);
    else
      ++(too_late ? out.left_out : out.measured);
  });
  return out;
}

std::string kept_in_words(const Shard& shard, const std::string& what,
                          const std::filesystem::path& folder) {
  return fmt::format(
      "Part {} of {}: {}, kept in {}.\nWhen all parts are there, the same command without --shard "
      "puts them together.\n",
      shard.number, shard.count, what, folder.string());
}

int end_of_part(const Report& report, const MeasuredPieces& pieces, const Shard& shard,
                std::size_t asked_for, const std::filesystem::path& folder,
                const Console& console) {
  std::string text = unexpected_rows(report, has_colours(console));
  for (const std::string& failure : pieces.failures)
    text += "error  UNEXPECTED  " + printable(failure) + "\n";
  if (!text.empty()) text += "\n";
  if (report.partial) text += left_out_in_words(*report.partial);
  if (pieces.left_out > 0)
    text += fmt::format("The time limit left {} unmeasured; the next run goes on from there.\n",
                        plural(pieces.left_out, "piece"));
  std::string what = fmt::format("{} of {}", report.claims.size(), plural(asked_for, "claim"));
  if (pieces.measured > 0)
    what += fmt::format(" and {} of others", plural(pieces.measured, "piece"));
  console.out << laid_out(text + kept_in_words(shard, what, folder), console.columns) << std::flush;
  if (!report.summary.unexpected.empty() || !pieces.failures.empty()) return unexpected_code;
  return report.partial || pieces.left_out > 0 ? partial_code : as_expected_code;
}

}  // namespace dpverify
