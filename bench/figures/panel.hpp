// A panel of a paper's figure as data: what varies, on what problem, which methods run, and what
// the text says the panel shows.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "algorithms/claims/claims.hpp"
#include "algorithms/core/releases.hpp"
#include "bench/figures/problems.hpp"

namespace dpverify::figures {

// What a panel varies.
enum class Variable { epsilon, records, dimension, sparsity };
std::string_view name(Variable variable);  // "epsilon", "n", "d", "s*"

// experiments: the parameters that the paper's experiments section prints.
// theorem:     those that its theorem sets, hidden constants 1.
// comparator:  another algorithm at the same epsilon and delta.
enum class Role { experiments, theorem, comparator };
std::string_view name(Role role);

struct Method {
  std::string name;  // "experiments", "theorem", or the comparator's
  Role role = Role::experiments;
  std::function<Mechanism(const Setting&, const Instance&)> make;
};

// What the text says of a panel, in a form that measured curves decide. Every kind compares, trial
// by trial, one mean error with a multiple of another (see judge()).
//   falls, grows:       the error at the last x is below (above) that at the first, in every series
//   grows_faster_than_log: error(last x)/error(first x) > log(last x)/log(first x), in every series
//   series_matter_little:  at each x the errors of the first and last series differ by less than a
//                       factor `value`
//   values:             in some series the error at the first x is `value`, at the last
//                       `second_value`, both within a factor 1.5
//   near_noiseless:     at the last x the error is at most `value` times that of the same run
//                       without noise
//   above_method:       at the last x the error is above that of the method `other`, in every
//                       series
struct Statement {
  enum class Kind {
    falls,
    grows,
    grows_faster_than_log,
    series_matter_little,
    values,
    near_noiseless,
    above_method
  } kind = Kind::falls;
  std::string what;  // a word for it: "falls"
  std::string text;  // the statement, in our words
  double value = 0;
  double second_value = 0;
  std::string other;
  // reading: the text leaves out how much is meant, and the number is this project's.
  Edition edition = Edition::printed;
  // Of the claim that it is, with the parameters of the experiments. Empty: it is none, because 160
  // trials do not decide it, or would take hours.
  std::optional<Expectation> expectation;
  std::optional<Finding> finding;  // where the text prints what is expected refuted
};

struct Panel {
  std::string id;         // "hu.1a"
  std::string algorithm;  // whose experiments it shows: "hu.dp_frank_wolfe"
  std::string title;      // of the picture
  Source source;          // paper and figure
  std::string note;       // what the paper leaves open and was chosen here
  LinearProblem problem;
  Setting base;  // what neither x nor the series varies
  Variable x_variable = Variable::epsilon;
  std::vector<double> x;
  Variable series_variable = Variable::dimension;
  std::vector<double> series;
  std::vector<Method> methods;
  std::vector<Statement> statements;
  Index trials = 20;
};

// The panel of this id. Throws std::invalid_argument if there is none.
const Panel& find_panel(const std::vector<Panel>& panels, std::string_view id);

// The panel's setting at one x of one series.
Setting setting(const Panel& panel, double x, double series);

// "Hu, Ni, Xiao and Wang (preprint), Section 6, Figure 1(a)"
std::string source_in_words(const Panel& panel);

// What neither x nor the series varies: "n = 10000, epsilon = 1".
std::string fixed_in_words(const Panel& panel);

}  // namespace dpverify::figures
