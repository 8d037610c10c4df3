// The claims of one algorithm, one `add` each.
#pragma once

#include <iterator>
#include <source_location>
#include <string>
#include <utility>
#include <vector>

#include "algorithms/claims/claims.hpp"

namespace dpverify {

class ClaimList {
 public:
  explicit ClaimList(std::string algorithm) : algorithm_(std::move(algorithm)) {}

  // The id is <algorithm>.<what>.<edition>. It is stated where this is called, or where `stated`
  // says.
  void add(const std::string& what, Edition edition, Expectation expectation, Source source,
           std::string statement, std::vector<std::string> assumptions,
           decltype(Claim::check) check,
           std::source_location stated = std::source_location::current()) {
    claims_.push_back({algorithm_ + "." + what + "." + std::string(name(edition)),
                       algorithm_,
                       edition,
                       expectation,
                       std::move(source),
                       std::move(statement),
                       std::move(assumptions),
                       std::move(check),
                       {},
                       stated});
  }
  void append(std::vector<Claim> more) {
    claims_.insert(claims_.end(), std::make_move_iterator(more.begin()),
                   std::make_move_iterator(more.end()));
  }
  // The claims, in the order of the calls; leaves the list empty.
  std::vector<Claim> take() { return std::exchange(claims_, {}); }

 private:
  std::string algorithm_;
  std::vector<Claim> claims_;
};

}  // namespace dpverify
