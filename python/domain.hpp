// The datasets that a Python mechanism is claimed to be private on, as an image of all datasets.
#pragma once

#include "algorithms/core/dataset.hpp"

namespace dpverify::python {

// Datasets of so many records and columns, column j between low[j] and high[j] (infinite: without
// end), whole numbers only if `integers`.
struct Domain {
  Index records = 1;
  VectorXd low, high;  // of every column, low < high
  bool integers = false;

  Index columns() const { return low.size(); }
};

// Throws std::invalid_argument if there is no record or column, low < high does not hold in every
// column, or an end is not whole where the numbers are.
void validate(const Domain& domain);

// The dataset of the domain that stands for this one: cut to the records, or filled up with records
// of zeros; the label added to the last column; each entry scaled, so that 10^6 reaches the ends of
// its column, rounded if need be, and moved to the nearest end if it lies outside. Every dataset of
// the domain stands for itself or another, neighbours become neighbours or equal, and, up to the
// rounding of the scale, all pairs of neighbours are reached: so a mechanism is private on the
// domain if and only if it is private on all datasets after this.
Matrix in_domain(const Domain& domain, const Dataset& data);

// The same of a pair; the labels, which no Python mechanism sees, are 0.
NeighbouringPair in_domain(const Domain& domain, const NeighbouringPair& pair);

}  // namespace dpverify::python
