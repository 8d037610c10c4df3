// What the claims and the command line of Algorithms 1 and 2 share. P holds the settings of one of
// them: zeta, radius, iota and epsilon as below, and theta, which for Algorithm 1 is a constant.
#pragma once

#include <source_location>
#include <string>

#include "algorithms/claims/accounting.hpp"
#include "algorithms/claims/family.hpp"
#include "algorithms/core/checked.hpp"
#include "algorithms/losses/losses.hpp"
#include "algorithms/problems/hard_laws.hpp"
#include "algorithms/wang_xu/l1_regression.hpp"

namespace dpverify::wang_xu {

template <class P>
Fields<P> l1_fields(const std::string& theorem) {
  return {field("zeta", &P::zeta)
              .range(0.5, 0.2, 1.0)
              .option("net distance, positive; auto: 1/n", positive),
          field("radius", &P::radius)
              .range(1.0, 0.5, 5.0, Scale::logarithmic)
              .option("of the Euclidean ball of candidates"),
          field("iota", &P::iota)
              .range(1.0, 1e-3, 10.0, Scale::logarithmic)
              .option("truncation: residuals count up to 1/iota; auto: " + theorem),
          field("epsilon", &P::epsilon)
              .range(1.0, 0.01, 10.0, Scale::logarithmic)
              .option("privacy parameter, positive", positive)};
}

template <class P>
L1RegressionParameters l1_parameters(const P& settings, Index dimension) {
  return {.net = ball_net(dimension, settings.radius, settings.zeta.value()),
          .iota = settings.iota.value(),
          .epsilon = settings.epsilon,
          .theta = settings.theta};
}

using L1Regression = VectorXd (*)(const Dataset&, const L1RegressionParameters&, Releases&);

template <class P>
Family<P> l1_family(const Fields<P>& fields, L1Regression algorithm, Edition edition) {
  return {fields,
          [=](const Dataset& data, const P& settings, Releases& releases) {
            L1RegressionParameters p = l1_parameters(settings, data.dimension());
            p.coefficient = edition;
            return algorithm(data, p, releases);
          },
          [](const P& settings) { return PrivacyGuarantee{.epsilon = settings.epsilon}; }};
}

// The drawing of a candidate, with the exponents of the proof's and of the exact sensitivity.
template <class P>
void add_l1_accounting(ClaimList& claims, const Fields<P>& fields, L1Regression algorithm,
                       const Source& of_proof, const Source& of_exact, const std::string& logarithm,
                       const std::string& name) {
  const auto stated = [&](Edition edition, const Source& source, const std::string& times) {
    return Accounting<P>{.edition = edition,
                         .source = source,
                         .releases = "The one selection of " + name +
                                     " with the exponent -n iota epsilon L(w)/(" + times + " " +
                                     logarithm + ")",
                         .in_words = "epsilon^2/8",
                         .rho = [](const P& p) { return p.epsilon * p.epsilon / 8; },
                         .features = 1};
  };
  add_accounting_alone<P>(claims, l1_family(fields, algorithm, Edition::proved),
                          stated(Edition::proved, of_proof, "4"));
  add_accounting<P>(claims, l1_family(fields, algorithm, Edition::corrected),
                    stated(Edition::corrected, of_exact, "2"));
}

// Records x = 1 and all labels 0, or all 1: of two laws no epsilon-DP mechanism can tell which.
inline void add_l1_floor(ClaimList& claims, L1Regression algorithm, double theta,
                         const std::string& name,
                         std::source_location stated = std::source_location::current()) {
  const HardLaws laws{.words = two_numbers(), .records = 60, .probability = 1, .size = 1};
  const PrivacyGuarantee hard{0.025, 0};
  const L1RegressionParameters p{
      .net = ball_net(1, 1, 1.0 / 60), .iota = 0.3, .epsilon = hard.epsilon, .theta = theta};
  add_floor(
      claims, "", name + " on x = 1 and these numbers as labels",
      "regression on a constant, by group privacy",
      estimation_floor(
          laws, hard,
          [=](const Dataset& data, Releases& releases) {
            return algorithm({Matrix::Ones(data.size(), 1), data.features.col(0)}, p, releases);
          }),
      stated);
}

// A run on the user's data: `theorem_iota` is what iota = auto means.
template <class P>
PreparedRun prepare_l1(const Family<P>& corrected, const std::string& id, const Dataset& data,
                       P settings, double theorem_iota) {
  require(data.dimension() <= 3, "number of features", static_cast<double>(data.dimension()),
          "1, 2 or 3 for this algorithm (its net grows as (1/zeta)^d)");
  settings.zeta = settings.zeta.value_or(1 / static_cast<double>(data.size()));
  settings.iota = settings.iota.value_or(theorem_iota);
  const L1RegressionParameters p = l1_parameters(settings, data.dimension());
  validate(p, data);
  PreparedRun run{.mechanism = corrected(settings),
                  .guarantee = corrected.guarantee(settings),
                  .guarantee_source = id + ".privacy.corrected",
                  .parameters = corrected.fields.texts(settings),
                  .empirical_risk = mean_loss(Loss::absolute),
                  .risk_name = mean_loss_name(Loss::absolute)};
  run.parameters.emplace_back("cells of the net", to_text(cell_count(std::get<BallNet>(p.net))));
  return run;
}

}  // namespace dpverify::wang_xu
