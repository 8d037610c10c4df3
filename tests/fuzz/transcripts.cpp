// A file of recorded releases: audited, or refused; what is shown of it, a terminal does not obey.
#include <algorithm>
#include <sstream>

#include "reports/audit_recorded.hpp"
#include "tests/fuzz/fuzz.hpp"

using namespace dpverify;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const fuzz::File file(fuzz::text_of(bytes, size));
  fuzz::accepted([&] {
    AuditRecordedOptions options;
    options.claimed = {1, 1e-5};
    options.significance = 0.05;
    options.file = file.path();
    std::ostringstream out;
    audit_recorded_command(options, out);
    fuzz::must(
        std::ranges::none_of(
            out.str(),
            [](char c) { return (c >= 0 && c < ' ' && c != '\n' && c != '\t') || c == 0x7f; }),
        "no control characters are shown");
  });
  return 0;
}
