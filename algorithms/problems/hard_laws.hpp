// Laws that privacy makes hard to tell apart: the instances of lower bounds.
#pragma once

#include <functional>
#include <source_location>
#include <string>

#include "algorithms/claims/claim_list.hpp"
#include "algorithms/core/random.hpp"
#include "algorithms/problems/counted_mean.hpp"

namespace dpverify {

// A code: `count` different vectors, at least `distance` apart in l2.
struct Words {
  Index count = 2;
  Index dimension = 1;
  double distance = 1;
  std::function<VectorXd(Index)> word;  // of 0..count - 1
};

// The numbers 0 and 1.
Words two_numbers();

// The rows of a Hadamard matrix and their negatives: words of d signs, d a power of two; any two
// differ in d/2 places at least. 2d words.
Words sign_words(Index dimension);

// Words of d/2 ones among d places, d a power of two >= 4: the rows of a Hadamard matrix but the
// constant one, and their complements; any two differ in d/2 places at least. 2(d - 1) words.
Words half_weight_words(Index dimension);

// Words of s ones, one in each of s blocks of q places, q a prime >= s >= 2: the graphs of the
// lines over the field of q elements, two of which meet once at most. q^2 words in s q places.
Words sparse_words(Index sparsity, Index prime);

// For each word w: n independent records, each `size` w with probability p, else 0. So E|x_j|^(1+v)
// <= p size^(1+v), and the mean is p size w.
struct HardLaws {
  Words words;
  Index records = 1;
  double probability = 0.5;
  double size = 1;

  VectorXd mean(Index k) const;
  double separation() const;   // smallest distance of two means
  double informative() const;  // n p, the expected number of records that are not 0
  Dataset draw(Index k, RandomStream& stream) const;
  // How many records of each of `blocks` blocks of `block_size` are not 0, times the word, as
  // counted() reads it: more records than one can hold.
  Dataset draw_counts(Index k, Index blocks, Index block_size, RandomStream& stream) const;
  CountedMean counted() const;
  // "8 laws on 4 features: each of 60 records is 0.25 times the law's word with probability 0.5,
  // else 0".
  std::string in_words() const;
};

// What every mechanism with the guarantee has, on average over the laws, as the mean of
// ||estimate - mean of the law||_2^power at least: testing_floor times half the separation to that
// power; 0 where the floor says nothing.
double error_floor(const HardLaws& laws, const PrivacyGuarantee& guarantee, double power = 1);

// With what probability, on average over the laws, an (epsilon, delta)-DP mechanism for replace-one
// neighbours must fail to tell them: Barber and Duchi (2014), Theorem 3, as Hu, Ni, Xiao and Wang
// quote it in (10). With M words and k = ceil(n p), which the number of records that differ between
// two laws exceeds with probability at most 1/2,
//   (M - 1) (e^(-k epsilon)/2 - delta (1 - e^(-k epsilon))/(1 - e^-epsilon))
//     / (1 + (M - 1) e^(-k epsilon)).
// An estimate of the mean that is less than half the separation away tells them.
double testing_floor(double words, const PrivacyGuarantee& guarantee, double informative);

// The same, sharper, for laws of few records. The records that are not 0 can be the same ones in
// all laws, say K of them: two laws then differ in K records. Of M laws a mechanism names each by
// the records of the others with probability (1 - s)/(M - 1), s that of naming them right, on
// average; and a record moves a probability g to G(g) = min{1, e^epsilon g + delta, 1 - (1 - g -
// delta)/e^epsilon} at most, which is concave. So s is at most the largest root of s <= G^K((1 -
// s)/(M - 1)), and the floor the mean of 1 minus it over K. At delta = 0 and p = 1 it is (M -
// 1)/(M - 1 + e^(n epsilon)) if that is 1/2 or more, and e^(-n epsilon/2)/2 for M = 2, n even.
double naming_floor(const HardLaws& laws, const PrivacyGuarantee& guarantee);

// The claim that the mean nearest to the mechanism's output is another law's with probability
// naming_floor at least.
FloorClaim estimation_floor(const HardLaws& laws, const PrivacyGuarantee& guarantee,
                            Mechanism mechanism);

// The claim <algorithm>.floor<what>.corrected, which holds, and <algorithm>.floor<what>.
// without_noise.mutant, the same mechanism without noise, refuted; of an estimation_floor.
void add_floor(ClaimList& claims, const std::string& what, const std::string& algorithm_in_words,
               const std::string& where, FloorClaim honest,
               std::source_location stated = std::source_location::current());

}  // namespace dpverify
