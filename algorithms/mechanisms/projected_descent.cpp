#include "algorithms/mechanisms/projected_descent.hpp"

#include <cmath>
#include <string>

#include "algorithms/core/checked.hpp"

namespace dpverify {
namespace {

VectorXd projected(const VectorXd& w, double radius) {
  const double norm = w.stableNorm();
  return norm > radius ? VectorXd(w * (radius / norm)) : w;
}

}  // namespace

void validate(const DescentParameters& p, const Dataset& data) {
  require(p.iterations >= 1 && (!p.split || p.iterations <= data.size()), "iterations T",
          static_cast<double>(p.iterations),
          p.split ? "in 1.." + std::to_string(data.size()) + " (the number of records)"
                  : std::string("at least 1"));
  require(positive_and_finite, "radius", p.radius);
  require(positive_and_finite, "step eta", p.step);
  require(p.initial.size() == data.dimension(), "length of the initial point",
          static_cast<double>(p.initial.size()),
          "the number of features, " + std::to_string(data.dimension()));
  const double norm = p.initial.norm();
  require(norm <= p.radius * (1 + 1e-12), "norm of the initial point", norm,
          "at most the radius, " + to_text(p.radius));
}

std::vector<VectorXd> projected_descent(const Dataset& data, const DescentParameters& p,
                                        const PrivateMean& estimate, Releases& releases) {
  validate(p, data);
  std::vector<VectorXd> iterates;
  VectorXd w = p.initial;
  for (Index t = 1; t <= p.iterations; ++t) {
    const DataView part = p.split ? data.part(t, p.iterations) : data.all();
    const LazyMatrix gradients(part.size(), w.size(), [&] { return p.gradients(w, part); });
    const VectorXd g = estimate(gradients, releases);
    w = projected(w - p.step * g, p.radius);
    iterates.push_back(w);
  }
  return iterates;
}

VectorXd average(const std::vector<VectorXd>& iterates) {
  VectorXd sum = VectorXd::Zero(iterates.front().size());
  for (const VectorXd& w : iterates) sum += w;
  return sum / static_cast<double>(iterates.size());
}

}  // namespace dpverify
