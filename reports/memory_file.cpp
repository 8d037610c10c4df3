#include "reports/memory_file.hpp"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace dpverify {

MemoryFile::MemoryFile(std::string_view text) : descriptor_(memfd_create("dpverify", MFD_CLOEXEC)) {
  while (descriptor_ >= 0 && !text.empty()) {
    const ssize_t written = write(descriptor_, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) {
      const int problem = errno;
      close(descriptor_);
      throw std::system_error(problem, std::generic_category(), "a file in memory");
    }
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  if (descriptor_ < 0) throw std::system_error(errno, std::generic_category(), "a file in memory");
}

MemoryFile::~MemoryFile() { close(descriptor_); }

std::string MemoryFile::path() const {
  return fmt::format("/proc/{}/fd/{}", getpid(), descriptor_);
}

}  // namespace dpverify
