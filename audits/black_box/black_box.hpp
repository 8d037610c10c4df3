// Is a mechanism (epsilon, delta)-DP, judged by its outputs alone? An event is learnt from some
// outputs on two neighbouring datasets, and its probabilities are bounded from others: selection
// and estimation of an event never share an output. Such an audit can refute a claim, not prove it.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "algorithms/claims/evidence.hpp"
#include "algorithms/core/random.hpp"
#include "audits/black_box/distinguishers.hpp"
#include "audits/black_box/event_bounds.hpp"
#include "audits/exact/privacy_curve.hpp"

namespace dpverify {

// One run of a mechanism on one dataset. Outputs may differ in length and hold NaN or infinity: a
// failure that can be seen is an output too. It may be called from several threads at once.
using Sampler = std::function<VectorXd(RandomStream&)>;

// Runs number 0..count-1; run i draws from the stream of `key` with trial key.trial + i, so the
// outputs do not depend on the number of threads.
Outputs draw_outputs(const Sampler& sampler, Index count, const RandomStream::Key& key,
                     int threads = 1);

// An event that was chosen beforehand, counted on fresh outputs.
struct EventBound {
  std::string distinguisher;                 // the kind of event: "threshold", "cells", ...
  std::string event;                         // in words: "output[0] >= 3.25"
  Direction direction = Direction::forward;  // forward: claimed more likely on the first dataset
  EventCounts counts;
  double epsilon_lower = 0;  // at its share of the significance
  double p_value = 1;        // of the claim, for this event alone
};

// What one kind of event reached on the outputs it was learnt from. Biased upwards: no bound.
struct TrainingEvent {
  std::string distinguisher;
  std::string event;
  Direction direction = Direction::forward;
  double epsilon = 0;
};

struct BlackBoxAudit {
  // refuted:      epsilon_lower exceeds the claimed epsilon.
  // inconclusive: the claim is not below the ceiling, so no outputs could have refuted it.
  // consistent:   otherwise.
  Verdict verdict = Verdict::consistent;
  double epsilon_lower = 0;          // at the claimed delta
  double ceiling = 0;                // the most that so many outputs can show at that delta
  EventBound best;                   // gives epsilon_lower
  std::vector<EventBound> bounds;    // all that share the significance: one a half (of
                                     // further outputs: all) and direction
  std::vector<TrainingEvent> found;  // of the half that learnt `best`: best of every kind and
                                     // direction, best first
  // Outputs a side (half of them for estimation, of further outputs all) that decide: with the
  // frequencies seen if the claim is below the ceiling, infinity if they do not violate it;
  // otherwise those whose ceiling exceeds the claim.
  double samples_needed = 0;
  // Of the tests "score of the best event >= t" that tell the dataset on which it is likelier from
  // the other: levels alpha, type II errors beta, upper bounds on both that hold for all rows at
  // once, and the curve of mu_estimate. A second use of the outputs, with a significance of its
  // own.
  Table trade_off;
  double mu_estimate = 0;  // of the Gaussian curve through the row with the smallest alpha + beta
  double mu_lower = 0;     // from the same bounds: the mechanism is not mu-GDP for any smaller mu
  std::string reason;      // one sentence
};

// Refutes a true claim with probability at most `significance`, if each sample holds independent
// outputs on one of two neighbouring datasets. Each random half of the outputs learns events that
// the other counts. Needs at least 2 outputs a side; claimed epsilon in
// [0, infinity), delta in [0, 1]; significance in (0, 1). `selection` draws the halves.
BlackBoxAudit audit_outputs(Outputs first, Outputs second, PrivacyGuarantee claimed,
                            double significance, RandomStream selection,
                            OutputModel model = OutputModel::doubles);

// The next outputs on the first (0) or the second dataset (1) of more than are held at once; none
// after the last. Called for both at the same time.
using FurtherOutputs = std::function<Outputs(std::size_t side)>;

// The same of outputs that are too many to hold: all of the two samples learn events, which further
// outputs count.
BlackBoxAudit audit_outputs(Outputs first, Outputs second, const FurtherOutputs& further,
                            PrivacyGuarantee claimed, double significance, RandomStream selection,
                            OutputModel model = OutputModel::doubles);

struct SequentialAudit {
  // refuted:      the wealth reached 1/significance.
  // inconclusive: winning every bet on largest_samples would not have been enough.
  // consistent:   otherwise.
  Verdict verdict = Verdict::consistent;
  std::uint64_t samples = 0;      // a side, when it stopped
  double log_wealth = 0;          // when it stopped
  double largest_log_wealth = 0;  // the largest on the way; exp(-that) is a p-value
  double epsilon_lower = 0;       // at the claimed delta, at this stopping time; 0 unless refuted
  std::string event;              // that the last bets were on
  std::string reason;             // one sentence
};

// The next runs of a mechanism on either dataset, `count` each.
using OutputSource = std::function<std::array<Outputs, 2>(Index count)>;

// Tests the claim by betting against it, output by output, and stops as soon as it is refuted. On
// one output x on the first and one y on the second dataset, and an event E chosen from earlier
// outputs alone, 1_E(x) - e^epsilon 1_E(y) - delta has mean at most 0 if the claim is true. So
// wealth that is multiplied by 1 + lambda times that, lambda >= 0 chosen from earlier outputs, is a
// supermartingale, and reaches 1/significance with probability at most `significance` (Ville),
// whenever one stops. Both directions are bet on at once.
SequentialAudit audit_sequentially(const OutputSource& next, PrivacyGuarantee claimed,
                                   double significance, Index largest_samples,
                                   OutputModel model = OutputModel::doubles);

// The same of two samplers: draws the runs of purposes "first dataset" and "second dataset" of
// `key`.
SequentialAudit audit_sequentially(const Sampler& first, const Sampler& second,
                                   PrivacyGuarantee claimed, double significance,
                                   Index largest_samples, RandomStream::Key key,
                                   OutputModel model = OutputModel::doubles, int threads = 1);

}  // namespace dpverify
