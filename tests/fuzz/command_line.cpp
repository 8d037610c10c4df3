// The words of a command, a line each: exit code 0 to 5, at most one line of complaint for bad
// input, and never an internal error. The words are kept from leaving the folder or starting a
// program.
#include "reports/command_line.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <vector>

#include "tests/fuzz/fuzz.hpp"

using namespace dpverify;

namespace {

void enter_scratch_folder() {
  std::string name = "/tmp/dpverify-fuzz-XXXXXX";
  fuzz::must(mkdtemp(name.data()) != nullptr && chdir(name.c_str()) == 0, "there is a folder");
  std::ofstream("a.csv") << "x,y\n1,2\n3,4\n";
  std::ofstream("b.csv") << "x,y\n1,2\n3,5\n";
}

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words{"dpverify"};
  for (std::istringstream lines{std::string(text)}; words.size() < 20;) {
    std::string word;
    if (!std::getline(lines, word)) break;
    std::ranges::replace(word, '/', '_');
    std::erase(word, '\0');
    if (word.find("..") != word.npos || word.starts_with("--exec")) continue;
    words.push_back(word);
  }
  return words;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  [[maybe_unused]] static const bool entered = (enter_scratch_folder(), true);
  const std::vector<std::string> words = words_of(fuzz::text_of(bytes, size));
  std::vector<const char*> arguments;
  for (const std::string& word : words) arguments.push_back(word.c_str());
  static const std::vector<Algorithm> no_algorithms;
  static const std::vector<Claim> no_claims;
  std::ostringstream out, err;
  const int code = run_command_line(
      static_cast<int>(arguments.size()), arguments.data(), {.out = out, .err = err},
      {.algorithms = []() -> const std::vector<Algorithm>& { return no_algorithms; },
       .claims = []() -> const std::vector<Claim>& { return no_claims; }});
  const std::string said = err.str();
  fuzz::must(code == 0 || code == 1 || code == 2 || code == 4, "no internal error");
  if (code == bad_input_code)
    fuzz::must(std::ranges::count(said, '\n') == 1 && said.ends_with('\n'),
               "one line of complaint");
  return 0;
}
