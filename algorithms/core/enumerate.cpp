#include "algorithms/core/enumerate.hpp"

#include "algorithms/core/checked.hpp"

namespace dpverify {
namespace {

// Follows a given prefix of outcomes, then takes outcome 0 at every further release.
class PathReleases final : public Releases {
 public:
  struct Choice {
    Index outcome;
    VectorXd log_probabilities;  // of all outcomes there
  };
  explicit PathReleases(std::vector<Choice>& path) : path_(path) {}
  double log_probability = 0;
  std::size_t depth = 0;

 private:
  Outcome decide(const Law& law) override {
    if (reads_values()) {
      require(support_size(law) > 0, "a law to enumerate", law_name(law), "finite");
      validate(law);
      path_.push_back({0, log_probabilities(law)});
    }
    const Choice& choice = path_[depth++];
    log_probability += choice.log_probabilities[choice.outcome];
    return choice.outcome;
  }
  bool reads_values() const override { return depth == path_.size(); }

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
    while (!path.empty() && path.back().outcome + 1 == path.back().log_probabilities.size())
      path.pop_back();
    if (!path.empty()) ++path.back().outcome;
  } while (!path.empty());
  return paths;
}

}  // namespace dpverify
