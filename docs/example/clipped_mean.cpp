#include "algorithms/claims/claim_list.hpp"
#include "algorithms/claims/family.hpp"
#include "algorithms/estimators/clipping.hpp"

namespace dpverify::example {

struct Parameters {
  double epsilon = 1;
};

VectorXd clipped_mean(const Dataset& data, const Parameters& p, Releases& releases) {
  const double sensitivity = 1.0 / static_cast<double>(data.size());
  return releases.release(LaplaceNoise{clipped_entries(data.features, 1).colwise().mean(),
                                       sensitivity, sensitivity / p.epsilon});
}

const Family<Parameters> family{{field("epsilon", &Parameters::epsilon).range(1.0, 0.1, 10.0)},
                                clipped_mean,
                                [](const Parameters& p) { return PrivacyGuarantee{p.epsilon}; }};

std::vector<Claim> clipped_mean_claims() {
  ClaimList claims("example.clipped_mean");
  claims.add("privacy", Edition::printed, Expectation::holds, {Text::folklore, "Laplace mechanism"},
             "The mean of numbers clipped to [-1, 1], with this noise, is epsilon-DP.", {},
             family.privacy({{{}, 10, 1}}));
  return claims.take();
}

}  // namespace dpverify::example
