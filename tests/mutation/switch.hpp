// Included by every source with mutants. One process runs one mutant, or none:
//   DPVERIFY_MUTANT=ID      this one
//   DPVERIFY_REACHED=FILE   a byte for each mutant; becomes 1 where its place is reached
#pragma once

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>

namespace dpverify_mutation {

struct Switch {
  int active = -1;
  // Shared with the file: children, and processes that end early, leave their notes too.
  char* reached = nullptr;

  Switch() {
    if (const char* id = std::getenv("DPVERIFY_MUTANT")) active = std::atoi(id);
    const char* path = std::getenv("DPVERIFY_REACHED");
    if (path == nullptr) return;
    const int file = open(path, O_RDWR);
    struct stat status {};
    if (file < 0 || fstat(file, &status) != 0) std::abort();
    void* bytes = mmap(nullptr, static_cast<std::size_t>(status.st_size), PROT_READ | PROT_WRITE,
                       MAP_SHARED, file, 0);
    if (bytes == MAP_FAILED) std::abort();
    reached = static_cast<char*>(bytes);
    close(file);
  }
};

inline bool mutant(int id) {
  static const Switch chosen;
  if (chosen.reached != nullptr) __atomic_store_n(chosen.reached + id, char{1}, __ATOMIC_RELAXED);
  return chosen.active == id;
}

}  // namespace dpverify_mutation

// What stands between the two sides of a switch may be more than the warnings of the build allow.
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wextra"
#pragma GCC diagnostic ignored "-Wparentheses"
#pragma GCC diagnostic ignored "-Wbool-compare"
#pragma GCC diagnostic ignored "-Wduplicated-branches"
#pragma GCC diagnostic ignored "-Wdiv-by-zero"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
