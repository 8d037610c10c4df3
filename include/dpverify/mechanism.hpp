// What a mechanism is written with: datasets, laws, releases, random streams.
#pragma once

#include "algorithms/core/dataset.hpp"
#include "algorithms/core/laws.hpp"
#include "algorithms/core/random.hpp"
#include "algorithms/core/releases.hpp"
#include "algorithms/estimators/clipping.hpp"
