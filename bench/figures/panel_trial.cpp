#include "bench/figures/panel_trial.hpp"

#include <fmt/format.h>

#include <cmath>
#include <optional>
#include <stdexcept>

namespace dpverify::figures {
namespace {

NoiseAndSignal noise_and_signal(const Law& law) {
  if (const auto* exponential = std::get_if<ExponentialMechanism>(&law))
    return {std::log(static_cast<double>(exponential->scores.size())) / exponential->coefficient,
            exponential->scores.maxCoeff() - exponential->scores.mean()};
  if (const auto* noisy = std::get_if<NoisyMax>(&law))
    return {noisy->scale * std::log(static_cast<double>(noisy->scores.size())),
            noisy->scores.maxCoeff()};
  if (const auto* laplace = std::get_if<LaplaceNoise>(&law))
    return {laplace->scale, laplace->value.lpNorm<Eigen::Infinity>()};
  if (const auto* gaussian = std::get_if<GaussianNoise>(&law))
    return {gaussian->standard_deviation, gaussian->value.lpNorm<Eigen::Infinity>()};
  throw std::logic_error("no size of the noise is defined for a release of the law " +
                         law_name(law));
}

// Draws from each law, and keeps how noisy the first release was.
class MeasuringReleases final : public Releases {
 public:
  explicit MeasuringReleases(const RandomStream& stream) : stream_(stream) {}
  std::optional<NoiseAndSignal> first;

 private:
  Outcome decide(const Law& law) override {
    if (!first) first = noise_and_signal(law);
    return sample(law, stream_);
  }
  RandomStream stream_;
};

}  // namespace

PanelTrial::PanelTrial(const Panel& panel, const Setting& at, std::uint64_t seed,
                       std::uint64_t number)
    : shape_(at),
      words_(fmt::format("n={} d={} s={}", at.records, at.dimension, at.sparsity)),
      streams_(seed, panel.id, number),
      problem_(panel.problem),
      instance_([&] {
        RandomStream stream = streams_("data " + words_);
        return problem_.draw(at, stream);
      }()),
      error_([this](const VectorXd& w) { return problem_.excess_risk(instance_, w); }),
      trial_(instance_.data, error_, at.dimension) {}

Setting PanelTrial::at(double epsilon) const {
  Setting setting = shape_;
  setting.epsilon = epsilon;
  return setting;
}

RandomStream PanelTrial::stream(const char* what, const Method& method, double epsilon) const {
  return streams_(fmt::format("{} {} {} epsilon={}", what, method.name, words_, epsilon));
}

double PanelTrial::run(const Method& method, double epsilon, NoiseAndSignal* first) const {
  MeasuringReleases releases(stream("releases", method, epsilon));
  const double error = trial_.run(method.make(at(epsilon), instance_), releases);
  if (first != nullptr && releases.first) *first = *releases.first;
  return error;
}

double PanelTrial::noiseless(const Method& method, double epsilon) const {
  return trial_.non_private(method.make(at(epsilon), instance_));
}

double PanelTrial::data_free(const Method& method, double epsilon) const {
  return trial_.data_free(method.make(at(epsilon), instance_),
                          stream("data-free releases", method, epsilon));
}

}  // namespace dpverify::figures
