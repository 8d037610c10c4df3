#include "reports/atomic_file.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <fstream>
#include <functional>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

namespace dpverify {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const char* doing, const fs::path& path, const std::string& why) {
  throw FileError(std::string("cannot ") + doing + " " + path.string() + ": " + why);
}

[[noreturn]] void fail(const char* doing, const fs::path& path, int error) {
  fail(doing, path, std::generic_category().message(error));
}

// What the name stands for, links followed; nothing if there is no such file.
std::optional<struct stat> stat_of(const char* doing, const fs::path& path) {
  struct stat found {};
  if (stat(path.c_str(), &found) == 0) return found;
  if (errno != ENOENT) fail(doing, path, errno);
  return std::nullopt;
}

bool same_file(const struct stat& a, const struct stat& b) {
  return a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

// Where the last of the symbolic links points to, whether or not anything is there.
fs::path at_the_end_of_links(const fs::path& file) {
  constexpr int most = 40;  // as the system follows
  fs::path path = file;
  std::error_code error;
  for (int links = 0; fs::is_symlink(path, error); ++links) {
    if (links == most) fail("write", file, ELOOP);
    const fs::path next = fs::read_symlink(path, error);
    if (error) fail("write", file, error.value());
    path = path.parent_path() / next;  // which is `next`, if that is absolute
  }
  return path;
}

fs::path folder_of(const fs::path& file) {
  return file.has_parent_path() ? file.parent_path() : fs::path(".");
}

struct Target {
  fs::path path;                   // no link
  std::optional<struct stat> old;  // of the file there, a regular one
};

Target target_of(const fs::path& file) {
  Target target{at_the_end_of_links(file), stat_of("write", file)};
  if (!target.old) return target;
  const mode_t mode = target.old->st_mode;
  if (S_ISDIR(mode)) fail("write", file, EISDIR);
  if (!S_ISREG(mode))
    fail("write", file,
         std::string("it is a ") +
             (S_ISFIFO(mode)   ? "pipe"
              : S_ISSOCK(mode) ? "socket"
                               : "device") +
             ", and only a regular file is replaced");
  // The links of /proc lead to files that may have lost their name.
  const auto named = stat_of("write", target.path);
  if (!named || !same_file(*named, *target.old)) fail("write", file, "it has no name of its own");
  for (const auto& [descriptor, stream] :
       {std::pair{STDOUT_FILENO, "standard output"}, std::pair{STDERR_FILENO, "standard error"}}) {
    struct stat open_file {};
    if (fstat(descriptor, &open_file) == 0 && same_file(open_file, *target.old))
      fail("write", file, std::string(stream) + " goes there");
  }
  // Renaming would need no permission for the file itself.
  if (faccessat(AT_FDCWD, target.path.c_str(), W_OK, AT_EACCESS) != 0) fail("write", file, errno);
  return target;
}

bool is_same(const Target& target, const fs::path& input) {
  const auto read = stat_of("read", input);
  if (read && target.old) return same_file(*read, *target.old);
  if (read || target.old) return false;
  // Where neither is there yet, the same name will be the same file.
  std::error_code error;
  return fs::weakly_canonical(input, error) == fs::weakly_canonical(target.path, error);
}

// The new file for the old one: its owner and group if we may, its permissions, but to nobody whom
// a change of the owner or the group would let in.
void take_over(int descriptor, const struct stat& old) {
  mode_t mode = old.st_mode & 07777;
  if (fchown(descriptor, old.st_uid, old.st_gid) != 0) {
    mode &= ~static_cast<mode_t>(S_ISUID | S_ISGID);
    if (fchown(descriptor, static_cast<uid_t>(-1), old.st_gid) != 0)
      mode &= ~static_cast<mode_t>(S_IRWXG);
  }
  static_cast<void>(fchmod(descriptor, mode));  // refused, it has the permissions of a new file
}

// An open file that is removed when it goes, unless renamed.
class TemporaryFile {
 public:
  // The process id keeps two runs with one output folder apart; the counter steps over what a
  // killed run has left. The lock says that the run is alive, across containers too.
  TemporaryFile(fs::path target, mode_t mode) : target_(std::move(target)) {
    for (int attempt = 0;; ++attempt) {
      path_ = target_;
      path_ += "." + std::to_string(getpid()) + "." + std::to_string(attempt) + ".tmp";
      descriptor_ = open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
      if (descriptor_ >= 0) break;
      if (errno != EEXIST) fail("write", target_, errno);
    }
    flock(descriptor_, LOCK_EX | LOCK_NB);
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile() {
    close(descriptor_);
    if (!renamed_) unlink(path_.c_str());
  }

  int descriptor() const { return descriptor_; }

  void write(std::string_view text) {
    while (!text.empty()) {
      const ssize_t written = ::write(descriptor_, text.data(), text.size());
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) fail("write", target_, errno);
      text.remove_prefix(static_cast<std::size_t>(written));
    }
    // A full disk shows here at the latest.
    if (fsync(descriptor_) != 0) fail("write", target_, errno);
  }

  void rename() {
    if (std::rename(path_.c_str(), target_.c_str()) != 0) fail("write", target_, errno);
    renamed_ = true;
  }

 private:
  fs::path target_;
  fs::path path_;
  int descriptor_ = -1;
  bool renamed_ = false;
};

// The process that made the file is gone, and nobody writes to it.
bool is_abandoned(const fs::path& file, pid_t process) {
  if (kill(process, 0) == 0 || errno != ESRCH) return false;
  const int descriptor = open(file.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (descriptor < 0) return false;
  struct stat found {};
  const bool abandoned = fstat(descriptor, &found) == 0 && S_ISREG(found.st_mode) &&
                         flock(descriptor, LOCK_EX | LOCK_NB) == 0;
  close(descriptor);
  return abandoned;
}

// What TemporaryFile makes of a name.
struct TemporaryName {
  std::string target;
  pid_t process = 0;
};

std::optional<TemporaryName> read_temporary_name(std::string_view name) {
  constexpr std::string_view ending = ".tmp";
  if (!name.ends_with(ending)) return std::nullopt;
  name.remove_suffix(ending.size());
  // The number behind the last point, which goes with it.
  const auto take_number = [&name]() -> std::optional<int> {
    const std::size_t point = name.rfind('.');
    if (point == name.npos) return std::nullopt;
    const std::string_view digits = name.substr(point + 1);
    int number = 0;
    const auto [stop, error] = std::from_chars(digits.begin(), digits.end(), number);
    if (error != std::errc{} || stop != digits.end() || number < 0) return std::nullopt;
    name = name.substr(0, point);
    return number;
  };
  const std::optional<int> attempt = take_number();
  const std::optional<int> process = attempt ? take_number() : std::nullopt;
  if (!process || *process == 0) return std::nullopt;
  return TemporaryName{std::string(name), *process};
}

// The temporary files that were to become files with such names.
void remove_abandoned_files(const fs::path& folder,
                            const std::function<bool(const fs::path& name)>& is_ours) {
  std::error_code error;
  std::vector<fs::path> abandoned;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    const auto temporary = read_temporary_name(entry->path().filename().string());
    if (temporary && is_ours(temporary->target) && is_abandoned(entry->path(), temporary->process))
      abandoned.push_back(entry->path());
  }
  for (const fs::path& file : abandoned) fs::remove(file, error);
}

}  // namespace

void prepare_folder(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) fail("make the folder", folder, error.value());
  if (access(folder.c_str(), W_OK | X_OK) != 0) fail("write to the folder", folder, errno);
  // Whatever this program writes into a folder of its own.
  remove_abandoned_files(folder, [](const fs::path& name) {
    const fs::path ending = name.extension();
    return ending == ".json" || ending == ".svg" || ending == ".gnuplot" || ending == ".txt";
  });
}

void require_writable(const fs::path& file, const std::vector<fs::path>& inputs) {
  const Target target = target_of(file);
  const fs::path folder = folder_of(target.path);
  if (access(folder.c_str(), W_OK | X_OK) != 0) fail("write", file, errno);
  remove_abandoned_files(folder,
                         [&](const fs::path& name) { return name == target.path.filename(); });
  for (const fs::path& input : inputs)
    if (is_same(target, input)) fail("write", file, "this command reads it, as " + input.string());
}

FolderLock::FolderLock(const fs::path& folder)
    : descriptor_(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
  if (descriptor_ < 0) fail("read", folder, errno);
  while (flock(descriptor_, LOCK_EX) != 0 && errno == EINTR) {
  }
}

FolderLock::~FolderLock() { close(descriptor_); }

void write_atomically(const fs::path& file, std::string_view text, Readers readers) {
  const Target target = target_of(file);
  // Until it is whole, the new file lets in nobody whom the old one did not.
  const bool open_to_others = readers == Readers::as_usual && !target.old;
  TemporaryFile temporary(target.path, open_to_others ? 0666 : 0600);
  if (target.old) take_over(temporary.descriptor(), *target.old);
  temporary.write(text);
  temporary.rename();
}

bool file_exists(const fs::path& file) { return stat_of("read", file).has_value(); }

std::string read_file(const fs::path& file) {
  // ifstream opens folders without complaint.
  if (const auto found = stat_of("read", file); found && S_ISDIR(found->st_mode))
    fail("read", file, EISDIR);
  errno = 0;
  std::ifstream stream(file, std::ios::binary);
  if (!stream) fail("read", file, errno ? errno : EIO);
  // In blocks: a program built with sanitizers reads itself, half a gigabyte, in most of its tests.
  std::string text;
  std::array<char, 1 << 16> block{};
  while (stream.read(block.data(), block.size()), stream.gcount() > 0)
    text.append(block.data(), static_cast<std::size_t>(stream.gcount()));
  if (stream.bad()) fail("read", file, EIO);
  return text;
}

}  // namespace dpverify
