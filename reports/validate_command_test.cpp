#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "reports/test_commands.hpp"

namespace dpverify {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::StartsWith;

class ValidateCommand : public CommandTest {};

TEST_F(ValidateCommand, ValidatesReports) {
  const Result good = run({"validate", write("good.json", to_json(small_report()))});
  EXPECT_EQ(good.code, 0);
  EXPECT_THAT(good.out, HasSubstr("good.json matches the schema, version 3\n"));

  auto broken = nlohmann::json::parse(to_json(small_report()));
  broken["evidence"][0]["verdict"] = "passed";
  const Result bad = run({"validate", write("bad.json", broken.dump())});
  expect_complaint(bad, "bad.json does not match the schema (1 error)");
  EXPECT_THAT(bad.out, StartsWith("$.evidence[0].verdict is \"passed\": "));

  expect_complaint(run({"validate", write("text.json", "hello")}), "(1 error)");
  expect_complaint(run({"validate", (folder_ / "no.json").string()}), "No such file or directory");
}

TEST_F(ValidateCommand, FilesThatAreNoReportsExit2WithOneLine) {
  fs::create_symlink("loop.json", folder_ / "loop.json");
  fs::create_directories(folder_ / "folder.json");
  std::string objects;
  for (int i = 0; i < 100'000; ++i) objects += "{\"a\": ";
  // The schema says nothing about fields that it does not know: they are still read.
  auto deep = nlohmann::json::parse(to_json(small_report()));
  std::string known = deep.dump();
  known.insert(1, "\"later\": " + std::string(100'000, '[') + std::string(100'000, ']') + ", ");
  auto huge = nlohmann::json::parse(to_json(small_report()));
  huge["evidence"][2]["witness"]["pair"]["replaced"] = 18446744073709551615U;
  auto outcome = nlohmann::json::parse(to_json(small_report()));
  outcome["evidence"][2]["witness"]["outcomes"][0] = 18446744073709551615U;
  std::string number = to_json(small_report());
  number.insert(1, "\"later\": 1e999, ");
  const std::vector<std::string> files{
      write("deep.json", std::string(100'000, '[')),
      write("objects.json", objects),
      write("known.json", known),
      write("number.json", number),
      write("samples.json", "{\"samples\": 123456789012345678901234567890123456789012345}"),
      write("empty.json", ""),
      write("binary.json", std::string("\x7f\x45\x4c\x46\0\0\xff\xfe", 8)),
      (folder_ / "loop.json").string(),
      (folder_ / "folder.json").string()};
  for (const std::string& file : files) {
    expect_complaint(run({"validate", file}), file);
    expect_complaint(run({"explain", "test.bounded.lemma.printed", "--report", file}), file);
  }
  expect_complaint(run({"validate", files[0]}), "nested more than 100 deep");
  expect_complaint(run({"explain", "test.bounded.lemma.printed", "--report", files[2]}),
                   "nested more than 100 deep");
  // Integers that would be cut to size.
  for (const auto& report : {huge, outcome})
    expect_complaint(run({"explain", "test.bounded.lemma.printed", "--report",
                          write("integer.json", report.dump())}),
                     " is 18446744073709551615: ");
}

TEST_F(ValidateCommand, ValidateListsTheFirstErrorsAndCountsTheRest) {
  auto broken = nlohmann::json::parse(to_json(small_report()));
  for (int i = 0; i < 2000; ++i) broken["evidence"].push_back(i);
  const Result result = run({"validate", write("bad.json", broken.dump())});
  expect_complaint(result, "bad.json does not match the schema (more than 20 errors)");
  EXPECT_EQ(std::ranges::count(result.out, '\n'), 21);
  EXPECT_THAT(result.out, HasSubstr("\nand 1980 more errors\n"));
  EXPECT_LT(result.out.size(), 5000U);
}

}  // namespace
}  // namespace dpverify
