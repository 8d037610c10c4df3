#include "audits/accounting/largest_batch.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "algorithms/core/checked.hpp"
#include "algorithms/core/numbers.hpp"
#include "audits/exact/normal_interval.hpp"

namespace dpverify {
namespace {

// log P(the largest sum is at most x), where the one with the record has mean `shift`.
double log_below(const LargestBatch& batch, double shift, double x) {
  const auto seen = static_cast<double>(batch.seen);
  const double share = seen / static_cast<double>(batch.batches);
  const auto below = [&](double from, double to, double weight) {
    return (1 - weight) * exact::normal_interval(from, to) +
           weight * exact::normal_interval(from - shift, to - shift);
  };
  const auto log_of = [&](double weight) {
    const double at_most = below(-infinity, x, weight);
    return at_most < 0.5 ? std::log(at_most) : std::log1p(-below(x, infinity, weight));
  };
  return (seen > 1 ? (seen - 1) * log_of(0) : 0) + log_of(share);
}

}  // namespace

LossLaw largest_batch_loss(const LargestBatch& batch, double grid) {
  require(batch.batches >= 1 && batch.seen >= 1 && batch.seen <= batch.batches,
          "batches seen of an epoch", static_cast<double>(batch.seen), "from 1 to all of them");
  require(grid > 0, "grid of the losses", grid, "positive");
  constexpr double cell = 1.0 / 256, reach = 9;
  constexpr double margin = 1e-11;  // of rounding: a loss is a difference of near logarithms
  const double lowest = std::min({0.0, batch.with, batch.without}) - reach;
  const double highest = std::max({0.0, batch.with, batch.without}) + reach;
  std::map<double, double> masses;  // by the loss, under p
  // One cell more, or, where the neighbour has too little mass to divide by, a part of the next.
  MassPair open;
  const auto add = [&](double p, double q) {
    open.p += p;
    open.q += q;
    if (!(open.q > 1e-290)) return;
    const double loss = open.p > 0 ? std::log(open.p / open.q) - margin : 0;
    if (open.p > 0) masses[std::floor(loss / grid) * grid] += open.p;
    open = {};
  };
  MassPair below{log_below(batch, batch.with, lowest), log_below(batch, batch.without, lowest)};
  add(std::exp(below.p), std::exp(below.q));
  const auto cells = static_cast<Index>(std::ceil((highest - lowest) / cell));
  for (Index k = 1; k <= cells; ++k) {
    const double x = lowest + static_cast<double>(k) * cell;
    const MassPair now{log_below(batch, batch.with, x), log_below(batch, batch.without, x)};
    add(std::exp(now.p) * -std::expm1(below.p - now.p),
        std::exp(now.q) * -std::expm1(below.q - now.q));
    below = now;
  }
  add(-std::expm1(below.p), -std::expm1(below.q));
  LossLaw law;
  for (const auto& [loss, p] : masses) law.atoms.push_back({loss, p});
  return law;
}

}  // namespace dpverify
