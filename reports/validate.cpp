#include "reports/validate.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <stdexcept>

#include "reports/envelope.hpp"
#include "reports/json_schema.hpp"
#include "reports/json_text.hpp"
#include "reports/layout.hpp"

namespace dpverify {
namespace {

using nlohmann::json;

// Of another version of the schema nothing else can be said. Empty if it is of this one, or of
// none.
std::string other_version(const json& document) {
  if (!document.is_object() || !document.contains("schema_version") ||
      document["schema_version"] == schema_version)
    return "";
  return fmt::format(
      "$.schema_version is {}: this program reads version {}; make the file again",
      document["schema_version"].dump(-1, ' ', false, json::error_handler_t::replace),
      schema_version);
}

}  // namespace

std::vector<std::string> validate_report(std::string_view text) {
  json document;
  try {
    document = parse_json<json>(text);
  } catch (const std::invalid_argument& failure) {
    return {"$ is " + std::string(failure.what())};
  }
  if (const std::string other = other_version(document); !other.empty()) return {other};
  static const JsonSchema schema(report_schema());
  return schema.errors(document, most_validation_lines);
}

std::string count_errors(const std::vector<std::string>& lines) {
  if (lines.size() <= most_validation_lines) return plural(lines.size(), "error");
  return fmt::format("more than {}", plural(most_validation_lines, "error"));
}

}  // namespace dpverify
