#include "audits/black_box/distinguishers.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "audits/black_box/shortlist.hpp"

namespace dpverify {
namespace {

using black_box::Feature;
using black_box::Kind;
using black_box::Sample;
using black_box::Shortlist;

// In random order, so that "every other output" and "the first 250" are random ones.
Sample shuffled(std::span<const VectorXd> outputs, RandomStream& stream) {
  Sample sample;
  for (const VectorXd& x : outputs) sample.push_back(&x);
  for (std::size_t k = sample.size(); k > 1; --k)
    std::swap(sample[k - 1], sample[static_cast<std::size_t>(stream.index(static_cast<Index>(k)))]);
  return sample;
}

// Features learnt on the even outputs, whose thresholds are set on the odd ones.
void offer_learnt(const Sample& first, const Sample& second, Index dimension,
                  Shortlist& shortlist) {
  constexpr std::size_t fewest = 20, most_fitted = 10'000, most_queries = 3'000;
  if (dimension < 2 || std::min(first.size(), second.size()) < fewest) return;
  const auto part = [](const Sample& sample, bool odd, std::size_t most) {
    Sample out;
    for (std::size_t k = odd ? 1 : 0; k < sample.size() && out.size() < most; k += 2)
      out.push_back(sample[k]);
    return out;
  };
  const auto offer = [&](const Feature& feature, std::size_t most, Kind kind) {
    offer_thresholds(column(feature, part(first, true, most), part(second, true, most)), kind,
                     shortlist);
  };
  const Sample fit_first = part(first, false, most_fitted);
  const Sample fit_second = part(second, false, most_fitted);
  const black_box::Scaling scale = black_box::scaling(fit_first, fit_second, dimension);
  offer(linear_direction(fit_first, fit_second, scale), SIZE_MAX, Kind::linear_direction);
  offer(neighbours(fit_first, fit_second, scale), most_queries, Kind::neighbours);
}

}  // namespace

std::vector<LearntEvent> learn_events(std::span<const VectorXd> first,
                                      std::span<const VectorXd> second, const Merit& merit,
                                      OutputModel model, RandomStream& stream) {
  const Sample from_first = shuffled(first, stream), from_second = shuffled(second, stream);
  Index dimension = 0;
  for (const Sample* sample : {&from_first, &from_second})
    for (const VectorXd* x : *sample) dimension = std::max(dimension, x->size());

  Shortlist shortlist(merit);
  for (const Feature& feature : black_box::features(dimension, model)) {
    const black_box::Column values = column(feature, from_first, from_second);
    if (feature.ordered) offer_thresholds(values, Kind::threshold, shortlist);
    if (values.marks.front().key == values.marks.back().key) continue;  // says nothing
    if (feature.ordered) offer_cells(values, shortlist);
    offer_values(values, shortlist);
  }
  offer_learnt(from_first, from_second, dimension, shortlist);
  return std::move(shortlist).ranking();
}

}  // namespace dpverify
