#include "audits/transcript/moved_releases.hpp"

#include <memory>
#include <type_traits>

#include "audits/laws_along.hpp"

namespace dpverify::transcripts {
namespace {

template <class L>
concept HasScores = requires(L law) {
  law.scores;
};
template <class L>
concept HasValue = requires(L law) {
  law.value;
};

// An objective plus <linear, theta>.
class TiltedObjective final : public Objective {
 public:
  TiltedObjective(std::shared_ptr<const Objective> objective, VectorXd linear)
      : objective_(std::move(objective)), linear_(std::move(linear)) {}
  Index dimension() const override { return objective_->dimension(); }
  double radius() const override { return objective_->radius(); }
  double strong_convexity() const override { return objective_->strong_convexity(); }
  VectorXd gradient(const VectorXd& theta) const override {
    return objective_->gradient(theta) + linear_;
  }
  Matrix hessian(const VectorXd& theta) const override { return objective_->hessian(theta); }
  std::shared_ptr<const Objective> without_data() const override {
    return objective_->without_data();
  }

 private:
  std::shared_ptr<const Objective> objective_;
  VectorXd linear_;
};

Law moved(const Law& law, const VectorXd& by) {
  Law out = law;
  std::visit(
      [&by](auto& l) {
        using L = std::decay_t<decltype(l)>;
        if constexpr (HasScores<L>)
          l.scores += by;
        else if constexpr (HasValue<L>)
          l.value += by;
        else if constexpr (std::is_same_v<L, ObjectivePerturbation>)
          l.objective = std::make_shared<TiltedObjective>(l.objective, by);
      },
      out);
  return out;
}

// The number of entries of a shift of the law; 0 if it cannot be moved.
Index shift_size(const Law& law) {
  return std::visit(
      [](const auto& l) -> Index {
        using L = std::decay_t<decltype(l)>;
        if constexpr (HasScores<L>)
          return l.scores.size();
        else if constexpr (HasValue<L>)
          return l.value.size();
        else if constexpr (std::is_same_v<L, ObjectivePerturbation>)
          return l.objective->dimension();
        else
          return 0;
      },
      law);
}

// Away from `there`, a law of the same shape. For an objective: its noise vector at an outcome
// theta is -gradient(theta), so that the neighbour needs one that is longer by the difference of
// the gradients.
VectorXd difference(const Law& law, const Law& there, const Outcome& outcome) {
  return std::visit(
      [&](const auto& l) -> VectorXd {
        using L = std::decay_t<decltype(l)>;
        const L& other = std::get<L>(there);
        if constexpr (HasScores<L>)
          return l.scores - other.scores;
        else if constexpr (HasValue<L>)
          return l.value - other.value;
        else if constexpr (std::is_same_v<L, ObjectivePerturbation>)
          return l.objective->gradient(std::get<VectorXd>(outcome)) -
                 other.objective->gradient(std::get<VectorXd>(outcome));
        else
          return VectorXd(0);
      },
      law);
}

}  // namespace

Away away_from(const Mechanism& mechanism, const NeighbouringPair& pair,
               const RandomStream& stream) {
  const Transcript transcript = record(mechanism, pair.data, stream);
  const LawsAlong there = laws_along(mechanism, pair.neighbour, transcript);
  Away out;
  for (std::size_t k = 0; k < there.laws.size(); ++k) {
    const auto& [law, outcome] = transcript.entries[k];
    VectorXd shift = difference(law, there.laws[k], outcome);
    if (!shift.allFinite()) shift.resize(0);
    if (shift.size() == 0 && compare(law, there.laws[k], &outcome).distance > 0)
      out.complete = false;
    out.shifts.push_back(std::move(shift));
  }
  return out;
}

Outcome MovedReleases::decide(const Law& law) {
  const std::size_t k = transcript.entries.size();
  const Index size = k < shifts_.size() ? shifts_[k].size() : 0;
  const bool moves = size > 0 && size == shift_size(law) && !shifts_[k].isZero(0);
  Outcome outcome;
  if (!moves) {
    outcome = sample(law, stream_);
  } else {
    const auto at = [&](std::size_t c) { return moved(law, distances_[c] * shifts_[k]); };
    outcome = sample(distances_[component_] == 0 ? law : at(component_), stream_);
    const double own = log_density(law, outcome);
    for (std::size_t c = 0; c < components; ++c)
      if (distances_[c] != 0) log_ratio[c] += log_density(at(c), outcome) - own;
  }
  transcript.entries.push_back({law, outcome});
  return outcome;
}

}  // namespace dpverify::transcripts
