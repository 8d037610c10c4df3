#include "algorithms/numbered_results.hpp"

#include <array>

namespace dpverify {
namespace {

constexpr ResultNumber theorem(int number) { return {ResultKind::theorem, number}; }
constexpr ResultNumber lemma(int number) { return {ResultKind::lemma, number}; }
constexpr ResultNumber corollary(int number) { return {ResultKind::corollary, number}; }
constexpr ResultNumber remark(int number) { return {ResultKind::remark, number}; }

constexpr std::string_view discussion =
    "compares bounds of other papers; says nothing that a run could show false";

constexpr std::string_view textbook = "a fact of other works, used as they state it";
constexpr std::string_view unseen =
    "its text was not at hand, and no proof of the supplement uses it";

constexpr auto hu_results = std::to_array<NumberedResult>({
    {theorem(1), "Algorithm 1 (Frank-Wolfe) is epsilon-DP", ""},
    {theorem(2), "excess risk of Algorithm 1 over a polytope", ""},
    {theorem(3), "excess risk of Algorithm 1 for robust regression", ""},
    {theorem(4), "Algorithm 2 (LASSO) is (epsilon, delta)-DP", ""},
    {theorem(5), "excess risk of Algorithm 2", ""},
    {theorem(6), "Algorithm 3 (sparse linear regression) is (epsilon, delta)-DP", ""},
    {theorem(7), "excess risk of Algorithm 3", ""},
    {theorem(8), "privacy and excess risk of Algorithm 5 (sparse optimisation)", ""},
    {theorem(9), "lower bound for the mean of heavy-tailed sparse data", ""},
    {lemma(1), "utility of the exponential mechanism", ""},
    {lemma(2), "advanced composition", ""},
    {lemma(3), "lower bound from a packing, under (epsilon, delta)-DP", ""},
    {lemma(4), "error of the smoothed truncated mean", ""},
    {lemma(5), "accuracy of one private Frank-Wolfe step", ""},
    {lemma(6), "convergence of Frank-Wolfe with inexact steps", ""},
    {lemma(7), "gradient domination of the robust loss", ""},
    {lemma(8), "error of the truncated gradient over the ball", ""},
    {lemma(9), "Bernstein's inequality with a universal constant", ""},
    {lemma(10), "Algorithm 4 (Peeling) is (epsilon, delta)-DP", ""},
    {lemma(11), "packing of sparse sign vectors", ""},
    {lemma(12), "what Peeling selects against what it leaves", ""},
    {lemma(13), "Peeling against the best sparse vector", ""},
    {lemma(14), "gradient against excess risk on the support", ""},
    {lemma(15), "tail of the largest of Laplace variables", ""},
    {corollary(1), "Theorem 2 for the LASSO", ""},
    {remark(1), "Theorem 2 against earlier rates, which grow as d", discussion},
    {remark(2), "Assumption 3 is weaker than Assumption 1", ""},
    {remark(3), "Theorem 7 against the rates of sub-Gaussian data", discussion},
    {remark(4), "Theorem 8 against Theorem 7", discussion},
});

constexpr auto tao_results = std::to_array<NumberedResult>({
    {theorem(1), "privacy and error of Algorithm 1 (truncated mean)", ""},
    {theorem(2), "lower bound for a mean with 1 + v moments", ""},
    {theorem(3), "privacy and error of Algorithm 3 (median of means)", ""},
    {theorem(4), "tail of an empirical mean with 1 + v moments", ""},
    {theorem(5), "Algorithm 2 (stochastic optimisation) is (epsilon, delta)-DP", ""},
    {theorem(6), "excess risk of Algorithm 2, convex", ""},
    {theorem(7), "excess risk of Algorithm 2, strongly convex", ""},
    {theorem(8), "lower bound for strongly convex losses", ""},
    {theorem(9), "lower bound for convex losses", ""},
    {theorem(10), "privacy and excess risk of Algorithm 5 (sparse optimisation)", ""},
    {theorem(11), "lower bound over sparse vectors", ""},
    {lemma(1), "adaptive composition", ""},
    {lemma(2), "Laplace mechanism", ""},
    {lemma(3), "Gaussian mechanism", ""},
    {lemma(4), "tail of a Laplace variable", textbook},
    {lemma(5), "tail of a Gaussian variable", ""},
    {lemma(6), "Bernstein's inequality", ""},
    {lemma(7), "Chebyshev's inequality with 1 + v moments", textbook},
    {lemma(8), "Jensen's inequality", textbook},
    {lemma(9), "Hoelder's inequality", textbook},
    {lemma(10), "mean beyond a threshold", ""},
    {lemma(11), "moment of a sum (von Bahr and Esseen)", textbook},
    {lemma(12), "moment of a mean", ""},
    {lemma(13), "central moment against raw moment", ""},
    {lemma(14), "lower bound from a packing, under epsilon-DP", ""},
    {lemma(15), "lower bound from a packing, under concentrated DP", ""},
    {lemma(16), "lower bound from two distributions", ""},
    {lemma(17), "descent on inexact gradients, convex", ""},
    {lemma(18), "descent on inexact gradients, strongly convex", ""},
    {lemma(19), "bias and error of Algorithm 2's gradients, for all w", ""},
    {lemma(20), "bias and error of Algorithm 2's gradients, along its path", ""},
    {lemma(21), "lower bound for a mean under epsilon-DP", ""},
    {lemma(22), "Algorithm 4 (Peeling) is (epsilon, delta)-DP", ""},
    {lemma(23), "what Peeling selects against what it leaves", ""},
    {lemma(24), "Peeling against the best sparse vector", ""},
    {lemma(25), "gradient against excess risk on the support", ""},
    {lemma(26), "tail of the largest of Laplace variables", ""},
    {lemma(27), "lower bound for a sparse mean", ""},
    {lemma(28), "packing of sparse sign vectors", textbook},
    {corollary(1), "Theorem 3 at the best threshold", ""},
    {remark(1), "Theorem 1 against earlier rates", discussion},
    {remark(2), "Theorem 3 against earlier estimators", discussion},
    {remark(3), "Theorem 10 against earlier rates", discussion},
});

constexpr auto wang_xu_results = std::to_array<NumberedResult>({
    {theorem(1), "privacy and excess risk of Algorithm 1 (second moment)", ""},
    {theorem(2), "privacy and excess risk of Algorithm 2 (theta-th moment)", ""},
    {lemma(1), "utility of the exponential mechanism", textbook},
    {lemma(2), "covering number of a bounded set", ""},
    {lemma(3), "excess risk of the minimiser without privacy",
     "quoted from another paper; its steps are Lemmas 4 to 6"},
    {lemma(4), "the truncated risk from below", ""},
    {lemma(5), "the truncated risk from above", ""},
    {lemma(6), "excess risk of the best point of the grid", ""},
    {lemma(7), "the truncated risk from below, theta-th moment", ""},
    {lemma(8), "the truncated risk from above, theta-th moment", ""},
    {lemma(9), "from the risk to the truncated risk of the best point of the grid", ""},
    {lemma(10), "the truncated risk shifted by the grid's width", ""},
    {remark(1), "Theorem 1 against earlier rates", discussion},
});

constexpr auto su_results = std::to_array<NumberedResult>({
    {theorem(1), "Algorithm 1 (objective perturbation) is (epsilon, delta)-DP", ""},
    {theorem(2), "excess risk of Algorithm 1", ""},
    {theorem(3), "Algorithm 2 (strongly convex) is (epsilon, delta)-DP", ""},
    {theorem(4), "excess risk of Algorithm 2", ""},
    {theorem(5), "lower bound for strongly convex losses", ""},
    {theorem(6), "Algorithm 3 (regularised mirror descent) is (epsilon, delta)-DP", ""},
    {theorem(7), "excess risk of Algorithm 3", ""},
    {theorem(8), "privacy and excess risk for p >= 2", ""},
    {theorem(9), "Algorithm 4 (shuffled mirror descent) is (epsilon, delta)-DP", ""},
    {theorem(10), "excess risk of Algorithm 4", ""},
    {theorem(11), "lower bound for the empirical risk", ""},
    {theorem(12), "from private empirical risk to private population risk", ""},
    {theorem(13), "privacy and excess risk of Algorithm 6 (phased descent)", ""},
    {theorem(14), "privacy and excess risk of Algorithm 7 (batched mirror descent)", ""},
    {theorem(15), "excess risk of the method of Kamath et al. for p >= 2", ""},
    {lemma(1), "advanced composition", ""},
    {lemma(2), "(in the main text)", unseen},
    {lemma(3), "generalised Gaussian mechanism", ""},
    {lemma(4), "(in the main text)", unseen},
    {lemma(5), "objective perturbation without approximation is private", ""},
    {lemma(6), "excess empirical risk of objective perturbation", ""},
    {lemma(7), "stability of a regularised minimiser", textbook},
    {lemma(8), "generalisation of a stable algorithm", textbook},
    {lemma(9), "sample complexity of the mean-point problem", textbook},
    {lemma(10), "Euclidean norm against Minkowski norm", ""},
    {lemma(11), "relative smoothness of a regularised function", ""},
    {lemma(12), "three-point property of a Bregman divergence", ""},
    {lemma(13), "distance of two minimisers", ""},
    {lemma(14), "privacy and excess risk of Algorithm 6 in the Euclidean norm", ""},
    {lemma(15), "excess risk of the average of gradient descent", ""},
    {lemma(16), "amplification by shuffling (Feldman et al.)", ""},
    {lemma(17), "moments of a truncated gradient", ""},
    {lemma(18), "Freedman's inequality", ""},
    {lemma(19), "size of a truncated gradient", ""},
});

constexpr std::array<NumberedPaper, 4> papers{{{"hu", Text::hu, hu_results},
                                               {"tao", Text::tao, tao_results},
                                               {"wang_xu", Text::wang_xu, wang_xu_results},
                                               {"su", Text::su, su_results}}};

}  // namespace

std::span<const NumberedPaper> numbered_papers() { return papers; }

}  // namespace dpverify
