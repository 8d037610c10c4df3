#include "algorithms/claims/accounting.hpp"

namespace dpverify {
namespace {

class LessNoise final : public Releases {
 public:
  LessNoise(Releases& honest, double factor) : honest_(honest), factor_(factor) {}

 private:
  Outcome decide(const Law& law) override {
    return std::visit(
        [this](const auto& own) -> Outcome {
          auto scaled = own.with_noise_times(factor_);
          if constexpr (requires { scaled.sensitivity = own.sensitivity; })
            scaled.sensitivity = own.sensitivity;
          if constexpr (FiniteLaw<decltype(scaled)>)
            return honest_.select(scaled);
          else
            return honest_.release(scaled);
        },
        law);
  }

  Releases& honest_;
  double factor_;
};

}  // namespace

Mechanism with_noise_alone_times(Mechanism honest, double factor) {
  return [honest = std::move(honest), factor](const Dataset& data, Releases& releases) {
    LessNoise scaled(releases, factor);
    return honest(data, scaled);
  };
}

double declared_rho(const Mechanism& mechanism, Index features) {
  const Dataset zeros{Matrix::Zero(12, features), VectorXd::Zero(12)};
  const Transcript transcript =
      record(mechanism, zeros, RandomStream({.claim = "accounting", .purpose = "outcomes"}));
  double rho = 0;
  for (const TranscriptEntry& entry : transcript.entries) rho += declared_cost(entry.law).rho;
  return rho;
}

}  // namespace dpverify
