// Reports, results and finished checks as JSON: read, or refused; what is shown of them, a terminal
// does not obey; what is written of them is read back the same.
#include "reports/json.hpp"

#include <algorithm>

#include "reports/compare.hpp"
#include "reports/envelope.hpp"
#include "reports/evidence_text.hpp"
#include "reports/json_text.hpp"
#include "reports/layout.hpp"
#include "reports/validate.hpp"
#include "tests/fuzz/fuzz.hpp"

using namespace dpverify;

namespace {

void must_be_plain(const std::string& text) {
  fuzz::must(std::ranges::none_of(
                 text, [](char c) { return (c >= 0 && c < ' ' && c != '\n') || c == 0x7f; }),
             "no control characters are shown");
}

Claim any_claim() {
  Claim claim;
  claim.id = "test.fuzz.lemma.printed";
  claim.check = LemmaClaim{};
  return claim;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string_view text = fuzz::text_of(bytes, size);
  const std::vector<std::string> errors = validate_report(text);
  fuzz::must(errors.size() <= most_validation_lines + 1, "errors are capped");
  for (const std::string& error : errors) must_be_plain(printable(error));
  fuzz::accepted([&] {
    const Measured measured = read_measured(text);
    compare(measured, measured);
    for (const Evidence& each : measured.evidence) {
      must_be_plain(laid_out(printable_lines(evidence_in_words(any_claim(), each, "fuzz")), 80));
      read_evidence(text, each.claim);
    }
  });
  fuzz::accepted([&] { read_earlier_report(text, {}); });
  fuzz::accepted([&] {
    const std::string once = to_json(read_finished_check(text));
    fuzz::must(to_json(read_finished_check(once)) == once, "a finished check is read back");
  });
  fuzz::accepted([&] { json_as_text(parse_json(text)); });
  return 0;
}
