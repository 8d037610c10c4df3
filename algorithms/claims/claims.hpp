// Claims: what a paper says, as data a check can decide. A check reads a claim and knows no
// algorithm by name.
#pragma once

#include <functional>
#include <optional>
#include <source_location>
#include <string>
#include <variant>
#include <vector>

#include "algorithms/claims/finding.hpp"
#include "algorithms/claims/parameter_point.hpp"
#include "algorithms/core/releases.hpp"

namespace dpverify {

// printed:   exactly as the text says.
// proved:    what its proof supports, where that differs from the text.
// corrected: what this project ships as the default.
// reading:   one way to read a place of the text that a copy garbles, two copies give differently
//            or the text leaves open. It accuses nobody; a false one is kept to show that the
//            checks see it.
// mutant:    the corrected algorithm with one planted fault, to show that the checks can see it.
enum class Edition { printed, proved, corrected, reading, mutant };
enum class Expectation { holds, refuted };
// How much work a run may do. Two cores: smoke takes about a minute; the rate sweeps take three
// minutes of ci and some twenty of nightly.
enum class Plan { smoke, ci, nightly };

enum class Scale { linear, logarithmic, integer };

// The claimed range of one parameter. `simplest` is the value a counterexample shrinks towards.
struct ParameterRange {
  std::string name;
  double simplest;
  double lower;
  double upper;
  Scale scale = Scale::linear;
};

using MechanismFamily = std::function<Mechanism(const ParameterPoint&)>;

// Parameters and the shape of the datasets a search looks at.
struct Setting {
  ParameterPoint parameters;
  Index records = 1;
  Index dimension = 1;
};

// On every replace-one pair and at every release, the pre-noise values differ by at most the
// sensitivity the law declares, in the law's norm.
struct SensitivityClaim {
  MechanismFamily mechanism;
  std::vector<ParameterRange> ranges;  // for the property: any point of these
  Index smallest_dimension = 1;        // and any number of features in this range
  Index largest_dimension = 3;
  std::vector<Setting> settings;  // for the search of the worst pair
  bool attained = false;          // claims equality: some pair reaches the bound
};

struct PrivacyGuarantee {
  double epsilon = 0;
  double delta = 0;
};

// The mechanism is (epsilon, delta)-differentially private for replace-one neighbours.
struct PrivacyClaim {
  MechanismFamily mechanism;
  std::function<PrivacyGuarantee(const ParameterPoint&)> guarantee;
  std::vector<Setting> settings;   // audited exactly, and certified
  std::vector<Setting> certified;  // certified only: too long or large to audit exactly
  // If set, no pair is searched: the mechanism of the one setting is audited on this pair, by every
  // channel that can see it. The neighbour may also have one record more or less.
  std::optional<NeighbouringPair> pair;
  // Whether its outputs are looked at bit by bit. Noise drawn in floating point is not private in
  // its last bits, so that only a mechanism proved in that arithmetic can claim as much.
  bool bits = false;
  // Of the parameters: where the claim speaks of them, beside its settings. Empty: nowhere else.
  std::vector<ParameterRange> ranges;
};

// Records, and how far an output is from what it should be on them.
struct Instance {
  Dataset data;
  std::function<double(const VectorXd&)> error;
};

// What a user would run instead.
struct Comparator {
  std::string name;
  Mechanism mechanism;
};

// One point of a sweep: the algorithm with the parameters the theorem sets there.
struct RatePoint {
  Index records = 0;
  Mechanism mechanism;
  double bound = 0;  // the theorem's bound with its log factors, every hidden constant 1
  // Where the problem itself changes with the variable: in place of the claim's own, if set.
  Index dimension = 0;
  std::function<Dataset(Index, RandomStream&)> draw;
  std::function<double(const VectorXd&)> excess_risk;
  // Where each trial has a problem of its own: in place of both.
  std::function<Instance(RandomStream&)> instance;
  // A lower bound on the mean excess risk of every mechanism with this guarantee on this problem,
  // every constant in place; 0: none is known.
  double lower_bound = 0;
  std::vector<Comparator> comparators;  // the same names at every point
};

// The values a sweep visits, and how often it repeats each.
struct Sweep {
  std::vector<double> values;
  Index trials = 0;
};

// The excess risk follows the bound in `variable`: it falls at least as fast, or grows no faster;
// if `learns`, the claim also says that at these parameters the run beats what no data would give.
// With `attained` > 0 it says instead that the exponent is attained, to this tolerance: on an
// instance made to be hard, where no run need beat doing nothing.
struct RateClaim {
  std::string variable;  // what the sweep varies: "n", "epsilon", "d" or "s"
  std::string problem;   // the data model, in words
  double exponent = 0;   // of the bound in the variable, log factors apart; 0: logarithmic
  // The bound holds with at least the probability 1 - failure_probability; 0: it is one on the
  // expectation.
  double failure_probability = 0;
  bool learns = false;
  double attained = 0;
  Index dimension = 1;
  // The algorithm reads its records by Dataset::part alone, each part once: they are drawn while it
  // runs where they are too many to hold.
  bool by_parts = false;
  std::function<RatePoint(double)> point;
  std::function<Dataset(Index, RandomStream&)> draw;   // n independent records
  std::function<double(const VectorXd&)> excess_risk;  // population, closed form, >= 0
  Sweep smoke;                                         // no values: left out of the plan
  Sweep ci;
  Sweep nightly = {};  // no values: made from `ci`, with more trials and a decade more of n
};

// left <= right at every point of the ranges.
struct LemmaClaim {
  struct Sides {
    double left = 0;
    double right = 0;
  };
  // In 100 digits, rounded at the end; `excess` is left - right.
  struct PreciseSides {
    double left = 0;
    double right = 0;
    double excess = 0;
  };
  std::vector<ParameterRange> ranges;
  std::function<Sides(const ParameterPoint&)> sides;
  std::function<PreciseSides(const ParameterPoint&)> precise_sides;  // empty: doubles only
};

// Too good to be private: a theorem says that every mechanism with the guarantee errs at least
// `bound` on average over a family of hard instances (so on the worst of them as well), and this
// one does.
struct FloorClaim {
  std::string problem;  // the instances, and what an error is, in words
  Mechanism mechanism;
  PrivacyGuarantee guarantee;
  // One of the family, uniformly, and its records; errors are in [0, 1].
  std::function<Instance(RandomStream&)> draw;
  double bound = 0;  // at most 0: says nothing
};

// What a text says that its experiments show: mean errors over independent trials compare as it
// says.
struct ExperimentClaim {
  // The mean at one place is less than `factor` times that at another.
  struct Comparison {
    std::size_t smaller = 0;
    double factor = 1;
    std::size_t larger = 0;
  };
  std::string problem;              // the data, the method and its parameters, in words
  std::vector<std::string> places;  // "the error at epsilon = 1 and d = 200"
  // The errors of one trial, one a place; those of one trial may share records.
  std::function<std::vector<double>(std::uint64_t seed, Index trial)> errors;
  // The statement holds if every comparison of one row does.
  std::vector<std::vector<Comparison>> alternatives;
  Plan smallest_plan = Plan::nightly;  // that runs it
  Index trials = 20;
};

// The texts that claims cite. A paper with two texts is cited by the one that says it, or by both.
enum class Text {
  hu_preprint,
  hu_published,
  hu,  // both
  tao,
  wang_xu,
  su_main,
  su_supplement,
  su,  // both
  this_project,
  folklore,
  dwork_2006,
  mcsherry_2007,
  mironov_2012,
  lyu_2017,
  wang_2017,
  ding_2018,
  permute_and_flip,
  wang_2020,
  feldman_2021,
  tramer_2022,
  casacuberta_2022,
  chua_2024,
  stochastic_tester,
  command_line,  // files of outputs, by whoever gives them
};
// "Hu, Ni, Xiao and Wang (preprint)"
std::string_view name(Text text);

struct Source {
  Text text = Text::this_project;
  std::string where;  // "Algorithm 1, step 6; Theorem 1"
};

struct Claim {
  std::string id;         // <paper>.<algorithm>.<kind>[.<what>].<edition>
  std::string algorithm;  // <paper>.<algorithm>
  Edition edition = Edition::printed;
  Expectation expectation = Expectation::holds;
  Source source;
  std::string statement;
  std::vector<std::string> assumptions;
  std::variant<SensitivityClaim, PrivacyClaim, RateClaim, LemmaClaim, FloorClaim, ExperimentClaim>
      check;
  std::optional<Finding> finding;  // of one that is expected refuted
  std::source_location stated;     // where in the sources; line 0: not known
};

std::string_view name(Edition edition);
std::string_view name(Expectation expectation);
std::string_view name(Plan plan);
// "sensitivity", "privacy", "rate", "lemma", "floor" or "experiment".
std::string_view kind(const Claim& claim);

}  // namespace dpverify
