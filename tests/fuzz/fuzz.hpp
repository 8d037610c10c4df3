// What the fuzz targets share. libFuzzer calls LLVMFuzzerTestOneInput with bytes of its own; a
// target ends the program on whatever must not happen.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size);

namespace dpverify::fuzz {

inline std::string_view text_of(const std::uint8_t* bytes, std::size_t size) {
  return {reinterpret_cast<const char*>(bytes), size};
}

inline void must(bool good, const char* what) {
  if (good) return;
  std::fprintf(stderr, "must hold: %s\n", what);
  std::abort();
}

// A file with this text and a path, in memory.
class File {
 public:
  explicit File(std::string_view text) : descriptor_(memfd_create("input", MFD_CLOEXEC)) {
    must(write(descriptor_, text.data(), text.size()) == static_cast<ssize_t>(text.size()),
         "the file is written");
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  ~File() { close(descriptor_); }
  std::string path() const { return "/proc/self/fd/" + std::to_string(descriptor_); }

 private:
  int descriptor_;
};

// No exception but of bad input, with a message that is neither empty nor long.
template <class Work>
bool accepted(const Work& work) {
  try {
    work();
    return true;
  } catch (const std::invalid_argument& refusal) {
    const std::string_view message = refusal.what();
    must(!message.empty() && message.size() < 2000, "a refusal is one short message");
    return false;
  }
}

}  // namespace dpverify::fuzz
