#include "reports/validate.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <stdexcept>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validation_results.hpp>
#include <valijson/validator.hpp>

#include "reports/envelope.hpp"
#include "reports/json_text.hpp"
#include "reports/layout.hpp"

namespace dpverify {
namespace {

using nlohmann::json;
using valijson::adapters::NlohmannJsonAdapter;

// "<root>", "[evidence]", "[0]", "[verdict]" becomes "$.evidence[0].verdict", with the value there.
std::string describe(const valijson::ValidationResults::Error& error, const json& document) {
  std::string path = "$";
  const json* value = &document;
  for (std::size_t i = 1; i < error.context.size() && value; ++i) {
    const std::string key = error.context[i].substr(1, error.context[i].size() - 2);
    if (value->is_array()) {
      path += "[" + key + "]";
      value = &value->at(std::stoul(key));
    } else {
      path += "." + key;
      value = value->contains(key) ? &value->at(key) : nullptr;
    }
  }
  constexpr std::size_t longest = 60;
  std::string text =
      value ? value->dump(-1, ' ', false, json::error_handler_t::replace) : "missing";
  if (text.size() > longest)
    text = value->is_object() ? "an object" : text.substr(0, longest) + "...";
  return path + " is " + text + ": " + error.description;
}

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
  const json schema_document = json::parse(report_schema());
  valijson::Schema schema;
  valijson::SchemaParser(valijson::SchemaParser::kDraft7)
      .populateSchema(NlohmannJsonAdapter(schema_document), schema);
  valijson::Validator validator;
  valijson::ValidationResults results;
  const NlohmannJsonAdapter target(document);
  if (validator.validate(schema, target, &results)) return {};
  std::vector<std::string> lines;
  std::size_t more = 0;
  // Each error is followed by one more for every object and array around it: those say nothing new.
  for (const auto& error : results) {
    if (error.description.starts_with("Failed to validate")) continue;
    if (lines.size() < most_validation_lines)
      lines.push_back(describe(error, document));
    else
      ++more;
  }
  if (lines.empty()) lines.emplace_back("$ does not match the schema");
  if (more > 0) lines.push_back("and " + plural(more, "more error"));
  return lines;
}

std::string count_errors(const std::vector<std::string>& lines) {
  if (lines.size() <= most_validation_lines) return plural(lines.size(), "error");
  return fmt::format("more than {}", plural(most_validation_lines, "error"));
}

}  // namespace dpverify
