// Does the excess risk fall as the theorem says, and does the run beat doing nothing?
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "algorithms/claims/evidence.hpp"
#include "bench/rate_points.hpp"

namespace dpverify {

// What the plan sweeps; no values: the plan leaves the claim out. Without a nightly sweep of its
// own, a claim gets the one of `ci` with twice the trials and, if the variable is n, half a decade
// and a decade more of it, as far as a trial's data fit into 4 GB.
Sweep sweep_of(const RateClaim& check, Plan plan);

// The smallest plan that does not leave the sweep out, if there is one.
std::optional<Plan> plan_that_runs(const RateClaim& check);

// A check that is inconclusive only for lack of trials goes on with fresh ones, each look with as
// many as all before it. Which share of the probabilities of a wrong decision each look may spend
// is fixed before, so that they hold for all looks together.
inline constexpr std::array<double, 5> look_shares{1.0 / 2, 1.0 / 4, 1.0 / 8, 1.0 / 16, 1.0 / 16};

// The pieces of the first look at a claim, which is mostly the last: a later one takes place only
// if those before it decide nothing. The first points of a sweep come first.
std::vector<RatePiece> planned_pieces(const Claim& claim, const CheckContext& context);

// Decides a claim whose check is a RateClaim: sweeps the variable and reads the curve of the excess
// risk (see rate_reading.hpp) against the theorem's bound and two null controls, the data-free run
// and the zero vector. The non-private run and the comparators stand beside them (see
// rate_tables.hpp). Takes further looks (look_shares) where more trials may decide.
// Refutes in two stages, so that neither needs more standard errors than trials can give, and no
// claim is refuted for the trials that made it suspicious: a screen, with the looks, at the level
// 1e-4 a decision, and a confirmation by fresh trials, twice as many, at the rest of the claim's
// level. What the confirmation says stands.
// Every finished piece of a look goes to context.checkpoints, and is not measured again if it is
// there.
Evidence check_rate(const Claim& claim, const CheckContext& context);

}  // namespace dpverify
