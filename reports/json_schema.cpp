#include "reports/json_schema.hpp"

#include <fmt/format.h>

#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validation_results.hpp>
#include <valijson/validator.hpp>

#include "reports/layout.hpp"

namespace dpverify {
namespace {

using nlohmann::json;
using valijson::adapters::NlohmannJsonAdapter;

// "<root>", "[evidence]", "[0]", "[verdict]" becomes "$.evidence[0].verdict", with the value there.
std::string describe_error(const valijson::ValidationResults::Error& error, const json& document) {
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

}  // namespace

struct JsonSchema::Parsed {
  valijson::Schema schema;
};

JsonSchema::JsonSchema(std::string_view text) {
  const json document = json::parse(text);
  auto parsed = std::make_unique<Parsed>();
  valijson::SchemaParser(valijson::SchemaParser::kDraft7)
      .populateSchema(NlohmannJsonAdapter(document), parsed->schema);
  parsed_ = std::move(parsed);
}

JsonSchema::~JsonSchema() = default;

std::vector<std::string> JsonSchema::errors(const json& document, std::size_t most) const {
  valijson::Validator validator;
  const NlohmannJsonAdapter target(document);
  // Without results the validator stops at the first error; most documents have none.
  if (validator.validate(parsed_->schema, target, nullptr)) return {};
  valijson::ValidationResults results;
  validator.validate(parsed_->schema, target, &results);
  std::vector<std::string> lines;
  std::size_t more = 0;
  // Each error is followed by one more for every object and array around it: those say nothing new.
  for (const auto& error : results) {
    if (error.description.starts_with("Failed to validate")) continue;
    if (lines.size() < most)
      lines.push_back(describe_error(error, document));
    else
      ++more;
  }
  if (lines.empty()) lines.emplace_back("$ does not match the schema");
  if (more > 0) lines.push_back("and " + plural(more, "more error"));
  return lines;
}

}  // namespace dpverify
