// Finished pieces of long checks in files, so that a killed run goes on where it was.
#pragma once

#include <filesystem>
#include <string>

#include "reports/evidence.hpp"

namespace dpverify {

// One file a key in `folder`, complete or absent. A file is recalled only if its first lines are
// the fingerprint and the key: what another program has left is never used. Throws FileError if a
// file cannot be written.
CheckpointStore checkpoint_files(const std::filesystem::path& folder, std::string fingerprint);

// Names the bytes of the running program: any change of the code changes it. Throws FileError if
// the program cannot be read.
std::string program_fingerprint();

}  // namespace dpverify
