// Everything that a command prints, in as many columns as there are.
#include <fmt/format.h>

#include "reports/test_commands.hpp"

namespace dpverify {
namespace {

// Without what the lay-out adds.
std::string without_layout(const std::string& text) {
  std::string out;
  for (const char c : text)
    if (c != ' ' && c != '\n' && c != '\\') out += c;
  return out;
}

std::size_t widest_line(const std::string& text) {
  std::istringstream lines(text);
  std::size_t width = 0;
  for (std::string line; std::getline(lines, line);) width = std::max(width, line.size());
  return width;
}

class Columns : public CommandTest {
 protected:
  void SetUp() override {
    CommandTest::SetUp();
    Claim& wrong = claims_.front();
    wrong.statement +=
        " And so on, at length, as statements of theorems are wont to do, in many words.";
    ASSERT_EQ(verify().code, as_expected_code);
  }

  std::vector<std::vector<std::string>> commands() const {
    const std::string file = (folder_ / "report.json").string();
    std::vector<std::vector<std::string>> out{{"--help"},
                                              {"verify", "--help"},
                                              {"rates", "--help"},
                                              {"audit", "--help"},
                                              {"list"},
                                              {"compare", file, written_report()}};
    for (const Claim& claim : claims_) out.push_back({"explain", claim.id, "--report", file});
    return out;
  }
};

TEST_F(Columns, NoLineIsWiderAndNothingIsLeftOut) {
  for (const auto& command : commands()) {
    const Result log = run(command);
    for (const std::size_t columns : {60, 80, 120}) {
      const Result fitted = run(command, false, columns);
      const std::string what = fmt::format("{} in {} columns", command.front(), columns);
      EXPECT_EQ(fitted.code, log.code) << what;
      EXPECT_LE(widest_line(fitted.out), columns) << what << "\n" << fitted.out;
      EXPECT_EQ(without_layout(fitted.out), without_layout(log.out)) << what;
    }
  }
}

TEST_F(Columns, OfVerifyToo) {
  for (const std::size_t columns : {60, 80, 120}) {
    const Result fitted = run({"verify", "--verbose", "--out", folder_.string()}, false, columns);
    EXPECT_EQ(fitted.code, as_expected_code);
    EXPECT_LE(widest_line(fitted.out), columns) << fitted.out;
    for (const Claim& claim : claims_)
      EXPECT_THAT(without_layout(fitted.out), ::testing::HasSubstr(claim.id));
  }
}

}  // namespace
}  // namespace dpverify
