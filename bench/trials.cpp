#include "bench/trials.hpp"

namespace dpverify {
namespace {

Dataset no_data(Index records, Index dimension, bool held) {
  if (held) return {Matrix::Zero(records, dimension), VectorXd::Zero(records)};
  return from_source({records, dimension, [dimension](Index, Index count) {
                        return Dataset{Matrix::Zero(count, dimension), VectorXd::Zero(count)};
                      }});
}

}  // namespace

RandomStream TrialStreams::operator()(std::string_view purpose, std::uint64_t part) const {
  return RandomStream(
      {.seed = seed_, .claim = claim_, .purpose = purpose, .trial = trial_, .part = part});
}

double Trial::run(const Mechanism& mechanism, Releases& releases) const {
  return risk_(mechanism(data_, releases));
}

double Trial::data_free(const Mechanism& mechanism, RandomStream stream) const {
  DataFreeReleases releases(stream);
  return risk_(mechanism(no_data(data_.size(), dimension_, held_), releases));
}

double Trial::zero_vector() const { return risk_(VectorXd::Zero(dimension_)); }

double Trial::non_private(const Mechanism& mechanism) const {
  NoiselessReleases releases;
  return risk_(mechanism(data_, releases));
}

}  // namespace dpverify
