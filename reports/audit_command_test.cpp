#include "reports/audit_command.hpp"

#include <nlohmann/json.hpp>

#include "reports/pair_files.hpp"
#include "reports/test_audits.hpp"
#include "reports/validate.hpp"

namespace dpverify {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

class AuditCommand : public AuditTest {};

TEST_F(AuditCommand, BracketsEveryPrivacyClaimOfAnAlgorithm) {
  EXPECT_EQ(run(with_few({"test.noisy_sum"})), 0) << err_;
  EXPECT_THAT(out_, HasSubstr("test.noisy_sum.privacy.corrected"));
  EXPECT_THAT(out_, HasSubstr("test.noisy_sum.privacy.mutant"));
  EXPECT_THAT(out_, HasSubstr("exact, refuted; epsilon at least 2"));
  EXPECT_THAT(out_, HasSubstr("transcript, refuted"));
  EXPECT_THAT(out_, HasSubstr("black-box, refuted"));
  EXPECT_THAT(out_, HasSubstr("epsilon certified by composition: 1"));
}

TEST_F(AuditCommand, AnotherGuaranteeOfTheSameNoise) {
  EXPECT_EQ(run(with_few({"test.noisy_sum.privacy.corrected", "--epsilon", "0.5", "--keep-noise"})),
            1);
  EXPECT_THAT(out_, HasSubstr("UNEXPECTED"));
  EXPECT_EQ(run(with_few({"test.noisy_sum.privacy.mutant", "--epsilon", "2", "--keep-noise"})), 0);
  EXPECT_THAT(out_, HasSubstr("Verdict: consistent"));
  EXPECT_EQ(run(with_few({"test.noisy_sum.privacy.corrected", "--keep-noise", "--epsilon", "0.5",
                          "--delta", "0.3"})),
            0)
      << out_;
  EXPECT_THAT(out_, HasSubstr("Verdict: consistent"));
}

// Its noise follows: both are as private at 0.5 as they are at 1, in every form of the answer.
TEST_F(AuditCommand, AnotherGuaranteeIsTheMechanismsParameter) {
  claims_ = {calibrated_sum("test.noisy_sum.privacy.printed", 1, Expectation::holds),
             calibrated_sum("test.noisy_sum.privacy.mutant", 0.5, Expectation::refuted)};
  const std::string exact[]{"--method", "exact"};
  EXPECT_EQ(run({"test.noisy_sum", exact[0], exact[1], "--epsilon", "0.5"}), 0) << err_;
  EXPECT_THAT(out_, HasSubstr("epsilon at least 0.5"));
  EXPECT_THAT(out_, HasSubstr("refuted; epsilon at least 1\n"));
  EXPECT_THAT(out_, HasSubstr("epsilon = 0.5"));
  EXPECT_EQ(
      run({"test.noisy_sum.privacy.mutant", exact[0], exact[1], "--epsilon", "0.5", "--json"}), 0);
  EXPECT_THAT(validate_report(out_), IsEmpty());
  const auto evidence = nlohmann::json::parse(out_)["evidence"][0];
  EXPECT_EQ(evidence["claimed"], 0.5);
  EXPECT_NEAR(evidence["estimate"].get<double>(), 1, 1e-9);
  EXPECT_EQ(evidence["witness"]["parameters"][0]["value"], 0.5);
  const std::string line = evidence["reproduce"].get<std::string>();
  EXPECT_THAT(line, HasSubstr("--epsilon 0.5"));
  EXPECT_EQ(run(words_of(line + " --json")), 0);
  EXPECT_EQ(nlohmann::json::parse(out_)["evidence"][0], evidence);
}

// What is known of a claim is known of its settings. At epsilon 8 this one is not false.
TEST_F(AuditCommand, AClaimKnownToBeFalseMayHoldElsewhere) {
  Claim claim = calibrated_sum("test.noisy_sum.privacy.mutant", 1, Expectation::refuted);
  auto& check = std::get<PrivacyClaim>(claim.check);
  check.mechanism = [at = check.mechanism](const ParameterPoint& point) {
    const double epsilon = number(point, "epsilon");
    return at({{"epsilon", epsilon < 8 ? 2 * epsilon : epsilon}});
  };
  claims_ = {claim};
  EXPECT_EQ(run(with_few({claim.id, "--epsilon", "4"})), 0) << err_;
  EXPECT_THAT(out_, HasSubstr("refuted"));
  EXPECT_EQ(run(with_few({claim.id, "--epsilon", "8"})), 0) << err_;
  EXPECT_THAT(out_, HasSubstr("consistent"));
}

TEST_F(AuditCommand, RefusesAGuaranteeThatNoParameterGives) {
  claims_.push_back(calibrated_sum("test.noisy_sum.privacy.printed", 1, Expectation::holds));
  expect_complaint({"test.noisy_sum.privacy.printed", "--epsilon", "11"},
                   "--epsilon is 11, but must be in [0.1, 10]");
  expect_complaint({"test.noisy_sum.privacy.printed", "--delta", "0.1"}, "has no parameter delta");
  expect_complaint({"test.noisy_sum.privacy.mutant", "--epsilon", "2"}, "has no parameter epsilon");
  expect_complaint({"test.noisy_sum.privacy.mutant", "--keep-noise"}, "--epsilon is missing");
  expect_complaint({"--outputs", "a", "b", "--epsilon", "1", "--keep-noise"},
                   "--keep-noise is given without an ID");
}

TEST_F(AuditCommand, MethodsOneByOne) {
  const std::string id = "test.noisy_sum.privacy.mutant";
  for (const auto& [method, size] :
       {std::pair{"exact", ""}, std::pair{"transcript", "--transcripts"},
        std::pair{"black-box", "--samples"}}) {
    std::vector<std::string> arguments{id, "--method", method, "--seed", "7"};
    if (*size != 0) arguments.insert(arguments.end(), {size, "4000"});
    EXPECT_EQ(run(arguments), 0) << method << err_;
    EXPECT_THAT(out_, HasSubstr(std::string(method) + ", refuted"));
  }
  EXPECT_EQ(run({id, "--method", "black-box", "--sequential", "--samples", "4000"}), 0);
  EXPECT_THAT(out_, HasSubstr("black-box, refuted"));
  EXPECT_EQ(run(with_few({"test.noisy_sum.privacy.mutant", "--pair", "corner"})), 0);
  EXPECT_THAT(out_, HasSubstr("On the worst of 24 corner pairs"));
}

TEST_F(AuditCommand, JsonHoldsChannelsAndWitness) {
  EXPECT_EQ(run(with_few({"test.noisy_sum.privacy.mutant", "--json"})), 0);
  const auto json = nlohmann::json::parse(out_);
  EXPECT_THAT(validate_report(out_), IsEmpty());
  EXPECT_EQ(json["kind"], "audit");
  ASSERT_EQ(json["claims"].size(), 1u);
  EXPECT_EQ(json["claims"][0]["id"], "test.noisy_sum.privacy.mutant");
  const auto& evidence = json["evidence"][0];
  EXPECT_EQ(evidence["verdict"], "refuted");
  EXPECT_EQ(evidence["channels"].size(), 3u);
  EXPECT_EQ(evidence["channels"][0]["epsilon_lower"], 2.0);
  EXPECT_TRUE(evidence.contains("witness"));
}

TEST_F(AuditCommand, AuditsTheFilesGiven) {
  const std::string a = write("a.csv", "x,y\n0,0\n1,1\n"), b = write("b.csv", "x,y\n0,1\n1,1\n");
  EXPECT_EQ(run(with_few({"test.noisy_sum.privacy.mutant", "--pair", a, b})), 0) << err_;
  EXPECT_THAT(out_, HasSubstr("On the pair given"));
  // Neighbours whose sums agree cannot show the fault.
  const std::string c = write("c.csv", "x,y\n0,0\n7,1\n");
  EXPECT_EQ(run(with_few({"test.noisy_sum.privacy.mutant", "--pair", a, c})), 1);
  expect_complaint({"test.noisy_sum.privacy.mutant", "--pair", a, a}, "the same");
  expect_complaint(
      {"test.noisy_sum.privacy.mutant", "--pair", a, write("d.csv", "x,y\n5,5\n6,6\n")},
      "more than one record");
  expect_complaint(
      {"test.noisy_sum.privacy.mutant", "--pair", a, write("e.csv", "x,z\n0,1\n1,1\n")}, "columns");
  expect_complaint({"test.noisy_sum.privacy.mutant", "--pair", a, write("f.csv", "x,y\n0,nan\n")},
                   "f.csv:2: column 2 is infinite or not a number");
  expect_complaint({"test.noisy_sum.privacy.mutant", "--pair", a, (folder_ / "none.csv").string()},
                   "none.csv is unreadable");
  expect_complaint({"test.noisy_sum.privacy.mutant", "--pair", a, write("empty.csv", "")},
                   "empty.csv is empty,");
}

TEST_F(AuditCommand, NeighboursMayMissARecord) {
  const NeighbouringPair pair =
      read_pair({write("a.csv", "x,y\n1,2\n3,4\n5,6\n"), write("b.csv", "x,y\n1,2\n5,6\n")}, "");
  EXPECT_EQ(pair.data.size(), 3);
  EXPECT_EQ(pair.neighbour.size(), 2);
  EXPECT_EQ(pair.replaced, 1);
  EXPECT_EQ(record_change(pair), RecordChange::removed);
  const NeighbouringPair longer =
      read_pair({write("a.csv", "x,y\n1,2\n"), write("b.csv", "x,y\n1,2\n5,6\n")}, "x");
  EXPECT_EQ(longer.data.labels[0], 1);
  EXPECT_EQ(longer.replaced, 1);
  EXPECT_EQ(record_change(longer), RecordChange::added);
}

// A neighbour with one record less has no record in the place of the one removed.
TEST_F(AuditCommand, SaysWhetherARecordIsReplacedRemovedOrAdded) {
  const std::string two = write("two.csv", "a,b\n1,2\n3,4\n"), one = write("one.csv", "a,b\n1,2\n"),
                    other = write("other.csv", "a,b\n1,2\n3,5\n");
  const auto shown = [&](const std::string& a, const std::string& b) {
    run(with_few({"test.noisy_sum.privacy.mutant", "--pair", a, b, "--show-data"}));
    return out_.substr(out_.find("Witness"));
  };
  EXPECT_THAT(shown(two, one), AllOf(HasSubstr("2 records of 1 features; record 1 is removed"),
                                     HasSubstr("record 1: x = (3), y = 4\n    is removed")));
  EXPECT_THAT(shown(one, two),
              AllOf(HasSubstr("1 records of 1 features; a record is added as 1"),
                    HasSubstr("record 0: x = (1), y = 2"), HasSubstr("added:    x = (3), y = 4")));
  EXPECT_THAT(shown(two, other),
              AllOf(HasSubstr("record 1 is replaced"), HasSubstr("becomes:  x = (3), y = 5")));
  EXPECT_EQ(
      run(with_few({"test.noisy_sum.privacy.mutant", "--pair", one, two, "--show-data", "--json"})),
      0);
  EXPECT_EQ(nlohmann::json::parse(out_)["evidence"][0]["witness"]["pair"]["replaced"], 1);
}

TEST_F(AuditCommand, ShowsNoRecordOfTheFilesUnlessAskedTo) {
  const std::string one = write("one.csv", "a,b\n1,2.718\n3,4\n"),
                    two = write("two.csv", "a,b\n1,2.718\n3,5\n");
  for (const std::string form : {"", "--json"}) {
    std::vector<std::string> words{"test.noisy_sum.privacy.mutant", "--pair", one, two};
    if (!form.empty()) words.push_back(form);
    run(with_few(words));
    EXPECT_THAT(out_, AllOf(HasSubstr("shown with --show-data only"), Not(HasSubstr("2.718"))));
    words.emplace_back("--show-data");
    run(with_few(words));
    EXPECT_THAT(out_, HasSubstr("2.718"));
  }
  expect_complaint({"test.noisy_sum.privacy.mutant", "--pair", one, write("f.csv", "a,b\n1,x7y\n")},
                   "f.csv:2: column 2 is other text");
  expect_complaint({"test.noisy_sum.privacy.mutant", "--show-data"},
                   "--show-data is given without the two files of --pair");
}

TEST_F(AuditCommand, RefusesOptionsThatWouldChangeNothing) {
  const std::string id = "test.noisy_sum.privacy.mutant", file = write("a.csv", "x\n1\n2\n");
  const std::vector<std::string> outputs{"--outputs", file, file, "--epsilon", "1"};
  for (const std::vector<std::string>& idle :
       std::vector<std::vector<std::string>>{{"--sequential"},
                                             {"--method", "all"},
                                             {"--pair", "search"},
                                             {"--target", "x"},
                                             {"--samples", "1000"},
                                             {"--transcripts", "1000"},
                                             {"--setting", "1"},
                                             {"--threads", "1"}}) {
    std::vector<std::string> arguments = outputs;
    arguments.insert(arguments.end(), idle.begin(), idle.end());
    expect_complaint(arguments, idle[0] + " is given with --outputs");
  }
  expect_complaint({id, "--bits", "yes"}, "--bits is given without --outputs");
  expect_complaint({id, "--method", "exact", "--samples", "1000"}, "--samples is given with");
  expect_complaint({id, "--method", "exact", "--significance", "0.1"}, "--significance is given");
  expect_complaint({id, "--method", "transcript", "--sequential"}, "--sequential is given with");
  expect_complaint({id, "--method", "black-box", "--transcripts", "900"}, "--transcripts is given");
  expect_complaint({id, "--target", "x"}, "--target is given without the two files of --pair");
}

// The line that an audit prints gives the same evidence when it is run.
TEST_F(AuditCommand, ReproduceLinesReproduce) {
  const std::string id = "test.noisy_sum.privacy.mutant";
  const std::string a = write("a.csv", "x,y\n0,0\n1,1\n"),
                    b = write("it's b.csv", "x,y\n0,1\n1,1\n");
  std::vector<std::string> answers(400, "0");
  RandomStream stream = noise(0);
  for (std::string& answer : answers) answer = stream.uniform() < 0.5 ? "0" : "1";
  const std::string outputs = write("o.csv", lines("answer", answers));
  for (std::vector<std::string> arguments : std::vector<std::vector<std::string>>{
           with_few({id}),
           with_few({id, "--pair", a, b, "--target", "x"}),
           with_few(
               {id, "--pair", "corner", "--epsilon", "0.7", "--delta", "0.01", "--keep-noise"}),
           {id, "--method", "exact", "--seed", "3"},
           with_few({id, "--significance", "0.2"}),
           {id, "--method", "black-box", "--sequential", "--samples", "3000"},
           {"--outputs", outputs, outputs, "--epsilon", "1", "--delta", "0.1", "--significance",
            "0.1", "--bits", "yes"}}) {
    arguments.push_back("--json");
    const int code = run(arguments);
    const auto evidence = nlohmann::json::parse(out_)["evidence"][0];
    const std::string line = evidence["reproduce"].get<std::string>();
    EXPECT_EQ(run(words_of(line + " --json")), code) << line;
    EXPECT_EQ(nlohmann::json::parse(out_)["evidence"][0], evidence) << line;
  }
}

TEST_F(AuditCommand, BadInputIsOneLine) {
  const std::string id = "test.noisy_sum.privacy.mutant";
  expect_complaint({id, "--epsilon", "0"}, "--epsilon is '0'");
  expect_complaint({id, "--epsilon", "nan"}, "--epsilon is 'nan'");
  expect_complaint({id, "--epsilon", "1", "--delta", "1"}, "--delta is '1'");
  expect_complaint({id, "--delta", "0.1", "--keep-noise"}, "--epsilon is missing");
  expect_complaint({id, "--samples", "10"}, "--samples is '10'");
  expect_complaint({id, "--method", "luck"}, "--method is 'luck'");
  expect_complaint({id, "--pair", "best"}, "--pair is 'best'");
  expect_complaint({id, "--setting", "2"}, "setting of " + id + " is 2, but must be");
  expect_complaint({id, "--significance", "1"}, "--significance is '1'");
  expect_complaint({"test.noisy_sum.privacy.printed"}, "test.noisy_sum.privacy");
}

}  // namespace
}  // namespace dpverify
