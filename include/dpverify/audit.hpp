// Privacy from both ends on one pair of neighbours, and audits of outputs alone.
#pragma once

#include "audits/audit.hpp"
#include "audits/black_box/black_box.hpp"
