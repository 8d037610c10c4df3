#include "audits/black_box/distinguishers.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "audits/black_box/shortlist.hpp"

namespace dpverify {
namespace {

using black_box::Column;
using black_box::Feature;
using black_box::Kind;
using black_box::Shortlist;

// Features learnt on the even outputs, whose thresholds are set on the odd ones.
void offer_learnt(const OutputRange& first, const OutputRange& second, Index dimension,
                  Shortlist& shortlist) {
  constexpr std::size_t fewest = 20, most_fitted = 10'000, most_queries = 3'000;
  if (dimension < 2 || std::min(first.size(), second.size()) < fewest) return;
  const auto offer = [&](const Feature& feature, std::size_t most, Kind kind) {
    offer_thresholds(Column(feature, first.part(1, most, 2), second.part(1, most, 2)), kind,
                     shortlist);
  };
  const OutputRange fit_first = first.part(0, most_fitted, 2);
  const OutputRange fit_second = second.part(0, most_fitted, 2);
  const black_box::Scaling scale = black_box::scaling(fit_first, fit_second, dimension);
  offer(linear_direction(fit_first, fit_second, scale), SIZE_MAX, Kind::linear_direction);
  offer(neighbours(fit_first, fit_second, scale), most_queries, Kind::neighbours);
}

}  // namespace

std::vector<LearntEvent> learn_events(const OutputRange& first, const OutputRange& second,
                                      const Merit& merit, OutputModel model) {
  const Index dimension = std::max(first.dimension(), second.dimension());
  Shortlist shortlist(merit);
  for (const Feature& feature : black_box::features(dimension, model)) {
    const Column values(feature, first, second);
    if (feature.ordered) offer_thresholds(values, Kind::threshold, shortlist);
    if (values.is_constant()) continue;  // says nothing
    if (feature.ordered) offer_cells(values, shortlist);
    offer_values(values, shortlist);
  }
  offer_learnt(first, second, dimension, shortlist);
  return std::move(shortlist).ranking();
}

}  // namespace dpverify
