// The guarantee that composition certifies for a mechanism, given the sensitivity of its releases.
#pragma once

#include <vector>

#include "algorithms/core/claims.hpp"
#include "algorithms/core/composition.hpp"

namespace dpverify {

struct Certificate {
  std::vector<PureSteps> steps;  // what the costliest record pays, by declared epsilon
  double epsilon = 0;            // by optimal composition at the asked delta, rounded up
  double advanced = 0;           // by advanced composition; 0 if delta is 0
  Index releases = 0;            // of the whole run
};

// Runs the mechanism once on random records, replaces each of up to `records_tried` records by
// several others and replays: a record pays for the releases that a replacement moved, by
// measurement and not by declaration, so that parallel composition over disjoint parts follows by
// itself. Each such release costs what its law declares: the certificate holds as far as the
// sensitivity claims do. Infinite if a law is not pure (Gaussian noise), or if no
// replacement moved any release: then nothing is shown.
Certificate certify(const Mechanism& mechanism, Index records, Index dimension, double delta,
                    RandomStream stream, Index records_tried = 20);

}  // namespace dpverify
