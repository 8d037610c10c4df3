// Losses of a linear model: l(w, (x, y)) depends on w through the prediction p = <x, w> alone.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "algorithms/core/dataset.hpp"

namespace dpverify {

//   squared:  (p - y)^2
//   logistic: log(1 + exp(-y p)), y in {-1, +1}
//   absolute: |p - y|
// and, of the residual r = p - y, three losses that outliers move little:
//   biweight:      (1 - (1 - r^2)^3)/6 for |r| <= 1, 1/6 beyond (Tukey)
//   geman_mcclure: r^2/(2 (1 + r^2))
//   pseudo_huber:  sqrt(1 + r^2) - 1; convex
// Their tuning constant c is 1. Another c is a change of units: features and labels divided by c
// give the loss with constant c, divided by c^2.
enum class Loss { squared, logistic, absolute, biweight, geman_mcclure, pseudo_huber };

std::string_view name(Loss loss);
// Every loss by its name, and a list of the names in words.
std::vector<std::pair<std::string, Loss>> loss_choices();
inline constexpr const char* loss_help =
    "squared, logistic (labels -1 and 1), absolute, biweight, geman_mcclure or pseudo_huber";

double loss_value(Loss loss, double prediction, double label);
// d/dp; the subgradient 0 at the kink of the absolute loss.
double loss_derivative(Loss loss, double prediction, double label);
// d^2/dp^2 where it exists: 0 for the absolute loss and on the corners of the biweight loss.
double loss_second_derivative(Loss loss, double prediction, double label);

// m x d: row i is the gradient in w of the loss of record i.
Matrix gradients(Loss loss, const VectorXd& w, const DataView& data);

// (1/m) sum of the losses: computed from the data without noise, so not private.
double empirical_risk(Loss loss, const VectorXd& w, const DataView& data);
// The same as a function of records and w, and its name: "mean squared loss".
std::function<double(const DataView&, const VectorXd&)> mean_loss(Loss loss);
std::string mean_loss_name(Loss loss);
// (1/m) sum of ||x - w||^2, x the features: not private either.
double mean_squared_distance(const DataView& data, const VectorXd& w);

// Throws std::invalid_argument if a label is outside the loss's domain.
void validate_labels(Loss loss, const DataView& data);

}  // namespace dpverify
