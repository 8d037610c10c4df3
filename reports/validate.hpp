// Does a report match the JSON Schema this program was built with?
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace dpverify {

// The text of report.schema.json (draft-07): strict on known fields, silent on unknown ones.
std::string_view report_schema();

// One line per error, "<JSON path> is <value>: <what is wrong>"; none if the text is valid. Text
// that is not JSON gives one line with the position.
std::vector<std::string> validate_report(std::string_view text);

}  // namespace dpverify
