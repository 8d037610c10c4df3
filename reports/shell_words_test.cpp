#include "reports/shell_words.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <memory>

namespace dpverify {
namespace {

// What a shell makes of the words: each on its own, ended by a NUL.
std::string as_read_by_a_shell(const std::vector<std::string>& words) {
  const std::string command = "printf '%s\\0' " + shell_command(words);
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "r"), &pclose);
  std::string text;
  std::array<char, 4096> block{};
  while (const std::size_t got = std::fread(block.data(), 1, block.size(), pipe.get()))
    text.append(block.data(), got);
  return text;
}

TEST(ShellWords, PlainWordsStayAsTheyAre) {
  EXPECT_EQ(shell_command({"./dpverify", "audit", "--delta", "1e-05", "a/b_c.csv"}),
            "./dpverify audit --delta 1e-05 a/b_c.csv");
}

TEST(ShellWords, AShellReadsTheSameWordsBack) {
  const std::vector<std::string> words{"a b", "it's", "",           "$HOME", "`id`", "*",
                                       "~/x", "#",    "\"quoted\"", "\\",    ";",    "\xC3\xA9"};
  std::string wanted;
  for (const std::string& word : words) wanted += word + '\0';
  EXPECT_EQ(as_read_by_a_shell(words), wanted);
}

// The shells of Debian: bash knows $'...', dash does not yet.
TEST(ShellWords, WhatATerminalObeysOrHidesIsWrittenInNumbers) {
  EXPECT_EQ(shell_command({"a\x1b[31m", "it's\n2", "caf\xE9", "caf\xC3\xA9", "\xE2\x80\xAE"}),
            "$'a\\033[31m' $'it\\047s\\0122' $'caf\\351' 'caf\xC3\xA9' $'\\342\\200\\256'");
}

}  // namespace
}  // namespace dpverify
