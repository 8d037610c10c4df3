#include <fmt/format.h>

#include "reports/formats.hpp"

namespace dpverify {
namespace {

// Green only if everything that was asked for was decided.
struct Words {
  std::string text;
  const char* colour;
};

Words words_of(const Outcomes& outcomes) {
  const std::size_t wrong = with_outcome(outcomes, TestOutcome::failed).size() +
                            with_outcome(outcomes, TestOutcome::stopped).size();
  if (wrong > 0) return {fmt::format("{} not as expected", wrong), "#c0392b"};
  const std::size_t right = with_outcome(outcomes, TestOutcome::passed).size();
  if (outcomes.time_limit)
    return {fmt::format("{} as expected, {} unchecked", right, outcomes.left_out.size()),
            "#8a6d00"};
  std::size_t undecided = 0;
  for (const ClaimOutcome* claim : with_outcome(outcomes, TestOutcome::skipped))
    undecided += claim->verdict == Verdict::inconclusive ? 1 : 0;
  if (undecided > 0) return {fmt::format("{} not decided", undecided), "#8a6d00"};
  return {fmt::format("{} as expected", right), "#1e7e34"};
}

}  // namespace

std::string badge(const Outcomes& outcomes) {
  constexpr std::size_t letter = 7, margin = 10;  // pixels
  const std::string label = xml_text(outcomes.program);
  const auto [text, colour] = words_of(outcomes);
  const std::size_t left = letter * outcomes.program.size() + margin,
                    right = letter * text.size() + margin;
  const auto centred = [&](std::size_t from, std::size_t width, const std::string& words) {
    return fmt::format(
        R"(<text x="{}" y="14" textLength="{}" fill="#fff" text-anchor="middle">{}</text>)",
        from + width / 2, width - margin, words);
  };
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"20\" role=\"img\" "
      "aria-label=\"{1}: {2}\" font-family=\"Verdana,DejaVu Sans,sans-serif\" font-size=\"11\">\n"
      "<!-- dpverify {3} -->\n<title>{1}: {2}</title>\n"
      "<rect width=\"{4}\" height=\"20\" fill=\"#444\"/>"
      "<rect x=\"{4}\" width=\"{5}\" height=\"20\" fill=\"{6}\"/>\n{7}\n{8}\n</svg>\n",
      left + right, label, text, outcomes.version, left, right, colour, centred(0, left, label),
      centred(left, right, text));
}

}  // namespace dpverify
