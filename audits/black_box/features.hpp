// Numbers read off outputs, from which events are made.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "audits/black_box/distinguishers.hpp"

namespace dpverify::black_box {

// A number read off an output. If it is not ordered, it is a code that is only equal or not.
struct Feature {
  std::string name;
  std::function<double(const Output&)> value;
  bool ordered = true;
};

// Of outputs of at most this many coordinates; of their bits too if the model is of doubles.
std::vector<Feature> features(Index dimension, OutputModel model);

// Coordinates with the median at 0 and the quartiles about 1 apart, tails pulled in by asinh.
// Missing and NaN count as 0.
struct Scaling {
  VectorXd centre;
  VectorXd scale;

  double at(const Output& x, Index i) const {
    if (i >= x.size() || std::isnan(x[i])) return 0;
    return std::clamp(std::asinh((x[i] - centre[i]) / scale[i]), -40.0, 40.0);
  }
};

Scaling scaling(const OutputRange& first, const OutputRange& second, Index dimension);

// Learnt: the direction in which the scaled coordinates and their squares predict the side best, by
// least squares with a small ridge. At most 100 coordinates: those that tell the sides apart best,
// each alone.
Feature linear_direction(const OutputRange& first, const OutputRange& second, const Scaling& scale);

// Learnt: how many of the 15 nearest of some outputs, as many of either side, are of the first.
Feature neighbours(const OutputRange& first, const OutputRange& second, const Scaling& scale);

}  // namespace dpverify::black_box
