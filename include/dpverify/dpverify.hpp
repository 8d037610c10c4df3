// All of dpverify that a program with mechanisms of its own needs. The headers of this folder are
// the stable ones; what they include is not, but by what these name. For GoogleTest:
// dpverify/gtest.hpp.
#pragma once

#include "dpverify/audit.hpp"
#include "dpverify/check.hpp"
#include "dpverify/claims.hpp"
#include "dpverify/mechanism.hpp"
#include "dpverify/program.hpp"
#include "dpverify/version.hpp"
