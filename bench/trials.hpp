// One trial of a mechanism on records of its own: the private run, and what it is compared with.
// Rates and figures both run these.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "algorithms/core/releases.hpp"

namespace dpverify {

// The streams of one trial: every purpose and every block of records has its own.
class TrialStreams {
 public:
  TrialStreams(std::uint64_t seed, std::string claim, std::uint64_t trial)
      : seed_(seed), claim_(std::move(claim)), trial_(trial) {}
  RandomStream operator()(std::string_view purpose, std::uint64_t part = 0) const;

 private:
  std::uint64_t seed_;
  std::string claim_;
  std::uint64_t trial_;
};

class Trial {
 public:
  using Risk = std::function<double(const VectorXd&)>;

  // `data` and `risk`, the error of an output on them, must live on. `held`: the records are in
  // memory, and so may those be of a run without data.
  Trial(const Dataset& data, const Risk& risk, Index dimension, bool held = true)
      : data_(data), risk_(risk), dimension_(dimension), held_(held) {}

  double run(const Mechanism& mechanism, Releases& releases) const;
  // The null controls: the same noise on as many records that are zero, and no mechanism at all.
  double data_free(const Mechanism& mechanism, RandomStream stream) const;
  double zero_vector() const;
  // Without noise: not private.
  double non_private(const Mechanism& mechanism) const;

 private:
  const Dataset& data_;
  const Risk& risk_;
  Index dimension_;
  bool held_;
};

}  // namespace dpverify
