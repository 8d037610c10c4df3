#include "reports/json_text.hpp"

#include <fmt/format.h>

#include <stdexcept>
#include <string>

namespace dpverify {
namespace {

// Of text that may not be JSON at all: only brackets and quotes count.
void require_shallow(std::string_view text) {
  int depth = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted) {
      if (c == '\\') ++i;
      quoted = c != '"';
    } else if (c == '"') {
      quoted = true;
    } else if (c == '[' || c == '{') {
      if (++depth > deepest_json)
        throw std::invalid_argument(fmt::format(
            "not to be read: arrays and objects are nested more than {} deep, at byte {}",
            deepest_json, i + 1));
    } else if (c == ']' || c == '}') {
      --depth;
    }
  }
}

// It quotes what was read last, however long.
std::string shortened(const std::string& message) {
  constexpr std::size_t longest = 300;
  return message.size() > longest ? message.substr(0, longest) + "..." : message;
}

}  // namespace

template <class Json>
Json parse_json(std::string_view text) {
  require_shallow(text);
  try {
    return Json::parse(text);
  } catch (const nlohmann::json::parse_error& failure) {
    throw std::invalid_argument("not JSON: " + shortened(failure.what()));
  } catch (const nlohmann::json::exception& failure) {
    throw std::invalid_argument("not to be read: " + shortened(failure.what()));
  }
}

template nlohmann::json parse_json(std::string_view text);
template nlohmann::ordered_json parse_json(std::string_view text);

std::uint64_t read_integer(const nlohmann::ordered_json& json, std::uint64_t largest) {
  if (!json.is_number_unsigned() || json.get<std::uint64_t>() > largest)
    throw std::invalid_argument(fmt::format("a number is {}, but must be an integer from 0 to {}",
                                            shortened(json.dump()), largest));
  return json.get<std::uint64_t>();
}

}  // namespace dpverify
