#include "audits/black_box/output_files.hpp"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <fstream>
#include <sstream>
#include <string_view>
#include <vector>

#include "algorithms/core/checked.hpp"

namespace dpverify {
namespace {

std::vector<std::string> lines_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream read;
  const bool good = file.is_open() && (file.peek() == EOF || read << file.rdbuf()) && !file.bad();
  if (!good)
    require(false, "file of outputs " + path,
            std::string("unreadable (") + std::strerror(errno) + ")",
            "a text file that can be read");
  const std::string all = read.str();
  std::string_view text = all;
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    lines.emplace_back(line);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

bool holds_number(const std::string& line) {
  const VectorXd output = PrintedOutputs().read(line);
  const auto cells = std::max<Index>(1, std::ranges::count(line, ',') + 1);
  for (Index i = 0; i < std::min(cells, output.size()); ++i)
    if (std::isfinite(output[i])) return true;
  return false;
}

bool stands_alone(const std::vector<std::string>& lines) {
  return std::find(lines.begin() + 1, lines.end(), lines[0]) == lines.end();
}

// Whether the first lines are a header.
bool have_header(const std::array<std::vector<std::string>, 2>& lines,
                 const std::array<std::string, 2>& paths) {
  const auto& [first, second] = lines;
  if (first.empty() || second.empty() || first[0].empty() || second[0].empty() ||
      holds_number(first[0]) || holds_number(second[0]))
    return false;
  if (first[0] == second[0]) return stands_alone(first) && stands_alone(second);
  const auto numbers = [](const std::vector<std::string>& all) {
    return std::all_of(all.begin() + 1, all.end(), holds_number);
  };
  require(!numbers(first) || !numbers(second), "columns of " + paths[1], "others",
          "those of " + paths[0]);
  return false;
}

}  // namespace

OutputFiles read_output_files(const std::array<std::string, 2>& paths) {
  const std::array lines{lines_of(paths[0]), lines_of(paths[1])};
  const std::size_t header = have_header(lines, paths) ? 1 : 0;
  OutputFiles files;
  for (const std::size_t side : {0U, 1U}) {
    for (std::size_t k = header; k < lines[side].size(); ++k)
      files.outputs[side].push_back(files.reader.read(lines[side][k]));
    require(files.outputs[side].size() >= 2, "number of outputs in " + paths[side],
            static_cast<double>(files.outputs[side].size()), "at least 2");
  }
  return files;
}

}  // namespace dpverify
