#include "algorithms/claims/planted_faults.hpp"

#include <cmath>

namespace dpverify {
namespace {

// Asks `releases` for the law, by its own type.
Outcome ask(Releases& releases, const FiniteLaw auto& law) { return releases.select(law); }
Outcome ask(Releases& releases, const ContinuousLaw auto& law) { return releases.release(law); }

// What a law with scaled noise declares as its sensitivity.
enum class Sensitivity { scaled, kept };

class ScaledNoise final : public Releases {
 public:
  ScaledNoise(Releases& honest, double factor, Sensitivity sensitivity)
      : honest_(honest), factor_(factor), sensitivity_(sensitivity) {}

 private:
  Outcome decide(const Law& law) override {
    return std::visit(
        [this](const auto& own) {
          auto scaled = own.with_noise_times(factor_);
          if constexpr (requires { scaled.sensitivity = own.sensitivity; })
            if (sensitivity_ == Sensitivity::kept) scaled.sensitivity = own.sensitivity;
          return ask(honest_, scaled);
        },
        law);
  }

  Releases& honest_;
  double factor_;
  Sensitivity sensitivity_;
};

// Answers the first release that reads the data, or all of them, without the honest releases'
// knowledge: from noise that is missing, or the same in every run.
class Unnoticed final : public Releases {
 public:
  enum class Noise { none_once, same_always };
  Unnoticed(Releases& honest, Noise noise) : honest_(honest), noise_(noise) {}

 private:
  Outcome decide(const Law& law) override {
    const bool reads_data = declared_cost(law).epsilon > 0;
    if (noise_ == Noise::same_always) return sample(law, stale_);
    if (reads_data && !done_) {
      done_ = true;
      return noiseless_outcome(law);
    }
    return std::visit([this](const auto& own) { return ask(honest_, own); }, law);
  }

  Releases& honest_;
  Noise noise_;
  RandomStream stale_{{.claim = "stale seed", .purpose = "releases"}};
  bool done_ = false;
};

Mechanism unnoticed(const Mechanism& honest, Unnoticed::Noise noise) {
  return [=](const Dataset& data, Releases& releases) {
    Unnoticed faulty(releases, noise);
    return honest(data, faulty);
  };
}

Mechanism plus_label(const Mechanism& honest) {
  return [=](const Dataset& data, Releases& releases) {
    VectorXd output = honest(data, releases);
    output[0] += data.labels[0];
    return output;
  };
}

Mechanism record_twice(const Mechanism& honest) {
  return [=](const Dataset& data, Releases& releases) {
    if (data.size() < 2) return honest(data, releases);
    Dataset copied = data;
    copied.features.row(1) = data.features.row(0);
    copied.labels[1] = data.labels[0];
    return honest(copied, releases);
  };
}

}  // namespace

Mechanism with_noise_times(Mechanism honest, std::function<double(const Dataset&)> factor) {
  return [honest = std::move(honest), factor = std::move(factor)](const Dataset& data,
                                                                  Releases& releases) {
    ScaledNoise scaled(releases, factor(data), Sensitivity::scaled);
    return honest(data, scaled);
  };
}

Mechanism with_noise_alone_times(Mechanism honest, double factor) {
  return [honest = std::move(honest), factor](const Dataset& data, Releases& releases) {
    ScaledNoise scaled(releases, factor, Sensitivity::kept);
    return honest(data, scaled);
  };
}

Mechanism without_noise(Mechanism honest) {
  return [honest = std::move(honest)](const Dataset& data, Releases&) {
    NoiselessReleases noiseless;
    return honest(data, noiseless);
  };
}

void add_mutants(ClaimList& claims, SensitivityClaim honest,
                 const std::vector<std::string>& assumptions, bool releases_are_shared,
                 std::source_location stated) {
  honest.attained = false;
  // Two searches: one of them may end on a pair that the fault does not touch.
  if (honest.settings.size() > 2) honest.settings.resize(2);
  const auto add = [&](const std::string& what, const std::string& fault,
                       const std::function<Mechanism(const Mechanism&)>& plant) {
    SensitivityClaim faulty = honest;
    faulty.mechanism = [family = honest.mechanism, plant](const ParameterPoint& point) {
      return plant(family(point));
    };
    claims.add("sensitivity." + what, Edition::mutant, Expectation::refuted,
               {Text::this_project, "planted fault"},
               "The pre-noise values move by at most the declared sensitivity and nothing else of "
               "the records reaches the output, although " +
                   fault + ".",
               assumptions, faulty, stated);
  };
  add("factor_2_lost", "the noise is calibrated to half the sensitivity",
      [](const Mechanism& m) { return with_noise_times(m, [](const Dataset&) { return 0.5; }); });
  add("noise_from_data", "the noise depends on the first record", [](const Mechanism& m) {
    return with_noise_times(
        m, [](const Dataset& data) { return 1 + 1 / (1 + std::abs(data.features(0, 0))); });
  });
  add("value_without_noise", "the first release gets no noise",
      [](const Mechanism& m) { return unnoticed(m, Unnoticed::Noise::none_once); });
  add("stale_seed", "every run draws the same noise",
      [](const Mechanism& m) { return unnoticed(m, Unnoticed::Noise::same_always); });
  add("constant_from_data", "the first label is added to the output", plus_label);
  if (releases_are_shared)
    add("record_twice", "the first record also takes the place of the second", record_twice);
}

}  // namespace dpverify
