#include "reports/atomic_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <iterator>
#include <string>
#include <system_error>
#include <utility>

namespace dpverify {
namespace {

[[noreturn]] void fail(const char* doing, const std::filesystem::path& path, int error) {
  throw FileError(std::string("cannot ") + doing + " " + path.string() + ": " +
                  std::generic_category().message(error));
}

// An open file that is removed when it goes, unless renamed.
class TemporaryFile {
 public:
  explicit TemporaryFile(std::filesystem::path target) : target_(std::move(target)) {
    // The process id keeps two runs with one output folder apart; the counter steps over what a
    // killed run has left.
    for (int attempt = 0;; ++attempt) {
      path_ = target_;
      path_ += "." + std::to_string(getpid()) + "." + std::to_string(attempt) + ".tmp";
      descriptor_ = open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
      if (descriptor_ >= 0) return;
      if (errno != EEXIST) fail("write", target_, errno);
    }
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile() {
    if (descriptor_ >= 0) close(descriptor_);
    if (!renamed_) unlink(path_.c_str());
  }

  void write(std::string_view text) {
    while (!text.empty()) {
      const ssize_t written = ::write(descriptor_, text.data(), text.size());
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) fail("write", target_, errno);
      text.remove_prefix(static_cast<std::size_t>(written));
    }
    if (fsync(descriptor_) != 0) fail("write", target_, errno);
    // Some file systems report a full disk only here.
    if (close(std::exchange(descriptor_, -1)) != 0) fail("write", target_, errno);
  }

  void rename() {
    if (std::rename(path_.c_str(), target_.c_str()) != 0) fail("write", target_, errno);
    renamed_ = true;
  }

 private:
  std::filesystem::path target_;
  std::filesystem::path path_;
  int descriptor_ = -1;
  bool renamed_ = false;
};

}  // namespace

void prepare_folder(const std::filesystem::path& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) fail("make the folder", folder, error.value());
  if (access(folder.c_str(), W_OK | X_OK) != 0) fail("write to the folder", folder, errno);
}

void write_atomically(const std::filesystem::path& file, std::string_view text) {
  TemporaryFile temporary(file);
  temporary.write(text);
  temporary.rename();
}

std::string read_file(const std::filesystem::path& file) {
  // ifstream opens folders without complaint.
  if (std::filesystem::is_directory(file)) fail("read", file, EISDIR);
  errno = 0;
  std::ifstream stream(file, std::ios::binary);
  if (!stream) fail("read", file, errno ? errno : EIO);
  std::string text{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
  if (stream.bad()) fail("read", file, EIO);
  return text;
}

}  // namespace dpverify
