// Files that are complete or absent, never half written.
#pragma once

#include <filesystem>
#include <stdexcept>
#include <string_view>

namespace dpverify {

// A file or folder that cannot be read, made or written. what() names it and the cause.
struct FileError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Makes the folder and those above it where missing, and sees that files can be made in it. Done
// before long work, so that the work is not lost. Throws FileError.
void prepare_folder(const std::filesystem::path& folder);

// Writes the text to a temporary file in the same folder, flushes it to the disk, then renames it.
// Throws FileError; then the old file, if any, is as it was and nothing new is left behind.
void write_atomically(const std::filesystem::path& file, std::string_view text);

// Throws FileError.
std::string read_file(const std::filesystem::path& file);

}  // namespace dpverify
