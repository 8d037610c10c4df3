#include "means.hpp"

dpverify::Registry dpverify::registry() {
  return {.algorithms = {means::mean_algorithm()}, .claims = means::claims_of_the_hasty_mean()};
}
