// Recorded releases as lines of JSON (docs/audits.md says which).
#pragma once

#include <string>
#include <string_view>

#include "audits/transcript/recorded_releases.hpp"

namespace dpverify {

// The text of recorded_release.schema.json (draft-07), which describes a line.
std::string_view recorded_release_schema();

// Throws std::invalid_argument for a file that cannot be read, and for the first bad line,
// "FILE:LINE: <what> is <value>, but must be <allowed>".
RecordedFacts read_recorded_releases(const std::string& path);

}  // namespace dpverify
