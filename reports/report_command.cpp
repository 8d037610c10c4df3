// `dpverify report`: a report as a page to read, and in the forms that continuous integration
// reads.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <memory>
#include <ostream>
#include <stdexcept>
#include <utility>

#include "algorithms/core/checked.hpp"
#include "reports/atomic_file.hpp"
#include "reports/commands.hpp"
#include "reports/formats.hpp"
#include "reports/pictures.hpp"
#include "reports/report_file.hpp"
#include "reports/validate.hpp"

namespace dpverify {
namespace {

namespace fs = std::filesystem;

struct Format {
  const char* name;
  const char* ending;  // of its file, which stands beside the report; empty: on standard output
  std::string (*text)(const Outcomes&);
};

// These are no one of them: they are made of the report's text.
constexpr const char* page_format = "html";
constexpr const char* pictures_format = "pictures";
constexpr std::array formats{Format{"junit", ".junit.xml", junit_xml},
                             Format{"sarif", ".sarif", sarif}, Format{"markdown", ".md", markdown},
                             Format{"badge", ".svg", badge},
                             Format{"github", "", github_annotations}};

struct ReportArguments {
  std::string folder = default_folder;
  std::vector<std::string> formats{page_format};
};

void require_formats(const std::vector<std::string>& names) {
  std::vector<std::string_view> known{page_format, pictures_format};
  for (const Format& format : formats) known.emplace_back(format.name);
  for (const std::string& one : names)
    require(std::ranges::find(known, one) != known.end(), "--format", "'" + one + "'",
            fmt::format("one of {}", fmt::join(known, ", ")));
}

// What another program wrote is not ours to replace. Ours name the program at their head.
void require_own(const fs::path& file) {
  require_writable(file);
  if (!file_exists(file)) return;
  constexpr std::size_t head = 1000;
  const std::string text = read_file(file);
  if (!text.empty() && text.substr(0, head).find("dpverify") == std::string::npos)
    throw FileError(
        fmt::format("cannot write {}: it is there, and not of dpverify", file.string()));
}

std::string checked_report(const fs::path& file) {
  std::string report = read_file(file);
  if (const auto errors = validate_report(report); !errors.empty())
    throw std::invalid_argument(fmt::format("{} does not match the schema: {} ({})", file.string(),
                                            errors.front(), count_errors(errors)));
  (void)read_measured_file(file);  // complains of a document of another kind
  return report;
}

void draw(const fs::path& folder, std::string_view report, const Console& console) {
  Pictures pictures = rate_pictures(report);
  if (!pictures.failure.empty()) throw FileError("no pictures: " + pictures.failure);
  const fs::path page = write_pictures_page(folder, std::move(pictures.all));
  console.out << (page.empty() ? "No pictures: the report holds no rate that was measured\n"
                               : fmt::format("Pictures: {}\n", page.string()));
}

int report_command(const ReportArguments& arguments, const Console& console) {
  require_formats(arguments.formats);
  const fs::path file = fs::path(arguments.folder) / report_name;
  const std::string report = checked_report(file);
  const Outcomes outcomes = read_outcomes(report);
  const auto wanted = [&](const char* name) {
    return std::ranges::find(arguments.formats, name) != arguments.formats.end();
  };
  const auto beside = [&](const Format& format) {
    return fs::path(file).replace_extension(format.ending);
  };
  for (const Format& format : formats)
    if (wanted(format.name) && *format.ending != '\0') require_own(beside(format));
  if (wanted(pictures_format)) prepare_pictures_page(arguments.folder);
  if (wanted(page_format)) console.out << "Page: " << write_page(file, report).string() << "\n";
  if (wanted(pictures_format)) draw(arguments.folder, report, console);
  for (const Format& format : formats) {
    if (!wanted(format.name)) continue;
    const std::string text = format.text(outcomes);
    if (*format.ending == '\0') {
      console.out << text;
    } else {
      write_atomically(beside(format), text);
      console.out << fmt::format("{}: {}\n", format.name, beside(format).string());
    }
  }
  return as_expected_code;
}

}  // namespace

Command add_report(CLI::App& app, const Console& console) {
  const auto arguments = std::make_shared<ReportArguments>();
  CLI::App* command = app.add_subcommand(
      "report", "Make of DIR/report.json a page to read, or what continuous integration reads");
  command->add_option("DIR", arguments->folder, "Folder of the report (default: out)");
  command
      ->add_option(
          "--format", arguments->formats,
          "html (the default), pictures (of the rates, as one page), junit, sarif, markdown, "
          "badge: files beside the report; "
          "github: annotations on standard output. Several with commas")
      ->delimiter(',')
      ->allow_extra_args(false);
  return {command, [=, &console] { return report_command(*arguments, console); }};
}

}  // namespace dpverify
