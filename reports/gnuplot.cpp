#include "reports/gnuplot.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <sstream>
#include <system_error>
#include <utility>

#include "algorithms/core/numbers.hpp"
#include "reports/atomic_file.hpp"
#include "reports/layout.hpp"

namespace dpverify {
namespace {

// A file without a name, so that it needs no folder and is gone with its descriptor.
class MemoryFile {
 public:
  explicit MemoryFile(const char* name) : descriptor_(memfd_create(name, MFD_CLOEXEC)) {
    if (descriptor_ < 0) fail();
  }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  ~MemoryFile() { close(descriptor_); }

  int descriptor() const { return descriptor_; }

  // From the start, and leaves the position there.
  void write(std::string_view text) const {
    for (off_t at = 0; !text.empty();) {
      const ssize_t written = pwrite(descriptor_, text.data(), text.size(), at);
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) fail();
      at += written;
      text.remove_prefix(static_cast<std::size_t>(written));
    }
  }

  std::string read() const {
    std::string text;
    std::array<char, 1 << 16> block{};
    for (;;) {
      const ssize_t got =
          pread(descriptor_, block.data(), block.size(), static_cast<off_t>(text.size()));
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) fail();
      if (got == 0) return text;
      text.append(block.data(), static_cast<std::size_t>(got));
    }
  }

 private:
  [[noreturn]] static void fail() {
    throw FileError("cannot make a picture: " + std::generic_category().message(errno));
  }

  int descriptor_;
};

// gnuplot repeats the line of the script, points into it, and says "line 3: invalid command".
std::string first_error(const std::string& said) {
  constexpr std::string_view digits = "0123456789", start = "line ";
  std::istringstream lines(said);
  std::string first;
  for (std::string line; std::getline(lines, line);) {
    const std::size_t at = line.find(start);
    const std::size_t after =
        at == line.npos ? line.npos : line.find_first_not_of(digits, at + start.size());
    if (after != line.npos && after > at + start.size() && line.substr(after).starts_with(": "))
      return line.substr(at);
    if (first.empty() && line.find_first_not_of(" \t^") != std::string::npos) first = line;
  }
  return first.empty() ? "no picture, and not a word why" : first;
}

}  // namespace

std::string gnuplot_text(std::string_view text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? "''" : std::string(1, c == '\n' ? ' ' : c);
  return out + "'";
}

std::string gnuplot_data(std::string_view name, const std::vector<std::string>& rows) {
  return fmt::format("${} << END\n{}\nEND\n", name, fmt::join(rows, "\n"));
}

Heading heading(std::string_view title, const std::vector<std::string>& details, double width,
                double height_of_picture) {
  constexpr double large = 15, small = 12, above = 8, left = 12;
  Heading out{.script = "", .height = above};
  int labels = 0;
  const auto add = [&](std::string_view text, double size, const char* colour) {
    // Letters of the usual fonts are 0.6 of their size wide at most, on average.
    const auto columns = static_cast<std::size_t>((width - 2 * left) / (0.6 * size));
    std::istringstream lines(laid_out(text, columns));
    for (std::string line; std::getline(lines, line);) {
      out.height += 1.4 * size;
      out.script += fmt::format(
          "set label {} {} at screen {:.4f},{:.4f} left noenhanced font ',{}' textcolor '{}'\n",
          ++labels, gnuplot_text(line), left / width,
          1 - (out.height - 0.5 * size) / height_of_picture, size, colour);
    }
  };
  add(title, large, "#000000");
  for (const std::string& detail : details) add(detail, small, "#555555");
  return out;
}

std::string spaced_xtics(const std::vector<double>& values, double lower, double upper,
                         bool logarithmic, double pixels) {
  constexpr double letter = 7.5, gap = 10;
  const auto place = [&](double x) {
    const double part =
        logarithmic ? std::log(x / lower) / std::log(upper / lower) : (x - lower) / (upper - lower);
    return part * pixels;
  };
  double taken = -infinity;  // up to there
  std::vector<std::string> tics;
  for (const double value : values) {
    const std::string text = fmt::format("{:g}", value);
    const double half = letter * static_cast<double>(text.size()) / 2;
    const bool fits = place(value) - half >= taken;
    if (fits) taken = place(value) + half + gap;
    tics.push_back(fmt::format("'{}' {:.9g}", fits ? text : "", value));
  }
  return fmt::format("set xtics ({})\n", fmt::join(tics, ", "));
}

Picture run_gnuplot(const std::string& script) {
  const MemoryFile input("script"), output("picture"), errors("errors");
  input.write(script);

  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, input.descriptor(), STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, output.descriptor(), STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, errors.descriptor(), STDERR_FILENO);
  // No shell, so that no name is ever a command, and without the start-up files of the user (-d).
  // As a file, so that it counts the lines in its complaints.
  std::string program = "gnuplot", default_settings = "-d", script_file = "/dev/stdin";
  const std::array<char*, 4> arguments{program.data(), default_settings.data(), script_file.data(),
                                       nullptr};
  pid_t child = -1;
  const int error =
      posix_spawnp(&child, program.c_str(), &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error == ENOENT)
    return {.svg = "", .failure = "gnuplot is not installed (Debian package gnuplot-nox)"};
  if (error != 0)
    return {.svg = "",
            .failure = "gnuplot does not start: " + std::generic_category().message(error)};
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  std::string svg = output.read();
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0 && svg.find("</svg>") != std::string::npos)
    return {.svg = std::move(svg), .failure = ""};
  return {.svg = "", .failure = "gnuplot failed: " + first_error(errors.read())};
}

}  // namespace dpverify
