#include "algorithms/claims/cited.hpp"

#include <stdexcept>

namespace dpverify {
namespace {

std::string_view key_of(Text text) {
  switch (text) {
    case Text::hu_preprint:
    case Text::hu_published:
    case Text::hu:
      return "hu";
    case Text::tao:
      return "tao";
    case Text::wang_xu:
      return "wang_xu";
    case Text::su_main:
    case Text::su_supplement:
    case Text::su:
      return "su";
    case Text::this_project:
      return "this_project";
    case Text::folklore:
      return "folklore";
    case Text::dwork_2006:
      return "dwork_2006";
    case Text::mcsherry_2007:
      return "mcsherry_2007";
    case Text::mironov_2012:
      return "mironov_2012";
    case Text::lyu_2017:
      return "lyu_2017";
    case Text::wang_2017:
      return "wang_2017";
    case Text::ding_2018:
      return "ding_2018";
    case Text::permute_and_flip:
      return "permute_and_flip";
    case Text::wang_2020:
      return "wang_2020";
    case Text::feldman_2021:
      return "feldman_2021";
    case Text::tramer_2022:
      return "tramer_2022";
    case Text::casacuberta_2022:
      return "casacuberta_2022";
    case Text::chua_2024:
      return "chua_2024";
    case Text::stochastic_tester:
      return "stochastic_tester";
    case Text::command_line:
      return "command_line";
  }
  throw std::logic_error("a text without a key");
}

std::string_view title_of(std::string_view key) {
  if (key == "hu")
    return "High Dimensional Differentially Private Stochastic Optimization with Heavy-tailed Data";
  if (key == "tao")
    return "Private Stochastic Convex Optimization and Sparse Learning with Heavy-tailed Data "
           "Revisited";
  if (key == "wang_xu")
    return "Differentially Private l_1-norm Linear Regression with Heavy-tailed Data";
  if (key == "su")
    return "Differentially Private Stochastic Convex Optimization in (Non)-Euclidean Space "
           "Revisited";
  return "";
}

}  // namespace

CitedPaper cited_paper(Text text) {
  const std::string_view whole = name(text);  // "NAME", or "NAME (TEXT)"
  const std::size_t bracket = whole.find(" (");
  const std::string_view key = key_of(text);
  if (bracket == std::string_view::npos) return {key, whole, "", title_of(key)};
  const std::string_view in_brackets = whole.substr(bracket + 2);
  return {key, whole.substr(0, bracket), in_brackets.substr(0, in_brackets.size() - 1),
          title_of(key)};
}

}  // namespace dpverify
