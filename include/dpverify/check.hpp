// Decides one claim: check(claim, plan).
#pragma once

#include "reports/check.hpp"
