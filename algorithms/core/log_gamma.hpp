#pragma once

namespace dpverify {

// log |Gamma(x)|: std::lgamma(), but for a variable that this writes for all threads.
double log_gamma(double x);

}  // namespace dpverify
