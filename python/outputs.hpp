// What a Python function returns, as an output to audit.
#pragma once

#include <pybind11/pybind11.h>

#include "algorithms/core/types.hpp"
#include "audits/black_box/printed_outputs.hpp"

namespace dpverify::python {

// Numbers, None, strings, bytes, arrays of them, and lists, tuples and dictionaries of these. A
// number, or a sequence of numbers, is the vector of them. Of anything else the numbers come first,
// in order, and a code of all that is not a number at the end: texts, lengths, names, integers that
// no double stands for. Two outputs are equal only if these are; whether a sequence is a list, a
// tuple or an array, and a number an integer or not, makes no difference. Throws error_already_set
// (TypeError) for other objects. Needs the interpreter's lock.
VectorXd read_output(pybind11::handle value, PrintedOutputs& texts);

// Whether it holds a number that takes more than 15 significant digits to write.
bool has_full_precision(const VectorXd& output);

// An array of numbers, of any shape or none, as a vector. Throws error_already_set (TypeError).
VectorXd read_vector(pybind11::handle value, const char* what);

// As an array that owns the numbers, without a copy: of one axis, or of rows.
pybind11::object to_array(VectorXd&& vector);
pybind11::object to_array(Matrix&& rows);

}  // namespace dpverify::python
