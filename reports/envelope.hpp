// The one form of JSON that commands write. report.schema.json describes it.
//
//   {"schema_version": ..., "kind": ..., "context": ..., the parts that the kind has}
//
// JSON has no infinities and no NaN: they are the strings "inf", "-inf" and "nan" (but for
// `tightness`, which always compares). A field without a value is left out, unless the schema says
// that it is null. Keys are identifiers; where they come from words, the words are beside them.
// Later versions may add fields; a change that breaks readers raises schema_version.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "reports/report.hpp"

namespace dpverify {

inline constexpr int schema_version = 3;

using Json = nlohmann::ordered_json;

// Of words: "excess risk/bound" is excess_risk_over_bound. What follows a comma or stands in
// brackets of its own does not count.
std::string identifier(std::string_view words);
// {"key": ..., "name": words}, and what else belongs to it.
Json named(std::string_view words);

Json json_number(double value);
double read_number(const Json& json);

// Of the program always; the seed where one makes the text, the plan and the error budget where
// claims were checked.
Json json_context(DocumentKind kind, const Context& context);

// The text. The parts come in their order. Bytes of other libraries' or the user's words that are
// not UTF-8 are shown with replacement characters: they must not stop a result from being written.
// Throws std::logic_error for a text that does not match the schema: nobody is to get one.
std::string document(DocumentKind kind, const Context& context, const Json& parts);

// Any JSON of this program, in the same form.
std::string json_as_text(const Json& json);

}  // namespace dpverify
