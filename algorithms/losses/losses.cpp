#include "algorithms/losses/losses.hpp"

#include <array>
#include <cmath>

#include "algorithms/core/checked.hpp"

namespace dpverify {
namespace {

constexpr std::array<std::string_view, 3> names{"squared", "logistic", "absolute"};

void require_length(const VectorXd& w, const DataView& data) {
  require(w.size() == data.dimension(), "length of w", static_cast<double>(w.size()),
          "the number of features, " + std::to_string(data.dimension()));
}

}  // namespace

std::string_view name(Loss loss) { return names[static_cast<std::size_t>(loss)]; }

Loss loss_from_name(std::string_view text) {
  for (const Loss loss : {Loss::squared, Loss::logistic, Loss::absolute})
    if (name(loss) == text) return loss;
  require(false, "loss", text, "squared, logistic or absolute");
  return Loss::squared;
}

double loss_value(Loss loss, double p, double y) {
  switch (loss) {
    case Loss::squared:
      return (p - y) * (p - y);
    case Loss::logistic: {
      const double margin = y * p;  // log(1 + e^-margin) without overflow for either sign
      return std::max(-margin, 0.0) + std::log1p(std::exp(-std::abs(margin)));
    }
    case Loss::absolute:
      return std::abs(p - y);
  }
  return 0;
}

double loss_derivative(Loss loss, double p, double y) {
  switch (loss) {
    case Loss::squared:
      return 2 * (p - y);
    case Loss::logistic:
      return -y / (1 + std::exp(y * p));
    case Loss::absolute:
      return p > y ? 1 : p < y ? -1 : 0;
  }
  return 0;
}

Matrix gradients(Loss loss, const VectorXd& w, const DataView& data) {
  require_length(w, data);
  Matrix out = data.features;
  const VectorXd predictions = data.features * w;
  for (Index i = 0; i < data.size(); ++i)
    out.row(i) *= loss_derivative(loss, predictions[i], data.labels[i]);
  return out;
}

double empirical_risk(Loss loss, const VectorXd& w, const DataView& data) {
  require_length(w, data);
  const VectorXd predictions = data.features * w;
  double sum = 0;
  for (Index i = 0; i < data.size(); ++i) sum += loss_value(loss, predictions[i], data.labels[i]);
  return sum / static_cast<double>(data.size());
}

void validate_labels(Loss loss, const DataView& data) {
  if (loss != Loss::logistic) return;
  for (Index i = 0; i < data.size(); ++i)
    require(std::abs(data.labels[i]) == 1, "label of record " + std::to_string(i), data.labels[i],
            "-1 or 1 for the logistic loss");
}

}  // namespace dpverify
