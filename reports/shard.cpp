#include "reports/shard.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <numeric>

#include "algorithms/core/checked.hpp"
#include "reports/report_file.hpp"
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

}  // namespace

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

std::vector<Claim> share_of(const std::vector<Claim>& claims, const Shard& shard) {
  std::map<std::string, double> known;
  for (const ClaimTiming& one : shard.measured) known[one.claim] = one.seconds;
  std::vector<double> seconds;
  for (const Claim& claim : claims) {
    const auto it = known.find(claim.id);
    seconds.push_back(it == known.end() ? guessed_seconds(claim) : it->second);
  }
  std::vector<std::size_t> order(claims.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::greater{}, [&](std::size_t i) { return seconds[i]; });

  std::vector<double> load(static_cast<std::size_t>(shard.count), 0.0);
  std::vector<char> ours(claims.size(), 0);
  for (const std::size_t i : order) {
    const auto least = std::ranges::min_element(load);
    *least += seconds[i];
    ours[i] = least - load.begin() == shard.number - 1 ? 1 : 0;
  }
  std::vector<Claim> share;
  for (std::size_t i = 0; i < claims.size(); ++i)
    if (ours[i] != 0) share.push_back(claims[i]);
  return share;
}

std::string kept_in_words(const Shard& shard, const std::string& what,
                          const std::filesystem::path& folder) {
  return fmt::format(
      "Part {} of {}: {}, kept in {}.\nWhen all parts are there, the same command without --shard "
      "puts them together.\n",
      shard.number, shard.count, what, folder.string());
}

}  // namespace dpverify
