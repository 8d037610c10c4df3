// The words of a command, a line each: exit code 0, 1, 2 or 4, one line of complaint for bad input,
// and never an internal error. The words are kept from leaving the folder or starting a program.
#include "reports/command_line.hpp"

#include <fcntl.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <vector>

#include "tests/fuzz/fuzz.hpp"

using namespace dpverify;

namespace {

// While it lives, the scratch folder is the current one; the fuzzer's own paths start from another.
class ScratchFolder {
 public:
  ScratchFolder() : before_(open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
    fuzz::must(chdir(path().c_str()) == 0, "there is a scratch folder");
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  ~ScratchFolder() {
    fuzz::must(fchdir(before_) == 0, "there is a way back");
    close(before_);
  }

 private:
  static const std::string& path() {
    static const std::string made = make();
    [[maybe_unused]] static const int removed =
        std::atexit([] { std::filesystem::remove_all(path()); });  // before `made` is destroyed
    return made;
  }

  static std::string make() {
    std::string name = "/tmp/dpverify-fuzz-XXXXXX";
    fuzz::must(mkdtemp(name.data()) != nullptr, "a folder can be made");
    std::ofstream(name + "/a.csv") << "x,y\n1,2\n3,4\n";
    std::ofstream(name + "/b.csv") << "x,y\n1,2\n3,5\n";
    return name;
  }

  int before_;
};

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
  const ScratchFolder folder;
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
