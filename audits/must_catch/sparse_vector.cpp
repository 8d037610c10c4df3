#include "audits/must_catch/sparse_vector.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <mutex>
#include <numbers>
#include <vector>

#include "algorithms/core/checked.hpp"
#include "algorithms/core/noisy_max.hpp"
#include "algorithms/core/numbers.hpp"
#include "algorithms/core/quadrature.hpp"

namespace dpverify::must_catch {
namespace {

// Laplace noise beyond this many scales has probability below e^-40.
constexpr double reach = 40;

VectorXd queries(const Dataset& data) { return data.features.colwise().sum().transpose(); }

double log_density(double x, double scale) { return -std::abs(x) / scale - std::log(2 * scale); }
// P(noise < x): with no noise, whether 0 < x.
double log_below(double x, double scale) {
  if (scale == 0) return x > 0 ? 0 : -infinity;
  return max_noise_log_cdf(MaxNoise::laplace, x / scale);
}
double log_above(double x, double scale) {  // P(noise >= x)
  if (scale == 0) return x > 0 ? -infinity : 0;
  return max_noise_log_cdf(MaxNoise::laplace, -x / scale);
}

// log of the integral over the noisy threshold t of its density times exp(log_factor(t)), t up to
// `largest`. The factors have kinks at `kinks` only.
template <class Factor>
double over_threshold(const SparseVector& p, std::vector<double> kinks, double largest,
                      const Factor& log_factor) {
  const double low = p.threshold - reach * p.threshold_scale;
  const double high = std::min(p.threshold + reach * p.threshold_scale, largest);
  kinks.insert(kinks.end(), {low, high, p.threshold});
  std::sort(kinks.begin(), kinks.end());
  const double narrowest =
      p.query_scale > 0 ? std::min(p.threshold_scale, p.query_scale) : p.threshold_scale;
  std::vector<double> terms;
  for (std::size_t k = 0; k + 1 < kinks.size(); ++k) {
    const double from = std::max(kinks[k], low), to = std::min(kinks[k + 1], high);
    for (const QuadratureNode& node : quadrature_nodes(from, to, 4 * narrowest))
      terms.push_back(std::log(node.weight) + log_density(node.x - p.threshold, p.threshold_scale) +
                      log_factor(node.x));
  }
  if (terms.empty()) return -infinity;
  const double most = *std::max_element(terms.begin(), terms.end());
  if (most == -infinity) return most;
  double sum = 0;
  for (const double term : terms) sum += std::exp(term - most);
  return most + std::log(sum);
}

std::vector<double> as_kinks(const VectorXd& q) { return {q.begin(), q.end()}; }

// The pattern's bit i is the answer to query i. Without query noise the answers say between which
// queries the noisy threshold lies; the factor is then 0 or 1 between kinks.
VectorXd pattern_probabilities(const VectorXd& q, const SparseVector& p) {
  VectorXd out(Index{1} << q.size());
  for (Index pattern = 0; pattern < out.size(); ++pattern)
    out[pattern] = over_threshold(p, as_kinks(q), infinity, [&](double t) {
      double sum = 0;
      Index above = 0;
      for (Index i = 0; i < q.size() && sum > -infinity; ++i) {
        const bool answer = (pattern >> i) % 2 == 1;
        if (above == p.cutoff) {  // stopped
          if (answer) sum = -infinity;
          continue;
        }
        above += answer ? 1 : 0;
        sum += answer ? log_above(t - q[i], p.query_scale) : log_below(t - q[i], p.query_scale);
      }
      return sum;
    });
  return out;
}

Index draw_pattern(const VectorXd& q, const SparseVector& p, RandomStream& stream) {
  const double t = p.threshold + p.threshold_scale * stream.laplace();
  Index pattern = 0, above = 0;
  for (Index i = 0; i < q.size() && above < p.cutoff; ++i)
    if (q[i] + p.query_scale * stream.laplace() >= t) {
      pattern |= Index{1} << i;
      ++above;
    }
  return pattern;
}

// The probabilities by queries, each integrated once.
class Memo {
 public:
  explicit Memo(const SparseVector& p) : p_(p) {}
  VectorXd at(const VectorXd& q) {
    const std::scoped_lock lock(mutex_);
    const auto [place, fresh] = known_.try_emplace({q.begin(), q.end()});
    if (fresh) place->second = pattern_probabilities(q, p_);
    return place->second;
  }

 private:
  SparseVector p_;
  std::mutex mutex_;
  std::map<std::vector<double>, VectorXd> known_;
};

}  // namespace

Mechanism sparse_vector(const SparseVector& p) {
  return [p, memo = std::make_shared<Memo>(p)](const Dataset& data, Releases& releases) {
    const VectorXd q = queries(data);
    require(q.size() <= 12, "number of queries", static_cast<double>(q.size()), "at most 12");
    const Index pattern = releases.select(
        HiddenSelection{.count = Index{1} << q.size(),
                        .draw = [=](RandomStream& stream) { return draw_pattern(q, p, stream); },
                        .log_probabilities = [=] { return memo->at(q); }});
    VectorXd answers(q.size());
    for (Index i = 0; i < q.size(); ++i) answers[i] = static_cast<double>((pattern >> i) % 2);
    return answers;
  };
}

namespace {

HiddenRelease answer_law(const VectorXd& q, const SparseVector& p, Shown shown) {
  const auto draw = [=](RandomStream& stream) -> VectorXd {
    const double t = p.threshold + p.threshold_scale * stream.laplace();
    for (Index i = 0; i < q.size(); ++i) {
      const double noisy = q[i] + p.query_scale * stream.laplace();
      if (noisy >= t)
        return Eigen::Vector2d(static_cast<double>(i), shown == Shown::value ? noisy : noisy - t);
    }
    return Eigen::Vector2d(static_cast<double>(q.size()), 0);
  };
  // With respect to counting times length; "none above" is an atom.
  const auto density = [=](const VectorXd& point) {
    const auto stop = static_cast<Index>(point[0]);
    const double answer = point[1];
    const auto below = [&](double t) {
      double sum = 0;
      for (Index j = 0; j < stop; ++j) sum += log_below(t - q[j], p.query_scale);
      return sum;
    };
    if (stop == q.size()) return over_threshold(p, as_kinks(q), infinity, below);
    const double query = q[stop];
    if (shown == Shown::value)
      return over_threshold(p, as_kinks(q), answer, below) +
             log_density(answer - query, p.query_scale);
    std::vector<double> kinks = as_kinks(q);
    kinks.push_back(query - answer);
    return answer < 0 ? -infinity : over_threshold(p, kinks, infinity, [&](double t) {
      return below(t) + log_density(answer + t - query, p.query_scale);
    });
  };
  return {.size = 2, .draw = draw, .log_density = density};
}

HiddenRelease adaptive_law(const VectorXd& q, const SparseVector& p, double margin, Shown shown) {
  const double first_scale = 2 * p.query_scale;
  const auto draw = [=](RandomStream& stream) -> VectorXd {
    const double t = p.threshold + p.threshold_scale * stream.laplace();
    for (Index i = 0; i < q.size(); ++i) {
      const double first = q[i] + first_scale * stream.laplace();
      const double second = q[i] + p.query_scale * stream.laplace();
      const bool far = first >= t + margin;
      if (!far && second < t) continue;
      const double noisy = far ? first : second;
      return Eigen::Vector3d(static_cast<double>(i), far ? 1 : 0,
                             shown == Shown::value ? noisy : noisy - t);
    }
    return Eigen::Vector3d(static_cast<double>(q.size()), 0, 0);
  };
  const auto density = [=](const VectorXd& point) {
    const auto stop = static_cast<Index>(point[0]);
    const bool far = point[1] == 1;
    const double answer = point[2];
    const auto near = [&](Index j, double t) {  // the first try at query j fails
      return log_below(t + margin - q[j], first_scale);
    };
    const auto below = [&](double t) {
      double sum = 0;
      for (Index j = 0; j < stop; ++j) sum += near(j, t) + log_below(t - q[j], p.query_scale);
      return sum;
    };
    std::vector<double> kinks = as_kinks(q);
    for (const double query : q) kinks.push_back(query - margin);
    if (stop == q.size()) return over_threshold(p, kinks, infinity, below);
    const double query = q[stop], scale = far ? first_scale : p.query_scale;
    const auto before = [&](double t) { return below(t) + (far ? 0 : near(stop, t)); };
    if (shown == Shown::value)
      return over_threshold(p, kinks, far ? answer - margin : answer, before) +
             log_density(answer - query, scale);
    if (answer < (far ? margin : 0)) return -infinity;
    kinks.push_back(query - answer);
    return over_threshold(p, kinks, infinity, [&](double t) {
      return before(t) + log_density(answer + t - query, scale);
    });
  };
  return {.size = 3, .draw = draw, .log_density = density};
}

}  // namespace

Mechanism sparse_vector_with_answer(const SparseVector& p, Shown shown) {
  return [=](const Dataset& data, Releases& releases) {
    return releases.release(answer_law(queries(data), p, shown));
  };
}

Mechanism adaptive_sparse_vector(const SparseVector& p, double margin, Shown shown) {
  return [=](const Dataset& data, Releases& releases) {
    return releases.release(adaptive_law(queries(data), p, margin, shown));
  };
}

}  // namespace dpverify::must_catch
