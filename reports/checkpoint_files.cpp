#include "reports/checkpoint_files.hpp"

#define XXH_INLINE_ALL
#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <string_view>
#include <system_error>
#include <utility>

#include "reports/atomic_file.hpp"

namespace dpverify {
namespace {

std::string digest(std::string_view text) {
  const XXH128_hash_t hash = XXH3_128bits(text.data(), text.size());
  return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

// The first line of a file: the checksum of all that follows it.
std::string checksum_line(std::string_view rest) {
  return "dpverify checkpoint, checksum " + digest(rest) + "\n";
}

}  // namespace

CheckpointFiles::CheckpointFiles(std::filesystem::path folder, std::string program,
                                 std::function<void(const std::string&)> say)
    : folder_(std::move(folder)), program_(std::move(program)), say_(std::move(say)) {
  prepare_folder(folder_);
}

CheckpointStore CheckpointFiles::store() {
  return {.recall = [this](const std::string& key) { return recall(key); },
          .keep = [this](const std::string& key, const std::string& text) { keep(key, text); }};
}

int CheckpointFiles::recalled() const {
  const std::scoped_lock lock(mutex_);
  return recalled_;
}

void CheckpointFiles::remove() {
  const std::scoped_lock lock(mutex_);
  std::error_code error;  // a file that stays is used again or replaced; nothing is wrong with it
  for (const std::filesystem::path& file : files_) std::filesystem::remove(file, error);
  files_.clear();
  std::filesystem::remove(folder_, error);  // fails if it is not empty
}

std::filesystem::path CheckpointFiles::file_of(const std::string& key) const {
  return folder_ / (digest(key) + ".txt");
}

std::string CheckpointFiles::head_of(const std::string& key) const {
  return "program " + program_ + "\n" + key + "\n";
}

std::optional<std::string> CheckpointFiles::recall(const std::string& key) {
  const std::filesystem::path file = file_of(key);
  std::string text;
  try {
    if (!file_exists(file)) return std::nullopt;
    text = read_file(file);
  } catch (const FileError& error) {
    say(std::string(error.what()) + "; that piece is measured again");
    return std::nullopt;
  }
  const std::string_view rest =
      std::string_view(text).substr(std::min(text.size(), checksum_line("").size()));
  if (!text.starts_with(checksum_line(rest))) {
    say(file.string() + " is damaged; that piece is measured again");
    return std::nullopt;
  }
  const std::string head = head_of(key);
  if (!rest.starts_with(head)) return std::nullopt;
  const std::scoped_lock lock(mutex_);
  files_.insert(file);
  ++recalled_;
  return std::string(rest.substr(head.size()));
}

void CheckpointFiles::keep(const std::string& key, const std::string& text) {
  {
    const std::scoped_lock lock(mutex_);
    if (!can_keep_) return;
  }
  const std::filesystem::path file = file_of(key);
  const std::string rest = head_of(key) + text;
  std::error_code error;  // another run may have removed the folder when it had ended
  std::filesystem::create_directories(folder_, error);
  try {
    write_atomically(file, checksum_line(rest) + rest);
    const std::scoped_lock lock(mutex_);
    files_.insert(file);
  } catch (const FileError& failure) {
    {
      const std::scoped_lock lock(mutex_);
      if (!std::exchange(can_keep_, false)) return;
    }
    say(std::string(failure.what()) + "; if this run is killed, it starts afresh");
  }
}

void CheckpointFiles::forget(const std::string& key) {
  const std::filesystem::path file = file_of(key);
  const std::scoped_lock lock(mutex_);
  std::error_code error;
  std::filesystem::remove(file, error);
  files_.erase(file);
}

void CheckpointFiles::say(const std::string& line) {
  const std::scoped_lock lock(mutex_);
  if (say_) say_(line);
}

std::string program_fingerprint() {
  static const std::string fingerprint = digest(read_file("/proc/self/exe"));
  return fingerprint;
}

}  // namespace dpverify
