// A report as one page of HTML that needs nothing else.
#pragma once

#include <string>
#include <string_view>

namespace dpverify {

// Findings, health, a table of all claims and a section a claim, drawn by the page from the JSON
// that it holds. `report` is that of `verify` or `rates`, and matches the schema.
std::string report_page(std::string_view report);

// Was it made by report_page, and may another take its place?
bool is_report_page(std::string_view text);

// What the page is made of: the files of reports/page/.
struct PageParts {
  std::string_view html;
  std::string_view css;
  std::string_view javascript;
};
PageParts page_parts();

}  // namespace dpverify
