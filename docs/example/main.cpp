// The command line of dpverify over these two mechanisms: verify, audit, rates, run, list, explain.
#include <algorithm>
#include <iostream>

#include "reports/command_line.hpp"

namespace dpverify::example {

std::vector<Claim> clipped_mean_claims();
Algorithm laplace_mean_algorithm();

const std::vector<Algorithm>& algorithms() {
  static const std::vector<Algorithm> all{laplace_mean_algorithm()};
  return all;
}

const std::vector<Claim>& claims() {
  static const std::vector<Claim> all = [] {
    std::vector<Claim> out = clipped_mean_claims();
    for (Claim& claim : algorithms()[0].claims()) out.push_back(std::move(claim));
    std::ranges::sort(out, {}, &Claim::id);
    return out;
  }();
  return all;
}

}  // namespace dpverify::example

int main(int argc, char** argv) {
  return dpverify::run_command_line(
      argc, argv, {.out = std::cout, .err = std::cerr},
      {.algorithms = dpverify::example::algorithms, .claims = dpverify::example::claims});
}
