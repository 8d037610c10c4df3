#include "reports/rates_command.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "bench/rate_check.hpp"
#include "reports/test_commands.hpp"
#include "reports/validate.hpp"
#include "reports/verify.hpp"

namespace dpverify {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

int runs = 0;  // of the mechanism below, whatever the releases

// The risk is factor * n^exponent times a noise between 0.8 and 1.2; without data it is 10.
Claim power_law(std::string id, double exponent, double factor = 1,
                const std::string& variable = "n") {
  RateClaim rate;
  rate.variable = variable;
  rate.exponent = -0.5;
  rate.point = [=](double n) {
    const Mechanism mechanism = [=](const Dataset& data, Releases&) {
      ++runs;
      const double noise = data.labels[0];
      return VectorXd::Constant(1, noise == 0 ? 10 : factor * std::pow(n, exponent) * noise);
    };
    return RatePoint{.records = 1, .mechanism = mechanism, .bound = 1 / std::sqrt(n)};
  };
  rate.draw = [](Index, RandomStream& stream) {
    return Dataset{Matrix::Zero(1, 1), VectorXd::Constant(1, stream.uniform(0.8, 1.2))};
  };
  rate.excess_risk = [](const VectorXd& w) { return w[0] == 0 ? 10 : w[0]; };
  rate.smoke = {{1e2, 4e2, 2e3, 1e4}, 40};
  rate.ci = {{1e2, 1e3, 1e4, 1e5}, 60};
  Claim claim = bounded_by(std::move(id), 2);
  claim.check = rate;
  return claim;
}

class RatesCommand : public CommandTest {
 protected:
  RatesCommand() {
    claims_ = {power_law("test.a.rate.printed", -0.5),
               power_law("test.b.rate.printed", -0.5, 1, "epsilon"),
               bounded_by("test.bounded.lemma.printed", 2)};
  }

  // The exit code of `dpverify ARGUMENTS`; what it said is in out_ and err_.
  int run(const std::vector<std::string>& arguments) {
    const Result result = CommandTest::run(arguments);
    out_ = result.out;
    err_ = result.err;
    return result.code;
  }
  int rates(std::vector<std::string> arguments = {}) {
    arguments.insert(arguments.begin(), {"rates", "--out", folder_.string(), "--threads", "1"});
    return run(arguments);
  }
  std::string baseline() const { return (folder_ / "baseline.json").string(); }

  std::string out_, err_;
};

// A program that only links the library must not write to the baseline of the papers.
TEST_F(RatesCommand, RecordsNoBaselineWithoutAFileForIt) {
  extras_ = {};
  EXPECT_EQ(rates({"--record-baseline"}), 2);
  EXPECT_THAT(err_, HasSubstr("--baseline is missing"));
  EXPECT_EQ(rates(), 0) << err_;
  EXPECT_EQ(rates({"--record-baseline", "--baseline", baseline()}), 0) << err_;
  EXPECT_EQ(rates({"--baseline", baseline()}), 0) << err_;
}

TEST_F(RatesCommand, PrintsTheCurvesAndWritesAReportThatMatchesTheSchema) {
  EXPECT_EQ(rates(), 0) << err_;
  EXPECT_THAT(out_, AllOf(HasSubstr("test.a.rate.printed: consistent, as expected; falls at least"),
                          HasSubstr("test.b.rate.printed"), HasSubstr("zero vector"),
                          HasSubstr("non-private"), HasSubstr("Report: "), Not(HasSubstr("lemma")),
                          Not(HasSubstr("\033"))));
  EXPECT_THAT(validate_report(report()), IsEmpty());
  EXPECT_EQ(err_, "");
}

TEST_F(RatesCommand, ChoosesByGlobAndByVariable) {
  EXPECT_EQ(rates({"--vary", "epsilon"}), 0) << err_;
  EXPECT_THAT(out_, AllOf(HasSubstr("test.b.rate"), Not(HasSubstr("test.a.rate"))));
  EXPECT_EQ(rates({"--only", "test.a.*"}), 0) << err_;
  EXPECT_THAT(out_, AllOf(HasSubstr("test.a.rate"), Not(HasSubstr("test.b.rate"))));
  EXPECT_EQ(rates({"--vary", "d"}), 2);
  EXPECT_THAT(err_, HasSubstr("--vary is 'd', but must be one of epsilon, n for these claims"));
  EXPECT_EQ(rates({"--only", "*.lemma.*"}), 2);
  EXPECT_THAT(err_, HasSubstr("none of a rate"));
}

TEST_F(RatesCommand, JsonIsTheReportOfTheseClaims) {
  EXPECT_EQ(rates({"--json", "--only", "test.a.*"}), 0);
  EXPECT_THAT(validate_report(out_), IsEmpty());
  EXPECT_EQ(nlohmann::json::parse(out_)["kind"], "rates");
  EXPECT_EQ(nlohmann::json::parse(out_)["evidence"].size(), 1U);
}

TEST_F(RatesCommand, AddsToAReportOfTheSameContextAndLeavesAnotherAlone) {
  const std::string out = folder_.string();
  EXPECT_EQ(run({"verify", "--out", out, "--only", "test.bounded.*"}), 0) << err_;
  EXPECT_EQ(rates({"--only", "test.a.*"}), 0);
  EXPECT_THAT(out_, HasSubstr("report.json, with 1 other claim of earlier runs\n"));
  EXPECT_THAT(validate_report(report()), IsEmpty());
  EXPECT_TRUE(read_evidence(report(), "test.bounded.lemma.printed"));
  EXPECT_TRUE(read_evidence(report(), "test.a.rate.printed"));
  EXPECT_EQ(nlohmann::json::parse(report())["timings"]["claims"].size(), 2U);
  const std::string before = report();
  EXPECT_EQ(rates({"--only", "test.b.*", "--seed", "7"}), 0);
  EXPECT_THAT(out_, HasSubstr("report-2.json, because "));
  EXPECT_EQ(report(), before) << "another seed";
  EXPECT_TRUE(read_evidence(read_file(folder_ / "report-2.json"), "test.b.rate.printed"));
}

TEST_F(RatesCommand, WritesOverNothingThatItReads) {
  EXPECT_EQ(rates({"--record-baseline", "--baseline", baseline()}), 0) << err_;
  const std::string known = read_file(baseline());
  // The report and a picture, by links to the baseline.
  for (const char* name : {"report.json", "test.a.rate.printed.svg"}) {
    fs::remove(folder_ / name);
    fs::create_hard_link(baseline(), folder_ / name);
    runs = 0;
    EXPECT_EQ(rates({"--baseline", baseline()}), 2);
    EXPECT_THAT(err_, AllOf(HasSubstr(name), HasSubstr("this command reads it")));
    EXPECT_EQ(runs, 0);
    EXPECT_EQ(read_file(baseline()), known);
    fs::remove(folder_ / name);
  }
  EXPECT_EQ(rates({"--record-baseline", "--baseline", (folder_ / "report.json").string()}), 2);
  EXPECT_THAT(err_, HasSubstr("this command reads it"));
  // A baseline to be recorded into that is none is not lost either, nor is a pipe.
  write_atomically(baseline(), "my notes");
  EXPECT_EQ(rates({"--record-baseline", "--baseline", baseline()}), 2);
  EXPECT_EQ(read_file(baseline()), "my notes");
  const fs::path pipe = folder_ / "pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_EQ(rates({"--record-baseline", "--baseline", pipe.string()}), 2);
  EXPECT_TRUE(fs::is_fifo(pipe));
}

TEST_F(RatesCommand, GoesOnWhereItWas) {
  EXPECT_EQ(rates(), 0);
  auto first = nlohmann::json::parse(report());
  runs = 0;
  EXPECT_EQ(rates(), 0);
  EXPECT_EQ(runs, 0) << "every point was finished before";
  auto second = nlohmann::json::parse(report());
  EXPECT_EQ(first["evidence"], second["evidence"]);
  // A point that is lost, and one that is damaged, are measured again, and nothing else.
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder_ / "rate-points"))
    files.push_back(entry.path());
  ASSERT_EQ(files.size(), 8U);
  std::ranges::sort(files);
  fs::remove(files[0]);
  fs::resize_file(files[1], fs::file_size(files[1]) - 20);
  EXPECT_EQ(rates(), 0);
  EXPECT_EQ(err_, "dpverify: " + files[1].string() + " is damaged; that piece is measured again\n");
  EXPECT_EQ(runs, 2 * (40 + 40 + 10));
  EXPECT_EQ(nlohmann::json::parse(report())["evidence"], first["evidence"]);
  runs = 0;
  EXPECT_EQ(rates({"--seed", "5"}), 0);
  EXPECT_EQ(runs, 8 * 90) << "another seed";
}

TEST_F(RatesCommand, PartsPutTogetherAreASingleRun) {
  for (const char* id : {"test.c.rate.printed", "test.d.rate.printed"})
    claims_.push_back(power_law(id, -0.5));
  EXPECT_EQ(rates(), 0);
  const auto whole = nlohmann::json::parse(report());
  const std::string costs = (folder_ / "costs.json").string();
  // Four claims that take equally long, two for each part; and one that is too much for a part.
  for (const bool divided : {false, true}) {
    auto measured = whole;
    for (auto& claim : measured["timings"]["claims"])
      claim["seconds"] = divided && claim["claim"] == "test.b.rate.printed" ? 100 : 1;
    write_atomically(costs, measured.dump());
    fs::remove_all(folder_ / "rate-points");
    fs::remove(folder_ / "report.json");
    runs = 0;
    int in_pieces = 0;
    for (const char* part : {"1/2", "2/2"}) {
      EXPECT_EQ(rates({"--shard", part, "--costs", costs}), 0) << err_;
      EXPECT_THAT(out_, HasSubstr("kept in " + (folder_ / "rate-points").string()));
      in_pieces += out_.find(" of others, kept in ") != std::string::npos;
      EXPECT_FALSE(fs::exists(folder_ / "report.json"));
    }
    EXPECT_EQ(in_pieces, divided ? 2 : 0);
    EXPECT_EQ(runs, 16 * 90);
    EXPECT_EQ(rates(), 0);
    EXPECT_EQ(runs, 16 * 90) << "every point was finished in a part";
    EXPECT_EQ(nlohmann::json::parse(report())["evidence"], whole["evidence"]);
  }
  // The part with a claim that is not as expected says so, as the whole run would.
  claims_[0] = power_law("test.a.rate.printed", -0.1);
  fs::remove_all(folder_ / "rate-points");
  std::multiset<int> codes;
  for (const char* part : {"1/2", "2/2"}) codes.insert(rates({"--shard", part}));
  EXPECT_EQ(codes, (std::multiset{0, 1}));
  EXPECT_EQ(rates({"--shard", "1/2", "--json"}), 2);
  EXPECT_THAT(err_, HasSubstr("--json is given with --shard"));
}

// Once the evidence on a claim is kept, its points are not: nobody asks for them any more.
TEST_F(RatesCommand, PointsGoIntoTheEvidenceOfTheirClaim) {
  const fs::path kept = folder_ / "unfinished";
  CheckpointFiles files(kept, "program");
  const Report report = dpverify::verify({claims_[0], claims_[1]}, {}, {}, &files);
  EXPECT_EQ(report.evidence[0].verdict, Verdict::consistent);
  EXPECT_EQ(std::distance(fs::directory_iterator(kept), fs::directory_iterator()), 2);
}

// However a claim's points came together, its time is that of all of them: later parts are shared
// out by it.
TEST_F(RatesCommand, TheTimeOfAClaimIsThatOfItsPiecesToo) {
  CheckpointFiles files(folder_ / "unfinished", "program");
  const std::vector<RatePiece> pieces = planned_pieces(claims_[0], {});
  CheckContext keeping;
  keeping.checkpoints = files.store();
  for (const std::size_t k : {1, 3}) {
    keep_piece(claims_[0], keeping, pieces[k]);
    const std::string text = *files.recall(pieces[k].key);
    files.keep(pieces[k].key, "1000" + text.substr(text.find(' ')));
  }
  const Report report = dpverify::verify({claims_[0], claims_[1]}, {}, {}, &files);
  EXPECT_GE(report.timings.claims[0].seconds, 2000);
  EXPECT_LT(report.timings.claims[0].seconds, 2100);
  EXPECT_LT(report.timings.claims[1].seconds, 100);
}

TEST_F(RatesCommand, AWorseRateThanInTheBaselineExits4) {
  EXPECT_EQ(rates({"--record-baseline", "--baseline", baseline()}), 0) << err_;
  EXPECT_THAT(out_, HasSubstr("Baseline: " + baseline()));
  EXPECT_EQ(rates({"--baseline", baseline()}), 0);
  EXPECT_EQ(rates({"--baseline", baseline(), "--seed", "5"}), 0) << "only noise: " << err_;
  EXPECT_EQ(rates({"--baseline", baseline(), "--plan", "ci"}), 0) << err_;

  // A larger constant, with the same slope.
  fs::remove_all(folder_ / "rate-points");  // the same program and ids: tests only
  claims_[0] = power_law("test.a.rate.printed", -0.5, 1.5);
  EXPECT_EQ(rates({"--baseline", baseline()}), 4);
  EXPECT_THAT(err_, AllOf(HasSubstr("regression"), HasSubstr("test.a.rate.printed"),
                          HasSubstr("excess risk/bound is 1.5"), HasSubstr("at 10000 (was 0.9")));
  EXPECT_EQ(std::ranges::count(err_, '\n'), 1) << err_;

  // A slower exponent that is still within the theorem's.
  fs::remove_all(folder_ / "rate-points");
  claims_[0] = power_law("test.a.rate.printed", -0.8);
  EXPECT_EQ(rates({"--record-baseline", "--baseline", baseline()}), 0);
  fs::remove_all(folder_ / "rate-points");
  claims_[0] = power_law("test.a.rate.printed", -0.6);
  EXPECT_EQ(rates({"--baseline", baseline()}), 4);
  EXPECT_THAT(err_, HasSubstr("standard deviations of the rank sum"));
  EXPECT_EQ(rates({"--baseline", baseline(), "--plan", "ci", "--seed", "9"}), 4)
      << "whatever the plan and the seed";

  // A better one is none, and an unexpected verdict weighs more.
  fs::remove_all(folder_ / "rate-points");
  claims_[0] = power_law("test.a.rate.printed", -0.9, 0.5);
  EXPECT_EQ(rates({"--baseline", baseline()}), 0) << err_;
  fs::remove_all(folder_ / "rate-points");
  claims_[0] = power_law("test.a.rate.printed", -0.1);
  EXPECT_EQ(rates({"--baseline", baseline()}), 1);
}

TEST_F(RatesCommand, VerifyComparesWithTheBaselineOfTheSource) {
  // In place of a claim of the baseline, one that holds on the same points, with a larger constant.
  const auto known = read_baseline(read_file(default_baseline()), "source");
  const auto steep = std::ranges::find_if(known, [](const RateRecord& each) {
    return each.points.size() >= 4 && each.points[0].ratios.size() >= 20 &&
           each.points.back().value >= 1e3 * each.points[0].value;
  });
  ASSERT_NE(steep, known.end());
  Claim slow = power_law(steep->claim, -0.5, 1e6);
  auto& rate = std::get<RateClaim>(slow.check);
  rate.smoke.values.clear();
  for (const RateRecord::Point& point : steep->points) rate.smoke.values.push_back(point.value);
  rate.excess_risk = [](const VectorXd& w) { return w[0] == 0 ? 1e7 : w[0]; };
  rate.point = [](double n) {
    return RatePoint{.records = 1,
                     .mechanism =
                         [n](const Dataset& data, Releases&) {
                           const double noise = data.labels[0];
                           return VectorXd::Constant(1, noise == 0 ? 1e7 : 1e6 * noise / n);
                         },
                     .bound = 1 / n};
  };
  claims_ = {slow};
  EXPECT_EQ(run({"verify", "--out", folder_.string(), "--threads", "1"}), 4) << out_;
  EXPECT_THAT(err_, AllOf(HasSubstr("regression against"), HasSubstr(steep->claim)));
}

TEST_F(RatesCommand, ComplainsOfABaselineThatIsNone) {
  runs = 0;
  EXPECT_EQ(rates({"--baseline", baseline()}), 2) << "no such file";
  write_atomically(baseline(), "{}");
  EXPECT_EQ(rates({"--baseline", baseline()}), 2);
  EXPECT_THAT(err_, HasSubstr("is no baseline of rates"));
  EXPECT_EQ(runs, 0) << "before the sweeps";
  for (const std::string& text :
       {std::string(100'000, '['), std::string("[1e999]"), std::string()}) {
    write_atomically(baseline(), text);
    EXPECT_EQ(rates({"--baseline", baseline()}), 2);
    EXPECT_THAT(err_, HasSubstr("is no baseline of rates"));
  }
  fs::remove(baseline());
  fs::create_symlink(baseline(), baseline());
  EXPECT_EQ(rates({"--baseline", baseline()}), 2);
  EXPECT_THAT(err_, AllOf(HasSubstr(baseline()), HasSubstr("symbolic links")));
}

}  // namespace
}  // namespace dpverify
