// What `dpverify bench` times: each kernel says what it counts, for which sizes it is asked, and
// checks its answer before it is timed.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace dpverify::speed {

// A number of what was computed, so that no compiler leaves the work out.
using Work = std::function<double()>;

struct Kernel {
  std::string name;                        // "peeling"
  std::string words;                       // "Peeling, s = 40, of d numbers"
  std::string items;                       // what a size counts: "numbers", "records", "steps"
  std::vector<std::int64_t> sizes;         // growing; the first one is small
  std::function<Work(std::int64_t)> make;  // everything but the work itself
  // The largest difference from an obviously right twin that may be, and the one that is, both
  // relative, on an input of its own.
  double allowed = 0;
  std::function<double()> difference;
  double bytes = 0;  // an item of its input; 0: what bounds it is not memory
};

const std::vector<Kernel>& kernels();

}  // namespace dpverify::speed
