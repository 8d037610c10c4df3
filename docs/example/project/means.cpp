#include "means.hpp"

namespace means {
namespace {

using namespace dpverify;

struct Settings {
  double epsilon = 1;
};

VectorXd noisy_mean(const Dataset& data, double sensitivity, double epsilon, Releases& releases) {
  return releases.release(LaplaceNoise{clipped_entries(data.features, 1).colwise().mean(),
                                       sensitivity, sensitivity / epsilon});
}

VectorXd mean(const Dataset& data, const Settings& p, Releases& releases) {
  return noisy_mean(data, 2.0 / static_cast<double>(data.size()), p.epsilon, releases);
}

// Takes one record to move a mean in [-1, 1] by 1/n.
VectorXd hasty_mean(const Dataset& data, const Settings& p, Releases& releases) {
  return noisy_mean(data, 1.0 / static_cast<double>(data.size()), p.epsilon, releases);
}

const Family<Settings> family{
    .fields = {field("epsilon", &Settings::epsilon)
                   .range(1.0, 0.1, 10.0)
                   .option("privacy parameter, positive", positive)},
    .run = mean,
    .guarantee = [](const Settings& p) { return PrivacyGuarantee{p.epsilon}; }};

std::vector<Claim> claims(const std::string& algorithm, const Family<Settings>& mechanism) {
  using enum Edition;
  using enum Expectation;
  const Source source{Text::folklore, "Laplace mechanism"};
  ClaimList out(algorithm);
  out.add("sensitivity", printed, holds, source,
          "One record moves the clipped mean by at most what the noise allows for.", {},
          mechanism.sensitivity({1, 1}, {{{}, 3, 1}}));
  out.add("privacy", printed, holds, source, "The clipped mean with Laplace noise is epsilon-DP.",
          {}, mechanism.privacy({{{}, 3, 1}}));
  return out.take();
}

}  // namespace

std::vector<Claim> claims_of_the_mean() { return claims("means.mean", family); }

std::vector<Claim> claims_of_the_hasty_mean() {
  return claims("means.hasty_mean", family.running(hasty_mean));
}

Algorithm mean_algorithm() {
  const auto prepare = [](const Dataset&, const Settings& settings) {
    return PreparedRun{.mechanism = family(settings),
                       .guarantee = family.guarantee(settings),
                       .guarantee_source = "means.mean.privacy.printed",
                       .parameters = family.fields.texts(settings),
                       .empirical_risk =
                           [](const DataView& data, const VectorXd& w) {
                             return (data.features.colwise().mean().transpose() - w).norm();
                           },
                       .risk_name = "distance to the mean"};
  };
  return algorithm("means.mean", "private mean of features in [-1, 1], epsilon-DP", "folklore",
                   family.fields, prepare, claims_of_the_mean);
}

}  // namespace means
