#include "algorithms/claims/results.hpp"

#include <regex>
#include <stdexcept>
#include <string>

namespace dpverify {
namespace {

ResultKind kind_of(const std::string& word) {
  switch (word.front()) {
    case 'T':
      return ResultKind::theorem;
    case 'L':
      return ResultKind::lemma;
    case 'C':
      return ResultKind::corollary;
    default:
      return ResultKind::remark;
  }
}

}  // namespace

std::string_view name(ResultKind kind) {
  switch (kind) {
    case ResultKind::theorem:
      return "Theorem";
    case ResultKind::lemma:
      return "Lemma";
    case ResultKind::corollary:
      return "Corollary";
    case ResultKind::remark:
      return "Remark";
  }
  throw std::logic_error("a kind of result without a name");
}

std::vector<Citation> citations(std::string_view where) {
  // After the plural a list of numbers, after the singular one.
  static const std::regex named(
      R"((proofs? of |by |with )?(Theorem|Lemma|Corollary|Remark)(?: (\d+)|s (\d+(?:(?:,| and|, and) \d+)*)))");
  static const std::regex digits(R"(\d+)");
  std::vector<Citation> out;
  const std::string text(where);
  for (std::sregex_iterator it(text.begin(), text.end(), named), end; it != end; ++it) {
    const std::string numbers = (*it)[3].matched ? (*it)[3] : (*it)[4];
    for (std::sregex_iterator each(numbers.begin(), numbers.end(), digits); each != end; ++each)
      out.push_back({{kind_of((*it)[2]), std::stoi(each->str())}, (*it)[1].matched});
  }
  return out;
}

}  // namespace dpverify
