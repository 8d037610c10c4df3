#include <fmt/format.h>

#include "reports/formats.hpp"
#include "reports/layout.hpp"

namespace dpverify {
namespace {

// As the runner reads it back: %, line ends, and in a property also : and , stand for themselves
// only when encoded.
std::string encoded(std::string_view text, bool property) {
  std::string out;
  for (const char c : text) {
    if (c == '%' || c == '\r' || c == '\n' || (property && (c == ':' || c == ',')))
      out += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    else
      out += c;
  }
  return out;
}

std::string annotation(std::string_view command, const ClaimOutcome& claim) {
  const std::string place =
      claim.stated
          ? fmt::format("file={},line={},", encoded(claim.stated->file, true), claim.stated->line)
          : "";
  return fmt::format("::{} {}title={}::{}\n", command, place, encoded(claim.claim, true),
                     encoded(why(claim), false));
}

}  // namespace

std::string github_annotations(const Outcomes& outcomes) {
  std::string text;
  for (const TestOutcome wrong : {TestOutcome::failed, TestOutcome::stopped})
    for (const ClaimOutcome* claim : with_outcome(outcomes, wrong))
      text += annotation("error", *claim);
  for (const ClaimOutcome* claim : with_outcome(outcomes, TestOutcome::skipped))
    if (claim->verdict == Verdict::inconclusive) text += annotation("warning", *claim);
  if (outcomes.time_limit)
    text += fmt::format("::warning title=dpverify::The time limit of {:.6g} s left {} unchecked.\n",
                        *outcomes.time_limit, plural(outcomes.left_out.size(), "claim"));
  return text;
}

}  // namespace dpverify
