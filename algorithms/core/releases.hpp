// The only door from data to output. An algorithm describes the law it wants to draw from and gets
// an outcome; everything else it does is deterministic. Who interprets the releases decides what a
// run means.
#pragma once

#include <concepts>
#include <functional>
#include <string>
#include <vector>

#include "algorithms/core/dataset.hpp"
#include "algorithms/core/laws.hpp"

namespace dpverify {

class Releases {
 public:
  virtual ~Releases() = default;

  Index select(const FiniteLaw auto& law) { return std::get<Index>(decide(law)); }
  VectorXd release(const ContinuousLaw auto& law) { return std::get<VectorXd>(decide(law)); }

  // The same, of a law whose pre-noise value (`scores` or `value`) is yet a vector of zeros of its
  // size: what it is, `compute` says, which is called only if the run reads it. A run without data
  // does not, nor one whose outcomes are given.
  Index select(FiniteLaw auto law, const std::invocable auto& compute) {
    if (reads_values()) assign(law.scores, compute());
    return select(law);
  }
  VectorXd release(ContinuousLaw auto law, const std::invocable auto& compute) {
    if (reads_values()) assign(law.value, compute());
    return release(law);
  }

 private:
  virtual Outcome decide(const Law& law) = 0;
  // Whether decide() reads the pre-noise value of the next law.
  virtual bool reads_values() const { return true; }
  static void assign(VectorXd& zeros, VectorXd value);  // throws std::logic_error if sizes differ
};

// An algorithm with its parameters bound: a deterministic function of the dataset and of the
// outcomes of its releases.
using Mechanism = std::function<VectorXd(const Dataset&, Releases&)>;

// Draws from each law.
class SamplingReleases final : public Releases {
 public:
  explicit SamplingReleases(RandomStream stream) : stream_(stream) {}

 private:
  Outcome decide(const Law& law) override { return sample(law, stream_); }
  RandomStream stream_;
};

// Draws from each law with its pre-noise value replaced by zero: what the algorithm does with the
// same noise and no data. A null control for utility; its output says nothing about the data.
class DataFreeReleases final : public Releases {
 public:
  explicit DataFreeReleases(RandomStream stream) : stream_(stream) {}

 private:
  Outcome decide(const Law& law) override { return sample(without_data(law), stream_); }
  bool reads_values() const override { return false; }
  RandomStream stream_;
};

// A run without noise: each finite law gives its best-scoring outcome, each other law its value.
// Not private; shows what the noise costs.
class NoiselessReleases final : public Releases {
 private:
  Outcome decide(const Law& law) override { return noiseless_outcome(law); }
};

struct TranscriptEntry {
  Law law;
  Outcome outcome;
};

// The releases of one run, in order, and its final output.
struct Transcript {
  std::vector<TranscriptEntry> entries;
  VectorXd output;
};

// Runs the mechanism, drawing from each law, and keeps the laws and outcomes.
Transcript record(const Mechanism& mechanism, const Dataset& data, const RandomStream& stream);

// What replaying a transcript on a neighbouring dataset shows.
struct Replay {
  struct Step {
    LawChange change;             // of the pre-noise value
    double declared_sensitivity;  // by the recorded law
    double log_likelihood_ratio;  // log density(recorded law) - log density(law here)
  };
  std::vector<Step> steps;
  // Sum over the steps: the privacy loss of the transcript, exact up to rounding.
  double log_likelihood_ratio = 0;
  // Empty if, with every outcome pinned, control flow, noise and final output are the same on both
  // datasets. Otherwise one sentence that says how data escapes outside the releases.
  std::string leak;

  // Largest change/declared sensitivity over the steps (0/0 counts as 0), and the step it is at.
  double worst_ratio = 0;
  std::size_t worst_step = 0;
};

// Log-likelihood ratios of a noisy maximum are integrals: skipped (0) where nobody reads them.
enum class LogRatios { compute, skip };

// Runs the mechanism on `neighbour` and returns the recorded outcome at each release.
Replay replay(const Mechanism& mechanism, const Dataset& neighbour, const Transcript& transcript,
              LogRatios log_ratios = LogRatios::compute);

}  // namespace dpverify
