#include "python/callables.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <pybind11/numpy.h>

#include <algorithm>
#include <stdexcept>
#include <utility>
#include <vector>

#include "python/outputs.hpp"

namespace dpverify::python {

VectorXd Caller::run(const Call& call, PrintedOutputs& texts, const Failed& failed) {
  const py::gil_scoped_acquire lock;
  if (stop_) throw Stopped{};
  ++calls_;
  try {
    const py::object output = call();
    if (PyErr_CheckSignals() != 0) throw py::error_already_set();
    return read_output(output, texts);
  } catch (py::error_already_set& error) {
    if (!error.matches(PyExc_Exception)) {
      stop_.emplace(error);
      throw Stopped{};
    }
    const auto type = error.type().attr("__name__").cast<std::string>();
    Raised& raised = raised_[type];
    if (raised.count++ == 0) {
      raised.exception = error.value();
      if (error.trace()) PyException_SetTraceback(raised.exception.ptr(), error.trace().ptr());
    }
    return failed("raises " + type);
  }
}

void Caller::raise_if_stopped() {
  if (stop_) throw py::error_already_set(*stop_);
}

std::string Caller::raised_in_words() const {
  std::vector<std::string> kinds;
  for (const auto& [type, raised] : raised_) {
    const auto message = py::str(raised.exception).cast<std::string>();
    kinds.push_back(fmt::format("raises {}{} in {} of {} calls", type,
                                message.empty() ? "" : " (" + message + ")", raised.count, calls_));
  }
  return fmt::format("{}", fmt::join(kinds, "; "));
}

py::list Caller::exceptions() const {
  py::list out;
  for (const auto& [type, raised] : raised_) out.append(raised.exception);
  return out;
}

void PythonReleases::require_use(const std::function<void()>& validate) const {
  if (releases_ == nullptr)
    throw std::runtime_error("releases are of no use after the mechanism has returned");
  if (left_) throw std::runtime_error("this run has ended at an earlier release");
  validate();
}

void PythonReleases::leave() {
  left_ = std::current_exception();
  // No Exception: `except Exception` of the mechanism does not catch it.
  PyErr_SetString(PyExc_GeneratorExit, "the run ends at this release");
  throw py::error_already_set();
}

void PythonReleases::end() { releases_ = nullptr; }

Mechanism mechanism_of(py::function function, std::optional<Domain> domain, Index rows_per_record,
                       Caller& caller, PrintedOutputs& texts) {
  // Copies of the mechanism are made and destroyed without the lock.
  const auto kept =
      std::shared_ptr<py::function>(new py::function(std::move(function)), [](py::function* held) {
        const py::gil_scoped_acquire lock;
        delete held;
      });
  return [kept, domain = std::move(domain), rows_per_record, &caller, &texts](const Dataset& data,
                                                                              Releases& releases) {
    Matrix records = domain ? in_domain(*domain, data) : data.features;
    const Index entries = records.cols() / rows_per_record;
    records.resize(records.rows() * rows_per_record, entries);  // a record is contiguous
    std::exception_ptr left;
    const auto call = [&]() -> py::object {
      const auto handle = std::make_shared<PythonReleases>(releases);
      const py::array array = to_array(std::move(records));
      const auto end = [&] {
        handle->end();
        handle->rethrow_if_left();
      };
      try {
        py::object output = (*kept)(array, handle);
        end();
        return output;
      } catch (const py::error_already_set&) {
        end();
        throw;
      }
    };
    return caller.run(call, texts, [&](const std::string& how) { return texts.failure(how); });
  };
}

std::array<Outputs, 2> next_runs(const py::function& function,
                                 const std::array<py::object, 2>& data, Index count, Caller& caller,
                                 RunLog& log) {
  std::array<Outputs, 2> outputs;
  for (Index k = 0; k < count; ++k)
    for (const std::size_t side : {0U, 1U})
      outputs[side].push_back(
          caller.run([&] { return function(data[side]); }, log.reader,
                     [&](const std::string& how) { return log.failed(side, how); }));
  for (const std::size_t side : {0U, 1U}) log.keep(side, outputs[side]);
  return outputs;
}

}  // namespace dpverify::python
