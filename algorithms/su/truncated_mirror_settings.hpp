// What the settings of claims on Algorithms 4 and 7, and their options, share. Settings P have the
// members named here.
#pragma once

#include <string>

#include "algorithms/claims/fields.hpp"
#include "algorithms/losses/losses.hpp"

namespace dpverify::su {

// Without the privacy parameters. Claims call three of the parameters by the text's letters.
// `theorem`: what sets those that a user leaves out.
template <class P>
Fields<P> truncated_mirror_fields(const std::string& theorem) {
  return {
      field("loss", &P::loss, loss_choices())
          .range(Loss::squared, Loss::squared, Loss::pseudo_huber)
          .option(loss_help),
      field("p", &P::p)
          .range(2.0, 1.01, 2.0)
          .option("in (1, 2]: w is measured in l_p, gradients in the dual norm"),
      field("radius", &P::radius)
          .range(1.0, 0.1, 10.0, Scale::logarithmic)
          .option("of the ball that w stays in"),
      field("beta", &P::smoothness).range(0.0, 0.0, 10.0),
      field("smoothness", &P::smoothness).option("beta of the risk: a public guess"),
      field("sigma", &P::sigma)
          .option("bound of the gradient's deviation: a public guess", positive),
      field("lambda", &P::truncation).range(1.0, 0.01, 100.0, Scale::logarithmic),
      field("truncation", &P::truncation).option("lambda, positive; auto: " + theorem, positive),
      field("batches", &P::batches)
          .range(1, 1, 4)
          .option("T, 1 to n; auto: " + theorem, at_least_one),
      field("gamma", &P::proximity).range(1.0, 0.01, 100.0, Scale::logarithmic),
      field("proximity", &P::proximity).option("gamma, positive; auto: sqrt T", positive)};
}

// Parameters of the algorithm, privacy and edition apart.
template <class Parameters, class P>
Parameters truncated_mirror_parameters(const P& settings) {
  return {.loss = settings.loss,
          .p = settings.p,
          .radius = settings.radius,
          .smoothness = settings.smoothness,
          .truncation = settings.truncation.value(),
          .batches = settings.batches.value(),
          .proximity = settings.proximity.value()};
}

// Puts the theorem's parameters where `settings` leave them out.
template <class P, class Parameters>
void complete(P& settings, const Parameters& theorem) {
  settings.truncation = settings.truncation.value_or(theorem.truncation);
  settings.batches = settings.batches.value_or(theorem.batches);
  settings.proximity = settings.proximity.value_or(theorem.proximity);
}

// The absolute loss, whose gradients can meet the threshold exactly.
template <class P>
P absolute_loss(double p, Index batches) {
  return {.loss = Loss::absolute,
          .p = p,
          .smoothness = 0,
          .truncation = 3e6,
          .batches = batches,
          .proximity = 1};
}

}  // namespace dpverify::su
