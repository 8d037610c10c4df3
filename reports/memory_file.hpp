// A file in memory, for programs that read a path.
#pragma once

#include <string>
#include <string_view>

namespace dpverify {

// Readable by this process and those that it starts, as the same user, until it is destroyed;
// nothing of it is ever on a disk. Linux.
class MemoryFile {
 public:
  explicit MemoryFile(std::string_view text);  // throws std::system_error
  ~MemoryFile();
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  std::string path() const;

 private:
  int descriptor_;
};

}  // namespace dpverify
