#include "reports/report_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <stdexcept>

#include "reports/atomic_file.hpp"
#include "reports/json.hpp"
#include "reports/report_page.hpp"

namespace dpverify {
namespace {

namespace fs = std::filesystem;

// report.json, report-2.json, ...
fs::path report_file(const fs::path& folder, int number) {
  return folder / (number == 1 ? std::string(report_name) : fmt::format("report-{}.json", number));
}

// Nothing, if there is no file, or one without content.
std::optional<EarlierReport> read_report_file(const fs::path& file, const Context& context) {
  if (!file_exists(file)) return std::nullopt;
  try {
    const std::string text = read_file(file);
    if (text.empty()) return std::nullopt;
    return read_earlier_report(text, context);
  } catch (const std::invalid_argument& failure) {
    throw FileError(fmt::format("cannot write {}: {}", file.string(), failure.what()));
  }
}

fs::path page_of(fs::path file) { return file.replace_extension(".html"); }

// Throws FileError if something else than a page of a report is there.
void require_page(const fs::path& page) {
  require_writable(page);
  if (!file_exists(page)) return;
  if (const std::string text = read_file(page); !text.empty() && !is_report_page(text))
    throw FileError(
        fmt::format("cannot write {}: it is there, and is no page of a report", page.string()));
}

std::set<std::string> ids(const std::vector<Claim>& claims) {
  std::set<std::string> out;
  for (const Claim& claim : claims) out.insert(claim.id);
  return out;
}

std::set<std::string> left_out(const std::optional<Partial>& partial) {
  return partial ? std::set<std::string>(partial->left_out.begin(), partial->left_out.end())
                 : std::set<std::string>{};
}

// Those that were checked.
std::set<std::string> checked(const Report& report) {
  std::set<std::string> out = ids(report.claims);
  for (const std::string& id : left_out(report.partial)) out.erase(id);
  return out;
}

// Whether nothing that the earlier report found would be lost with it.
bool has_all(const std::set<std::string>& claims, const EarlierReport& earlier) {
  const std::set<std::string> unchecked = left_out(earlier.partial);
  return std::ranges::all_of(earlier.claims, [&](const std::string& id) {
    return claims.contains(id) || unchecked.contains(id);
  });
}

// `report` with the earlier evidence on claims that it does not hold, or leaves out.
Report merged(Report report, const EarlierReport& earlier, const std::vector<Claim>& every_claim) {
  const std::set<std::string> present = ids(report.claims), found = checked(report),
                              never = left_out(earlier.partial);
  std::set<std::string> unchecked = left_out(report.partial);
  for (const Evidence& evidence : earlier.evidence) {
    const std::string& id = evidence.claim;
    const auto claim = std::ranges::find(every_claim, id, &Claim::id);
    if (claim == every_claim.end() || found.contains(id)) continue;
    if (!present.contains(id)) {
      report.claims.push_back(*claim);
      report.evidence.push_back(evidence);
      if (never.contains(id)) unchecked.insert(id);
    } else if (!never.contains(id)) {
      *std::ranges::find(report.evidence, id, &Evidence::claim) = evidence;
      std::erase_if(report.timings.claims,
                    [&](const ClaimTiming& timing) { return timing.claim == id; });
      unchecked.erase(id);
    } else {
      continue;
    }
    for (const ClaimTiming& timing : earlier.timings)
      if (timing.claim == id) report.timings.claims.push_back(timing);
  }
  Report whole = make_report(report.context, report.claims, report.evidence, report.timings);
  whole.kind = report.kind == earlier.kind ? report.kind : DocumentKind::verify;
  if (!unchecked.empty())
    whole.partial = Partial{(report.partial ? report.partial : earlier.partial)->time_limit,
                            {unchecked.begin(), unchecked.end()}};
  return whole;
}

}  // namespace

Measured read_measured_file(const std::filesystem::path& file) {
  const std::string text = read_file(file);
  try {
    return read_measured(text);
  } catch (const std::invalid_argument& failure) {
    throw std::invalid_argument(fmt::format("{}: {}", file.string(), failure.what()));
  }
}

fs::path write_page(const fs::path& file, std::string_view report) {
  const fs::path page = page_of(file);
  require_page(page);
  write_atomically(page, report_page(report));
  return page;
}

void prepare_report(const fs::path& folder, const std::vector<fs::path>& inputs) {
  prepare_folder(folder);
  for (int number = 1;; ++number) {
    const fs::path file = report_file(folder, number);
    require_writable(file, inputs);
    require_page(page_of(file));
    if (!read_report_file(file, {})) return;
  }
}

WrittenReport write_report(const Report& report, const fs::path& folder,
                           const std::vector<Claim>& every_claim) {
  const FolderLock lock(folder);
  std::string others;  // why it is not report.json
  for (int number = 1;; ++number) {
    const fs::path file = report_file(folder, number);
    const auto written = [&](const Report& whole, const std::string& more) -> WrittenReport {
      const std::string text = to_json(whole);
      write_atomically(file, text);
      const fs::path page = write_page(file, text);
      return {file, fmt::format("Report: {}{}{}\nTo read it: {}\n", file.string(), more, others,
                                page.string())};
    };
    const auto earlier = read_report_file(file, report.context);
    if (!earlier) return written(report, "");
    if (earlier->difference.empty() && has_all(ids(every_claim), *earlier)) {
      const Report whole = merged(report, *earlier, every_claim);
      const std::size_t more = whole.claims.size() - report.claims.size();
      return written(whole, more == 0 ? ""
                                      : fmt::format(", with {} other claim{} of earlier runs", more,
                                                    more == 1 ? "" : "s"));
    }
    if (has_all(checked(report), *earlier)) return written(report, "");
    if (others.empty())
      others = fmt::format(", because {} holds other claims, of {}", file.string(),
                           earlier->difference.empty() ? "another program" : earlier->difference);
  }
}

}  // namespace dpverify
