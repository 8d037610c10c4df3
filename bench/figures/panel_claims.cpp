#include "bench/figures/panel_claims.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <tuple>
#include <utility>

#include "algorithms/claims/claim_list.hpp"
#include "bench/figures/panel_trial.hpp"
#include "bench/figures/statements.hpp"

namespace dpverify {
namespace {

using figures::Method;
using figures::Panel;
using figures::PanelTrial;
using figures::Place;
using figures::Statement;

const Method& method_of(const Panel& panel, const std::string& name) {
  return *std::ranges::find(panel.methods, name, &Method::name);
}

double error_at(const Panel& panel, const Place& place, const PanelTrial& trial, double epsilon) {
  const Method& method = method_of(panel, place.method);
  return place.quantity == figures::Quantity::noiseless ? trial.noiseless(method, epsilon)
                                                        : trial.run(method, epsilon);
}

// The errors that claims about one panel have asked for. Statements share most places, and drawing
// the records takes longest.
class KnownErrors {
 public:
  explicit KnownErrors(const Panel& panel) : panel_(panel) {}

  std::vector<double> at(const std::vector<Place>& places, std::uint64_t seed, Index number) {
    Kept& trial = trial_of(seed, number);
    const std::scoped_lock held(trial.mutex);
    // Places of one shape share their records.
    std::map<std::tuple<Index, Index, Index>, std::vector<const Place*>> missing;
    for (const Place& place : places) {
      const figures::Setting at = setting_at(place);
      if (!place.method.empty() && !trial.errors.contains(place))
        missing[{at.records, at.dimension, at.sparsity}].push_back(&place);
    }
    for (const auto& [shape, members] : missing) {
      const PanelTrial drawn(panel_, setting_at(*members.front()), seed,
                             static_cast<std::uint64_t>(number));
      for (const Place* place : members)
        trial.errors[*place] = error_at(panel_, *place, drawn, setting_at(*place).epsilon);
    }
    std::vector<double> errors;
    for (const Place& place : places)
      errors.push_back(place.method.empty() ? place.printed : trial.errors.at(place));
    return errors;
  }

 private:
  struct Kept {
    std::mutex mutex;
    std::map<Place, double> errors;
  };

  figures::Setting setting_at(const Place& place) const {
    return figures::setting(panel_, panel_.x[place.x], place.series);
  }

  Kept& trial_of(std::uint64_t seed, Index number) {
    const std::scoped_lock held(mutex_);
    return trials_[{seed, number}];
  }

  Panel panel_;
  std::mutex mutex_;
  std::map<std::pair<std::uint64_t, Index>, Kept> trials_;
};

std::string in_words(const Panel& panel, const Place& place) {
  if (place.method.empty()) return fmt::format("the printed {}", place.printed);
  const bool own = method_of(panel, place.method).role == figures::Role::experiments;
  const bool noiseless = place.quantity == figures::Quantity::noiseless;
  return fmt::format("the error{}{} at {} = {} and {} = {}",
                     own ? "" : " of " + place.method.substr(0, place.method.find(", ")),
                     noiseless ? " without noise" : "", figures::name(panel.x_variable),
                     panel.x[place.x], figures::name(panel.series_variable), place.series);
}

ExperimentClaim experiment(const Panel& panel, const std::shared_ptr<KnownErrors>& known,
                           const Statement& statement) {
  const auto own =
      std::ranges::find(panel.methods, figures::Role::experiments, &Method::role)->name;
  const auto stated = figures::comparisons_of(statement, own, panel.x, panel.series);
  ExperimentClaim claim{
      .problem = fmt::format("{}; {}; error: {}", panel.problem.in_words(),
                             figures::fixed_in_words(panel), panel.problem.error_in_words()),
      .places = {},
      .errors = [known, places = stated.places](
                    std::uint64_t seed, Index trial) { return known->at(places, seed, trial); },
      .alternatives = stated.alternatives,
      .smallest_plan = Plan::nightly,
      .trials = panel.trials};
  std::ranges::transform(stated.places, std::back_inserter(claim.places),
                         [&](const Place& place) { return in_words(panel, place); });
  return claim;
}

// "1(a)" of "hu.1a"
std::string label(const std::string& number) {
  return fmt::format("{}({})", number.substr(0, number.size() - 1), number.back());
}

}  // namespace

std::vector<Claim> panel_claims(const std::vector<Panel>& panels) {
  std::vector<Claim> all;
  for (const Panel& panel : panels) {
    const auto known = std::make_shared<KnownErrors>(panel);
    const std::string number = panel.id.substr(panel.id.find('.') + 1);
    ClaimList claims(panel.algorithm);
    std::vector<std::optional<Finding>> findings;
    for (const Statement& statement : panel.statements) {
      if (!statement.expectation) continue;
      findings.push_back(statement.finding);
      claims.add(fmt::format("experiment.figure_{}.{}", number, statement.what), statement.edition,
                 *statement.expectation, panel.source,
                 fmt::format("Figure {} ({}), with the parameters that the experiments section "
                             "prints: {}.",
                             label(number), panel.title, statement.text),
                 {panel.note}, experiment(panel, known, statement));
    }
    for (std::size_t k = 0; Claim & claim : claims.take()) {
      claim.finding = findings[k++];
      all.push_back(std::move(claim));
    }
  }
  return all;
}

}  // namespace dpverify
