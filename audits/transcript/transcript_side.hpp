// Transcripts of one dataset, replayed on the other.
#pragma once

#include <array>
#include <functional>
#include <map>
#include <string>
#include <utility>

#include "algorithms/claims/claims.hpp"
#include "audits/transcript/losses.hpp"
#include "audits/transcript/moved_releases.hpp"

namespace dpverify::transcripts {

// One direction: transcripts on pair.data against pair.neighbour.
class Side {
 public:
  Side(const Mechanism& mechanism, NeighbouringPair pair, RandomStream::Key key, bool forward)
      : mechanism_(mechanism), pair_(std::move(pair)), key_(key), forward_(forward) {}

  // Chooses the distances on a few runs: where the losses reach the claimed epsilon, and where they
  // reach the epsilon that belongs to the claimed delta.
  void choose_distances(PrivacyGuarantee claimed);
  // Until there are so many transcripts.
  void draw(Index samples);

  Losses losses;  // weights: density over that of the mixture
  std::string leak;
  bool complete = true;  // see Away

 private:
  RandomStream stream(std::string_view what, std::uint64_t trial) const;

  struct Pilot {
    double loss = 0;   // the mean over a few runs
    double delta = 0;  // at that epsilon, by their weights: within a factor of some two
  };
  // Runs that are all moved by `distance`, with the same noise for each.
  const Pilot& pilot(double distance);
  // The first distance at which a pilot is far enough, or at which its loss stops growing.
  double distance_where(const std::function<bool(const Pilot&)>& far_enough);
  Weighted run(std::size_t component, const RandomStream& from);

  const Mechanism& mechanism_;
  NeighbouringPair pair_;
  RandomStream::Key key_;
  bool forward_;
  Shifts shifts_;
  std::array<double, components> distances_{};
  std::map<double, Pilot> pilots_;  // by distance
};

}  // namespace dpverify::transcripts
