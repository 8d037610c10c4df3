// Gaussian releases: closed form of the shifts that do not depend on earlier outcomes.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "algorithms/core/gaussian.hpp"
#include "audits/exact/methods.hpp"

namespace dpverify::exact {
namespace {

// Whoever sees the outcomes and knows both datasets can add up, over the releases whose shift has
// the same length after every prefix, the noise along the shift: N(0, mu^2) on one dataset, N(mu^2,
// mu^2) on the other, whatever the other releases do.
class GaussianPair final : public PairAudit {
 public:
  GaussianPair(const Mechanism& mechanism, const NeighbouringPair& pair) {
    std::vector<std::vector<double>> shifts;  // in standard deviations, by release and prefix
    for (std::uint64_t k = 0; k < prefixes; ++k) {
      const Transcript transcript =
          record(mechanism, pair.data,
                 RandomStream({.seed = k, .claim = "prefix", .purpose = "outcomes"}));
      const Replay replayed = replay(mechanism, pair.neighbour, transcript, LogRatios::skip);
      if (!replayed.leak.empty()) leaks_ = true;
      if (k == 0) shifts.resize(replayed.steps.size());
      shifts.resize(std::min(shifts.size(), replayed.steps.size()));
      for (std::size_t r = 0; r < shifts.size(); ++r) {
        const auto* gaussian = std::get_if<GaussianNoise>(&transcript.entries[r].law);
        const LawChange& change = replayed.steps[r].change;
        const bool counts = gaussian != nullptr && change.comparable;
        if (!counts && (change.distance > 0 || !change.comparable)) others_move_ = true;
        shifts[r].push_back(counts ? change.distance / gaussian->standard_deviation : 0);
      }
    }
    double squares = 0;
    for (const std::vector<double>& shift : shifts) {
      const auto [low, high] = std::minmax_element(shift.begin(), shift.end());
      if (*high == 0) continue;
      const bool fixed = *low == *high || *high - *low <= 1e-9 * *high;
      ++(fixed ? moved_ : varying_);
      if (fixed) squares += *low * *low;
    }
    mu_ = std::sqrt(squares);
  }
  double delta(double epsilon, Direction) const override {
    // A pinned transcript that still tells the datasets apart is outside the Gaussian law.
    return mu_ == 0 ? 0 : gaussian_delta(mu_ * round_down, epsilon) * round_down;
  }
  double epsilon(double delta) const override {
    return round_down * gaussian_epsilon(mu_ * round_down, delta);
  }
  double objective(double) const override { return mu_; }
  std::vector<Measurement> measurements() const override {
    return {{"mu of the Gaussian releases", mu_},
            {"releases with a fixed shift", static_cast<double>(moved_)},
            {"releases whose shift varies with earlier outcomes, left out",
             static_cast<double>(varying_)}};
  }
  std::string explanation() const override {
    return fmt::format("{} Gaussian release{} shift{} by {:.6g} standard deviations{}{}", moved_,
                       moved_ == 1 ? "" : "s", moved_ == 1 ? "s" : " together", mu_,
                       others_move_ || varying_ > 0
                           ? "; what else moves is left out, so this is a lower bound"
                           : "",
                       leaks_ ? "; and data escape outside the releases" : "");
  }

 private:
  double mu_ = 0;
  Index moved_ = 0, varying_ = 0;
  bool others_move_ = false, leaks_ = false;
};

}  // namespace

std::unique_ptr<PairAudit> gaussian_audit(const Mechanism& mechanism,
                                          const NeighbouringPair& pair) {
  return std::make_unique<GaussianPair>(mechanism, pair);
}

}  // namespace dpverify::exact
