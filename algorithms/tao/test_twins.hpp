#pragma once

#include "algorithms/mechanisms/test_twins.hpp"
