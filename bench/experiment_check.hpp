// Do mean errors compare as a text says that its experiments show?
#pragma once

#include "algorithms/claims/evidence.hpp"

namespace dpverify {

// Decides a claim whose check is an ExperimentClaim: the claim's trials, and where they refute it
// as many again twice over, none of which the first stage has seen (see stage_levels.hpp). What
// the second stage says stands. Levels are those of Student's t.
//   consistent:   the comparisons are significant.
//   refuted:      the opposite of one is, in both stages.
//   inconclusive: neither; or an error is not finite.
//   not_run:      the plan leaves it out.
// Every finished trial goes to context.checkpoints, and is not run again if it is there.
Evidence check_experiment(const Claim& claim, const CheckContext& context);

}  // namespace dpverify
