// Does what a command has written match the JSON Schema this program was built with?
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace dpverify {

// The text of report.schema.json (draft-07): strict on known fields, silent on unknown ones.
std::string_view report_schema();

// How the line starts that says why a text cannot be read at all.
inline constexpr std::string_view unreadable_start = "$ is not ";

inline constexpr std::size_t most_validation_lines = 20;

// One line per error, "<JSON path> is <value>: <what is wrong>"; none if the text is valid. Beyond
// most_validation_lines one more line counts the rest, as far as they are looked for. Text that
// cannot be read (see parse_json) gives one line with the position, and one of another
// schema_version one line that says so.
std::vector<std::string> validate_report(std::string_view text);

// "1 error", "more than 20 errors": of those lines.
std::string count_errors(const std::vector<std::string>& lines);

}  // namespace dpverify
