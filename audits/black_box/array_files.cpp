#include "audits/black_box/array_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <limits>
#include <string_view>
#include <vector>

#include "algorithms/core/checked.hpp"

namespace dpverify {
namespace {

static_assert(std::endian::native == std::endian::little);

std::uint64_t size_of(std::ifstream& file) {
  file.seekg(0, std::ios::end);
  const auto size = static_cast<std::uint64_t>(file.tellg());
  file.seekg(0);
  return size;
}

// What follows "'name':" in a header without blanks, up to `end`.
std::string field(const std::string& header, const std::string& name, char end,
                  const std::string& where) {
  const std::string key = "'" + name + "':";
  const std::size_t at = header.find(key);
  require(at != header.npos, where + ": '" + name + "'", "missing", "given in the header");
  const std::size_t from = at + key.size();
  return header.substr(from, std::min(header.find(end, from), header.size()) - from);
}

// "(3,4" or "(3," as the header has it, up to the bracket.
std::vector<std::uint64_t> extents(const std::string& shape, const std::string& where) {
  constexpr std::string_view allowed = "one or two positive numbers";
  std::vector<std::uint64_t> out;
  const auto refuse = [&] { require(false, where + ": 'shape'", shape + ")", allowed); };
  if (!shape.starts_with("(")) refuse();
  const char *at = shape.data() + 1, *end = shape.data() + shape.size();
  while (at < end) {
    const auto [after, error] = std::from_chars(at, end, out.emplace_back());
    if (error != std::errc{} || out.back() == 0 || (after < end && *after != ',')) refuse();
    at = after < end ? after + 1 : end;
  }
  if (out.empty() || out.size() > 2) refuse();
  return out;
}

// What the nearest double leaves of an integer, at most 512 either way.
double rest_of(std::int64_t number) {
  const auto nearest = static_cast<double>(number);
  // 2^63 is the nearest of the largest ones, and no integer of 64 bits.
  const auto bits = nearest > 0 ? static_cast<std::uint64_t>(nearest)
                                : static_cast<std::uint64_t>(static_cast<std::int64_t>(nearest));
  return static_cast<double>(static_cast<std::int64_t>(static_cast<std::uint64_t>(number) - bits));
}

Outputs of_integers(const std::vector<std::int64_t>& numbers, Index columns) {
  Outputs out;
  VectorXd row(2 * columns);  // the nearest doubles, and what these leave
  for (std::size_t at = 0; at < numbers.size();) {
    for (Index i = 0; i < columns; ++i, ++at) {
      row[i] = static_cast<double>(numbers[at]);
      row[columns + i] = rest_of(numbers[at]);
    }
    const bool exact = row.tail(columns).isZero(0);
    out.push_back(Output(row.data(), exact ? columns : 2 * columns));
  }
  return out;
}

}  // namespace

bool is_array_file(const std::string& path) {
  return path.ends_with(".f64") || path.ends_with(".npy");
}

ArrayFile::Layout ArrayFile::npy_layout(std::ifstream& file, const std::string& where) {
  std::array<unsigned char, 12> start{};
  file.read(reinterpret_cast<char*>(start.data()), start.size());
  const bool magic = file.good() && std::memcmp(start.data(), "\x93NUMPY", 6) == 0;
  require(magic, where, "without the first bytes of NPY", "an NPY file");
  const int version = start[6];
  require(version >= 1 && version <= 3, where + ": version", static_cast<double>(version),
          "1, 2 or 3");
  const std::uint64_t length = start[8] + 256ULL * start[9] +
                               (version == 1 ? 0 : 65536ULL * start[10] + 16777216ULL * start[11]);
  constexpr std::uint64_t longest = 1 << 20;
  require(length <= longest, where + ": length of the header", static_cast<double>(length),
          "at most 2^20");
  Layout out;
  out.start = (version == 1 ? 10 : 12) + length;
  std::string header(length, ' ');
  file.seekg(version == 1 ? 10 : 12);
  file.read(header.data(), static_cast<std::streamsize>(length));
  require(file.good(), where, "cut off", "with the whole header");
  std::erase(header, ' ');
  const std::string type = field(header, "descr", ',', where);
  require(type == "'<f8'" || type == "'<f4'" || type == "'<i8'", where + ": 'descr'", type,
          "'<f8', '<f4' or '<i8'");
  out.type = type.substr(1, 3);
  const std::string order = field(header, "fortran_order", ',', where);
  require(order == "False", where + ": 'fortran_order'", order, "False: rows one after another");
  const std::vector<std::uint64_t> shape = extents(field(header, "shape", ')', where), where);
  out.rows = shape[0];
  if (shape.size() == 2) out.columns = shape[1];
  return out;
}

void ArrayFile::require_size(std::uint64_t size, const Layout& layout, const std::string& where) {
  const std::uint64_t most = std::numeric_limits<std::int64_t>::max() / 8;
  require(layout.columns <= most / layout.rows, where + ": 'shape'", "larger than any file",
          "that of the numbers in it");
  const std::uint64_t wanted = layout.start + layout.width() * layout.rows * layout.columns;
  require(size == wanted, where + ": number of bytes", fmt::format("{}", size),
          fmt::format("{}, as the header says", wanted));
}

template <class Number>
std::vector<Number> ArrayFile::numbers(std::uint64_t rows) {
  std::vector<Number> numbers(rows * layout_.columns);
  file_.read(reinterpret_cast<char*>(numbers.data()),
             static_cast<std::streamsize>(sizeof(Number) * numbers.size()));
  require(file_.good(), where_, "unreadable", "a file that stays as it is");
  return numbers;
}

ArrayFile::ArrayFile(const std::string& path)
    : where_("array of outputs " + path), file_(path, std::ios::binary) {
  const bool good = file_.is_open() && (file_.peek() != EOF || !file_.bad());
  if (!good)
    require(false, where_, std::string("unreadable (") + std::strerror(errno) + ")",
            "a file that can be read");
  file_.clear();
  const std::uint64_t size = size_of(file_);
  if (path.ends_with(".npy")) {
    layout_ = npy_layout(file_, where_);
    require_size(size, layout_, where_);
  } else {
    require(size % 8 == 0, where_ + ": number of bytes", fmt::format("{}", size),
            "a multiple of 8, a double a run");
    layout_.rows = size / 8;
  }
  file_.seekg(static_cast<std::streamoff>(layout_.start));
}

Outputs ArrayFile::next(std::uint64_t most) {
  const std::uint64_t rows = std::min(most, left());
  const auto columns = static_cast<Index>(layout_.columns);
  read_ += rows;
  if (rows == 0) return {};
  if (layout_.type == "<i8") return of_integers(numbers<std::int64_t>(rows), columns);
  if (layout_.type == "<f4") {
    const std::vector<float> read = numbers<float>(rows);
    return {std::vector<double>(read.begin(), read.end()), columns};
  }
  return {numbers<double>(rows), columns};
}

}  // namespace dpverify
