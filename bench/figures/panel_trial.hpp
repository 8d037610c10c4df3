// One trial of a panel: records of one shape, and the errors of the panel's methods on them.
#pragma once

#include <cstdint>
#include <string>

#include "bench/figures/panel.hpp"
#include "bench/trials.hpp"

namespace dpverify::figures {

// How noisy a method's first release is, see Quantity in figure.hpp.
struct NoiseAndSignal {
  double noise = 0;
  double signal = 0;
};

// All of it depends on the seed, the panel's id, the number of the trial and the setting alone.
class PanelTrial {
 public:
  // Draws the records: those of a number and a shape (n, d, s*) are the same at every epsilon.
  PanelTrial(const Panel& panel, const Setting& at, std::uint64_t seed, std::uint64_t number);
  PanelTrial(const PanelTrial&) = delete;
  PanelTrial& operator=(const PanelTrial&) = delete;

  // Of `method` at this epsilon; `first` is left alone where nothing is released.
  double run(const Method& method, double epsilon, NoiseAndSignal* first = nullptr) const;
  double noiseless(const Method& method, double epsilon) const;
  double data_free(const Method& method, double epsilon) const;
  double zero_vector() const { return trial_.zero_vector(); }

 private:
  Setting at(double epsilon) const;
  RandomStream stream(const char* what, const Method& method, double epsilon) const;

  Setting shape_;
  std::string words_;  // of the shape
  TrialStreams streams_;
  LinearProblem problem_;
  Instance instance_;
  Trial::Risk error_;
  Trial trial_;
};

}  // namespace dpverify::figures
