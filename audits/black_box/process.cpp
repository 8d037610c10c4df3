#include "audits/black_box/process.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <optional>
#include <system_error>
#include <utility>

#include "algorithms/core/checked.hpp"

namespace dpverify {
namespace {

using Clock = std::chrono::steady_clock;

class Descriptor {
 public:
  explicit Descriptor(int number = -1) : number_(number) {}
  ~Descriptor() { close(); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    close();
    number_ = std::exchange(other.number_, -1);
    return *this;
  }
  int number() const { return number_; }
  bool is_open() const { return number_ >= 0; }
  void close() {
    if (is_open()) ::close(std::exchange(number_, -1));
  }

 private:
  int number_;
};

struct Pipe {
  Descriptor out, in;  // read from `out` what was written into `in`
};

void require_system(bool good) {
  if (!good) throw std::system_error(errno, std::generic_category(), "cannot start a process");
}

// Above the standard descriptors, which the program gets anew.
Pipe make_pipe() {
  std::array<int, 2> ends{};
  require_system(pipe2(ends.data(), O_CLOEXEC) == 0);
  const auto above = [](Descriptor end) {
    if (end.number() > STDERR_FILENO) return end;
    Descriptor higher(fcntl(end.number(), F_DUPFD_CLOEXEC, STDERR_FILENO + 1));
    require_system(higher.is_open());
    return higher;
  };
  Descriptor out(ends[0]), in(ends[1]);
  return {above(std::move(out)), above(std::move(in))};
}

// The file that PATH finds for the word.
std::string find_program(const std::string& word) {
  const auto is_program = [](const std::string& file) { return access(file.c_str(), X_OK) == 0; };
  std::string found;
  if (word.find('/') != word.npos) {
    if (is_program(word)) found = word;
  } else if (const char* path = std::getenv("PATH"); path != nullptr && !word.empty()) {
    const std::string_view folders = path;
    for (std::size_t start = 0; start <= folders.size() && found.empty();) {
      const std::size_t end = std::min(folders.find(':', start), folders.size());
      const std::string file = fmt::format("{}/{}", folders.substr(start, end - start), word);
      if (is_program(file)) found = file;
      start = end + 1;
    }
  }
  require(!found.empty(), "the program to start", "'" + word + "'",
          "a file that may be executed, or a command found in PATH");
  return found;
}

// ---- Between fork and exec, only what may be called there: no memory is asked for.

// What the keeper tells of the program.
struct Told {
  enum class What { ended, not_started } what = What::ended;
  int status = 0;  // of waitpid, or errno
};

struct Start {
  const char* file;
  char* const* words;
  ProcessLimits limits;
  int life, told, out, err;  // descriptors
};

void tell(int descriptor, Told told) {
  while (write(descriptor, &told, sizeof told) < 0 && errno == EINTR) {
  }
}

[[noreturn]] void become_program(const Start& start) {
  setpgid(0, 0);
  const rlimit memory{start.limits.memory, start.limits.memory}, none{0, 0};
  setrlimit(RLIMIT_AS, &memory);
  setrlimit(RLIMIT_CORE, &none);
  signal(SIGPIPE, SIG_DFL);
  const int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
  dup2(nothing, STDIN_FILENO);
  dup2(start.out, STDOUT_FILENO);
  dup2(start.err, STDERR_FILENO);
  // The rest is closed by execve.
  execve(start.file, start.words, environ);
  tell(start.told, {Told::What::not_started, errno});
  _exit(127);
}

// The processes whose parent this one is: those that the program has left come here (subreaper).
// False where the system does not name them.
bool kill_children() {
  const int file = open("/proc/thread-self/children", O_RDONLY | O_CLOEXEC);
  std::array<char, 4096> text{};
  const ssize_t length = file < 0 ? 0 : read(file, text.data(), text.size());
  if (file >= 0) close(file);
  pid_t process = 0;
  for (ssize_t k = 0; k < length; ++k) {
    const char c = text[static_cast<std::size_t>(k)];
    if (c >= '0' && c <= '9') {
      process = 10 * process + (c - '0');
    } else if (process > 0) {
      kill(process, SIGKILL);
      process = 0;
    }
  }
  return file >= 0;
}

// Stands between this program and the other one: waits until that ends, or the other end of `life`
// is closed, by this program's death at the latest; then kills what is left.
[[noreturn]] void keep(const Start& start) {
  setpgid(0, 0);  // what a terminal sends to this program is not for the keeper
  signal(SIGPIPE, SIG_IGN);
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  const pid_t program = fork();
  if (program == 0) become_program(start);
  if (program < 0) {
    tell(start.told, {Told::What::not_started, errno});
    _exit(1);
  }
  setpgid(program, program);
  // Every other descriptor, those of other keepers among them: an end that is held open here would
  // hide that it was closed.
  const int life = dup2(start.life, 0), told = dup2(start.told, 1);
  if (syscall(SYS_close_range, 2, ~0U, 0) != 0)
    for (int number = 2; number < 1 << 16; ++number) close(number);
  const auto ended = static_cast<int>(syscall(SYS_pidfd_open, program, 0));
  std::array<pollfd, 2> watched{
      {{.fd = life, .events = 0, .revents = 0}, {.fd = ended, .events = POLLIN, .revents = 0}}};
  while (poll(watched.data(), watched.size(), -1) < 0 && errno == EINTR) {
  }
  if (watched[1].revents != 0) {
    int status = 0;
    while (waitpid(program, &status, 0) < 0 && errno == EINTR) {
    }
    tell(told, {Told::What::ended, status});
  }
  kill(-program, SIGKILL);
  for (;;) {  // until there is no child any more; one that dies may leave others
    const int options = kill_children() ? 0 : WNOHANG;
    const pid_t gone = waitpid(-1, nullptr, options);
    if (gone == 0 || (gone < 0 && errno == ECHILD)) break;
  }
  _exit(0);
}

// ---- On this side.

// Reads what there is; false at the end.
bool read_some(const Descriptor& from, std::string& into) {
  std::array<char, 1 << 16> block{};
  const ssize_t got = read(from.number(), block.data(), block.size());
  if (got < 0) return errno == EINTR || errno == EAGAIN;
  into.append(block.data(), static_cast<std::size_t>(got));
  return got > 0;
}

std::string last_line(std::string text) {
  constexpr std::size_t most = 200;
  text.erase(std::min(text.find_last_not_of(" \t\r\n") + 1, text.size()));
  const std::size_t line = text.find_last_of('\n');
  if (line != text.npos) text.erase(0, line + 1);
  if (text.size() > most) text.replace(most, text.npos, "...");
  std::ranges::replace_if(
      text, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }, '?');
  return text;
}

// What is read while the program runs.
struct Reading {
  Descriptor out, err, told;
  std::string errors, news;
};

// Reads until nothing of the program is left; returns the limit that was reached before, if any.
std::optional<ProcessEnd::Kind> read_all(Reading& reading, ProcessRun& run,
                                         const ProcessLimits& limits,
                                         const std::function<bool(std::string_view)>& more) {
  constexpr std::size_t most_errors = 1 << 16;
  const auto start = Clock::now();
  while (reading.out.is_open() || reading.err.is_open() || reading.told.is_open()) {
    const double left =
        limits.seconds - std::chrono::duration<double>(Clock::now() - start).count();
    if (left <= 0) return ProcessEnd::Kind::time;
    std::array<pollfd, 3> watched{{{reading.out.number(), POLLIN, 0},
                                   {reading.err.number(), POLLIN, 0},
                                   {reading.told.number(), POLLIN, 0}}};
    if (poll(watched.data(), watched.size(), static_cast<int>(std::min(1000 * left + 1, 1e6))) <= 0)
      continue;
    if (watched[1].revents != 0 && !read_some(reading.err, reading.errors)) reading.err.close();
    if (reading.errors.size() > most_errors)
      reading.errors.erase(0, reading.errors.size() - most_errors / 2);
    if (watched[2].revents != 0 && !read_some(reading.told, reading.news)) reading.told.close();
    if (watched[0].revents == 0) continue;
    if (!read_some(reading.out, run.printed)) reading.out.close();
    if (run.printed.size() > limits.printed) return ProcessEnd::Kind::printed;
    if (more && !more(run.printed)) return ProcessEnd::Kind::stopped;
  }
  return std::nullopt;
}

ProcessEnd end_of(const std::string& news, const std::string& program) {
  Told told;
  if (news.size() < sizeof told)
    throw std::system_error(EIO, std::generic_category(), "the keeper of a process was killed");
  std::memcpy(&told, news.data(), sizeof told);
  require(told.what == Told::What::ended, "the program to start",
          fmt::format("'{}', which does not start ({})", program, std::strerror(told.status)),
          "a program that this machine can execute");
  if (WIFSIGNALED(told.status)) return {ProcessEnd::Kind::signalled, WTERMSIG(told.status)};
  return {ProcessEnd::Kind::exited, WEXITSTATUS(told.status)};
}

}  // namespace

std::string in_words(const ProcessEnd& end, const ProcessLimits& limits) {
  switch (end.kind) {
    case ProcessEnd::Kind::exited:
      return fmt::format("exit status {}", end.code);
    case ProcessEnd::Kind::signalled:
      return fmt::format("killed by signal {} ({})", end.code, strsignal(end.code));
    case ProcessEnd::Kind::time:
      return fmt::format("not finished after {:.6g} s", limits.seconds);
    case ProcessEnd::Kind::printed:
      return fmt::format("printed more than {} bytes", limits.printed);
    case ProcessEnd::Kind::stopped:
      break;
  }
  return "stopped";
}

ProcessRun run_process(const std::vector<std::string>& words, const ProcessLimits& limits,
                       const std::function<bool(std::string_view)>& more) {
  require(!words.empty(), "the program to start", "missing", "given");
  const std::string file = find_program(words[0]);
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  Pipe life = make_pipe(), told = make_pipe(), out = make_pipe(), err = make_pipe();
  const Start start{.file = file.c_str(),
                    .words = arguments.data(),
                    .limits = limits,
                    .life = life.out.number(),
                    .told = told.in.number(),
                    .out = out.in.number(),
                    .err = err.in.number()};
  const pid_t keeper = fork();
  require_system(keeper >= 0);
  if (keeper == 0) keep(start);
  for (Descriptor* theirs : {&life.out, &told.in, &out.in, &err.in}) theirs->close();
  Reading reading{std::move(out.out), std::move(err.out), std::move(told.out), {}, {}};
  ProcessRun run;
  std::exception_ptr failure;
  std::optional<ProcessEnd::Kind> limit;
  try {
    limit = read_all(reading, run, limits, more);
  } catch (...) {
    failure = std::current_exception();
  }
  life.in.close();  // the keeper kills what is left
  while (waitpid(keeper, nullptr, 0) < 0 && errno == EINTR) {
  }
  if (failure) std::rethrow_exception(failure);
  run.complaint = last_line(std::move(reading.errors));
  run.end = limit ? ProcessEnd{*limit, 0} : end_of(reading.news, words[0]);
  return run;
}

}  // namespace dpverify
