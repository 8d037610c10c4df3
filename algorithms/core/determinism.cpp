#include "algorithms/core/determinism.hpp"

#include "algorithms/core/checked.hpp"

namespace dpverify {
namespace {

// Of a program it is not known whether two of its laws are the same.
bool is_program(const Law& law) {
  return std::holds_alternative<HiddenSelection>(law) || std::holds_alternative<HiddenRelease>(law);
}

}  // namespace

std::string own_randomness(const Mechanism& mechanism, const Dataset& data, int repeats) try {
  const Transcript transcript =
      record(mechanism, data, RandomStream({.claim = "determinism", .purpose = "outcomes"}));
  for (int k = 0; k < repeats; ++k) {
    const Replay again = replay(mechanism, data, transcript, LogRatios::skip);
    bool differs = !again.leak.empty();
    for (std::size_t r = 0; r < again.steps.size(); ++r)
      differs =
          differs || (again.steps[r].change.distance > 0 && !is_program(transcript.entries[r].law));
    if (differs)
      return "two runs on one dataset with the same outcomes of every release differ: the "
             "mechanism "
             "draws random numbers outside its releases, or keeps a state";
  }
  return "";
} catch (const NonFiniteRelease&) {
  return "";
}

}  // namespace dpverify
