#include "algorithms/registry.hpp"

#include <algorithm>

#include "algorithms/findings.hpp"
#include "algorithms/hu/dp_frank_wolfe.hpp"
#include "algorithms/hu/peeling.hpp"
#include "algorithms/hu/private_lasso.hpp"
#include "algorithms/hu/robust_regression.hpp"
#include "algorithms/hu/sparse_linear_regression.hpp"
#include "algorithms/hu/sparse_optimization.hpp"
#include "algorithms/su/approximate_objective_perturbation.hpp"
#include "algorithms/su/batched_mirror_descent.hpp"
#include "algorithms/su/kamath_sco.hpp"
#include "algorithms/su/objective_perturbation.hpp"
#include "algorithms/su/phased_sgd.hpp"
#include "algorithms/su/regularized_mirror_descent.hpp"
#include "algorithms/su/shuffled_mirror_descent.hpp"
#include "algorithms/tao/dp_sco.hpp"
#include "algorithms/tao/median_of_means.hpp"
#include "algorithms/tao/peeling.hpp"
#include "algorithms/tao/sco_framework.hpp"
#include "algorithms/tao/sparse_optimization.hpp"
#include "algorithms/tao/truncated_mean.hpp"
#include "algorithms/wang_xu/l1_regression_second_moment.hpp"
#include "algorithms/wang_xu/l1_regression_theta_moment.hpp"

namespace dpverify {

const std::vector<Algorithm>& algorithms() {
  static const std::vector<Algorithm> all{
      hu::dp_frank_wolfe_algorithm(),
      hu::robust_regression_algorithm(),
      hu::private_lasso_algorithm(),
      hu::peeling_algorithm(),
      hu::sparse_linear_regression_algorithm(),
      hu::sparse_optimization_algorithm(),
      tao::truncated_mean_algorithm(),
      tao::dp_sco_algorithm(),
      tao::median_of_means_algorithm(),
      tao::peeling_algorithm(),
      tao::sparse_optimization_algorithm(),
      tao::sco_framework_algorithm(),
      wang_xu::l1_regression_second_moment_algorithm(),
      wang_xu::l1_regression_theta_moment_algorithm(),
      su::objective_perturbation_algorithm(),
      su::approximate_objective_perturbation_algorithm(),
      su::approximate_objective_perturbation_strongly_convex_algorithm(),
      su::phased_sgd_algorithm(),
      su::regularized_mirror_algorithm(),
      su::batched_mirror_algorithm(),
      su::kamath_sco_algorithm(),
      su::shuffled_mirror_algorithm(),
  };
  return all;
}

const std::vector<Claim>& claims() {
  static const std::vector<Claim> all = [] {
    std::vector<Claim> out;
    for (const Algorithm& algorithm : algorithms())
      for (Claim& claim : algorithm.claims()) out.push_back(std::move(claim));
    std::sort(out.begin(), out.end(), [](const Claim& a, const Claim& b) { return a.id < b.id; });
    const auto same = std::adjacent_find(
        out.begin(), out.end(), [](const Claim& a, const Claim& b) { return a.id == b.id; });
    if (same != out.end()) throw std::logic_error("two claims share the id " + same->id);
    attach_findings(out);
    return out;
  }();
  return all;
}

}  // namespace dpverify
