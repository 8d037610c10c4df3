#include "algorithms/claims/claims.hpp"

#include <array>

#include "algorithms/claims/claim_list.hpp"
#include "algorithms/claims/plans.hpp"

namespace dpverify {

std::string_view name(Edition edition) {
  constexpr std::array<std::string_view, 5> names{"printed", "proved", "corrected", "reading",
                                                  "mutant"};
  return names[static_cast<std::size_t>(edition)];
}

std::string_view name(Expectation expectation) {
  return expectation == Expectation::holds ? "holds" : "refuted";
}

std::string_view name(Plan plan) { return budget_of(plan).name; }

std::string_view name(Text text) {
  switch (text) {
    case Text::hu_preprint:
      return "Hu, Ni, Xiao and Wang (preprint)";
    case Text::hu_published:
      return "Hu, Ni, Xiao and Wang (published edition)";
    case Text::hu:
      return "Hu, Ni, Xiao and Wang (preprint and published edition)";
    case Text::tao:
      return "Tao, Wu, Cheng and Wang";
    case Text::wang_xu:
      return "Wang and Xu";
    case Text::su_main:
      return "Su, Zhao and Wang (main text)";
    case Text::su_supplement:
      return "Su, Zhao and Wang (supplement)";
    case Text::su:
      return "Su, Zhao and Wang (main text and supplement)";
    case Text::this_project:
      return "this project";
    case Text::folklore:
      return "folklore";
    case Text::dwork_2006:
      return "Dwork, McSherry, Nissim and Smith, 2006";
    case Text::mcsherry_2007:
      return "McSherry and Talwar, 2007";
    case Text::mironov_2012:
      return "Mironov, 2012";
    case Text::lyu_2017:
      return "Lyu, Su and Li, 2017";
    case Text::wang_2017:
      return "Wang, Blocki, Li and Jha, 2017";
    case Text::ding_2018:
      return "Ding, Wang, Wang, Zhang and Kifer, 2018";
    case Text::permute_and_flip:
      return "McKenna and Sheldon, 2020; Cesar and Rogers, 2021";
    case Text::wang_2020:
      return "Wang, Ding, Kifer and Zhang, 2020";
    case Text::feldman_2021:
      return "Feldman, McMillan and Talwar, 2021";
    case Text::tramer_2022:
      return "Tramer, Terzis, Steinke, Song, Jagielski and Carlini, 2022";
    case Text::casacuberta_2022:
      return "Casacuberta, Shoemate, Vadhan and Wagaman, 2022";
    case Text::chua_2024:
      return "Chua, Ghazi, Kamath, Kumar, Manurangsi, Sinha and Zhang, 2024";
    case Text::stochastic_tester:
      return "negative controls of a library's stochastic tester";
    case Text::command_line:
      return "the user";
  }
  return "";
}

std::string_view kind(const Claim& claim) {
  constexpr std::array<std::string_view, 6> names{"sensitivity", "privacy", "rate",
                                                  "lemma",       "floor",   "experiment"};
  return names[claim.check.index()];
}

std::string_view name(Severity severity) {
  switch (severity) {
    case Severity::privacy:
      return "privacy";
    case Severity::privacy_extreme:
      return "privacy at extreme parameters";
    case Severity::accuracy:
      return "accuracy";
    case Severity::privacy_near_one:
      return "privacy where delta is near 1";
    case Severity::proof_step:
      return "proof step";
    case Severity::slip:
      return "slip";
  }
  throw std::logic_error("a severity without a name");
}

}  // namespace dpverify
