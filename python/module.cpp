// The compiled half of the Python package dpverify: releases, and the checks on Python functions.
// What users see and its documentation is in dpverify/__init__.py.
#include <fmt/format.h>
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "algorithms/core/build_info.hpp"
#include "algorithms/core/checked.hpp"
#include "python/callables.hpp"
#include "python/checks.hpp"
#include "python/outputs.hpp"
#include "reports/validate.hpp"

namespace dpverify::python {
namespace {

MaxNoise read_max_noise(const std::string& name) {
  if (name == "laplace") return MaxNoise::laplace;
  if (name == "exponential") return MaxNoise::exponential;
  require(name == "gumbel", "noise", "'" + name + "'", "laplace, exponential or gumbel");
  return MaxNoise::gumbel;
}

// The outcome in the shape of the value: a number for a number.
py::object shaped_like(const py::object& value, VectorXd&& outcome) {
  const py::array array = py::array::ensure(value);
  if (array.ndim() == 0) return py::float_(outcome[0]);
  const py::object flat = to_array(std::move(outcome));
  return array.ndim() == 1 ? flat : flat.attr("reshape")(array.attr("shape"));
}

py::object laplace(PythonReleases& releases, const py::object& value, double sensitivity,
                   double scale) {
  return shaped_like(
      value, releases.release(LaplaceNoise{read_vector(value, "value"), sensitivity, scale}));
}

py::object gaussian(PythonReleases& releases, const py::object& value, double sensitivity,
                    double standard_deviation) {
  return shaped_like(value, releases.release(GaussianNoise{read_vector(value, "value"), sensitivity,
                                                           standard_deviation}));
}

py::object generalised_gaussian(PythonReleases& releases, const py::object& value,
                                double sensitivity, double scale, double norm, double change_norm) {
  return shaped_like(value,
                     releases.release(GeneralisedGaussianNoise{.value = read_vector(value, "value"),
                                                               .sensitivity = sensitivity,
                                                               .norm = norm,
                                                               .change_norm = change_norm,
                                                               .scale = scale}));
}

Index select(PythonReleases& releases, const py::object& scores, double sensitivity, double epsilon,
             const std::string& change) {
  require(change == "largest" || change == "half_range", "change", "'" + change + "'",
          "largest or half_range");
  require(positive, "sensitivity", sensitivity);
  return releases.select(ExponentialMechanism::with_epsilon(
      read_vector(scores, "scores"), sensitivity, epsilon,
      change == "largest" ? ScoreChange::largest : ScoreChange::half_range));
}

Index permute_and_flip(PythonReleases& releases, const py::object& scores, double sensitivity,
                       double epsilon) {
  require(positive, "sensitivity", sensitivity);
  return releases.select(
      PermuteAndFlip{read_vector(scores, "scores"), sensitivity, epsilon / (2 * sensitivity)});
}

Index noisy_max(PythonReleases& releases, const py::object& scores, double sensitivity,
                double scale, const std::string& noise) {
  return releases.select(
      NoisyMax{read_vector(scores, "scores"), sensitivity, scale, read_max_noise(noise)});
}

py::object permutation(PythonReleases& releases, Index count) {
  return to_array(releases.release(UniformPermutation{count})).attr("astype")("int64");
}

void define_releases(py::module_& module) {
  using py::arg;
  py::class_<PythonReleases, std::shared_ptr<PythonReleases>>(
      module, "Releases",
      "What a mechanism draws its noise with: the only way from the data to its output.\n\n"
      "Each method describes a law: what was computed from the data (the pre-noise value), the\n"
      "noise, and how far the value moves at most if one record is replaced (the sensitivity).\n"
      "It gives an outcome of the law, in the shape of the value. ValueError for a value that is\n"
      "not finite, or noise out of its range.")
      .def("laplace", laplace, arg("value"), arg("sensitivity"), arg("scale"),
           "value + Laplace noise of density exp(-|x|/scale)/(2 scale) in each coordinate.\n\n"
           "(sensitivity/scale)-DP; sensitivity in l1.")
      .def("gaussian", gaussian, arg("value"), arg("sensitivity"), arg("standard_deviation"),
           "value + normal noise of this standard deviation in each coordinate.\n\n"
           "mu-GDP, mu = sensitivity/standard_deviation; sensitivity in l2.")
      .def("generalised_gaussian", generalised_gaussian, arg("value"), arg("sensitivity"),
           arg("scale"), arg("norm") = 2.0, arg("change_norm") = 2.0,
           "value + noise of density proportional to exp(-||z||_norm^2/(2 scale^2)).\n\n"
           "Bassily, Guzman and Nandi (2021); sensitivity in the norm l_change_norm.")
      .def("select", select, arg("scores"), arg("sensitivity"), arg("epsilon"),
           arg("change") = "largest",
           "An index, drawn with probability proportional to exp(epsilon scores/(2 "
           "sensitivity)).\n\n"
           "The exponential mechanism; epsilon-DP. sensitivity: of every score or, if change is\n"
           "'half_range', half of the range of the scores' changes.")
      .def("permute_and_flip", permute_and_flip, arg("scores"), arg("sensitivity"), arg("epsilon"),
           "An index, by permute-and-flip (McKenna and Sheldon, 2020); epsilon-DP.")
      .def("noisy_max", noisy_max, arg("scores"), arg("sensitivity"), arg("scale"),
           arg("noise") = "laplace",
           "The index of the largest score + noise of this scale.\n\n"
           "(2 sensitivity/scale)-DP; noise: 'laplace', 'exponential' or 'gumbel'.")
      .def("permutation", permutation, arg("count"),
           "A uniformly random order of 0..count-1: shuffling, which costs nothing.");
}

// The output of one run, as the function returns it.
py::object run(const py::function& function, const py::object& data, std::uint64_t seed) {
  SamplingReleases releases(RandomStream({.seed = seed, .claim = "python", .purpose = "run"}));
  const auto handle = std::make_shared<PythonReleases>(releases);
  try {
    py::object output = function(data, handle);
    handle->end();
    return output;
  } catch (...) {
    handle->end();
    throw;
  }
}

// Of the entries of a record, from those of the columns.
VectorXd ends(const std::vector<double>& ends, Index rows_per_user) {
  return Eigen::Map<const VectorXd>(ends.data(), static_cast<Index>(ends.size()))
      .replicate(rows_per_user, 1);
}

py::tuple as_tuple(const Outcomes& found) {
  return py::make_tuple(found.report, found.raised, found.exceptions);
}

py::tuple check(const py::function& function, const CheckOptions& options) {
  return as_tuple(check_mechanism(function, options));
}

}  // namespace

PYBIND11_MODULE(_core, module) {
  using py::arg;
  module.doc() = "The compiled half of dpverify. Use dpverify itself.";
  define_releases(module);
  module.def("version", [] { return build_info().version; });
  module.def(
      "validate", [](const std::string& report) { return validate_report(report); }, arg("report"));
  module.def("run", run, arg("mechanism"), arg("data"), arg("seed"));
  module.def(
      "check",
      [](const py::function& function, const std::string& name, const std::string& where,
         const std::string& reproduce, std::optional<double> epsilon, double delta, Index records,
         Index rows_per_user, const std::vector<double>& low, const std::vector<double>& high,
         bool integers, const py::object& pair, const std::string& plan, double significance,
         std::uint64_t seed) {
        require(rows_per_user >= 1, "rows_per_user", static_cast<double>(rows_per_user),
                "at least 1");
        CheckOptions options{
            .subject = {name, where, reproduce},
            .claimed = {},
            .domain = {records, ends(low, rows_per_user), ends(high, rows_per_user), integers},
            .pair = {},
            .rows_per_user = rows_per_user,
            .plan = read_plan(plan),
            .significance = significance,
            .seed = seed};
        if (epsilon) options.claimed = {*epsilon, delta};
        if (!pair.is_none()) options.pair = read_pair(pair, rows_per_user);
        return check(function, options);
      },
      arg("mechanism"), arg("name"), arg("where"), arg("reproduce"), arg("epsilon"), arg("delta"),
      arg("records"), arg("rows_per_user"), arg("low"), arg("high"), arg("integers"), arg("pair"),
      arg("plan"), arg("significance"), arg("seed"));
  module.def(
      "audit",
      [](const py::function& function, const py::object& data, const py::object& neighbour,
         const std::string& name, const std::string& where, const std::string& reproduce,
         double epsilon, double delta, double significance, Index most_runs, double fault,
         std::optional<bool> bits, std::uint64_t seed) {
        return as_tuple(audit_callable(function, {data, neighbour},
                                       {.subject = {name, where, reproduce},
                                        .request = {.claimed = {epsilon, delta},
                                                    .significance = significance,
                                                    .most_runs = most_runs,
                                                    .fault = fault,
                                                    .threads = static_cast<int>(std::max(
                                                        1U, std::thread::hardware_concurrency())),
                                                    .seed = seed},
                                        .bits = bits}));
      },
      arg("function"), arg("data"), arg("neighbour"), arg("name"), arg("where"), arg("reproduce"),
      arg("epsilon"), arg("delta"), arg("significance"), arg("most_runs"), arg("fault"),
      arg("bits"), arg("seed"));
}

}  // namespace dpverify::python
