// Counter-based random streams: the same key gives the same numbers on every machine, in any order
// of evaluation and with any number of threads.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "algorithms/core/types.hpp"

namespace dpverify {

// Philox4x64-10 (Salmon, Moraes, Dror and Shaw, 2011), keyed by (root seed, claim) and counted by
// (purpose, trial, part, block). Streams with different keys or counters are independent.
class RandomStream {
 public:
  struct Key {
    std::uint64_t seed = 0;    // root seed of the run
    std::string_view claim;    // who asks: the id of a claim, or a name of its own
    std::string_view purpose;  // what for, such as "data" or "releases"
    std::uint64_t trial = 0;   // which repetition
    std::uint64_t part = 0;    // which part of it
  };

  explicit RandomStream(const Key& key);

  std::uint64_t bits();  // uniform on 0..2^64-1
  double uniform();      // uniform on (0, 1): odd multiples of 2^-53, so never 0, 1/2 or 1
  double uniform(double lower, double upper);
  Index index(Index count);    // uniform on 0..count-1; count >= 1
  bool coin();                 // either with probability 1/2
  double normal();             // mean 0, variance 1
  double exponential();        // density exp(-x) on x > 0
  double laplace();            // density exp(-|x|)/2
  double gamma(double shape);  // density x^(shape-1) exp(-x)/Gamma(shape); shape > 0
  VectorXd normal_vector(Index size);

 private:
  void refill();

  std::array<std::uint64_t, 4> counter_{};
  std::array<std::uint64_t, 2> key_{};
  std::array<std::uint64_t, 16> words_{};
  unsigned used_ = 0, filled_ = 0;  // of words_
  std::uint64_t coins_ = 0;         // bits that are not used up
  unsigned coins_left_ = 0;
};

}  // namespace dpverify
