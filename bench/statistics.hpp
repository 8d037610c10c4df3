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

// A statistic with an interval.
struct Located {
  double value = 0;
  double lower = 0;
  double upper = 0;
};

// The mean, with Student's t interval of the coverage `level`. Needs 2 values for an interval.
Located locate_mean(const std::vector<double>& values, double level);

// The quantile at `probability` in (0, 1), with the interval between two order statistics that
// covers it with at least the probability `level`, whatever the law of the values (binomial). An
// end that would need more values is infinite.
Located locate_quantile(std::vector<double> values, double probability, double level);

// Two samples that are taken to follow one law, which may differ from stratum to stratum.
struct Stratum {
  std::vector<double> first;
  std::vector<double> second;
};

// How much larger the second samples are than the first, by ranks (Wilcoxon, Mann and Whitney; van
// Elteren's sum over the strata): the number of pairs in which the second is larger, less its mean,
// in standard deviations, both under one law a stratum, whatever it is. Above 3 it is less probable
// than for the normal law, whose tail is heavier.
double rank_sum_score(const std::vector<Stratum>& strata);

struct Line {
  double slope = 0;
  double intercept = 0;
};

// Weighted least squares of y on x; needs two different x.
Line fit_line(const std::vector<double>& x, const std::vector<double>& y,
              const std::vector<double>& weights);

// y = height + slope (x - centre) + curvature (x - centre)^2, by weighted least squares; centre is
// the weighted mean of x. Needs three different x.
struct Parabola {
  double centre = 0;
  double slope = 0;
  double curvature = 0;
};
Parabola fit_parabola(const std::vector<double>& x, const std::vector<double>& y,
                      const std::vector<double>& weights);

}  // namespace dpverify
