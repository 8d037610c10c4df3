#include "reports/json_schema.hpp"

#include <fmt/format.h>

#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/constraint_builder.hpp>
#include <valijson/constraints/concrete_constraints.hpp>
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
    std::string key = error.context[i].substr(1, error.context[i].size() - 2);
    // Newer versions of the library quote names.
    if (value->is_object() && !value->contains(key) && key.size() > 1 && key.front() == '"')
      key = key.substr(1, key.size() - 2);
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

// Errors of which the validator still keeps the next one, some hundred bytes for each: a file of a
// megabyte may have millions.
constexpr std::size_t most_errors_kept = 10'000;

struct TooManyErrors {};

// The type of the path to the value, which is another one in newer versions of the library.
template <class Result, class Class, class Value, class Path, class Results>
Path path_argument(Result (Class::*)(Value, Path, Results) const);
using ValuePath = decltype(path_argument(&valijson::constraints::PolyConstraint::validate));

// Without this the validator could not be stopped: valid while there are few errors so far.
struct StopAtTooMany : valijson::constraints::PolyConstraint {
  bool validate(const valijson::adapters::Adapter&, ValuePath,
                valijson::ValidationResults* results) const override {
    if (results != nullptr && results->numErrors() > most_errors_kept) throw TooManyErrors();
    return true;
  }
  Constraint* cloneInto(void* memory) const override { return new (memory) StopAtTooMany(*this); }
  std::size_t sizeOf() const override { return sizeof *this; }
};

struct StopAtTooManyBuilder : valijson::ConstraintBuilder {
  valijson::constraints::Constraint* make(const valijson::adapters::Adapter&) const override {
    return new StopAtTooMany;
  }
};

constexpr const char* stop_keyword = "stop at too many";

// Adds the keyword to every schema in the schema that says a type.
void add_stops(json& schema) {
  if (schema.is_structured())
    for (json& part : schema) add_stops(part);
  if (schema.is_object() && schema.contains("type") && !schema["type"].is_object())
    schema[stop_keyword] = true;
}

}  // namespace

struct JsonSchema::Parsed {
  valijson::Schema schema;
};

JsonSchema::JsonSchema(std::string_view text) {
  json document = json::parse(text);
  add_stops(document);
  auto parsed = std::make_unique<Parsed>();
  valijson::SchemaParser parser(valijson::SchemaParser::kDraft7);
  parser.addConstraintBuilder(stop_keyword, new StopAtTooManyBuilder);  // which it then owns
  parser.populateSchema(NlohmannJsonAdapter(document), parsed->schema);
  parsed_ = std::move(parsed);
}

JsonSchema::~JsonSchema() = default;

std::vector<std::string> JsonSchema::errors(const json& document, std::size_t most) const {
  valijson::Validator validator;
  const NlohmannJsonAdapter target(document);
  // Without results the validator stops at the first error; most documents have none.
  if (validator.validate(parsed_->schema, target, nullptr)) return {};
  valijson::ValidationResults results;
  bool all = true;
  try {
    validator.validate(parsed_->schema, target, &results);
  } catch (const TooManyErrors&) {
    all = false;
  }
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
  if (more > 0)
    lines.push_back(fmt::format("and {}{}", all ? "" : "at least ", plural(more, "more error")));
  return lines;
}

}  // namespace dpverify
