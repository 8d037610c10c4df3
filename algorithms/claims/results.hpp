// The numbered results of a paper, and which of them a claim cites.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "algorithms/claims/claims.hpp"

namespace dpverify {

enum class ResultKind { theorem, lemma, corollary, remark };
// "Theorem"
std::string_view name(ResultKind kind);

struct ResultNumber {
  ResultKind kind = ResultKind::theorem;
  int number = 0;
  friend auto operator<=>(const ResultNumber&, const ResultNumber&) = default;
};

struct NumberedResult {
  ResultNumber number;
  std::string_view what;       // what it says, in words
  std::string_view unclaimed;  // why no claim cites it; empty if one does
};

struct NumberedPaper {
  std::string_view key;  // first part of a claim's id
  Text text;             // all of it
  std::span<const NumberedResult> results;
};

struct Citation {
  ResultNumber number;
  bool in_passing = false;  // a step of its proof or a use of it, not its own conclusion

  friend bool operator==(const Citation&, const Citation&) = default;
};

// The numbered results that a source names, in its order: "proof of Theorem 7 by Lemma 2; Lemma 3"
// is a step of Theorem 7's proof, a use of Lemma 2, and Lemma 3.
std::vector<Citation> citations(std::string_view where);

}  // namespace dpverify
