// What a check has found as JSON, and read back from it to the last bit.
#pragma once

#include <optional>

#include "algorithms/claims/evidence.hpp"
#include "reports/envelope.hpp"

namespace dpverify {

// `meets`: whether the verdict is as expected, where that is known.
Json evidence_json(const Evidence& evidence, std::optional<bool> meets);

// Throws std::exception for anything else.
Evidence read_evidence_json(const Json& json);

}  // namespace dpverify
