#include "audits/exact/privacy_loss.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <numbers>
#include <optional>
#include <unsupported/Eigen/FFT>

#include "algorithms/core/checked.hpp"

namespace dpverify {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr std::size_t most_points = std::size_t{1} << 22;
// Of the Fourier transforms and the sums, relative to the tilted mass, and far above what they
// lose.
constexpr double rounding = 1e-9;

double normal_interval(double a, double b) {
  if (a > 0) return normal_interval(-b, -a);
  const double root = std::numbers::sqrt2;
  return (std::erfc(-b / root) - std::erfc(-a / root)) / 2;
}

// Mass under p at the losses (first + k) step, k = 0.., and at infinity.
struct GridLaw {
  Index first = 0;
  std::vector<double> mass;
  double at_infinity = 0;

  void add(Index place, double p) {
    if (!(p > 0)) return;
    if (mass.empty()) first = place;
    if (place < first) {
      mass.insert(mass.begin(), static_cast<std::size_t>(first - place), 0);
      first = place;
    }
    const auto k = static_cast<std::size_t>(place - first);
    if (k >= mass.size()) mass.resize(k + 1, 0);
    mass[k] += p;
  }
};

enum class Side { lower, upper };

// The grid point of a loss that lies on the grid up to rounding, or nothing.
std::optional<Index> on_grid(double loss, double step) {
  const double place = std::round(loss / step);
  if (std::abs(loss / step - place) > 1e-12 * std::max(1.0, std::abs(place))) return std::nullopt;
  return static_cast<Index>(place);
}

void add_atom(GridLaw& grid, const LossLaw::Atom& atom, double step, Side side) {
  if (std::isinf(atom.loss)) {
    if (atom.loss > 0) grid.at_infinity += atom.p;
    return;  // a loss of -infinity has mass 0 under p
  }
  if (const auto place = on_grid(atom.loss, step)) return grid.add(*place, atom.p);
  const auto left = static_cast<Index>(std::floor(atom.loss / step));
  if (side == Side::lower) return grid.add(left, atom.p);
  // Between two grid points a < loss < b: masses that keep those under p and q, p = p_a + p_b and q
  // = p_a e^-a + p_b e^-b.
  const double up = atom.loss - static_cast<double>(left) * step;
  const double share_right = std::expm1(-up) / std::expm1(-step);
  grid.add(left, atom.p * (1 - share_right));
  grid.add(left + 1, atom.p * share_right);
}

// Up: each cell's mass goes to its two ends, the masses under p and q kept.
void add_continuous_up(GridLaw& grid, const LossLaw& law, double step) {
  const auto from = static_cast<Index>(std::floor(law.lowest / step));
  const auto to = static_cast<Index>(std::ceil(law.highest / step));
  for (Index k = from; k < to; ++k) {
    const double left = static_cast<double>(k) * step;
    const MassPair cell = law.continuous(left, left + step);
    if (!(cell.p > 0)) continue;
    // p_left + p_right = p, p_left e^-left + p_right e^-right = q; in units of e^-left.
    const double right =
        std::clamp((cell.p - cell.q * std::exp(left)) / -std::expm1(-step), 0.0, cell.p);
    grid.add(k, cell.p - right);
    grid.add(k + 1, right);
  }
  grid.add(from, law.below);
  grid.at_infinity += law.above;
}

// Down: consecutive cells (a, b] around the grid points, cut so that log(p/q) of a cell is its grid
// point: seeing only the cell is a post-processing. Where that cannot be, the next lower point.
void add_continuous_down(GridLaw& grid, const LossLaw& law, double step) {
  const auto from = static_cast<Index>(std::floor(law.lowest / step));
  const auto to = static_cast<Index>(std::ceil(law.highest / step));
  double a = static_cast<double>(from) * step - step / 2;
  for (Index k = from; k <= to; ++k) {
    const double target = static_cast<double>(k) * step;
    const auto excess = [&](double b) {
      const MassPair cell = law.continuous(a, b);
      return cell.p > 0 && cell.q > 0 ? std::log(cell.p / cell.q) - target : -infinity;
    };
    // The loss of (a, b] grows with b, from below the target at b = target.
    double low = target, high = target + step;
    double b = std::clamp(2 * target - a, low, high);
    if (excess(high) >= 0) {
      for (int iteration = 0; iteration < 60 && high - low > 1e-9 * step; ++iteration) {
        const double now = excess(b);
        (now >= 0 ? high : low) = b;
        // The mean loss moves about half as fast as the end.
        const double newton = b - 2 * now;
        b = newton > low && newton < high ? newton : (low + high) / 2;
        if (std::abs(now) < 1e-13 && now >= 0) break;
      }
      b = high;
    } else {
      b = high;
    }
    const MassPair cell = law.continuous(a, b);
    if (cell.p > 0) {
      const bool reached = cell.q <= 0 || std::log(cell.p / cell.q) >= target - 1e-15;
      grid.add(reached ? k : k - 1, cell.p);
    }
    a = b;
  }
}

GridLaw on_the_grid(const LossLaw& law, double step, Side side) {
  GridLaw grid;
  for (const LossLaw::Atom& atom : law.atoms) add_atom(grid, atom, step, side);
  if (law.continuous) {
    if (side == Side::upper)
      add_continuous_up(grid, law, step);
    else
      add_continuous_down(grid, law, step);
  }
  if (grid.mass.empty()) grid.mass.push_back(0);
  return grid;
}

struct GridSteps {
  GridLaw law;
  Index count;
};

// log E[e^(theta loss); loss finite] of one step, its derivative and second derivative.
struct Cumulants {
  double value = 0, mean = 0, variance = 0;
};

Cumulants cumulants(const std::vector<GridSteps>& steps, double step, double theta) {
  Cumulants total;
  for (const GridSteps& one : steps) {
    const auto exponent = [&](std::size_t k) {
      return theta * static_cast<double>(one.law.first + static_cast<Index>(k)) * step;
    };
    const std::size_t size = one.law.mass.size();
    const double shift = std::max(exponent(0), exponent(size - 1));
    double sum = 0, first = 0, second = 0;
    for (std::size_t k = 0; k < size; ++k) {
      const double loss = static_cast<double>(one.law.first + static_cast<Index>(k)) * step;
      const double weight = one.law.mass[k] * std::exp(exponent(k) - shift);
      sum += weight;
      first += weight * loss;
      second += weight * loss * loss;
    }
    if (!(sum > 0)) return {-infinity, 0, 0};  // everything is at infinity
    const auto count = static_cast<double>(one.count);
    const double mean = first / sum;
    total.value += count * (std::log(sum) + shift);
    total.mean += count * mean;
    total.variance += count * std::max(0.0, second / sum - mean * mean);
  }
  return total;
}

double mass_at_infinity(const std::vector<GridSteps>& steps) {
  double log_finite = 0;
  for (const GridSteps& one : steps)
    log_finite += static_cast<double>(one.count) * std::log1p(-std::min(1.0, one.law.at_infinity));
  return -std::expm1(log_finite);
}

// The tilted law of the sum on a window, so that delta(epsilon) near the tilt has full relative
// accuracy.
class Convolution {
 public:
  Convolution(const std::vector<GridSteps>& steps, double step, double theta)
      : step_(step), theta_(theta), infinite_(mass_at_infinity(steps)) {
    const Cumulants at = cumulants(steps, step, theta);
    log_scale_ = at.value;
    if (log_scale_ == -infinity) return;
    const double half = 11 * std::sqrt(at.variance) + 64 * step;
    std::size_t size = 1024;
    while (static_cast<double>(size) * step < 2 * half && size < most_points) size *= 2;
    for (;; size *= 2) {  // the tilted law may have heavier tails than a normal one
      first_ = static_cast<Index>(std::floor(at.mean / step)) - static_cast<Index>(size / 2);
      cut_ = cut_off(steps, at, size);
      if (cut_ < rounding || size >= most_points) break;
    }

    Eigen::FFT<double> fft;
    fft.SetFlag(Eigen::FFT<double>::HalfSpectrum);
    std::vector<std::complex<double>> product(size / 2 + 1, 1.0);
    for (const GridSteps& one : steps) {
      const Cumulants own = cumulants({{one.law, 1}}, step, theta);
      std::vector<double> folded(size, 0);
      for (std::size_t k = 0; k < one.law.mass.size(); ++k) {
        const Index place = one.law.first + static_cast<Index>(k);
        folded[wrap(place, size)] +=
            one.law.mass[k] * std::exp(theta * static_cast<double>(place) * step - own.value);
      }
      std::vector<std::complex<double>> spectrum;
      fft.fwd(spectrum, folded);
      for (std::size_t f = 0; f < product.size(); ++f)
        product[f] *= one.count == 1 ? spectrum[f] : power(spectrum[f], one.count);
    }
    std::vector<double> sum;
    fft.inv(sum, product, static_cast<Index>(size));
    mass_.resize(size);
    for (std::size_t k = 0; k < size; ++k)
      mass_[k] = std::max(0.0, sum[wrap(first_ + static_cast<Index>(k), size)]);
  }

  Interval delta(double epsilon) const {
    if (log_scale_ == -infinity) return {infinite_, infinite_, 1};
    double sum = 0;
    for (std::size_t k = mass_.size(); k-- > 0;) {
      const double loss = static_cast<double>(first_ + static_cast<Index>(k)) * step_;
      if (loss <= epsilon) break;
      sum += mass_[k] * std::exp(-theta_ * (loss - epsilon)) * -std::expm1(epsilon - loss);
    }
    // All weights are at most e^(log_scale - theta epsilon), beside the factors of the sum.
    const double scale = std::exp(log_scale_ - theta_ * epsilon);
    const double error = cut_ + rounding;
    return {std::clamp(infinite_ + scale * (sum - error), 0.0, 1.0),
            std::clamp(infinite_ + scale * (sum + error), 0.0, 1.0), 1};
  }

 private:
  static std::size_t wrap(Index place, std::size_t size) {
    const auto n = static_cast<Index>(size);
    return static_cast<std::size_t>(((place % n) + n) % n);
  }
  static std::complex<double> power(std::complex<double> z, Index count) {
    if (z == 0.0) return 0;
    const auto n = static_cast<double>(count);
    return std::polar(std::pow(std::abs(z), n),
                      std::remainder(n * std::arg(z), 2 * std::numbers::pi));
  }
  // Tilted mass outside the window, by Chernoff's inequality at a few further tilts.
  double cut_off(const std::vector<GridSteps>& steps, const Cumulants& at, std::size_t size) const {
    const double low = static_cast<double>(first_) * step_;
    const double high = low + static_cast<double>(size - 1) * step_;
    double left = 1, right = 1;
    for (double tilt = 0.25; tilt < 64 / std::max(std::sqrt(at.variance), step_); tilt *= 2) {
      right = std::min(
          right, std::exp(cumulants(steps, step_, theta_ + tilt).value - at.value - tilt * high));
      left = std::min(
          left, std::exp(cumulants(steps, step_, theta_ - tilt).value - at.value + tilt * low));
    }
    return left + right;
  }

  double step_, theta_, infinite_;
  double log_scale_ = 0, cut_ = 0;
  Index first_ = 0;
  std::vector<double> mass_;
};

std::vector<GridSteps> discretise(const std::vector<LossSteps>& steps, double step, Side side) {
  std::vector<GridSteps> out;
  for (const LossSteps& one : steps) out.push_back({on_the_grid(one.law, step, side), one.count});
  return out;
}

// The tilt theta >= 0 at which `reached` first holds (it grows with theta), or at which the tilted
// law has shrunk to its largest losses.
template <class Reached>
double tilt(const std::vector<GridSteps>& steps, double step, const Reached& reached) {
  const double least = std::max(step * step, 1e-4 * cumulants(steps, step, 0).variance);
  const auto enough = [&](double theta) {
    const Cumulants at = cumulants(steps, step, theta);
    return reached(at, theta) || at.variance <= least;
  };
  if (enough(0)) return 0;
  double low = 0, high = 1;
  while (!enough(high)) {
    low = high;
    high *= 2;
  }
  for (int k = 0; k < 30; ++k) {
    const double middle = (low + high) / 2;
    (enough(middle) ? high : low) = middle;
  }
  return high;
}

// A first step: the grid's own spread, step^2/6 a step and a rise of half of that in the mean, must
// stay small against the width; atoms want to be on the grid.
double first_step(const std::vector<LossSteps>& steps, double width) {
  double count = 0, span = 0, atom = infinity;
  for (const LossSteps& one : steps) {
    require(one.count >= 1, "number of steps", static_cast<double>(one.count), "at least 1");
    count += static_cast<double>(one.count);
    double largest = std::max(std::abs(one.law.lowest), std::abs(one.law.highest));
    for (const LossLaw::Atom& a : one.law.atoms) {
      if (std::isinf(a.loss)) continue;
      largest = std::max(largest, std::abs(a.loss));
      if (std::abs(a.loss) > 0) atom = std::min(atom, std::abs(a.loss));
    }
    span = std::max(span, largest);
  }
  double step = std::min(std::sqrt(2 * width / count), std::max(span, 1e-6) / 4);
  if (std::isfinite(atom)) step = atom / std::ceil(atom / step);
  return step;
}

void check(const std::vector<LossSteps>& steps, double width) {
  require(!steps.empty(), "number of steps", "0", "at least 1");
  require(width > 0, "width of the interval", width, "positive");
}

// Refines the grid until `interval(step)` is narrow enough for `narrow`, or too fine.
template <class IntervalAt, class Narrow>
Interval refine(const std::vector<LossSteps>& steps, double width, const IntervalAt& interval,
                const Narrow& narrow) {
  double step = first_step(steps, width);
  Interval best{0, infinity, 1};
  for (int round = 0; round < 12; ++round, step /= 2) {
    const Interval found = interval(step);
    best.lower = std::max(best.lower, found.lower);
    best.upper = std::min(best.upper, found.upper);
    if (narrow(best)) break;
    double cells = 0;
    for (const LossSteps& one : steps) cells += (one.law.highest - one.law.lowest) / step;
    if (cells > static_cast<double>(most_points) / 8) break;
  }
  return best;
}

// delta(epsilon) of one step, in closed form: p(loss > epsilon) - e^epsilon q(loss > epsilon).
Interval delta_of_one(const LossLaw& law, double epsilon) {
  double delta = 0;
  for (const LossLaw::Atom& atom : law.atoms)
    if (atom.loss > epsilon) delta += atom.p * -std::expm1(epsilon - atom.loss);
  double above = 0;
  if (law.continuous && law.highest > epsilon) {
    const MassPair mass = law.continuous(std::max(epsilon, law.lowest), law.highest);
    delta += std::max(0.0, mass.p - std::exp(epsilon) * mass.q);
    above = law.above;
  }
  const double margin = rounding * delta;
  return {std::max(0.0, delta - margin), std::min(1.0, delta + margin + above), 1};
}

}  // namespace

LossLaw gaussian_loss(double mu) {
  require(mu > 0 && std::isfinite(mu), "mu", mu, "positive and finite");
  LossLaw law;
  law.continuous = [mu](double low, double high) {
    const double p = -mu / 2, q = mu / 2;
    return MassPair{normal_interval(low / mu + p, high / mu + p),
                    normal_interval(low / mu + q, high / mu + q)};
  };
  // Standard deviations beyond which, with probability 6e-39, losses count as -infinity or
  // infinity.
  constexpr double reach = 13;
  law.lowest = mu * (mu / 2 - reach);
  law.highest = mu * (mu / 2 + reach);
  law.below = law.above = normal_interval(reach, infinity);
  return law;
}

LossLaw laplace_loss(double shift) {
  require(shift > 0 && std::isfinite(shift), "shift in scales", shift, "positive and finite");
  LossLaw law;
  // Half of the mass keeps its distance: loss shift; the far side has loss -shift.
  law.atoms = {{shift, 0.5}, {-shift, std::exp(-shift) / 2}};
  law.lowest = -shift;
  law.highest = shift;
  law.continuous = [shift](double low, double high) {
    low = std::clamp(low, -shift, shift);
    high = std::clamp(high, -shift, shift);
    return MassPair{std::exp((high - shift) / 2) / 2 * -std::expm1((low - high) / 2),
                    std::exp((-low - shift) / 2) / 2 * -std::expm1((low - high) / 2)};
  };
  return law;
}

LossLaw finite_loss(const VectorXd& log_p, const VectorXd& log_q) {
  require(log_p.size() == log_q.size() && log_p.size() >= 1, "number of outcomes",
          static_cast<double>(log_q.size()), "that of the other law");
  LossLaw law;
  for (Index k = 0; k < log_p.size(); ++k)
    if (log_p[k] > -infinity)
      law.atoms.push_back({log_p[k] == log_q[k] ? 0 : log_p[k] - log_q[k], std::exp(log_p[k])});
  return law;
}

LossLaw randomised_response_loss(double epsilon) {
  require(epsilon > 0 && std::isfinite(epsilon), "epsilon", epsilon, "positive and finite");
  return {
      .atoms = {{epsilon, 1 / (1 + std::exp(-epsilon))}, {-epsilon, 1 / (1 + std::exp(epsilon))}}};
}

Interval composed_epsilon_interval(const std::vector<LossSteps>& steps, double delta,
                                   double width) {
  check(steps, width);
  require(delta > 0 && delta < 1, "delta", delta, "in (0, 1)");
  const auto end = [&](double step, Side side) {
    const std::vector<GridSteps> grid = discretise(steps, step, side);
    if (mass_at_infinity(grid) >= delta) return infinity;
    // P(loss >= K'(theta)) is about e^(K - theta K').
    const double theta = tilt(grid, step, [&](const Cumulants& at, double candidate) {
      return at.value - candidate * at.mean <= std::log(delta);
    });
    const Convolution sum(grid, step, theta);
    const auto exceeds = [&](double epsilon) {
      const Interval found = sum.delta(epsilon);
      return (side == Side::upper ? found.upper : found.lower) > delta;
    };
    // From the centre of the tilted law, where the figures are accurate, outwards.
    double low = std::max(0.0, cumulants(grid, step, theta).mean), high = low;
    const bool above = exceeds(low);
    for (double stride = 1e-3; exceeds(above ? high : low) == above; stride *= 2) {
      if (above) {
        low = high;
        high += stride;
      } else {
        if (low == 0) return 0.0;
        high = low;
        low = std::max(0.0, low - stride);
      }
    }
    while (high - low > 1e-9 * (1 + high)) {
      const double middle = (low + high) / 2;
      (exceeds(middle) ? low : high) = middle;
    }
    return side == Side::upper ? high : low;
  };
  return refine(
      steps, width,
      [&](double step) {
        return Interval{end(step, Side::lower), end(step, Side::upper), 1};
      },
      [&](const Interval& found) {
        return std::isinf(found.lower) || found.upper - found.lower <= width;
      });
}

Interval composed_delta_interval(const std::vector<LossSteps>& steps, double epsilon, double width,
                                 double negligible) {
  check(steps, width);
  require(epsilon >= 0 && std::isfinite(epsilon), "epsilon", epsilon, "non-negative and finite");
  if (steps.size() == 1 && steps[0].count == 1) return delta_of_one(steps[0].law, epsilon);
  const auto end = [&](double step, Side side) {
    const std::vector<GridSteps> grid = discretise(steps, step, side);
    const double theta =
        tilt(grid, step, [&](const Cumulants& at, double) { return at.mean >= epsilon; });
    const Interval found = Convolution(grid, step, theta).delta(epsilon);
    return side == Side::upper ? found.upper : found.lower;
  };
  return refine(
      steps, 1e-3,
      [&](double step) {
        return Interval{end(step, Side::lower), end(step, Side::upper), 1};
      },
      [&](const Interval& found) {
        return found.upper - found.lower <= width * found.upper || found.upper <= negligible;
      });
}

}  // namespace dpverify
