#include "algorithms/core/determinism.hpp"

#include "algorithms/core/checked.hpp"

namespace dpverify {

std::string own_randomness(const Mechanism& mechanism, const Dataset& data, int repeats) try {
  const Transcript transcript =
      record(mechanism, data, RandomStream({.claim = "determinism", .purpose = "outcomes"}));
  for (int k = 0; k < repeats; ++k) {
    const Replay again = replay(mechanism, data, transcript, LogRatios::skip);
    bool differs = !again.leak.empty();
    // Of a program nothing is known: its law is as far from itself as from any other.
    for (std::size_t r = 0; r < again.steps.size(); ++r) {
      const auto& [law, outcome] = transcript.entries[r];
      differs = differs || again.steps[r].change.distance > compare(law, law, &outcome).distance;
    }
    if (differs)
      return "two runs on one dataset with the same outcomes of every release differ: the "
             "mechanism draws random numbers outside its releases, or keeps a state";
  }
  return "";
} catch (const NonFiniteRelease&) {
  return "";
}

}  // namespace dpverify
