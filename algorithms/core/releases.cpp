#include "algorithms/core/releases.hpp"

#include <cmath>
#include <stdexcept>
#include <utility>

namespace dpverify {
namespace {

class RecordingReleases final : public Releases {
 public:
  explicit RecordingReleases(const RandomStream& stream) : stream_(stream) {}
  std::vector<TranscriptEntry> entries;

 private:
  Outcome decide(const Law& law) override {
    Outcome outcome = sample(law, stream_);
    entries.push_back({law, outcome});
    return outcome;
  }
  RandomStream stream_;
};

// Leaves the run when the neighbour asks for a release the transcript cannot answer.
struct ControlFlowDiffers {};

class ReplayingReleases final : public Releases {
 public:
  ReplayingReleases(const Transcript& transcript, LogRatios log_ratios, Replay& result)
      : transcript_(transcript), log_ratios_(log_ratios), result_(result) {}

 private:
  Outcome decide(const Law& law) override {
    const std::size_t k = result_.steps.size();
    if (k >= transcript_.entries.size()) throw ControlFlowDiffers{};
    const auto& [recorded, outcome] = transcript_.entries[k];
    if (!same_shape(recorded, law)) throw ControlFlowDiffers{};
    const LawChange change = compare(recorded, law, &outcome);
    double ratio = 0;
    if (log_ratios_ == LogRatios::compute)
      ratio = std::isinf(change.distance)
                  ? change.distance
                  : log_density(recorded, outcome) - log_density(law, outcome);
    result_.steps.push_back({change, declared_sensitivity(recorded), ratio});
    return outcome;
  }
  const Transcript& transcript_;
  LogRatios log_ratios_;
  Replay& result_;
};

// NaN counts as equal to NaN: the same on both datasets is no leak.
bool same_output(const VectorXd& a, const VectorXd& b) {
  return a.size() == b.size() &&
         (a.array() == b.array() || (a.array().isNaN() && b.array().isNaN())).all();
}

}  // namespace

void Releases::assign(VectorXd& zeros, VectorXd value) {
  if (value.size() != zeros.size())
    throw std::logic_error("a pre-noise value of another size than the law was given with");
  zeros = std::move(value);
}

Transcript record(const Mechanism& mechanism, const Dataset& data, const RandomStream& stream) {
  RecordingReleases releases(stream);
  Transcript transcript;
  transcript.output = mechanism(data, releases);
  transcript.entries = std::move(releases.entries);
  return transcript;
}

Replay replay(const Mechanism& mechanism, const Dataset& neighbour, const Transcript& transcript,
              LogRatios log_ratios) {
  Replay result;
  ReplayingReleases releases(transcript, log_ratios, result);
  try {
    const VectorXd output = mechanism(neighbour, releases);
    if (result.steps.size() != transcript.entries.size()) {
      result.leak = "the number of releases differs: " + std::to_string(transcript.entries.size()) +
                    " on one dataset, " + std::to_string(result.steps.size()) + " on the other";
    } else if (!same_output(output, transcript.output)) {
      result.leak =
          "with every outcome pinned, the final output still differs between the two datasets";
    }
  } catch (const ControlFlowDiffers&) {
    result.leak = "release " + std::to_string(result.steps.size() + 1) +
                  " differs in kind between the two datasets, or exists on one of them only";
  }
  for (std::size_t k = 0; k < result.steps.size(); ++k) {
    const Replay::Step& step = result.steps[k];
    result.log_likelihood_ratio += step.log_likelihood_ratio;
    if (!step.change.comparable && result.leak.empty())
      result.leak = "the noise or the declared sensitivity of release " + std::to_string(k + 1) +
                    " depends on the data";
    const double ratio =
        step.change.distance == 0 ? 0 : step.change.distance / step.declared_sensitivity;
    if (ratio > result.worst_ratio) {
      result.worst_ratio = ratio;
      result.worst_step = k;
    }
  }
  return result;
}

}  // namespace dpverify
