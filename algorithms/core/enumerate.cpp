#include "algorithms/core/enumerate.hpp"

#include "algorithms/core/checked.hpp"

namespace dpverify {
namespace {

// Follows a given prefix of outcomes, then takes outcome 0 at every further release.
class PathReleases final : public Releases {
 public:
  struct Choice {
    Index outcome;
    Index count;
  };
  explicit PathReleases(std::vector<Choice>& path) : path_(path) {}
  double log_probability = 0;
  std::size_t depth = 0;

 private:
  Outcome decide(const Law& law) override {
    const Index count = support_size(law);
    require(count > 0, "a law to enumerate", law_name(law), "finite");
    validate(law);
    if (depth == path_.size()) path_.push_back({0, count});
    const Index outcome = path_[depth++].outcome;
    log_probability += log_probabilities(law)[outcome];
    return outcome;
  }
  std::vector<Choice>& path_;
};

}  // namespace

std::vector<OutcomePath> enumerate(const Mechanism& mechanism, const Dataset& data,
                                   std::size_t largest) {
  std::vector<OutcomePath> paths;
  std::vector<PathReleases::Choice> path;
  do {
    require(paths.size() < largest, "number of outcome paths", "larger",
            "at most " + std::to_string(largest));
    PathReleases releases(path);
    VectorXd output = mechanism(data, releases);
    std::vector<Index> outcomes;
    for (const auto& choice : path) outcomes.push_back(choice.outcome);
    paths.push_back({std::move(outcomes), releases.log_probability, std::move(output)});
    // The next path: advance the last release that has an outcome left, forget what follows it.
    while (!path.empty() && path.back().outcome + 1 == path.back().count) path.pop_back();
    if (!path.empty()) ++path.back().outcome;
  } while (!path.empty());
  return paths;
}

}  // namespace dpverify
