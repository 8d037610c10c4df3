// What is claimed of a mechanism, as data: sensitivities, privacy, rates, lemmas, floors; and
// faults to plant, which the checks must see.
#pragma once

#include "algorithms/claims/accounting.hpp"
#include "algorithms/claims/algorithm.hpp"
#include "algorithms/claims/claim_list.hpp"
#include "algorithms/claims/claims.hpp"
#include "algorithms/claims/evidence.hpp"
#include "algorithms/claims/family.hpp"
#include "algorithms/claims/lemmas.hpp"
#include "algorithms/claims/planted_faults.hpp"
#include "algorithms/claims/rates.hpp"
