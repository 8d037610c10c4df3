#include "bench/figures/problems.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "algorithms/core/numbers.hpp"

namespace dpverify::figures {
namespace {

// `count` different places of 0..size-1, uniform.
std::vector<Index> random_places(Index size, Index count, RandomStream& stream) {
  std::vector<Index> places(static_cast<std::size_t>(size));
  std::iota(places.begin(), places.end(), Index{0});
  for (Index k = 0; k < count; ++k)
    std::swap(places[static_cast<std::size_t>(k)],
              places[static_cast<std::size_t>(k + stream.index(size - k))]);
  places.resize(static_cast<std::size_t>(count));
  return places;
}

VectorXd sparse_normal(Index size, Index count, RandomStream& stream) {
  VectorXd out = VectorXd::Zero(size);
  for (const Index j : random_places(size, std::min(count, size), stream)) out[j] = stream.normal();
  return out / out.norm();
}

// Uniform on the unit l1 ball: exponentials over their sum with one more, random signs.
VectorXd uniform_in_l1_ball(Index size, RandomStream& stream) {
  VectorXd out(size);
  for (Index j = 0; j < size; ++j) out[j] = stream.laplace();
  return out / (out.lpNorm<1>() + std::abs(stream.laplace()));
}

}  // namespace

double Setting::delta() const { return std::pow(static_cast<double>(records), -1.1); }

Instance LinearProblem::draw(const Setting& setting, RandomStream& stream) const {
  const Index n = setting.records, d = setting.dimension;
  Instance instance;
  if (sparse) {
    instance.optimum = sparse_normal(d, setting.sparsity, stream);
    const auto support = static_cast<double>(std::min(setting.sparsity, d));
    instance.initial =
        std::pow(stream.uniform(), 1 / support) * sparse_normal(d, setting.sparsity, stream);
  } else {
    instance.optimum = stream.normal_vector(d);
    instance.optimum /= instance.optimum.lpNorm<1>();
    instance.initial = uniform_in_l1_ball(d, stream);
  }
  instance.data = {Matrix(n, d), VectorXd(n)};
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < d; ++j) instance.data.features(i, j) = features.draw(stream);
    const double label = instance.data.features.row(i).dot(instance.optimum) + noise.draw(stream);
    instance.data.labels[i] = loss == Loss::logistic ? (label > 0 ? 1 : -1) : label;
  }
  if (loss == Loss::logistic)
    instance.optimum_risk = empirical_risk(loss, instance.optimum, instance.data.all());
  return instance;
}

double LinearProblem::excess_risk(const Instance& instance, const VectorXd& w) const {
  if (!w.allFinite()) return infinity;
  const double ridge = regularizer / 2 * (w.squaredNorm() - instance.optimum.squaredNorm());
  if (loss == Loss::logistic)
    return empirical_risk(loss, w, instance.data.all()) - instance.optimum_risk + ridge;
  const VectorXd difference = w - instance.optimum;
  const double sum = features.mean() * difference.sum();
  return features.variance() * difference.squaredNorm() + sum * sum + ridge;
}

double LinearProblem::second_moment() const { return features.second_moment(); }

double LinearProblem::largest_eigenvalue(Index d) const {
  return features.variance() + features.mean() * features.mean() * static_cast<double>(d);
}

double LinearProblem::smoothness(Index d) const {
  return (loss == Loss::logistic ? 0.25 : 2) * largest_eigenvalue(d) + regularizer;
}

double LinearProblem::gradient_second_moment(double noise_variance) const {
  if (loss == Loss::logistic) return second_moment();
  constexpr double reach = 2;  // the l1 diameter
  return 4 * (reach * reach * features.fourth_moment() + noise_variance * second_moment());
}

double LinearProblem::guessed_second_moment() const {
  return (loss == Loss::logistic ? 1 : 4) * second_moment();
}

std::string LinearProblem::in_words() const {
  return fmt::format(
      "{} regression, features {}, noise {}, {}", loss == Loss::logistic ? "logistic" : "linear",
      features.in_words(), noise.in_words(),
      sparse ? "w* with s* normal entries, of l2 norm 1" : "w* a random direction of l1 norm 1");
}

std::string LinearProblem::error_in_words() const {
  return loss == Loss::logistic ? "excess empirical risk" : "excess population risk";
}

}  // namespace dpverify::figures
