// Two stages refute: a screen, and a confirmation by fresh trials. Neither needs more standard
// errors than trials can give, and no claim is refuted for the trials that made it suspicious.
#pragma once

namespace dpverify {

// Of each decision of a stage.
struct StageLevels {
  double screen = 0;
  double confirmation = 0;
};

// So that both err with probability `level` at most, each in any of its one-sided decisions. The
// screen has 1e-4 for each, or more where the level is large.
StageLevels stage_levels(double level, double decisions);

}  // namespace dpverify
