// The few types every folder uses.
#pragma once

#include <Eigen/Core>

namespace dpverify {

using Eigen::Index;
using Eigen::VectorXd;
// Row-major, so that a record is contiguous and a run of records is a block of memory.
using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

}  // namespace dpverify
