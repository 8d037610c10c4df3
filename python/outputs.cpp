#include "python/outputs.hpp"

#include <fmt/format.h>
#include <pybind11/numpy.h>

#include <cmath>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace dpverify::python {
namespace {

namespace py = pybind11;

constexpr double most_exact = 9007199254740992;  // 2^53: up to it every integer is a double
constexpr int deepest_output = 50;

[[noreturn]] void raise_type_error(const std::string& message) {
  PyErr_SetString(PyExc_TypeError, message.c_str());
  throw py::error_already_set();
}

std::string type_name(py::handle value) {
  return py::str(py::type::handle_of(value).attr("__name__")).cast<std::string>();
}

class Flattening {
 public:
  // All that is not a number: "#" stands for one.
  std::string form;
  std::vector<double> numbers;
  bool plain = true;  // numbers and sequences of numbers alone

  void add(py::handle value, int depth = 0) {
    if (depth > deepest_output) raise_type_error("the output nests too deeply");
    if (PyFloat_Check(value.ptr())) {
      add_number(PyFloat_AS_DOUBLE(value.ptr()));
    } else if (PyLong_Check(value.ptr())) {
      add_integer(value);
    } else if (py::isinstance<py::str>(value) || py::isinstance<py::bytes>(value) ||
               value.is_none()) {
      add_text(value);
    } else if (PyComplex_Check(value.ptr())) {
      add_text(py::str("complex"));
      add_number(PyComplex_RealAsDouble(value.ptr()));
      add_number(PyComplex_ImagAsDouble(value.ptr()));
    } else if (PyList_Check(value.ptr()) || PyTuple_Check(value.ptr())) {
      add_sequence(value, depth);
    } else if (PyDict_Check(value.ptr())) {
      add_dictionary(value, depth);
    } else if (py::hasattr(value, "__array__")) {
      add_array(value, depth);
    } else {
      raise_type_error(
          fmt::format("the output holds an object of type {}, but must be made of numbers, "
                      "strings, None, arrays, lists, tuples and dictionaries",
                      type_name(value)));
    }
  }

 private:
  void add_number(double number) {
    numbers.push_back(number);
    form += '#';
  }

  void add_integer(py::handle value) {
    const double nearest = PyLong_AsDouble(value.ptr());
    const bool beyond = nearest == -1 && PyErr_Occurred() != nullptr;
    if (beyond) PyErr_Clear();
    if (!beyond && std::abs(nearest) <= most_exact)
      add_number(nearest);
    else
      add_text(value);
  }

  void add_text(py::handle value) {
    plain = false;
    form += py::repr(value).cast<std::string>();
  }

  void add_sequence(py::handle value, int depth) {
    plain = plain && depth == 0;
    form += '[';
    for (const py::handle item : value) {
      add(item, depth + 1);
      form += ',';
    }
    form += ']';
  }

  void add_dictionary(py::handle value, int depth) {
    plain = false;
    form += '{';
    for (const auto& [key, item] : py::reinterpret_borrow<py::dict>(value)) {
      add(key, depth + 1);
      form += ':';
      add(item, depth + 1);
      form += ',';
    }
    form += '}';
  }

  void add_array(py::handle value, int depth) {
    const auto array = py::array::ensure(value);
    if (!array) throw py::error_already_set();
    const char kind = array.dtype().kind();
    const bool exact = kind == 'f' || kind == 'b' ||
                       ((kind == 'i' || kind == 'u') && array.dtype().itemsize() < 8);
    if (!exact || array.ndim() != 1) {
      // Lists of lists, down to Python's own numbers: integers that no double stands for are kept.
      add(array.attr("tolist")(), array.ndim() == 0 ? depth + 1 : depth);
      return;
    }
    const auto doubles = py::array_t<double, py::array::c_style | py::array::forcecast>(array);
    plain = plain && depth == 0;
    numbers.insert(numbers.end(), doubles.data(), doubles.data() + doubles.size());
    form += fmt::format("[{}#]", doubles.size());
  }
};

template <class Numbers>
py::object owning_array(Numbers&& numbers, std::vector<py::ssize_t> shape) {
  using Kept = std::remove_cvref_t<Numbers>;
  auto kept = std::make_unique<Kept>(std::forward<Numbers>(numbers));
  const double* const data = kept->data();
  const py::capsule owner(kept.get(), [](void* held) { delete static_cast<Kept*>(held); });
  kept.release();
  return py::array_t<double>(std::move(shape), data, owner);
}

}  // namespace

VectorXd read_output(py::handle value, PrintedOutputs& texts) {
  Flattening flat;
  flat.add(value);
  if (!flat.plain) flat.numbers.push_back(texts.failure(flat.form)[1]);
  return Eigen::Map<const VectorXd>(flat.numbers.data(), static_cast<Index>(flat.numbers.size()));
}

bool has_full_precision(const VectorXd& output) {
  for (const double value : output) {
    const std::string text = fmt::format("{:.14e}", value);
    if (std::isfinite(value) && std::abs(value) < 1e50 && std::stod(text) != value) return true;
  }
  return false;
}

VectorXd read_vector(py::handle value, const char* what) {
  const auto array = py::array_t<double, py::array::c_style | py::array::forcecast>::ensure(value);
  if (!array) {
    PyErr_Clear();
    raise_type_error(
        fmt::format("{} is of type {}, but must be an array of numbers", what, type_name(value)));
  }
  return Eigen::Map<const VectorXd>(array.data(), array.size());
}

py::object to_array(VectorXd&& vector) { return owning_array(std::move(vector), {vector.size()}); }

py::object to_array(Matrix&& rows) {
  return owning_array(std::move(rows), {rows.rows(), rows.cols()});
}

}  // namespace dpverify::python
