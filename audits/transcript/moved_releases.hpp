// A mechanism whose releases are moved away from a neighbour, so that rare outcomes are drawn
// often.
#pragma once

#include <array>
#include <vector>

#include "algorithms/core/dataset.hpp"
#include "algorithms/core/releases.hpp"

namespace dpverify::transcripts {

inline constexpr std::size_t components = 3;  // of the mixture, each with the same share

// How far each release is moved away from the neighbour, per unit of the distance: the difference
// of the pre-noise values in one run, of the gradients at its outcome for an objective. Empty where
// a law has no value to move, or not by a finite amount.
using Shifts = std::vector<VectorXd>;

struct Away {
  Shifts shifts;
  // A release that differs between the datasets cannot be moved: its tail is reached by chance
  // only.
  bool complete = true;
};
Away away_from(const Mechanism& mechanism, const NeighbouringPair& pair,
               const RandomStream& stream);

// Draws from the mechanism with its releases moved by distances[component], and adds up the log
// densities of the outcomes under every component.
class MovedReleases final : public Releases {
 public:
  MovedReleases(const Shifts& shifts, const std::array<double, components>& distances,
                std::size_t component, const RandomStream& stream)
      : shifts_(shifts), distances_(distances), component_(component), stream_(stream) {}

  Transcript transcript;
  // Of each component less that of the mechanism itself.
  std::array<double, components> log_ratio{};

 private:
  Outcome decide(const Law& law) override;

  const Shifts& shifts_;
  const std::array<double, components>& distances_;
  std::size_t component_;
  RandomStream stream_;
};

}  // namespace dpverify::transcripts
