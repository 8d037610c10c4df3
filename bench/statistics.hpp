// The few statistics a rate check needs.
#pragma once

#include <vector>

namespace dpverify {

struct Sample {
  double mean = 0;
  double standard_error = 0;  // of the mean
  std::size_t size = 0;
};

Sample summarise(const std::vector<double>& values);

// Upper quantile: P(T > t) = probability for Student's t with `degrees` of freedom.
double student_t_quantile(double probability, double degrees);
double normal_quantile(double upper_probability);

struct Line {
  double slope = 0;
  double intercept = 0;
};

// Weighted least squares of y on x; needs two different x.
Line fit_line(const std::vector<double>& x, const std::vector<double>& y,
              const std::vector<double>& weights);

}  // namespace dpverify
