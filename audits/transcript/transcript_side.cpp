#include "audits/transcript/transcript_side.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "algorithms/core/bisect.hpp"
#include "algorithms/core/numbers.hpp"

namespace dpverify::transcripts {
namespace {

constexpr std::uint64_t pilot_runs = 16;

}  // namespace

void Side::choose_distances(PrivacyGuarantee claimed) {
  Away away = away_from(mechanism_, pair_, stream("shift", 0));
  shifts_ = std::move(away.shifts);
  complete = away.complete;
  const double at_epsilon =
      distance_where([&](const Pilot& pilot) { return pilot.loss >= claimed.epsilon; });
  const double at_delta =
      distance_where([&](const Pilot& pilot) { return pilot.delta <= claimed.delta; });
  distances_ = {0, at_epsilon, at_delta};
}

void Side::draw(Index samples) {
  for (auto i = static_cast<Index>(losses.draws.size()); i < samples && leak.empty(); ++i)
    losses.draws.push_back(run(static_cast<std::size_t>(i) % components,
                               stream("transcripts", static_cast<std::uint64_t>(i))));
}

RandomStream Side::stream(std::string_view what, std::uint64_t trial) const {
  const std::string purpose = fmt::format("{} {}", forward_ ? "forward" : "backward", what);
  return RandomStream({.seed = key_.seed, .claim = key_.claim, .purpose = purpose, .trial = trial});
}

const Side::Pilot& Side::pilot(double distance) {
  const auto [place, fresh] = pilots_.try_emplace(distance);
  Pilot& out = place->second;
  if (!fresh) return out;
  distances_ = {distance, distance, distance};
  std::vector<Weighted> runs;
  for (std::uint64_t k = 0; k < pilot_runs && leak.empty(); ++k)
    runs.push_back(run(0, stream("pilot", k)));
  const auto count = static_cast<double>(runs.size());
  for (const Weighted& one : runs) out.loss += one.loss / count;
  for (const Weighted& one : runs)
    if (one.loss > out.loss) out.delta += one.weight * -std::expm1(out.loss - one.loss) / count;
  return out;
}

double Side::distance_where(const std::function<bool(const Pilot&)>& far_enough) {
  double low = 0, reached = pilot(0).loss;
  if (far_enough(pilot(0))) return 0;
  for (double high = 0.25; high <= 64 && leak.empty(); high *= 2) {
    const Pilot& next = pilot(high);
    if (!(next.loss > reached + 0.01 * std::abs(reached))) return low;
    if (far_enough(next)) {
      const auto beyond = [&](double distance) { return far_enough(pilot(distance)); };
      return bisect(low, high, beyond, 4).high;
    }
    low = high;
    reached = next.loss;
  }
  return low;
}

Weighted Side::run(std::size_t component, const RandomStream& from) {
  MovedReleases releases(shifts_, distances_, component, from);
  releases.transcript.output = mechanism_(pair_.data, releases);
  double mixture = 0;  // over the density of the mechanism itself
  for (const double ratio : releases.log_ratio) mixture += std::exp(ratio) / components;
  // What is impossible without the move counts for nothing, a leak included.
  if (!std::isfinite(mixture)) return {-infinity, 0};
  const Replay replayed = replay(mechanism_, pair_.neighbour, releases.transcript);
  if (!replayed.leak.empty()) leak = replayed.leak;
  const double loss = replayed.log_likelihood_ratio;
  return {std::isnan(loss) ? -infinity : loss, 1 / mixture};
}

}  // namespace dpverify::transcripts
