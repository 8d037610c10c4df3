#include "reports/report_page.hpp"

#include <gmock/gmock.h>

#include "reports/test_commands.hpp"
#include "reports/validate.hpp"

namespace dpverify {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

std::string between(const std::string& text, const std::string& start, const std::string& end) {
  const std::size_t from = text.find(start) + start.size();
  return text.substr(from, text.find(end, from) - from);
}

TEST(ReportPage, HoldsTheReportAndNeedsNothingElse) {
  const std::string page = report_page(to_json(small_report()));
  const std::string held =
      between(page, "<script id=\"report\" type=\"application/json\">", "</script>");
  EXPECT_THAT(validate_report(held), ::testing::IsEmpty());
  EXPECT_TRUE(read_evidence(held, small_report().claims[0].id).has_value());
  EXPECT_THAT(page,
              AllOf(Not(HasSubstr("@page_")), Not(HasSubstr("src=")), Not(HasSubstr("<link"))));
}

// A name that ends the element it stands in would be read as markup.
TEST(ReportPage, TextsAreNoMarkup) {
  Report report = small_report();
  report.claims[0].statement = "</script><script>alert(1)</script>";
  const std::string page = report_page(to_json(report));
  EXPECT_THAT(page, Not(HasSubstr("<script>alert")));
  const std::string held =
      between(page, "<script id=\"report\" type=\"application/json\">", "</script>");
  EXPECT_THAT(held, HasSubstr("\\u003c/script>\\u003cscript>alert(1)"));
}

TEST(ReportPage, KnowsItsOwn) {
  EXPECT_TRUE(is_report_page(report_page(to_json(small_report()))));
  EXPECT_TRUE(is_report_page("<meta name=\"generator\" content=\"dpverify\"><title>Older</title>"));
  EXPECT_FALSE(is_report_page("<!doctype html><title>Mine</title>"));
  EXPECT_FALSE(is_report_page(
      "<title>A page that quotes</title><meta name=\"generator\" content=\"dpverify\">"));
  EXPECT_FALSE(is_report_page(""));
}

class ReportCommand : public CommandTest {};

TEST_F(ReportCommand, VerifyWritesThePageAndReportMakesItAgain) {
  const Result verified = verify();
  EXPECT_THAT(verified.out, HasSubstr("To read it: " + (folder_ / "report.html").string() + "\n"));
  const std::string page = read_file(folder_ / "report.html");
  EXPECT_EQ(page, report_page(report()));
  std::filesystem::remove(folder_ / "report.html");
  EXPECT_EQ(run({"report", folder_.string()}).code, 0);
  EXPECT_EQ(read_file(folder_ / "report.html"), page);
}

TEST_F(ReportCommand, AFileThatIsNoPageIsKept) {
  write("report.html", "my own notes");
  expect_complaint(verify(), "report.html: it is there, and is no page of a report");
  EXPECT_EQ(read_file(folder_ / "report.html"), "my own notes");
  EXPECT_FALSE(std::filesystem::exists(folder_ / "report.json"));
  write("report.json", to_json(small_report()));
  expect_complaint(run({"report", folder_.string()}), "is no page of a report");
  EXPECT_EQ(read_file(folder_ / "report.html"), "my own notes");
}

TEST_F(ReportCommand, WhatIsNoReportMakesNoPage) {
  expect_complaint(run({"report", (folder_ / "nowhere").string()}), "nowhere");
  write("report.json", "{}");
  expect_complaint(run({"report", folder_.string()}), "does not match the schema");
  EXPECT_FALSE(std::filesystem::exists(folder_ / "report.html"));
}

}  // namespace
}  // namespace dpverify
