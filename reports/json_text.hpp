// JSON from files that anyone may have written.
#pragma once

#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <string_view>

namespace dpverify {

// Deeper arrays and objects are refused: what reads them calls itself for every level, and would
// exhaust the stack. Files of this program nest them eight deep.
inline constexpr int deepest_json = 100;

// The one way in for JSON text. Throws std::invalid_argument, in a line that starts with what the
// text is ("not JSON: ...") and names the position, for text that is not JSON, nests deeper than
// deepest_json, or holds a number beyond a double.
template <class Json = nlohmann::ordered_json>  // or nlohmann::json
Json parse_json(std::string_view text);

// The number, if it is an integer from 0 to `largest`; throws std::invalid_argument otherwise. The
// library's own conversion would cut it to size.
std::uint64_t read_integer(const nlohmann::ordered_json& json,
                           std::uint64_t largest = std::numeric_limits<std::uint64_t>::max());

}  // namespace dpverify
