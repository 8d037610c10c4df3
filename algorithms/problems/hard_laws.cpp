#include "algorithms/problems/hard_laws.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <utility>

#include "algorithms/claims/planted_faults.hpp"
#include "algorithms/core/binomial.hpp"
#include "algorithms/core/checked.hpp"

namespace dpverify {

Words two_numbers() {
  return {.count = 2, .dimension = 1, .distance = 1, .word = [](Index k) {
            return VectorXd::Constant(1, static_cast<double>(k));
          }};
}

Words sign_words(Index dimension) {
  const auto d = static_cast<std::uint64_t>(dimension);
  require(dimension >= 1 && std::has_single_bit(d), "dimension d", static_cast<double>(dimension),
          "a power of two");
  return {.count = 2 * dimension,
          .dimension = dimension,
          .distance = dimension == 1 ? 2 : std::sqrt(2 * static_cast<double>(dimension)),
          .word = [dimension](Index k) {
            const auto row = static_cast<std::uint64_t>(k / 2);
            VectorXd word(dimension);
            for (Index j = 0; j < dimension; ++j)
              word[j] = (std::popcount(row & static_cast<std::uint64_t>(j)) + k) % 2 == 0 ? 1 : -1;
            return word;
          }};
}

Words half_weight_words(Index dimension) {
  const auto d = static_cast<std::uint64_t>(dimension);
  require(dimension >= 4 && std::has_single_bit(d), "dimension d", static_cast<double>(dimension),
          "a power of two, at least 4");
  return {.count = 2 * (dimension - 1),
          .dimension = dimension,
          .distance = std::sqrt(static_cast<double>(dimension) / 2),
          .word = [dimension](Index k) {
            const auto row = static_cast<std::uint64_t>(k / 2 + 1);
            VectorXd word(dimension);
            for (Index j = 0; j < dimension; ++j)
              word[j] = (std::popcount(row & static_cast<std::uint64_t>(j)) + k) % 2 == 0 ? 0 : 1;
            return word;
          }};
}

Words sparse_words(Index sparsity, Index prime) {
  bool is_prime = prime >= 2;
  for (Index k = 2; k * k <= prime; ++k) is_prime = is_prime && prime % k != 0;
  require(is_prime, "places q of a block", static_cast<double>(prime), "a prime");
  require(sparsity >= 2 && sparsity <= prime, "sparsity s", static_cast<double>(sparsity),
          "in 2.." + std::to_string(prime) + " (the places of a block)");
  return {.count = prime * prime,
          .dimension = sparsity * prime,
          .distance = std::sqrt(2 * static_cast<double>(sparsity - 1)),
          .word = [sparsity, prime](Index k) {
            VectorXd word = VectorXd::Zero(sparsity * prime);
            for (Index block = 0; block < sparsity; ++block)
              word[block * prime + (k / prime + k % prime * block) % prime] = 1;
            return word;
          }};
}

VectorXd HardLaws::mean(Index k) const { return probability * size * words.word(k); }

double HardLaws::separation() const { return probability * size * words.distance; }

double HardLaws::informative() const { return static_cast<double>(records) * probability; }

Dataset HardLaws::draw(Index k, RandomStream& stream) const {
  Dataset data{Matrix::Zero(records, words.dimension), VectorXd::Zero(records)};
  const VectorXd record = size * words.word(k);
  // The gaps between the records that are not 0 are geometric.
  const double scale = -1 / std::log1p(-probability);
  for (double at = 0;; at += 1) {
    at += std::floor(stream.exponential() * scale);
    if (at >= static_cast<double>(records)) return data;
    data.features.row(static_cast<Index>(at)) = record.transpose();
  }
}

Dataset HardLaws::draw_counts(Index k, Index blocks, Index block_size, RandomStream& stream) const {
  Dataset data{Matrix(blocks, words.dimension), VectorXd::Zero(blocks)};
  const VectorXd word = words.word(k);
  for (Index b = 0; b < blocks; ++b)
    data.features.row(b) =
        static_cast<double>(draw_binomial(block_size, probability, stream)) * word.transpose();
  return data;
}

CountedMean HardLaws::counted() const {
  return {words.dimension, words.dimension, {size}, {probability}};
}

double error_floor(const HardLaws& laws, const PrivacyGuarantee& guarantee, double power) {
  const double fails =
      testing_floor(static_cast<double>(laws.words.count), guarantee, laws.informative());
  return std::max(0.0, fails) * std::pow(laws.separation() / 2, power);
}

double testing_floor(double words, const PrivacyGuarantee& guarantee, double informative) {
  const double epsilon = guarantee.epsilon, k = std::ceil(informative);
  const double shrunk = std::exp(-epsilon * k);
  // (1 - e^(-k epsilon))/(1 - e^-epsilon), k at epsilon = 0.
  const double steps = epsilon > 0 ? std::expm1(-epsilon * k) / std::expm1(-epsilon) : k;
  return (words - 1) * (shrunk / 2 - guarantee.delta * steps) / (1 + (words - 1) * shrunk);
}

std::string HardLaws::in_words() const {
  return std::to_string(words.count) + " laws on " + std::to_string(words.dimension) +
         (words.dimension == 1 ? " feature" : " features") + ": each of " +
         std::to_string(records) + " records is " + to_text(size) +
         " times the law's word with probability " + to_text(probability) + ", else 0";
}

double naming_floor(const HardLaws& laws, const PrivacyGuarantee& guarantee) {
  const double e = std::exp(guarantee.epsilon), delta = guarantee.delta;
  const auto others = static_cast<double>(laws.words.count - 1);
  // How likely a law is named by its own records, if by another's with probability g.
  const auto named = [&](double g, double differing) {
    for (double k = 0; k < differing; ++k)
      g = std::min({1.0, e * g + delta, 1 - (1 - g - delta) / e});
    return g;
  };
  const auto wrong = [&](double differing) {
    double right = 0, too_large = 1;
    for (int halvings = 0; halvings < 60; ++halvings) {
      const double s = (right + too_large) / 2;
      (s <= named((1 - s) / others, differing) ? right : too_large) = s;
    }
    return 1 - too_large;
  };
  return binomial_expectation(static_cast<double>(laws.records), laws.probability, wrong);
}

FloorClaim estimation_floor(const HardLaws& laws, const PrivacyGuarantee& guarantee,
                            Mechanism mechanism) {
  const auto error = [laws](const VectorXd& output, Index own) {
    const double distance = (output - laws.mean(own)).norm();
    for (Index other = 0; other < laws.words.count; ++other)
      if (other != own && !(distance < (output - laws.mean(other)).norm())) return 1.0;
    return 0.0;
  };
  return {.problem = laws.in_words() +
                     ". An error: the mean of another law is as near to the output as the law's",
          .mechanism = std::move(mechanism),
          .guarantee = guarantee,
          .draw =
              [laws, error](RandomStream& stream) {
                const Index k = stream.index(laws.words.count);
                return Instance{laws.draw(k, stream),
                                [error, k](const VectorXd& output) { return error(output, k); }};
              },
          .bound = naming_floor(laws, guarantee)};
}

void add_floor(ClaimList& claims, const std::string& what, const std::string& algorithm_in_words,
               const std::string& where, FloorClaim honest, std::source_location stated) {
  const std::string statement = fmt::format(
      "Of {}. Every ({}, {})-DP mechanism leads to a wrong law with a mean probability of at least "
      "{:.3g}, by the mean nearest to its output, and so does {}",
      honest.problem.substr(0, honest.problem.find(". An error")),
      to_text(honest.guarantee.epsilon), to_text(honest.guarantee.delta), honest.bound,
      algorithm_in_words);
  const std::vector<std::string> assumptions{"replace-one neighbours"};
  FloorClaim faulty = honest;
  faulty.mechanism = without_noise(std::move(faulty.mechanism));
  claims.add("floor" + what, Edition::corrected, Expectation::holds, {Text::this_project, where},
             statement + ".", assumptions, std::move(honest), stated);
  claims.add("floor" + what + ".without_noise", Edition::mutant, Expectation::refuted,
             {Text::this_project, algorithm_in_words + ", with all of its noise left out"},
             statement + " without noise, which is too good to be private.", assumptions,
             std::move(faulty), stated);
}

}  // namespace dpverify
