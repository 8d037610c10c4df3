// The laws that a dataset asks for along the outcomes of a recorded run.
#pragma once

#include <vector>

#include "algorithms/core/releases.hpp"

namespace dpverify {

struct LawsAlong {
  std::vector<Law> laws;  // as far as they have the shapes of the recorded ones
  bool diverged = false;  // the control flow left the transcript's
};
LawsAlong laws_along(const Mechanism& mechanism, const Dataset& data, const Transcript& transcript);

}  // namespace dpverify
