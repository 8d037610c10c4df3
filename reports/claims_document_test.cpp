#include "reports/claims_document.hpp"

#include <gmock/gmock.h>

#include <array>
#include <map>
#include <sstream>

#include "reports/catalogue.hpp"

namespace dpverify {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

Claim claim(const std::string& what, Edition edition, Expectation expectation) {
  return {.id = "paper.algorithm." + what + "." + std::string(name(edition)),
          .algorithm = "paper.algorithm",
          .edition = edition,
          .expectation = expectation,
          .source = {Text::tao, "Lemma 1"},
          .statement = "|x| <= 2 for every x_j.",
          .check = LemmaClaim{}};
}

TEST(ClaimsDocument, ARowAClaimAndOneForTheMutants) {
  const std::string text = claims_document({claim("a.b", Edition::printed, Expectation::refuted),
                                            claim("a.b", Edition::corrected, Expectation::holds),
                                            claim("m1", Edition::mutant, Expectation::refuted),
                                            claim("m2", Edition::mutant, Expectation::refuted)});
  EXPECT_THAT(text, HasSubstr("Each of the 4 statements"));
  EXPECT_THAT(text, HasSubstr("\n## paper.algorithm\n"));
  EXPECT_THAT(text, HasSubstr("| a.b | printed | **refuted** | \\|x\\| \\<= 2 for every x\\_j. | "
                              "Tao, Wu, Cheng and Wang; Lemma 1 |\n"));
  EXPECT_THAT(text, HasSubstr("| a.b | corrected | consistent |"));
  EXPECT_THAT(text, HasSubstr("| planted faults | mutant | **refuted**, all 2 |"));
  EXPECT_THAT(text, Not(HasSubstr("m1")));
  EXPECT_THAT(claims_document({claim("m1", Edition::mutant, Expectation::refuted)}),
              HasSubstr("| planted faults | mutant | **refuted** |"));
}

TEST(ClaimsDocument, EveryRowHasFiveCells) {
  std::istringstream lines(claims_document(every_claim()));
  int rows = 0;
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("| ")) continue;
    ++rows;
    int bars = 0;
    for (std::size_t k = 0; k < line.size(); ++k)
      if (line[k] == '|' && (k == 0 || line[k - 1] != '\\')) ++bars;
    EXPECT_EQ(bars, 6) << line;
  }
  EXPECT_GT(rows, 500);
}

// A reader may have one statement and nothing beside it.
TEST(Statements, StandAlone) {
  for (const Claim& claim : every_claim()) {
    const std::string& text = claim.statement;
    for (const char* leaning :
         {"The same", "Same", "They ", "It ", "Its ", "Both ", "These ", "This ", "That ",
          "As above", "Likewise", "The former", "The latter"})
      EXPECT_FALSE(text.starts_with(leaning)) << claim.id << ": " << text;
    EXPECT_TRUE(text.ends_with('.') || text.ends_with(".)")) << claim.id << ": " << text;
    EXPECT_GE(std::ranges::count(text, ' '), 3) << claim.id << ": " << text;
    EXPECT_FALSE(claim.source.where.empty()) << claim.id;
  }
}

// What an edition changes is in its words.
TEST(Statements, NoTwoClaimsOfAnAlgorithmSayTheSame) {
  std::map<std::pair<std::string, std::string>, std::string> said;
  for (const Claim& claim : every_claim()) {
    const auto [before, is_new] =
        said.emplace(std::pair(claim.algorithm, claim.statement), claim.id);
    EXPECT_TRUE(is_new) << claim.id << " says what " << before->second
                        << " says: " << claim.statement;
  }
}

}  // namespace
}  // namespace dpverify
