// Commands as text that a shell reads back as the same words.
#pragma once

#include <string>
#include <vector>

namespace dpverify {

// The words separated by spaces, each quoted where a POSIX shell would change it.
std::string shell_command(const std::vector<std::string>& words);

}  // namespace dpverify
