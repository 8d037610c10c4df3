// Files that are complete or absent, never half written, and that are written over nothing else.
#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace dpverify {

// A file or folder that cannot be read, made or written. what() names it and the cause.
struct FileError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Makes the folder and those above it where missing, sees that files can be made in it, and removes
// the temporary files that killed runs have left there. Done before long work, so that the work is
// not lost. Throws FileError.
void prepare_folder(const std::filesystem::path& folder);

// What write_atomically would do with this name can be done: there is no file yet, in a folder that
// takes one, or a regular file that may be written. A symbolic link stands for what it points to.
// Refused are devices, pipes, sockets and folders; a file without write permission; the file that
// standard output or standard error goes to; and one of `inputs`, the files that the command reads,
// whatever name or link it goes by. Temporary files of that name that killed runs have left are
// removed. Done before long work, and before anything is released. Throws FileError.
void require_writable(const std::filesystem::path& file,
                      const std::vector<std::filesystem::path>& inputs = {});

// Who may read a file that was not there before. One that was keeps its permissions, and its owner
// and group where the system lets us.
enum class Readers { as_usual, owner_only };  // 0666 less the umask; 0600

// Writes the text to a temporary file in the same folder, flushes it to the disk, then renames it.
// Of a symbolic link the target is replaced, and the link stays. Throws FileError, for what
// require_writable refuses too; then the old file, if any, is as it was and nothing new is left
// behind.
void write_atomically(const std::filesystem::path& file, std::string_view text,
                      Readers readers = Readers::as_usual);

// While it lives, no other process holds a lock on the folder: what is read, changed and written
// again in the meantime loses nothing. Advisory, and without effect where the file system has no
// locks. Throws FileError if there is no such folder.
class FolderLock {
 public:
  explicit FolderLock(const std::filesystem::path& folder);
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;
  ~FolderLock();

 private:
  int descriptor_;
};

// Throws FileError where that cannot be told, as in a loop of symbolic links.
bool file_exists(const std::filesystem::path& file);

// Throws FileError.
std::string read_file(const std::filesystem::path& file);

}  // namespace dpverify
