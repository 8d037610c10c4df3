#include "algorithms/losses/losses.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "algorithms/core/checked.hpp"

namespace dpverify {
namespace {

constexpr std::array<std::string_view, 6> names{"squared",  "logistic",      "absolute",
                                                "biweight", "geman_mcclure", "pseudo_huber"};

void require_length(const VectorXd& w, const DataView& data) {
  require(w.size() == data.dimension(), "length of w", static_cast<double>(w.size()),
          "the number of features, " + std::to_string(data.dimension()));
}

}  // namespace

std::string_view name(Loss loss) { return names[static_cast<std::size_t>(loss)]; }

std::vector<std::pair<std::string, Loss>> loss_choices() {
  std::vector<std::pair<std::string, Loss>> out;
  for (std::size_t k = 0; k < names.size(); ++k) out.emplace_back(names[k], static_cast<Loss>(k));
  return out;
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
    case Loss::biweight: {
      // 1 - (1 - a)^3 without cancellation.
      const double a = std::min(1.0, (p - y) * (p - y));
      return a * (3 - a * (3 - a)) / 6;
    }
    case Loss::geman_mcclure:
      return 0.5 / (1 + 1 / ((p - y) * (p - y)));
    case Loss::pseudo_huber:  // sqrt(1 + r^2) - 1 without cancellation or overflow
      return (p - y) * ((p - y) / (1 + std::hypot(1, p - y)));
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
    case Loss::biweight: {
      const double rest = 1 - (p - y) * (p - y);
      return rest > 0 ? (p - y) * rest * rest : 0;
    }
    case Loss::geman_mcclure: {
      const double spread = 1 + (p - y) * (p - y);
      return (p - y) / spread / spread;
    }
    case Loss::pseudo_huber:
      return (p - y) / std::hypot(1, p - y);
  }
  return 0;
}

double loss_second_derivative(Loss loss, double p, double y) {
  const double r = p - y;
  switch (loss) {
    case Loss::squared:
      return 2;
    case Loss::logistic: {
      const double decay = std::exp(-std::abs(y * p));
      return y * y * decay / ((1 + decay) * (1 + decay));
    }
    case Loss::absolute:
      return 0;
    case Loss::biweight:
      return std::abs(r) < 1 ? (1 - r * r) * (1 - 5 * r * r) : 0;
    case Loss::geman_mcclure: {
      const double spread = 1 + r * r;
      return (4 / spread - 3) / spread / spread;
    }
    case Loss::pseudo_huber: {
      const double length = std::hypot(1, r);
      return 1 / length / length / length;
    }
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

std::function<double(const DataView&, const VectorXd&)> mean_loss(Loss loss) {
  return [loss](const DataView& data, const VectorXd& w) { return empirical_risk(loss, w, data); };
}

std::string mean_loss_name(Loss loss) { return "mean " + std::string(name(loss)) + " loss"; }

double mean_squared_distance(const DataView& data, const VectorXd& w) {
  return (data.features.rowwise() - w.transpose()).rowwise().squaredNorm().mean();
}

void validate_labels(Loss loss, const DataView& data) {
  if (loss != Loss::logistic) return;
  for (Index i = 0; i < data.size(); ++i)
    // Not the label itself: the message may reach who must not see the data.
    require(std::abs(data.labels[i]) == 1, "label of record " + std::to_string(i), "another number",
            "-1 or 1 for the logistic loss");
}

}  // namespace dpverify
