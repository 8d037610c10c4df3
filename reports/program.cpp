#include "reports/program.hpp"

#include <fmt/format.h>

#include <filesystem>

namespace dpverify {

std::optional<SourcePlace> place_in_sources(const std::source_location& stated) {
  namespace fs = std::filesystem;
  if (stated.line() == 0) return std::nullopt;
  const std::string& sources = program().sources;
  fs::path file = fs::path(stated.file_name()).lexically_normal();
  if (file.is_absolute() || fs::path(sources).is_relative())
    file = file.lexically_relative(fs::path(sources.empty() ? "." : sources).lexically_normal());
  else  // as seen from the folder of the build, within that of the sources
    while (!file.empty() && *file.begin() == "..") file = file.lexically_relative("..");
  const bool below = file.is_relative() && !file.empty() && *file.begin() != "..";
  if (!below) return std::nullopt;
  return SourcePlace{file.generic_string(), stated.line()};
}

std::string command(std::string_view words) {
  return fmt::format("./{} {}", program().name, words);
}

}  // namespace dpverify
