#include "reports/figure_command.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <ostream>
#include <stdexcept>
#include <system_error>

#include "reports/atomic_file.hpp"

namespace dpverify {
namespace {

// Ends with the file that it names.
struct Scratch {
  std::filesystem::path path;
  ~Scratch() {
    std::error_code ignored;
    std::filesystem::remove(path, ignored);
  }
};

std::string first_line(const std::string& text) {
  for (std::size_t start = 0; start < text.size();) {
    const std::size_t end = std::min(text.find('\n', start), text.size());
    if (end > start) return text.substr(start, end - start);
    start = end + 1;
  }
  return "it says nothing";
}

}  // namespace

bool draw(const std::filesystem::path& script, const std::filesystem::path& picture,
          const std::string& program) {
  const auto beside = [&picture](const char* suffix) {
    std::filesystem::path path = picture;
    path += "." + std::to_string(getpid()) + suffix;
    return Scratch{path};
  };
  const Scratch output = beside(".svg.tmp"), complaints = beside(".err.tmp");
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  constexpr int flags = O_WRONLY | O_CREAT | O_TRUNC;
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output.path.c_str(), flags, 0666);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, complaints.path.c_str(), flags, 0666);
  // "./": a name that starts with '-' would be an option.
  std::string name = program;
  std::string argument = script.is_absolute() ? script.string() : "./" + script.string();
  const std::array<char*, 3> arguments{name.data(), argument.data(), nullptr};
  pid_t child = 0;
  const int error =
      posix_spawnp(&child, name.c_str(), &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error == ENOENT) return false;
  if (error != 0)
    throw std::runtime_error(
        fmt::format("cannot run {}: {}", program, std::generic_category().message(error)));
  int status = 0;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR)
      throw std::runtime_error(
          fmt::format("cannot wait for {}: {}", program, std::generic_category().message(errno)));
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
    throw std::runtime_error(fmt::format("{} cannot draw {}: {}", program, script.string(),
                                         first_line(read_file(complaints.path))));
  write_atomically(picture, read_file(output.path));
  return true;
}

int figure_command(const FigureArguments& arguments, const Console& console) {
  if (arguments.id == "list") {
    for (const figures::Panel& panel : figures::panels())
      console.out << fmt::format("{:<7}  {}; {}\n", panel.id, panel.title, panel.source);
    return as_expected_code;
  }
  const figures::Panel& panel = figures::panel(arguments.id);
  prepare_folder(arguments.out);
  figures::FigureOptions options{.seed = arguments.seed,
                                 .threads = arguments.threads,
                                 .trials = arguments.trials,
                                 .records_divisor = arguments.records_divisor};
  if (console.err_is_terminal)
    options.progress = [&err = console.err](Index done, Index total) {
      err << fmt::format("\r\033[K{} of {} runs", done, total) << (done == total ? "\r\033[K" : "")
          << std::flush;
    };
  const figures::Figure figure = run_figure(panel, options);
  console.out << figure_text(figure);
  const auto file = [&](const std::string& ending) { return arguments.out / (figure.id + ending); };
  write_atomically(file(".json"), figure_json(figure));
  write_atomically(file(".gnuplot"), figure_plot(figure));
  write_atomically(file("-noise.gnuplot"), noise_plot(figure));
  if (!draw(file(".gnuplot"), file(".svg")) || !draw(file("-noise.gnuplot"), file("-noise.svg")))
    console.err << "dpverify: no pictures: gnuplot is not installed (Debian: gnuplot-nox)"
                << std::endl;
  else
    console.out << fmt::format("\n{}\n{}\n", file(".svg").string(), file("-noise.svg").string());
  return as_expected_code;
}

}  // namespace dpverify
