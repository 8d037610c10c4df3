#include "reports/report_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <nlohmann/json.hpp>
#include <string>

#include "reports/atomic_file.hpp"
#include "reports/json.hpp"
#include "reports/test_claims.hpp"
#include "reports/validate.hpp"

namespace dpverify {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class ReportFile : public ::testing::Test {
 protected:
  void SetUp() override { prepare_report(folder_, {}); }
  void TearDown() override { fs::remove_all(folder_); }

  Claim claim(const std::string& name) const {
    return bounded_by("test.bounded.lemma." + name + ".printed", 2);
  }

  // A report of these claims, with the reason in their evidence.
  Report report(const std::vector<std::string>& names, const std::string& reason,
                std::uint64_t seed = 1) const {
    std::vector<Claim> claims;
    std::vector<Evidence> evidence;
    std::vector<ClaimTiming> timings;
    for (const std::string& name : names) {
      claims.push_back(claim(name));
      evidence.push_back(full_evidence(claims.back().id, Verdict::consistent));
      evidence.back().reason = reason;
      timings.push_back({claims.back().id, 0.5});
    }
    CheckContext context;
    context.seed = seed;
    return make_report(
        describe(context), claims, evidence,
        {.threads = 1, .started = "2024-02-29T12:00:00Z", .seconds = 1, .claims = timings});
  }

  WrittenReport write(const Report& report) const { return write_report(report, folder_, every_); }

  std::string text(const std::string& name = "report.json") const {
    return read_file(folder_ / name);
  }

  std::string to_read(const std::string& page) const {
    return "To read it: " + (folder_ / page).string() + "\n";
  }

  // The reason that the file gives for the claim, or "none".
  std::string reason(const std::string& name, const std::string& file = "report.json") const {
    const auto found = read_evidence(text(file), claim(name).id);
    return found ? found->reason : "none";
  }

  fs::path folder_ = fs::path(::testing::TempDir()) /
                     ("report_file_test_" + std::to_string(getpid()) + "_" +
                      ::testing::UnitTest::GetInstance()->current_test_info()->name());
  std::vector<Claim> every_{claim("a"), claim("b"), claim("c")};
};

TEST_F(ReportFile, OfTheSameContextHoldsTheEvidenceOfBothRuns) {
  EXPECT_EQ(write(report({"a", "b"}, "first")).line,
            "Report: " + (folder_ / "report.json").string() + "\n" + to_read("report.html"));
  const WrittenReport second = write(report({"b", "c"}, "second"));
  EXPECT_EQ(second.file, folder_ / "report.json");
  EXPECT_EQ(second.line, "Report: " + second.file.string() +
                             ", with 1 other claim of earlier runs\n" + to_read("report.html"));
  EXPECT_EQ(reason("a"), "first");
  EXPECT_EQ(reason("b"), "second");
  EXPECT_EQ(reason("c"), "second");
  EXPECT_THAT(validate_report(text()), IsEmpty());
  const auto json = nlohmann::json::parse(text());
  EXPECT_EQ(json["summary"]["claims"], 3) << "of the whole report";
  EXPECT_EQ(json["claims"].size(), 3U);
  EXPECT_EQ(json["timings"]["claims"].size(), 3U);
}

// What is put together is what one run would have written.
TEST_F(ReportFile, PutTogetherIsAsIfWrittenAtOnce) {
  write(report({"a"}, "x"));
  write(report({"b", "c"}, "x"));
  EXPECT_EQ(text(), to_json(report({"a", "b", "c"}, "x")));
}

TEST_F(ReportFile, OfAnotherContextLosesNothing) {
  write(report({"a", "b"}, "first"));
  const std::string before = text();
  const WrittenReport other = write(report({"b"}, "seed 2", 2));
  EXPECT_EQ(other.file, folder_ / "report-2.json");
  EXPECT_EQ(other.line, "Report: " + other.file.string() + ", because " +
                            (folder_ / "report.json").string() +
                            " holds other claims, of another seed\n" + to_read("report-2.html"));
  EXPECT_EQ(text(), before);
  EXPECT_EQ(reason("b", "report-2.json"), "seed 2");

  // The next one of that context joins it, and one of a third is put behind it.
  write(report({"c"}, "seed 2, later", 2));
  EXPECT_EQ(reason("b", "report-2.json"), "seed 2");
  EXPECT_EQ(reason("c", "report-2.json"), "seed 2, later");
  EXPECT_EQ(write(report({"a"}, "seed 3", 3)).file, folder_ / "report-3.json");
  EXPECT_EQ(text(), before);

  // One that has all the claims of the first takes its place.
  const WrittenReport whole = write(report({"a", "b", "c"}, "seed 4", 4));
  EXPECT_EQ(whole.file, folder_ / "report.json");
  EXPECT_EQ(reason("a"), "seed 4");
  EXPECT_EQ(reason("b", "report-2.json"), "seed 2");
}

TEST_F(ReportFile, SaysWhatIsOtherAboutTheContext) {
  const auto said = [&](auto change) {
    fs::remove_all(folder_);
    prepare_report(folder_, {});
    Report first = report({"a", "b"}, "x");
    change(first.context);
    write(first);
    return write(report({"a"}, "x")).line;
  };
  EXPECT_THAT(said([](Context& c) { c.seed = 9; }), HasSubstr("of another seed\n"));
  EXPECT_THAT(said([](Context& c) { c.plan = Plan::ci; }), HasSubstr("of another plan\n"));
  EXPECT_THAT(said([](Context& c) { c.git.commit = std::string(40, '0'); }),
              HasSubstr("of another commit\n"));
  EXPECT_THAT(said([](Context& c) { c.program = std::string(32, '0'); }),
              HasSubstr("of another build of the program\n"));
  EXPECT_THAT(said([](Context& c) { c.cpu = "abacus"; }), HasSubstr("of another machine\n"));
  EXPECT_THAT(said([](Context& c) { c.build.flags = "-O0"; }), HasSubstr("compiler"));
  EXPECT_THAT(said([](Context& c) { c.error_budget.share = 0.5; }), HasSubstr("error budget"));
}

// A claim that is gone cannot be kept beside the new ones: its statement is not known any more.
TEST_F(ReportFile, WithClaimsThatAreNotKnownStays) {
  write(report({"a", "b"}, "first"));
  every_ = {claim("a")};
  EXPECT_EQ(write(report({"a"}, "second")).file, folder_ / "report-2.json");
  EXPECT_EQ(reason("a"), "first");
}

TEST_F(ReportFile, OfAnEarlierVersionIsNotPutTogetherWithThisOne) {
  write(report({"a", "b"}, "first"));
  auto old = nlohmann::json::parse(text());
  old["schema_version"] = 1;
  old.erase("kind");
  write_atomically(folder_ / "report.json", old.dump());
  EXPECT_THAT(write(report({"b"}, "second")).line, HasSubstr("of another version of the report\n"));
  EXPECT_EQ(text(), old.dump());
  write(report({"a", "b"}, "third"));
  EXPECT_EQ(reason("a"), "third") << "it has all the claims";
}

TEST_F(ReportFile, IsOfVerifyUnlessAllOfItIsOfRates) {
  const auto write_as = [&](DocumentKind kind, const std::string& name) {
    Report part = report({name}, "x");
    part.kind = kind;
    write(part);
    return nlohmann::json::parse(text())["kind"];
  };
  EXPECT_EQ(write_as(DocumentKind::rates, "a"), "rates");
  EXPECT_EQ(write_as(DocumentKind::rates, "b"), "rates");
  EXPECT_EQ(write_as(DocumentKind::verify, "c"), "verify");
  EXPECT_EQ(write_as(DocumentKind::rates, "a"), "verify");
}

TEST_F(ReportFile, IsNotWrittenOverAFileThatIsNoReport) {
  const std::string list = to_json(describe({}), every_), audit = to_json(describe({}), {}, {});
  for (const std::string& text : {std::string("my notes"), std::string("{}"), std::string("[]"),
                                  std::string(R"({"schema_version": 1})"), list, audit}) {
    write_atomically(folder_ / "report.json", text);
    try {
      prepare_report(folder_, {});
      ADD_FAILURE() << "accepted: " << text;
    } catch (const FileError& error) {
      EXPECT_THAT(error.what(),
                  AllOf(HasSubstr("cannot write " + (folder_ / "report.json").string()),
                        HasSubstr("it is no report of dpverify")));
    }
    EXPECT_THROW(write(report({"a"}, "x")), FileError);
    EXPECT_EQ(read_file(folder_ / "report.json"), text);
  }
}

TEST_F(ReportFile, AnEmptyFileIsNothingToLose) {
  write_atomically(folder_ / "report.json", "");
  prepare_report(folder_, {});
  EXPECT_EQ(write(report({"a"}, "x")).file, folder_ / "report.json");
  EXPECT_EQ(reason("a"), "x");
}

// Each reads what the others have written, whatever the order.
TEST_F(ReportFile, RunsAtTheSameTimeLoseNothing) {
  constexpr int processes = 8;
  every_.clear();
  for (int i = 0; i < processes; ++i) every_.push_back(claim("x" + std::to_string(i)));
  for (int i = 0; i < processes; ++i)
    if (fork() == 0) {
      write(report({"x" + std::to_string(i)}, "y"));
      _exit(0);
    }
  for (int i = 0; i < processes; ++i) {
    int status = -1;
    ASSERT_GT(wait(&status), 0);
    EXPECT_EQ(status, 0);
  }
  for (int i = 0; i < processes; ++i) EXPECT_EQ(reason("x" + std::to_string(i)), "y");
}

TEST_F(ReportFile, APipeOrTheBaselineInTheWayIsNoticedBeforehand) {
  const fs::path baseline = folder_ / "baseline.json";
  write_atomically(baseline, "{}");
  fs::create_hard_link(baseline, folder_ / "report.json");
  EXPECT_THROW(prepare_report(folder_, {baseline}), FileError);
  fs::remove(folder_ / "report.json");
  ASSERT_EQ(mkfifo((folder_ / "pipe").c_str(), 0600), 0);
  fs::create_symlink("pipe", folder_ / "report.json");
  EXPECT_THROW(prepare_report(folder_, {baseline}), FileError);
}

}  // namespace
}  // namespace dpverify
