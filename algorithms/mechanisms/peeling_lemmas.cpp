#include "algorithms/mechanisms/peeling_lemmas.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "algorithms/core/numbers.hpp"
#include "algorithms/core/random.hpp"

namespace dpverify {
namespace {

using enum Edition;
using enum Expectation;
using enum Scale;

constexpr Index length = 12;  // of v

struct Selection {
  RandomStream stream;  // after the draws
  VectorXd v = VectorXd(length);
  std::vector<bool> in_s = std::vector<bool>(length, false);
  double noise_energy = 0;  // sum_i ||w_i||_inf^2
};

Selection select(const PeelingSelections& p, bool repeats) {
  Selection out{.stream = RandomStream(
                    {.seed = static_cast<std::uint64_t>(p.seed), .claim = "peeling lemmas"})};
  for (double& x : out.v) x = out.stream.laplace() * std::exp(p.spread * out.stream.normal());
  for (Index round = 0; round < p.sparsity; ++round) {
    double largest_noise = 0, best = -infinity;
    std::size_t winner = 0;
    for (std::size_t j = 0; j < length; ++j) {
      const double noise = p.noise * out.stream.laplace();
      largest_noise = std::max(largest_noise, std::abs(noise));
      const double score = std::abs(out.v[static_cast<Index>(j)]) + noise;
      if ((!repeats && out.in_s[j]) || score <= best) continue;
      best = score;
      winner = j;
    }
    out.in_s[winner] = true;
    out.noise_energy += largest_noise * largest_noise;
  }
  return out;
}

// The squares of the entries of v in the set, or outside, ascending.
std::vector<double> squares(const VectorXd& v, const std::vector<bool>& set, bool inside) {
  std::vector<double> out;
  for (std::size_t j = 0; j < set.size(); ++j)
    if (set[j] == inside) out.push_back(std::pow(v[static_cast<Index>(j)], 2));
  std::sort(out.begin(), out.end());
  return out;
}

double sum(const std::vector<double>& values, std::size_t from, std::size_t to) {
  double total = 0;
  for (std::size_t k = from; k < to; ++k) total += values[k];
  return total;
}

// The hardest R_1 (the smallest of S) and R_2 (the largest outside), and the bound on R_2.
struct Exchange {
  double outside = 0, bound = 0;
};
Exchange exchange(const PeelingSelections& p) {
  const Selection run = select(p, false);
  const std::vector<double> in = squares(run.v, run.in_s, true);
  const std::vector<double> out = squares(run.v, run.in_s, false);
  const auto size = std::min({in.size(), out.size(), static_cast<std::size_t>(p.exchanged)});
  return {sum(out, out.size() - size, out.size()),
          (1 + p.c) * sum(in, 0, size) + 4 * (1 + 1 / p.c) * run.noise_energy};
}

std::vector<bool> indices(Selection& run, IndexSet set) {
  std::vector<bool> in_i(length, true);
  if (set == IndexSet::everything) return in_i;
  bool first = true;  // at least one coordinate outside S
  for (std::size_t j = 0; j < length; ++j) {
    const bool outside = !run.in_s[j];
    in_i[j] = outside ? (set == IndexSet::without_selected || first || run.stream.uniform() < 0.5)
                      : set == IndexSet::with_selected;
    if (outside) first = false;
  }
  return in_i;
}

std::size_t size_of(const std::vector<bool>& set) {
  return static_cast<std::size_t>(std::count(set.begin(), set.end(), true));
}

template <class Real>
struct Maximum {
  Real d = 2, zeta = 0.5;
  static Fields<Maximum> fields() {
    return {field("d", &Maximum::d).range(2.0, 1.0, 1e6, integer),
            field("zeta", &Maximum::zeta).range(0.5, 1e-9, 0.99, logarithmic)};
  }
};

}  // namespace

Fields<PeelingSelections> PeelingSelections::fields() {
  using P = PeelingSelections;
  return {field("seed", &P::seed).range(0, 0, 100'000),
          field("sparsity", &P::sparsity).range<Index>(2, 1, length - 1),
          field("noise", &P::noise).range(0.1, 1e-3, 10.0, logarithmic),
          field("spread", &P::spread).range(1.0, 0.0, 2.0),
          field("c", &P::c).range(1.0, 1e-3, 1e3, logarithmic)};
}
Fields<PeelingSelections> PeelingSelections::exchanging() {
  return fields().with(
      field("exchanged", &PeelingSelections::exchanged).range<Index>(1, 1, length));
}
Fields<PeelingSelections> PeelingSelections::keeping() {
  return fields().with(field("kept", &PeelingSelections::kept).range<Index>(1, 1, length));
}

double coordinates_kept(const PeelingSelections& p) {
  return static_cast<double>(size_of(select(p, false).in_s));
}

double selection_error(const PeelingSelections& p, IndexSet set, bool repeats) {
  Selection run = select(p, repeats);
  const std::vector<bool> in_i = indices(run, set);
  if (size_of(in_i) <= static_cast<std::size_t>(p.sparsity)) return 0;
  double error = 0;
  for (std::size_t j = 0; j < length; ++j)
    if (in_i[j] && !run.in_s[j]) error += std::pow(run.v[static_cast<Index>(j)], 2);
  return error;
}

double selection_error_bound(const PeelingSelections& p, IndexSet set, bool repeats) {
  Selection run = select(p, repeats);
  const std::vector<bool> in_i = indices(run, set);
  const auto s = static_cast<std::size_t>(p.sparsity), size = size_of(in_i);
  if (size <= s) return 0;
  const std::vector<double> entries = squares(run.v, in_i, true);
  const std::size_t kept = std::min(s, static_cast<std::size_t>(p.kept));
  const double share = static_cast<double>(size - s) / static_cast<double>(size - kept);
  return (1 + 1 / p.c) * share * sum(entries, 0, size - kept) + 4 * (1 + p.c) * run.noise_energy;
}

void add_peeling_lemmas(LemmaList& lemmas, const PeelingLemmaPlaces& places) {
  lemmas.add<PeelingSelections>(
      "exchange", [](const auto& p) { return exchange(p).outside; },
      {{printed, holds, places.exchange,
        "For R_1 in S and R_2 outside S of one size and every c > 0: ||v_{R_2}||^2 <= (1 + c) "
        "||v_{R_1}||^2 + 4 (1 + 1/c) sum_i ||w_i||_inf^2.",
        [](const auto& p) { return exchange(p).bound; }, PeelingSelections::exchanging()}},
      {"12 coordinates"});
  const std::string best =
      "||v_S - v||^2 <= (1 + 1/c) (|I| - s)/(|I| - s-hat) ||v-hat - v||^2 + 4 "
      "(1 + c) sum_i ||w_i||_inf^2, v a subvector on I";
  const auto approximation = [](IndexSet set) {
    return [set](const PeelingSelections& p) { return selection_error_bound(p, set, false); };
  };
  const auto error = [](IndexSet set) {
    return [set](const PeelingSelections& p) { return selection_error(p, set, false); };
  };
  using enum IndexSet;
  lemmas.add<PeelingSelections>(
      "best_approximation", error(without_selected),
      {{printed, refuted, places.best_approximation,
        "For any index set I and every c > 0: " + best +
            " of the vector that Peeling reads, v-hat with at most s-hat <= s entries other than "
            "0, S the coordinates kept and w_i the noise of round i. (Random vectors of 12 entries "
            "and an I without S are this check's; sparsity is s, kept is s-hat, noise is the scale "
            "of the Laplace noise, and spread is that of the logarithms of the magnitudes.)",
        approximation(without_selected), PeelingSelections::keeping()},
       {proved, holds, places.best_approximation,
        "For every index set I that contains S, as the convergence proof uses it, and every c > "
        "0: " +
            best + ".",
        approximation(with_selected), PeelingSelections::keeping(), error(with_selected)}},
      {"12 coordinates"});
  const std::string tail =
      "The largest of d Laplace magnitudes of scale lambda exceeds 2 lambda log(1/zeta) log d with "
      "probability at most zeta, for ";
  lemmas.add<Maximum>(
      "laplace_tail",  // exactly
      [](const auto& p) {
        const auto threshold = 2 * log(1 / p.zeta) * log(p.d);
        return -expm1(p.d * log1p(-exp(-threshold)));
      },
      {{printed, refuted, places.laplace_tail, tail + "every d >= 1 and every zeta in (0, 1).",
        [](const auto& p) { return p.zeta; }},
       {corrected, holds, places.laplace_tail_corrected, tail + "d >= 2 and zeta <= 0.18.",
        [](const auto& p) { return p.zeta; },
        Maximum<double>::fields()
            .within(&Maximum<double>::d, 2.0, 2.0, 1e6)
            .within(&Maximum<double>::zeta, 0.18, 1e-9, 0.18)}});
}

}  // namespace dpverify
