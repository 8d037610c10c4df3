#include "audits/must_catch/must_catch.hpp"

#include <fmt/format.h>

#include "algorithms/claims/claim_list.hpp"
#include "audits/must_catch/row.hpp"

namespace dpverify {
namespace must_catch {
namespace {

Dataset dataset(const std::vector<std::vector<double>>& rows, const std::vector<double>& labels) {
  const auto n = static_cast<Index>(rows.size());
  const auto d = static_cast<Index>(rows.front().size());
  Dataset out{Matrix(n, d), VectorXd(n)};
  for (Index i = 0; i < n; ++i) {
    const auto k = static_cast<std::size_t>(i);
    out.features.row(i) = Eigen::Map<const Eigen::RowVectorXd>(rows[k].data(), d);
    out.labels[i] = labels[k];
  }
  return out;
}

PrivacyClaim claim_on(const Row& row, const Mechanism& mechanism) {
  return {.mechanism = [mechanism](const ParameterPoint&) { return mechanism; },
          .guarantee = [guarantee = row.guarantee](const ParameterPoint&) { return guarantee; },
          .settings = {{{}, row.pair.data.size(), row.pair.data.dimension()}},
          .certified = {},
          .pair = row.pair,
          .bits = row.bits};
}

}  // namespace

NeighbouringPair feature_rows(const std::vector<std::vector<double>>& data,
                              const std::vector<std::vector<double>>& neighbour) {
  return {dataset(data, std::vector<double>(data.size())),
          dataset(neighbour, std::vector<double>(neighbour.size())),
          static_cast<Index>(data.size()) - 1};
}

NeighbouringPair label_lists(const std::vector<double>& data,
                             const std::vector<double>& neighbour) {
  return {dataset(std::vector<std::vector<double>>(data.size(), {0.0}), data),
          dataset(std::vector<std::vector<double>>(neighbour.size(), {0.0}), neighbour),
          static_cast<Index>(data.size()) - 1};
}

}  // namespace must_catch

std::vector<Claim> must_catch_claims() {
  std::vector<Claim> claims;
  for (auto* rows : {must_catch::sparse_vector_rows, must_catch::selection_rows,
                     must_catch::sum_rows, must_catch::glue_rows, must_catch::batch_rows})
    for (must_catch::Row& row : rows()) {
      ClaimList list("must_catch." + row.name);
      const std::string guarantee = fmt::format("({:.4g}, {:.4g})-differentially private",
                                                row.guarantee.epsilon, row.guarantee.delta);
      const std::vector<std::string> pair{"neighbours as in the given pair"};
      list.add("privacy", Edition::mutant, Expectation::refuted, row.source,
               fmt::format("The mechanism is {}, although {}.", guarantee, row.fault), pair,
               must_catch::claim_on(row, row.broken));
      list.add("privacy", Edition::corrected, Expectation::holds, row.source,
               fmt::format("The mechanism is {}, without the fault that {}.", guarantee, row.fault),
               pair, must_catch::claim_on(row, row.twin));
      for (Claim& claim : list.take()) claims.push_back(std::move(claim));
    }
  return claims;
}

}  // namespace dpverify
