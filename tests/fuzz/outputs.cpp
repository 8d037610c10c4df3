// Two files of outputs, parted by the first line of three dashes: every line is an output.
#include <algorithm>

#include "audits/black_box/dependence.hpp"
#include "audits/black_box/output_files.hpp"
#include "tests/fuzz/fuzz.hpp"

using namespace dpverify;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  constexpr std::string_view parting = "---\n";
  const std::string_view text = fuzz::text_of(bytes, size);
  const std::size_t at = text.find(parting);
  const fuzz::File first(text.substr(0, at)),
      second(at == text.npos ? text : text.substr(at + parting.size()));
  fuzz::accepted([&] {
    OutputFiles read({first.path(), second.path()}, 10);
    for (const std::size_t side : {0U, 1U}) {
      fuzz::must(read.outputs[side].size() >= 2, "there are outputs");
      dependence(read.outputs[side], 1e-4);
      while (!read.further(side).empty()) continue;
    }
    read.reader.with_texts("the output is -1e300 or nan");
  });
  return 0;
}
