// `audit --transcripts FILE`: releases that other code has recorded.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "reports/json_schema.hpp"
#include "reports/recorded_file.hpp"
#include "reports/test_audits.hpp"
#include "reports/validate.hpp"

namespace dpverify {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

// A line of a sum with Laplace noise; a field that is given twice has its last value.
std::string laplace_line(int run, bool neighbour, bool pinned, double value, double outcome,
                         const std::string& more = "") {
  return fmt::format(
      R"({{"run":{},"side":"{}","pinned":{},"release":1,"law":"laplace","value":{},"scale":1,)"
      R"("sensitivity":1,"outcome":{}{}}})"
      "\n",
      run, neighbour ? "neighbour" : "data", pinned, value, outcome, more);
}

class AuditRecorded : public AuditTest {
 protected:
  // `count` runs a side of a value with Laplace noise; on the neighbour the value is `moved`.
  std::string runs(int count, double moved, double factor = 1) {
    RandomStream stream = noise(0);
    std::string text;
    for (int k = 0; k < 2 * count; ++k) {
      const bool backward = k % 2 == 1;
      const double outcome = (backward ? moved : 0) + factor * stream.laplace();
      text += laplace_line(k, backward, false, backward ? moved : 0, outcome);
      text += laplace_line(k, !backward, true, backward ? 0 : moved, outcome);
    }
    return write("runs.jsonl", text);
  }
  nlohmann::json evidence() const { return nlohmann::json::parse(out_)["evidence"]; }
};

TEST_F(AuditRecorded, JudgesSensitivitiesAndGuarantee) {
  const std::string right = runs(50, 1);
  EXPECT_EQ(run({"--transcripts", right, "--epsilon", "1", "--json"}), 0) << err_ << out_;
  EXPECT_THAT(validate_report(out_), IsEmpty());
  EXPECT_EQ(evidence()[0]["estimate"], 1);
  EXPECT_NEAR(evidence()[1]["estimate"].get<double>(), 1, 1e-6);
  EXPECT_EQ(evidence()[1]["strength"], "certified");
  // Less than the releases need, by losses that are exact and by the laws.
  EXPECT_EQ(run({"--transcripts", right, "--epsilon", "0.9"}), 1);
  EXPECT_THAT(out_, HasSubstr("Verdict: refuted"));
  // A delta leaves the claim of less true: exactly 1 - e^(-1/10) at 0.8.
  EXPECT_EQ(run({"--transcripts", right, "--epsilon", "0.8", "--delta", "0.0952"}), 0) << out_;
  EXPECT_EQ(run({"--transcripts", right, "--epsilon", "0.8", "--delta", "0.094"}), 1) << out_;
}

TEST_F(AuditRecorded, WithdrawsACertificateWhoseSensitivityIsExceeded) {
  const std::string wrong = runs(50, 2);
  EXPECT_EQ(run({"--transcripts", wrong, "--epsilon", "1", "--json"}), 1);
  EXPECT_EQ(evidence()[0]["verdict"], "refuted");
  EXPECT_EQ(evidence()[1]["verdict"], "refuted");
  // What the pair needs is claimed: the sensitivity stays refuted, and nothing is certified.
  EXPECT_EQ(run({"--transcripts", wrong, "--epsilon", "2", "--json"}), 1);
  EXPECT_EQ(evidence()[0]["verdict"], "refuted");
  EXPECT_EQ(evidence()[1]["strength"], "exact_on_searched_pairs");
  EXPECT_THAT(evidence()[1]["reason"],
              HasSubstr("certifies nothing, because release 1 (laplace) of run 0 moves by 2 in l1 "
                        "where 1 is declared"));
}

TEST_F(AuditRecorded, IsConsistentOnlyIfAFaultWouldHaveBeenSeen) {
  // A pair that moves the value by a tenth of what is declared says little of the sensitivity.
  const std::string easy = runs(50, 0.1);
  EXPECT_EQ(run({"--transcripts", easy, "--epsilon", "1", "--json"}), 1);
  EXPECT_EQ(evidence()[0]["verdict"], "inconclusive");
  EXPECT_EQ(evidence()[1]["verdict"], "consistent");
  EXPECT_EQ(run({"--transcripts", easy, "--epsilon", "1", "--fault", "10"}), 0) << out_;
  // Nothing moves, and less is claimed than the releases cost.
  EXPECT_EQ(run({"--transcripts", runs(50, 0), "--epsilon", "0.5", "--json"}), 1);
  EXPECT_EQ(evidence()[1]["verdict"], "inconclusive");
  EXPECT_THAT(evidence()[1]["reason"], HasSubstr("Nothing that is released differs"));
}

TEST_F(AuditRecorded, DecidesNothingOnOutcomesThatTheLawsDoNotDraw) {
  EXPECT_EQ(run({"--transcripts", runs(200, 1, 0.5), "--epsilon", "1", "--json"}), 1);
  EXPECT_EQ(evidence()[0]["verdict"], "consistent");
  EXPECT_EQ(evidence()[1]["verdict"], "inconclusive");
  EXPECT_THAT(evidence()[1]["reason"], HasSubstr("draws of the law laplace do not follow it"));
}

TEST_F(AuditRecorded, RefusesOptionsThatDoNotApply) {
  const std::string file = runs(1, 1);
  expect_complaint({"--transcripts", file}, "--epsilon is missing");
  expect_complaint({"--transcripts", "500", "--epsilon", "1"}, "what to audit is missing");
  expect_complaint({"--transcripts", file, "--epsilon", "1", "--samples", "500"},
                   "--samples is given with a file of --transcripts");
  expect_complaint({"--transcripts", file, "--epsilon", "0"}, "positive, or 0 with --delta");
  expect_complaint({"--transcripts", folder_.string(), "--epsilon", "1"}, "is unreadable");
  expect_complaint({"--transcripts", (folder_ / "no.jsonl").string(), "--epsilon", "1"},
                   "is unreadable (No such file");
  expect_complaint({"--transcripts", write("empty.jsonl", ""), "--epsilon", "1"},
                   "number of recorded runs");
}

// Every law of the schema, in the shortest line; the reader takes what the schema takes.
TEST_F(AuditRecorded, ReadsEveryLawOfTheSchema) {
  const std::vector<std::string> laws{
      R"("law":"laplace","value":[1,2],"scale":1,"sensitivity":1,"outcome":[0.5,1])",
      R"("law":"laplace","value":1,"scale":1,"sensitivity":1,"norm":"linf","outcome":2)",
      R"("law":"gaussian","value":1,"standard_deviation":2,"sensitivity":1,"outcome":0)",
      R"("law":"generalised_gaussian","value":[1,0],"exponent":3,"scale":2,"sensitivity":1,"outcome":[0,0])",
      R"("law":"discrete_laplace","value":1,"scale":1,"sensitivity":1,"outcome":-4)",
      R"("law":"discrete_gaussian","value":[1],"standard_deviation":1,"sensitivity":1,"outcome":[3])",
      R"("law":"exponential","scores":[0,1],"coefficient":1,"sensitivity":1,"norm":"half_range","outcome":1)",
      R"("law":"permute_and_flip","scores":[0,1],"coefficient":1,"sensitivity":1,"outcome":0)",
      R"("law":"noisy_max","scores":[0,1],"scale":1,"noise":"gumbel","sensitivity":1,"outcome":0)",
      R"("law":"noisy_max_value","scores":[0],"scale":1,"noise":"laplace","with_index":true,"sensitivity":1,"outcome":[0,1.5])",
      R"("law":"categorical","probabilities":[0.25,0.75],"sensitivity":1,"outcome":1)",
      R"("law":"permutation","count":2,"outcome":[1,0])"};
  const JsonSchema schema(recorded_release_schema());
  std::string text;
  Index release = 0;
  for (const std::string& law : laws) {
    ++release;
    for (const char* side : {R"("side":"data")", R"("side":"neighbour","pinned":true)"}) {
      const std::string line =
          fmt::format(R"({{"run":"a",{},"release":{},{}}})", side, release, law);
      EXPECT_THAT(schema.errors(nlohmann::json::parse(line), 3), IsEmpty()) << line;
      text += line + "\n";
    }
  }
  text += R"({"run":"a","side":"data","output":null})"
          "\n"
          R"({"run":"a","side":"neighbour","output":null})";
  const RecordedFacts facts = read_recorded_releases(write("laws.jsonl", text));
  EXPECT_EQ(facts.runs, 1U);
  EXPECT_EQ(facts.places.size(), laws.size());
  EXPECT_EQ(facts.forward.draws[0].loss, 0);
  EXPECT_EQ(facts.leak, "");
  EXPECT_EQ(recorded_release_schema(),
            read_file(build_info().source_folder + "/reports/recorded_release.schema.json"));
}

// One line where and what, and the schema refuses the same.
TEST_F(AuditRecorded, SaysWhatIsWrongWithALine) {
  const JsonSchema schema(recorded_release_schema());
  const std::string start = R"({"run":1,"side":"data","release":1,)";
  const std::vector<std::array<std::string, 2>> bad{
      {R"([1])", "the line is [1], but must be a JSON object"},
      {R"({"side":"data"})", "run is missing, but must be a text or an integer of at least 0"},
      {R"({"run":-1,"side":"data"})", "run is -1, but must be"},
      {R"({"run":1,"side":"D"})", "side is 'D', but must be one of 'data', 'neighbour'"},
      {R"({"run":1,"side":"data"})", "law is missing, but must be given, or \"output\""},
      {R"({"run":1,"side":"data","output":1,"release":1})",
       "field 'release' is 1, but must be left"},
      {start + R"("law":"cauchy","outcome":1})",
       "law is 'cauchy', but must be one of 'categorical', "},
      {start + R"("law":"laplace","scale":1,"sensitivity":1,"outcome":1})",
       "value is missing, but must be a number or an array of at least one"},
      {start + R"("law":"laplace","value":"x","scale":1,"sensitivity":1,"outcome":1})",
       "value is \"x\", but must be a number or"},
      {start + R"("law":"laplace","value":[],"scale":1,"sensitivity":1,"outcome":1})",
       "value is [], but must be"},
      {start + R"("law":"laplace","value":[1,null],"scale":1,"sensitivity":1,"outcome":1})",
       "value[1] is null, but must be a number"},
      {start + R"("law":"laplace","value":1,"scale":0,"sensitivity":1,"outcome":1})",
       "noise scale is 0, but must be positive and finite"},
      {start + R"("law":"laplace","value":1,"scale":1,"sensitivity":-1,"outcome":1})",
       "sensitivity is -1, but must be at least 0"},
      {start +
           R"("law":"laplace","value":1,"scale":1,"sensitivity":1,"norm":"half_range","outcome":1})",
       "norm is half_range, but must be l1, l2 or linf"},
      {start + R"("law":"laplace","value":1,"scale":1,"sensitivity":1,"sigma":1,"outcome":1})",
       "field 'sigma' is 1, but must be left out: the law laplace has no such field"},
      {start + R"("law":"laplace","value":1,"scale":1,"sensitivity":1})", "outcome is missing"},
      {start + R"("law":"discrete_laplace","value":1.5,"scale":1,"sensitivity":1,"outcome":1})",
       "value with discrete noise is 1.5, but must be an integer"},
      {start + R"("law":"exponential","scores":1,"coefficient":1,"sensitivity":1,"outcome":0})",
       "scores is 1, but must be an array of at least one number"},
      {start +
           R"("law":"noisy_max","scores":[1],"scale":1,"noise":"normal","sensitivity":1,"outcome":0})",
       "noise is 'normal', but must be one of 'exponential', 'gumbel', 'laplace'"},
      {start + R"("law":"categorical","probabilities":[2],"sensitivity":1,"outcome":0})",
       "probability is 2, but must be in [0, 1]"},
      {R"({"run":1,"side":"data","release":0,"law":"laplace"})",
       "release is 0, but must be an integer"}};
  for (const auto& [line, words] : bad) {
    const std::string file = write("bad.jsonl", laplace_line(0, false, false, 0, 0) + line + "\n");
    expect_complaint({"--transcripts", file, "--epsilon", "1"}, file + ":2: " + words);
    EXPECT_THAT(schema.errors(nlohmann::json::parse(line), 1), ::testing::SizeIs(::testing::Ge(1U)))
        << line;
  }
  const auto complain = [&](const std::string& text, const std::string& words) {
    const std::string file = write("bad.jsonl", text);
    expect_complaint({"--transcripts", file, "--epsilon", "1"}, file + words);
  };
  complain("{\"run\":1", ":1: the line is not JSON");
  complain(laplace_line(0, false, false, 0, 0) + "\n", ":2: the line is not JSON");
  complain(start + R"("law":"laplace","value":NaN})", ":1: the line is not JSON");
  complain(start + R"("law":"categorical","probabilities":[0.5],"sensitivity":1,"outcome":0})",
           ":1: sum of the probabilities is 0.5, but must be 1");
  complain(laplace_line(3, false, false, 0, 0), ":1: run 3 is on the data alone");
  complain(laplace_line(3, false, false, 0, 0) + laplace_line(3, true, true, 1, 0.5),
           ":2: outcome of release 1 is another, but must be that of line 1");
}

}  // namespace
}  // namespace dpverify
