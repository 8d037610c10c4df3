#include "algorithms/claims/results.hpp"

#include <gmock/gmock.h>

namespace dpverify {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

Citation theorem(int number, bool in_passing = false) {
  return {{ResultKind::theorem, number}, in_passing};
}
Citation lemma(int number, bool in_passing = false) {
  return {{ResultKind::lemma, number}, in_passing};
}

TEST(Citations, ManyOfOneKindAndManyKinds) {
  EXPECT_THAT(citations("Theorems 10 and 11; Lemma 27"),
              ElementsAre(theorem(10), theorem(11), lemma(27)));
  EXPECT_THAT(citations("Lemmas 3, 4 and 5"), ElementsAre(lemma(3), lemma(4), lemma(5)));
  EXPECT_THAT(citations("Corollary 1, Remark 2"),
              ElementsAre(Citation{{ResultKind::corollary, 1}, false},
                          Citation{{ResultKind::remark, 2}, false}));
}

TEST(Citations, InPassing) {
  EXPECT_THAT(citations("proof of Theorem 7 by Lemma 3; Lemma 4"),
              ElementsAre(theorem(7, true), lemma(3, true), lemma(4)));
  EXPECT_THAT(citations("Theorem 6 by Lemmas 17 and 19"),
              ElementsAre(theorem(6), lemma(17, true), lemma(19, true)));
  EXPECT_THAT(citations("proofs of Theorems 8 and 9, p = 7"),
              ElementsAre(theorem(8, true), theorem(9, true)));
}

TEST(Citations, NumbersThatAreNoResults) {
  EXPECT_THAT(citations("Theorem 6 with 2 lambda"), ElementsAre(theorem(6)));
  EXPECT_THAT(citations("Lemma 3 with r = 2 and kappa = d^(1 - 2/q), 2 log d <= 2"),
              ElementsAre(lemma(3)));
  EXPECT_THAT(citations("Theorem 4, 0 < epsilon"), ElementsAre(theorem(4)));
  EXPECT_THAT(citations("Algorithm 4, steps 4 and 7; (28)"), IsEmpty());
}

}  // namespace
}  // namespace dpverify
