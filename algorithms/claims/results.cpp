#include "algorithms/claims/results.hpp"

#include <array>
#include <regex>
#include <stdexcept>
#include <string>

namespace dpverify {
namespace {

constexpr ResultNumber theorem(int number) { return {ResultKind::theorem, number}; }
constexpr ResultNumber lemma(int number) { return {ResultKind::lemma, number}; }
constexpr ResultNumber corollary(int number) { return {ResultKind::corollary, number}; }
constexpr ResultNumber remark(int number) { return {ResultKind::remark, number}; }

constexpr std::string_view discussion =
    "compares bounds of other papers; says nothing that a run could show false";

constexpr std::string_view textbook = "a fact of other works, used as they state it";
constexpr std::string_view open = "no check of it yet";
constexpr std::string_view unseen =
    "its text was not at hand, and no proof of the supplement uses it";

constexpr auto results = std::to_array<NumberedResult>({
    {"hu", theorem(1), "Algorithm 1 (Frank-Wolfe) is epsilon-DP", ""},
    {"hu", theorem(2), "excess risk of Algorithm 1 over a polytope", ""},
    {"hu", theorem(3), "excess risk of Algorithm 1 for robust regression", ""},
    {"hu", theorem(4), "Algorithm 2 (LASSO) is (epsilon, delta)-DP", ""},
    {"hu", theorem(5), "excess risk of Algorithm 2", ""},
    {"hu", theorem(6), "Algorithm 3 (sparse linear regression) is (epsilon, delta)-DP", ""},
    {"hu", theorem(7), "excess risk of Algorithm 3", ""},
    {"hu", theorem(8), "privacy and excess risk of Algorithm 5 (sparse optimisation)", ""},
    {"hu", theorem(9), "lower bound for the mean of heavy-tailed sparse data", ""},
    {"hu", lemma(1), "utility of the exponential mechanism", ""},
    {"hu", lemma(2), "advanced composition", ""},
    {"hu", lemma(3), "lower bound from a packing, under (epsilon, delta)-DP", ""},
    {"hu", lemma(4), "error of the smoothed truncated mean", ""},
    {"hu", lemma(5), "accuracy of one private Frank-Wolfe step", ""},
    {"hu", lemma(6), "convergence of Frank-Wolfe with inexact steps", ""},
    {"hu", lemma(7), "gradient domination of the robust loss", ""},
    {"hu", lemma(8), "error of the truncated gradient over the ball", ""},
    {"hu", lemma(9), "Bernstein's inequality with a universal constant", ""},
    {"hu", lemma(10), "Algorithm 4 (Peeling) is (epsilon, delta)-DP", ""},
    {"hu", lemma(11), "packing of sparse sign vectors", ""},
    {"hu", lemma(12), "what Peeling selects against what it leaves", ""},
    {"hu", lemma(13), "Peeling against the best sparse vector", ""},
    {"hu", lemma(14), "gradient against excess risk on the support", ""},
    {"hu", lemma(15), "tail of the largest of Laplace variables", ""},
    {"hu", corollary(1), "Theorem 2 for the LASSO", ""},
    {"hu", remark(1), "Theorem 2 against earlier rates, which grow as d", discussion},
    {"hu", remark(2), "Assumption 3 is weaker than Assumption 1", ""},
    {"hu", remark(3), "Theorem 7 against the rates of sub-Gaussian data", discussion},
    {"hu", remark(4), "Theorem 8 against Theorem 7", discussion},

    {"tao", theorem(1), "privacy and error of Algorithm 1 (truncated mean)", ""},
    {"tao", theorem(2), "lower bound for a mean with 1 + v moments", ""},
    {"tao", theorem(3), "privacy and error of Algorithm 3 (median of means)", ""},
    {"tao", theorem(4), "tail of an empirical mean with 1 + v moments", ""},
    {"tao", theorem(5), "Algorithm 2 (stochastic optimisation) is (epsilon, delta)-DP", ""},
    {"tao", theorem(6), "excess risk of Algorithm 2, convex", ""},
    {"tao", theorem(7), "excess risk of Algorithm 2, strongly convex", ""},
    {"tao", theorem(8), "lower bound for strongly convex losses", ""},
    {"tao", theorem(9), "lower bound for convex losses", ""},
    {"tao", theorem(10), "privacy and excess risk of Algorithm 5 (sparse optimisation)", ""},
    {"tao", theorem(11), "lower bound over sparse vectors", ""},
    {"tao", lemma(1), "adaptive composition", ""},
    {"tao", lemma(2), "Laplace mechanism", ""},
    {"tao", lemma(3), "Gaussian mechanism", ""},
    {"tao", lemma(4), "tail of a Laplace variable", textbook},
    {"tao", lemma(5), "tail of a Gaussian variable", ""},
    {"tao", lemma(6), "Bernstein's inequality", ""},
    {"tao", lemma(7), "Chebyshev's inequality with 1 + v moments", textbook},
    {"tao", lemma(8), "Jensen's inequality", textbook},
    {"tao", lemma(9), "Hoelder's inequality", textbook},
    {"tao", lemma(10), "mean beyond a threshold", ""},
    {"tao", lemma(11), "moment of a sum (von Bahr and Esseen)", textbook},
    {"tao", lemma(12), "moment of a mean", ""},
    {"tao", lemma(13), "central moment against raw moment", ""},
    {"tao", lemma(14), "lower bound from a packing, under epsilon-DP", ""},
    {"tao", lemma(15), "lower bound from a packing, under concentrated DP", ""},
    {"tao", lemma(16), "lower bound from two distributions", ""},
    {"tao", lemma(17), "descent on inexact gradients, convex", ""},
    {"tao", lemma(18), "descent on inexact gradients, strongly convex", ""},
    {"tao", lemma(19), "bias and error of Algorithm 2's gradients, for all w", ""},
    {"tao", lemma(20), "bias and error of Algorithm 2's gradients, along its path", open},
    {"tao", lemma(21), "lower bound for a mean under epsilon-DP", ""},
    {"tao", lemma(22), "Algorithm 4 (Peeling) is (epsilon, delta)-DP", ""},
    {"tao", lemma(23), "what Peeling selects against what it leaves", ""},
    {"tao", lemma(24), "Peeling against the best sparse vector", ""},
    {"tao", lemma(25), "gradient against excess risk on the support", ""},
    {"tao", lemma(26), "tail of the largest of Laplace variables", ""},
    {"tao", lemma(27), "lower bound for a sparse mean", ""},
    {"tao", lemma(28), "packing of sparse sign vectors", textbook},
    {"tao", corollary(1), "Theorem 3 at the best threshold", ""},
    {"tao", remark(1), "Theorem 1 against earlier rates", discussion},
    {"tao", remark(2), "Theorem 3 against earlier estimators", discussion},
    {"tao", remark(3), "Theorem 10 against earlier rates", discussion},

    {"wang_xu", theorem(1), "privacy and excess risk of Algorithm 1 (second moment)", ""},
    {"wang_xu", theorem(2), "privacy and excess risk of Algorithm 2 (theta-th moment)", ""},
    {"wang_xu", lemma(1), "utility of the exponential mechanism", textbook},
    {"wang_xu", lemma(2), "covering number of a bounded set", ""},
    {"wang_xu", lemma(3), "excess risk of the minimiser without privacy", open},
    {"wang_xu", lemma(4), "the truncated risk from below", ""},
    {"wang_xu", lemma(5), "the truncated risk from above", ""},
    {"wang_xu", lemma(6), "excess risk of the best point of the grid", ""},
    {"wang_xu", lemma(7), "the truncated risk from below, theta-th moment", ""},
    {"wang_xu", lemma(8), "the truncated risk from above, theta-th moment", ""},
    {"wang_xu", lemma(9), "from the risk to the truncated risk of the best point of the grid", ""},
    {"wang_xu", lemma(10), "the truncated risk shifted by the grid's width", ""},
    {"wang_xu", remark(1), "Theorem 1 against earlier rates", discussion},

    {"su", theorem(1), "Algorithm 1 (objective perturbation) is (epsilon, delta)-DP", ""},
    {"su", theorem(2), "excess risk of Algorithm 1", ""},
    {"su", theorem(3), "Algorithm 2 (strongly convex) is (epsilon, delta)-DP", ""},
    {"su", theorem(4), "excess risk of Algorithm 2", ""},
    {"su", theorem(5), "lower bound for strongly convex losses", open},
    {"su", theorem(6), "Algorithm 3 (regularised mirror descent) is (epsilon, delta)-DP", ""},
    {"su", theorem(7), "excess risk of Algorithm 3", ""},
    {"su", theorem(8), "privacy and excess risk for p >= 2", open},
    {"su", theorem(9), "Algorithm 4 (shuffled mirror descent) is (epsilon, delta)-DP", ""},
    {"su", theorem(10), "excess risk of Algorithm 4", ""},
    {"su", theorem(11), "lower bound for the empirical risk", ""},
    {"su", theorem(12), "from private empirical risk to private population risk", open},
    {"su", theorem(13), "privacy and excess risk of Algorithm 6 (phased descent)", ""},
    {"su", theorem(14), "privacy and excess risk of Algorithm 7 (batched mirror descent)", ""},
    {"su", theorem(15), "excess risk of the method of Kamath et al. for p >= 2", ""},
    {"su", lemma(1), "advanced composition", ""},
    {"su", lemma(2), "(in the main text)", unseen},
    {"su", lemma(3), "generalised Gaussian mechanism", ""},
    {"su", lemma(4), "(in the main text)", unseen},
    {"su", lemma(5), "objective perturbation without approximation is private", ""},
    {"su", lemma(6), "excess empirical risk of objective perturbation", ""},
    {"su", lemma(7), "stability of a regularised minimiser", textbook},
    {"su", lemma(8), "generalisation of a stable algorithm", textbook},
    {"su", lemma(9), "sample complexity of the mean-point problem", textbook},
    {"su", lemma(10), "Euclidean norm against Minkowski norm", ""},
    {"su", lemma(11), "relative smoothness of a regularised function", textbook},
    {"su", lemma(12), "three-point property of a Bregman divergence", textbook},
    {"su", lemma(13), "distance of two minimisers", textbook},
    {"su", lemma(14), "privacy and excess risk of Algorithm 6 in the Euclidean norm", ""},
    {"su", lemma(15), "excess risk of the average of gradient descent", ""},
    {"su", lemma(16), "amplification by shuffling (Feldman et al.)", ""},
    {"su", lemma(17), "moments of a truncated gradient", ""},
    {"su", lemma(18), "Freedman's inequality", ""},
    {"su", lemma(19), "size of a truncated gradient", ""},
});

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

std::span<const NumberedResult> numbered_results() { return results; }

std::string_view paper_title(std::string_view paper) {
  if (paper == "hu") return name(Text::hu);
  if (paper == "tao") return name(Text::tao);
  if (paper == "wang_xu") return name(Text::wang_xu);
  if (paper == "su") return name(Text::su);
  throw std::logic_error("a paper without a title");
}

std::vector<Citation> citations(std::string_view where) {
  // After the plural a list of numbers, after the singular one.
  static const std::regex named(
      R"((proofs? of )?(Theorem|Lemma|Corollary|Remark)(?: (\d+)|s (\d+(?:(?:,| and|, and) \d+)*)))");
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
