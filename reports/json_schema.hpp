// Does JSON match a JSON Schema (draft-07)?
#pragma once

#include <cstddef>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace dpverify {

class JsonSchema {
 public:
  explicit JsonSchema(std::string_view text);
  ~JsonSchema();

  // One line per error, "<JSON path> is <value>: <what is wrong>"; none if the document is valid.
  // Beyond `most` one more line counts the rest, as far as they are looked for.
  std::vector<std::string> errors(const nlohmann::json& document, std::size_t most) const;

 private:
  struct Parsed;
  std::unique_ptr<const Parsed> parsed_;
};

}  // namespace dpverify
