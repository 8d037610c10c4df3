#include "algorithms/core/planted_faults.hpp"

#include <cmath>
#include <type_traits>

namespace dpverify {
namespace {

class ScaledNoise final : public Releases {
 public:
  ScaledNoise(Releases& honest, double factor) : honest_(honest), factor_(factor) {}

 private:
  Outcome decide(const Law& law) override {
    return std::visit(
        [this](auto copy) -> Outcome {
          if constexpr (requires { copy.sensitivity; }) copy.sensitivity *= factor_;
          if constexpr (requires { copy.coefficient; }) copy.coefficient /= factor_;
          if constexpr (requires { copy.scale; }) copy.scale *= factor_;
          if constexpr (requires { copy.standard_deviation; }) copy.standard_deviation *= factor_;
          if constexpr (requires { honest_.select(copy); })
            return honest_.select(copy);
          else
            return honest_.release(copy);
        },
        law);
  }

  Releases& honest_;
  double factor_;
};

MechanismFamily with_noise_times(const MechanismFamily& honest,
                                 const std::function<double(const Dataset&)>& factor) {
  return [=](const ParameterPoint& point) { return with_noise_times(honest(point), factor); };
}

}  // namespace

Mechanism with_noise_times(Mechanism honest, std::function<double(const Dataset&)> factor) {
  return [honest = std::move(honest), factor = std::move(factor)](const Dataset& data,
                                                                  Releases& releases) {
    ScaledNoise scaled(releases, factor(data));
    return honest(data, scaled);
  };
}

void add_noise_mutants(ClaimList& claims, SensitivityClaim honest,
                       const std::vector<std::string>& assumptions) {
  const MechanismFamily family = honest.mechanism;
  honest.attained = false;
  if (honest.settings.size() > 1) honest.settings.resize(1);  // one is enough to be seen
  honest.mechanism = with_noise_times(family, [](const Dataset&) { return 0.5; });
  claims.add(
      "sensitivity.factor_2_lost", Edition::mutant, Expectation::refuted,
      {"this project", "planted fault: the noise is calibrated to half the sensitivity"},
      "The pre-noise values move by at most the declared sensitivity although that is halved.",
      assumptions, honest);
  honest.mechanism = with_noise_times(
      family, [](const Dataset& data) { return 1 + 1 / (1 + std::abs(data.features(0, 0))); });
  claims.add("sensitivity.noise_from_data", Edition::mutant, Expectation::refuted,
             {"this project", "planted fault: the noise depends on the first record"},
             "The pre-noise values move by at most the declared sensitivity, on which the records "
             "have no influence.",
             assumptions, honest);
}

}  // namespace dpverify
