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
#include <sstream>
#include <system_error>
#include <utility>

#include "reports/atomic_file.hpp"

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

std::string gnuplot_text(std::string text) {
  std::ranges::replace(text, '\'', '`');
  std::ranges::replace(text, '\n', ' ');
  return "'" + text + "'";
}

std::string gnuplot_data(std::string_view name, const std::vector<std::string>& rows) {
  return fmt::format("${} << END\n{}\nEND\n", name, fmt::join(rows, "\n"));
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
