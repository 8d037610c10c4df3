#include "reports/pictures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "reports/atomic_file.hpp"
#include "reports/figure_json.hpp"
#include "reports/formats.hpp"
#include "reports/gnuplot.hpp"
#include "reports/json.hpp"
#include "reports/rate_plot.hpp"
#include "reports/report_page.hpp"

namespace dpverify {
namespace {

namespace fs = std::filesystem;

// As an image, an SVG runs no script and shares no names with the page or with other pictures.
std::string data_uri(std::string_view svg) {
  constexpr std::string_view encoded = "%#\"'<>&\n\r\t";
  std::string out = "data:image/svg+xml,";
  for (const char c : svg)
    if (c < ' ' || c > '~' || encoded.find(c) != encoded.npos)
      out += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    else
      out += c;
  return out;
}

// Of what is not a paper's own words, such as a repair, also whose work it is on.
std::string title_of(const ClaimOutcome& claim, const std::vector<ClaimOutcome>& all) {
  const std::string_view key = std::string_view(claim.claim).substr(0, claim.claim.find('.'));
  const auto paper = std::ranges::find(all, key, &ClaimOutcome::paper);
  return claim.paper == key || paper == all.end()
             ? claim.source
             : fmt::format("On {}: {}", paper->name, claim.source);
}

constexpr std::string_view page_head = R"(<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="generator" content="dpverify">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>dpverify pictures</title>
<style>
  :root { color-scheme: light dark; }
  body { font: 16px/1.5 system-ui, sans-serif; max-width: 72rem; margin: 0 auto; padding: 0 1rem 2rem; }
  li, figcaption { overflow-wrap: anywhere; }
  figure { margin: 2rem 0; break-inside: avoid; }
  img { width: 100%; height: auto; background: white; }
</style>
</head>
<body>
<h1>Pictures</h1>
)";

}  // namespace

Pictures rate_pictures(std::string_view report) {
  const Outcomes outcomes = read_outcomes(report);
  const Measured measured = read_measured(report);
  Pictures out;
  for (const Evidence& evidence : measured.evidence) {
    const auto claim = std::ranges::find(outcomes.claims, evidence.claim, &ClaimOutcome::claim);
    if (claim == outcomes.claims.end() || claim->kind != "rate") continue;
    const std::string title = title_of(*claim, outcomes.claims);
    const std::string script = rate_plot_script(
        {.claim = claim->claim, .source = title, .commit = measured.commit}, evidence);
    if (script.empty()) continue;
    Picture picture = run_gnuplot(script);
    if (picture.svg.empty()) return {.all = {}, .failure = picture.failure};
    out.all.push_back({claim->claim, title, std::move(picture.svg)});
  }
  return out;
}

std::vector<NamedPicture> figure_pictures(const fs::path& folder) {
  std::vector<NamedPicture> out;
  for (const auto& entry : fs::directory_iterator(folder)) {
    const fs::path& json = entry.path();
    if (json.extension() != ".json" || !entry.is_regular_file()) continue;
    const auto beside = [&](const char* ending) {
      return json.parent_path() / (json.stem().string() + ending);
    };
    if (!file_exists(beside(".svg"))) continue;
    const std::string title = figures::figure_title(read_file(json));
    for (const char* ending : {".svg", "-noise.svg"})
      if (const fs::path picture = beside(ending); !title.empty() && file_exists(picture))
        out.push_back({picture.stem().string(), title, read_file(picture)});
  }
  std::ranges::sort(out, {}, &NamedPicture::name);
  return out;
}

std::string pictures_page(const std::vector<NamedPicture>& pictures) {
  std::string contents, body;
  for (const NamedPicture& each : pictures) {
    const std::string name = xml_text(each.name), title = xml_text(each.title);
    contents += fmt::format("<li><a href=\"#{}\">{}</a>: {}</li>\n", name, name, title);
    body += fmt::format(
        "<figure id=\"{}\">\n<img alt=\"{}: {}\" "
        "src=\"{}\">\n<figcaption>{}</figcaption>\n</figure>\n",
        name, name, title, data_uri(each.svg), name);
  }
  return fmt::format("{}<ul>\n{}</ul>\n{}</body>\n</html>\n", page_head, contents, body);
}

void prepare_pictures_page(const fs::path& folder) {
  const fs::path file = folder / pictures_page_name;
  require_writable(file);
  if (!file_exists(file)) return;
  const std::string text = read_file(file);
  if (!text.empty() && !is_report_page(text))
    throw FileError(
        fmt::format("cannot write {}: it is there, and no page of dpverify", file.string()));
}

fs::path write_pictures_page(const fs::path& folder, std::vector<NamedPicture> rates) {
  prepare_pictures_page(folder);
  std::ranges::move(figure_pictures(folder), std::back_inserter(rates));
  if (rates.empty()) return {};
  const fs::path file = folder / pictures_page_name;
  write_atomically(file, pictures_page(rates));
  return file;
}

}  // namespace dpverify
