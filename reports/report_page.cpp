#include "reports/report_page.hpp"

#include <fmt/format.h>

#include <array>
#include <stdexcept>
#include <utility>

namespace dpverify {
namespace {

// JSON that cannot end the element it stands in: a < is only within texts.
std::string within_script(std::string_view report) {
  std::string out;
  for (const char c : report)
    if (c == '<')
      out += "\\u003c";
    else
      out += c;
  return out;
}

}  // namespace

bool is_report_page(std::string_view text) {
  // As every version writes it, above the title.
  return text.substr(0, text.find("<title>"))
             .find(R"(<meta name="generator" content="dpverify">)") != std::string_view::npos;
}

std::string report_page(std::string_view report) {
  const PageParts parts = page_parts();
  const std::string json = within_script(report);
  const std::array<std::pair<std::string_view, std::string_view>, 3> places{
      {{"@page_style@", parts.css}, {"@page_report@", json}, {"@page_script@", parts.javascript}}};
  std::string out;
  std::string_view rest = parts.html;
  for (const auto& [mark, text] : places) {
    const std::size_t at = rest.find(mark);
    if (at == std::string_view::npos)
      throw std::logic_error(fmt::format("the page lacks {}", mark));
    out += rest.substr(0, at);
    out += text;
    rest.remove_prefix(at + mark.size());
  }
  return out += rest;
}

}  // namespace dpverify
