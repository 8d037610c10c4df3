// The guarantee that composition certifies for a mechanism, given the sensitivity of its releases.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "algorithms/claims/claims.hpp"
#include "algorithms/core/composition.hpp"
#include "algorithms/core/laws/law_kind.hpp"

namespace dpverify {

// What one release costs: what its law declares, or, of an objective perturbation, what follows
// from its objective.
struct ReleaseCost {
  PrivacyCost declared;
  std::optional<ObjectiveCost> objective;
};

struct Certificate {
  double epsilon = 0;    // at the asked delta, rounded up; the costliest record's
  std::string problem;   // if epsilon is infinite: why, in words that follow "because"
  bool declared = true;  // false: a release declares no cost at all, so that nothing can certify
  double advanced = 0;   // by advanced composition; 0 if delta is 0 or a release is not pure
  Index paid = 0;        // releases that the costliest record pays for
  Index releases = 0;    // of the whole run
};

// What a replay shows of a promise that composition rests on: that data reach the output through
// releases only, and that none that declares a cost moves by more than it declares. Empty if both
// were kept.
std::string broken_promise(const Transcript& transcript, const Replay& replayed);

// What `costs` certify together at delta, rounded up: the least of optimal composition (all pure),
// Gaussian composition (all mu-GDP), the two convolved, and zCDP; with objective perturbations,
// basic composition.
double composed_epsilon(const std::vector<ReleaseCost>& costs, double delta);

// Runs the mechanism once on each of several datasets (normal, heavy-tailed, sparse, extreme and
// constant entries), replaces each of up to `records_tried` records by several others, plain and
// heavy-tailed, and replays: a record pays for every release that any replacement on any dataset
// moved, by measurement and not by declaration, so that parallel composition over disjoint parts
// follows by itself. What is moved only by records that none of these comes near is not seen. Each
// such release costs what its law declares: the certificate holds as far as the sensitivity claims
// do. Infinite if a law declares no cost (a program), if no replacement moved any release (then
// nothing is shown), if data reach the output outside the releases, or if a replacement moved a
// release by more than it declares: then what it declares is false, and nothing follows from it.
Certificate certify(const Mechanism& mechanism, Index records, Index dimension, double delta,
                    RandomStream stream, Index records_tried = 20);

}  // namespace dpverify
