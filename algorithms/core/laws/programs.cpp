#include "algorithms/core/laws/programs.hpp"

#include <stdexcept>

#include "algorithms/core/checked.hpp"

namespace dpverify {
namespace {

[[noreturn]] void no_value() { throw std::invalid_argument("a program has no pre-noise value"); }
[[noreturn]] void no_twin() {
  throw std::invalid_argument("a program cannot run without its data");
}
[[noreturn]] void no_scale() {
  throw std::invalid_argument("the noise inside a program cannot be changed");
}

}  // namespace

const VectorXd& HiddenSelection::pre_noise_value() const { no_value(); }

void HiddenSelection::validate() const {
  require(draw && log_probabilities && count >= 1, "a program's results", "missing",
          "at least 1, how to draw them and their probabilities");
}

Index HiddenSelection::noiseless_outcome() const { no_value(); }

HiddenSelection HiddenSelection::without_data() const { no_twin(); }

HiddenSelection HiddenSelection::with_noise_times(double) const { no_scale(); }

const VectorXd& HiddenRelease::pre_noise_value() const { no_value(); }

void HiddenRelease::validate() const {
  require(draw && size >= 1, "a program's result", "missing",
          "at least 1 number, and how to draw it");
}

VectorXd HiddenRelease::noiseless_outcome() const { no_value(); }

double HiddenRelease::log_density_at(const VectorXd& point) const {
  require(static_cast<bool>(log_density), "density of a program", "unknown", "given");
  return log_density(point);
}

HiddenRelease HiddenRelease::without_data() const { no_twin(); }

HiddenRelease HiddenRelease::with_noise_times(double) const { no_scale(); }

}  // namespace dpverify
