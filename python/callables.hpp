// Python functions as mechanisms, and what happens when they raise.
#pragma once

#include <pybind11/pybind11.h>

#include <array>
#include <exception>
#include <functional>
#include <map>
#include <optional>
#include <string>

#include "algorithms/core/releases.hpp"
#include "audits/black_box/run_audit.hpp"
#include "python/domain.hpp"

namespace dpverify::python {

namespace py = pybind11;

// Ends a check because the function has raised what is no Exception (KeyboardInterrupt,
// SystemExit). No std::exception, so that nothing on the way takes it for an output.
struct Stopped {};

// Calls a Python function from C++, with the interpreter's lock. An Exception that it raises is its
// output, known by its type: whoever runs it sees it. Anything else it raises ends the check.
class Caller {
 public:
  using Call = std::function<py::object()>;
  using Failed = std::function<VectorXd(const std::string& how)>;

  // The output of one call. `failed` gives that of a call that raises, by how: "raises ValueError".
  VectorXd run(const Call& call, PrintedOutputs& texts, const Failed& failed);

  // Has what stopped the check raised where Python called us. Needs the lock.
  void raise_if_stopped();

  Index calls() const { return calls_; }
  // The first exception of each type, and how often there was one.
  struct Raised {
    py::object exception;
    Index count = 0;
  };
  const std::map<std::string, Raised>& raised() const { return raised_; }
  // "raises ValueError (no records) in 3 of 10 calls"; empty if none did.
  std::string raised_in_words() const;
  py::list exceptions() const;

 private:
  Index calls_ = 0;
  std::map<std::string, Raised> raised_;
  std::optional<py::error_already_set> stop_;
};

// What a mechanism in Python draws its noise with. Of use until the mechanism returns.
class PythonReleases {
 public:
  explicit PythonReleases(Releases& releases) : releases_(&releases) {}

  VectorXd release(const ContinuousLaw auto& law) {
    return ask(law, [&] { return releases_->release(law); });
  }
  Index select(const FiniteLaw auto& law) {
    return ask(law, [&] { return releases_->select(law); });
  }

  // After the mechanism has returned. Throws what a release has ended the run with: a replay leaves
  // a run like this, and no code of the mechanism may keep it from doing so.
  void end();
  void rethrow_if_left() const {
    if (left_) std::rethrow_exception(left_);
  }

 private:
  void require_use(const std::function<void()>& validate) const;
  [[noreturn]] void leave();

  // A law out of its domain is the mechanism's fault, and an exception to it; anything else that is
  // thrown is whose releases they are.
  template <class Ask>
  auto ask(const LawKind auto& law, const Ask& draw) {
    require_use([&] { law.validate(); });
    try {
      return draw();
    } catch (...) {
      leave();
    }
  }

  Releases* releases_;
  std::exception_ptr left_;
};

// `function(array, releases)` as a mechanism: it gets an array of its own, with so many rows a
// record. Where a domain is given, the dataset of the domain that stands for the one it is asked
// about.
Mechanism mechanism_of(py::function function, std::optional<Domain> domain, Index rows_per_record,
                       Caller& caller, PrintedOutputs& texts);

// The next runs of `function(data)` on either dataset, in turn.
std::array<Outputs, 2> next_runs(const py::function& function,
                                 const std::array<py::object, 2>& data, Index count, Caller& caller,
                                 RunLog& log);

}  // namespace dpverify::python
