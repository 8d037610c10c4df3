// Do mean errors compare as a text says that its experiments show?
#pragma once

#include <string>

#include "algorithms/claims/evidence.hpp"

namespace dpverify {

// Decides a claim whose check is an ExperimentClaim, by Student's t of the differences of a trial.
// A check that decides nothing goes on with as many trials again, up to eight times the claim's.
//   consistent:   the comparisons are significant, at 1% together over all looks.
//   refuted:      the opposite of one is, at the screen's level, and again on twice as many trials
//                 that the screen has not seen (see stage_levels.hpp). What these say stands.
//   inconclusive: neither; or an error is not finite.
//   not_run:      the plan leaves it out.
// Every finished trial goes to context.checkpoints, and is not run again if it is there.
Evidence check_experiment(const Claim& claim, const CheckContext& context);

// The trials of the first look, numbered from 0: none if the plan leaves the claim out.
Index planned_trials(const Claim& claim, const CheckContext& context);

// Under which context.checkpoints has a trial.
std::string trial_key(const Claim& claim, const CheckContext& context, Index trial);

// Runs a trial that context.checkpoints does not have yet.
void keep_trial(const Claim& claim, const CheckContext& context, Index trial);

}  // namespace dpverify
