#include "reports/envelope.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "algorithms/core/numbers.hpp"
#include "reports/validate.hpp"

namespace dpverify {

std::string identifier(std::string_view words) {
  words = words.substr(0, std::min(words.find(", "), words.find(" (")));
  std::string out;
  for (const char c : words) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    const bool digit = c >= '0' && c <= '9';
    if (letter || digit) {
      if (digit && out.empty()) out = "_";
      out += c;
    } else if (c == '/') {
      out += "_over_";
    } else if (!out.ends_with('_')) {
      out += '_';
    }
  }
  while (out.size() > 1 && out.ends_with('_')) out.pop_back();
  return out;
}

Json named(std::string_view words) { return {{"key", identifier(words)}, {"name", words}}; }

Json json_number(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  return value;
}

double read_number(const Json& json) {
  if (json.is_number()) return json.get<double>();
  const auto text = json.get<std::string>();
  if (text == "inf") return infinity;
  if (text == "-inf") return -infinity;
  return std::numeric_limits<double>::quiet_NaN();
}

Json json_context(DocumentKind kind, const Context& context) {
  Json libraries = Json::object();
  for (const auto& [name, version] : context.libraries) libraries[name] = version;
  Json json{{"version", context.build.version},
            {"name", context.name},
            {"program", context.program},
            {"git", {{"commit", context.git.commit}, {"dirty", context.git.dirty}}},
            {"compiler", context.build.compiler},
            {"flags", context.build.flags},
            {"cpu", context.cpu},
            {"libraries", std::move(libraries)}};
  if (kind == DocumentKind::run || kind == DocumentKind::list) return json;
  json["seed"] = context.seed;
  if (kind == DocumentKind::audit || kind == DocumentKind::figure) return json;
  json["plan"] = name(context.plan);
  json["error_budget"] = {{"significance", context.error_budget.significance},
                          {"statistical_checks", context.error_budget.statistical_checks},
                          {"share", context.error_budget.share}};
  return json;
}

std::string document(DocumentKind kind, const Context& context, const Json& parts) {
  Json json{{"schema_version", schema_version},
            {"kind", name(kind)},
            {"context", json_context(kind, context)}};
  json.update(parts);
  std::string text = json_as_text(json);
  if (const auto errors = validate_report(text); !errors.empty())
    throw std::logic_error("what is to be written does not match the schema: " + errors.front());
  return text;
}

std::string json_as_text(const Json& json) {
  const std::string text = json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
  // The control characters that JSON allows in texts: terminals obey some of them.
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto code = [&](std::size_t k) { return static_cast<unsigned char>(text[k]); };
    if (code(i) == 0x7f)
      out += "\\u007f";
    else if (code(i) == 0xc2 && code(i + 1) < 0xa0)  // U+0080 to U+009F
      out += fmt::format("\\u{:04x}", code(++i));
    else
      out += text[i];
  }
  return out;
}

}  // namespace dpverify
