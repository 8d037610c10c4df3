// A mechanism for every value of its parameters, and the claims that speak of all of them.
#pragma once

#include <functional>
#include <utility>
#include <vector>

#include "algorithms/claims/fields.hpp"

namespace dpverify {

// A point of a family, and the shape of the datasets a search looks at.
template <class P>
struct FamilySetting {
  P parameters;
  Index records = 1;
  Index dimension = 1;
};

// The number of features a property draws.
struct Dimensions {
  Index smallest = 1;
  Index largest = 3;
};

template <class P>
struct Family {
  Fields<P> fields;
  std::function<VectorXd(const Dataset&, const P&, Releases&)> run;
  std::function<PrivacyGuarantee(const P&)> guarantee = {};

  Mechanism operator()(const P& parameters) const {
    return [run = run, parameters](const Dataset& data, Releases& releases) {
      return run(data, parameters, releases);
    };
  }
  // Another mechanism, or another table, for the same parameters.
  Family running(std::function<VectorXd(const Dataset&, const P&, Releases&)> other) const {
    return {fields, std::move(other), guarantee};
  }
  Family over(Fields<P> other) const { return {std::move(other), run, guarantee}; }

  // One record moves each release by at most the sensitivity it declares; `attained`: on some pair
  // by as much. The property draws from the ranges of the table, the search looks at `settings`.
  SensitivityClaim sensitivity(Dimensions dimensions,
                               const std::vector<FamilySetting<P>>& settings = {},
                               bool attained = false) const {
    return {mechanisms(),       fields.ranges(), dimensions.smallest,
            dimensions.largest, at(settings),    attained};
  }
  // The mechanism has its guarantee: audited exactly at the first settings, certified by
  // composition at these and at the second.
  PrivacyClaim privacy(const std::vector<FamilySetting<P>>& exact,
                       const std::vector<FamilySetting<P>>& certified = {}) const {
    return {.mechanism = mechanisms(),
            .guarantee = [fields = fields, guarantee = guarantee](
                             const ParameterPoint& point) { return guarantee(fields.read(point)); },
            .settings = at(exact),
            .certified = at(certified),
            .pair = {},
            .ranges = fields.ranges()};
  }

 private:
  MechanismFamily mechanisms() const {
    return [self = *this](const ParameterPoint& point) { return self(self.fields.read(point)); };
  }
  std::vector<Setting> at(const std::vector<FamilySetting<P>>& settings) const {
    std::vector<Setting> out;
    for (const auto& [parameters, records, dimension] : settings)
      out.push_back({fields.point(parameters), records, dimension});
    return out;
  }
};

}  // namespace dpverify
