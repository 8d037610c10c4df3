// Commands as text that a shell reads back as the same words.
#pragma once

#include <string>
#include <vector>

namespace dpverify {

// The words separated by spaces, on one line of what a terminal shows as it is, each quoted where a
// POSIX shell would change it. (One of before 2024 may not know the $'\012' that stands for what a
// terminal would not show.)
std::string shell_command(const std::vector<std::string>& words);

}  // namespace dpverify
