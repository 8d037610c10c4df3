// Finished pieces of long checks in files, so that a killed run goes on where it was.
#pragma once

#include <filesystem>
#include <functional>
#include <mutex>
#include <optional>
#include <set>
#include <string>

#include "algorithms/claims/evidence.hpp"

namespace dpverify {

// One file a key in a folder, complete or absent. A file gives its text back only if its checksum
// is right, and it is of the same program and key: what a disk has damaged, or another program has
// left, is never used.
class CheckpointFiles {
 public:
  // `program` names the program (see program_fingerprint). What is wrong with a file is said to
  // `say`, in one line without an end; the run goes on without that file. Throws FileError if the
  // folder cannot be made or written to.
  CheckpointFiles(std::filesystem::path folder, std::string program,
                  std::function<void(const std::string&)> say = {});

  // For use by several threads, as the members are, while this object lives.
  CheckpointStore store();

  std::optional<std::string> recall(const std::string& key);
  void keep(const std::string& key, const std::string& text);
  // Removes a piece that is part of another by now.
  void forget(const std::string& key);

  int recalled() const;  // how many pieces have come from files

  // Removes the files of the pieces that were kept or recalled, and the folder if nothing is left
  // in it.
  void remove();

 private:
  std::filesystem::path file_of(const std::string& key) const;
  std::string head_of(const std::string& key) const;
  void say(const std::string& line);

  std::filesystem::path folder_;
  std::string program_;
  std::function<void(const std::string&)> say_;
  mutable std::mutex mutex_;  // of what follows, and of say_
  std::set<std::filesystem::path> files_;
  int recalled_ = 0;
  bool can_keep_ = true;
};

// Names the bytes of the running program: any change of the code changes it. 32 hexadecimal digits.
// Throws FileError if the program cannot be read.
std::string program_fingerprint();

}  // namespace dpverify
