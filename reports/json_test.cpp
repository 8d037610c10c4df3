#include "reports/json.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "algorithms/claims/cited.hpp"
#include "algorithms/core/numbers.hpp"
#include "reports/envelope.hpp"
#include "reports/test_claims.hpp"
#include "reports/validate.hpp"

namespace dpverify {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

TEST(Json, WritesInfinitiesAndNanAsStrings) {
  const auto json = nlohmann::json::parse(to_json(small_report()));
  const auto& evidence = json["evidence"][0];
  EXPECT_EQ(evidence["estimate"], "inf");
  EXPECT_EQ(evidence["interval"]["lower"], "-inf");
  EXPECT_EQ(evidence["ceiling"], "nan");
  EXPECT_EQ(evidence["tables"][0]["rows"][1][1], "inf");
  EXPECT_THAT(to_json(small_report()), Not(HasSubstr("null")));
}

// What every reader can compare: a number, whatever it stands for.
TEST(Json, TightnessIsANumber) {
  const auto json = nlohmann::json::parse(to_json(small_report()));
  EXPECT_EQ(json["evidence"][2]["tightness"], std::numeric_limits<double>::max());
  EXPECT_EQ(json["evidence"][0]["tightness"], 1e-300);
}

TEST(Json, SaysWhetherAVerdictIsAsExpected) {
  const auto json = nlohmann::json::parse(to_json(small_report()));
  EXPECT_EQ(json["evidence"][0]["as_expected"], false);  // inconclusive
  EXPECT_EQ(json["evidence"][1]["as_expected"], true);
  EXPECT_EQ(json["evidence"][2]["as_expected"], true);
}

TEST(Json, KeysAreIdentifiersWithTheirWordsBesideThem) {
  const std::vector<std::pair<std::string, std::string>> made{
      {"excess risk/bound", "excess_risk_over_bound"},
      {"delta(epsilon)", "delta_epsilon"},
      {"quantile of the trials (0: their mean)", "quantile_of_the_trials"},
      {"releases with a fixed loss, left out", "releases_with_a_fixed_loss"},
      {"1-delta", "_1_delta"},
      {"T", "T"},
      {"from a to z, A to Z", "from_a_to_z"},
      {"A to Z", "A_to_Z"},
      {"black-box", "black_box"},
      {"", ""}};
  for (const auto& [words, key] : made) EXPECT_EQ(identifier(words), key);
  const auto evidence = nlohmann::json::parse(to_json(small_report()))["evidence"][1];
  EXPECT_EQ(evidence["channels"][1]["key"], "black_box");
  EXPECT_EQ(evidence["channels"][1]["name"], "black-box");
  EXPECT_EQ(evidence["strength"], "exact_on_searched_pairs");
  EXPECT_EQ(evidence["witness"]["parameters"][0],
            (nlohmann::json{{"key", "epsilon"}, {"name", "epsilon"}, {"value", 1}}));
  EXPECT_EQ(evidence["tables"][0]["columns"][1],
            (nlohmann::json{{"key", "risk"}, {"name", "risk"}}));
}

TEST(Json, APaperHasOneSpellingWhicheverOfItsTextsIsCited) {
  std::vector<Claim> claims = claims_as_expected();
  claims[0].source = {Text::hu_preprint, "Theorem 1"};
  claims[1].source = {Text::hu, "Theorem 1"};
  const auto json = nlohmann::json::parse(to_json(describe({}), claims))["claims"];
  EXPECT_EQ(json[0]["source"], (nlohmann::json{{"paper", "hu"},
                                               {"name", "Hu, Ni, Xiao and Wang"},
                                               {"text", "preprint"},
                                               {"title", cited_paper(Text::hu).title},
                                               {"where", "Theorem 1"}}));
  EXPECT_EQ(json[1]["source"]["name"], json[0]["source"]["name"]);
  EXPECT_EQ(json[1]["source"]["text"], "preprint and published edition");
}

TEST(Json, SaysWhereAClaimIsStated) {
  std::vector<Claim> claims = claims_as_expected();
  claims[0].stated = std::source_location::current();
  const auto json = nlohmann::json::parse(to_json(describe({}), claims))["claims"];
  EXPECT_EQ(json[0]["stated"]["file"], "reports/json_test.cpp");
  EXPECT_EQ(json[0]["stated"]["line"], claims[0].stated.line());
  EXPECT_FALSE(json[1].contains("stated")) << "of a place that is not known";
}

// Fields of other versions mean something else.
TEST(Json, AReportOfAnotherVersionIsNotRead) {
  auto json = nlohmann::json::parse(to_json(small_report()));
  json["schema_version"] = 2;
  EXPECT_THROW((void)read_measured(json.dump()), std::invalid_argument);
  EXPECT_THROW((void)read_evidence(json.dump(), "x"), std::invalid_argument);
}

// What validate would reject is never written.
TEST(Json, WritesNothingThatDoesNotMatchTheSchema) {
  for (void (*breakage)(Report&) : {+[](Report& r) { r.claims[0].statement = ""; },
                                    +[](Report& r) { r.evidence[1].tightness = 0.5; },
                                    +[](Report& r) { r.evidence[0].tightness = 1.5; },
                                    +[](Report& r) { r.evidence[1].tightness = {}; },
                                    +[](Report& r) { r.evidence[2].reason = ""; },
                                    +[](Report& r) { r.timings.started = "yesterday"; }}) {
    Report report = small_report();
    breakage(report);
    EXPECT_THROW(to_json(report), std::logic_error);
  }
}

TEST(Json, EvidenceComesBackAsItWas) {
  const Evidence written = full_evidence("test.bounded.lemma.printed", Verdict::refuted);
  const auto read = read_evidence(to_json(small_report()), written.claim);
  ASSERT_TRUE(read);
  EXPECT_EQ(read->claim, written.claim);
  EXPECT_EQ(read->verdict, Verdict::refuted);
  EXPECT_EQ(read->method, written.method);
  EXPECT_EQ(read->estimate, infinity);
  ASSERT_TRUE(read->interval);
  EXPECT_EQ(read->interval->lower, -infinity);
  EXPECT_EQ(read->interval->upper, 1.0 / 3);
  EXPECT_EQ(read->interval->level, 0.95);
  EXPECT_EQ(read->claimed, 0.1);
  EXPECT_EQ(read->tightness, infinity);
  ASSERT_TRUE(read->ceiling);
  EXPECT_TRUE(std::isnan(*read->ceiling));
  EXPECT_EQ(read->smallest_fault, 1.25);
  EXPECT_EQ(read->strength, Strength::exact_on_searched_pairs);
  EXPECT_EQ(read->reading, written.reading);
  ASSERT_EQ(read->measurements.size(), 2U);
  EXPECT_EQ(read->measurements[0].name, "exponent");
  EXPECT_EQ(read->measurements[0].value, -0.5);
  EXPECT_TRUE(std::signbit(read->measurements[1].value));
  ASSERT_EQ(read->tables.size(), 1U);
  EXPECT_EQ(read->tables[0].name, "sweep");
  EXPECT_EQ(read->tables[0].columns, written.tables[0].columns);
  EXPECT_EQ(read->tables[0].rows, written.tables[0].rows);
  EXPECT_EQ(read->samples, 12U);
  EXPECT_EQ(read->seed, 3U);
  EXPECT_EQ(read->reason, written.reason);
  EXPECT_EQ(read->reproduce, written.reproduce);

  ASSERT_TRUE(read->witness);
  EXPECT_EQ(read->witness->parameters, written.witness->parameters);
  EXPECT_EQ(read->witness->outcome_seed, 9007199254740991U);
  EXPECT_EQ(read->witness->outcomes, written.witness->outcomes);
  EXPECT_EQ(read->witness->explanation, "these two \"differ\"");
  ASSERT_TRUE(read->witness->pair);
  const NeighbouringPair& pair = *read->witness->pair;
  EXPECT_EQ(pair.replaced, 1);
  EXPECT_EQ(pair.data.features, written.witness->pair->data.features);
  EXPECT_EQ(pair.data.labels, written.witness->pair->data.labels);
  EXPECT_EQ(pair.neighbour.features, written.witness->pair->neighbour.features);
  EXPECT_EQ(pair.neighbour.labels, written.witness->pair->neighbour.labels);
  EXPECT_TRUE(std::signbit(pair.neighbour.features(1, 1)));
}

TEST(Json, FieldsWithoutAValueAreLeftOut) {
  Evidence bare;
  bare.claim = "test.bounded.lemma.printed";
  bare.method = "none";
  bare.reason = "because";
  bare.reproduce = "x";
  const std::string text = to_json(
      make_report(describe(CheckContext{}), {bounded_by(bare.claim, 1)}, {bare},
                  {.threads = 1, .started = "2024-02-29T12:00:00Z", .seconds = 0, .claims = {}}));
  EXPECT_THAT(validate_report(text), IsEmpty());
  for (const char* field : {"estimate", "interval", "claimed", "ceiling", "run_by",
                            "smallest_fault", "strength", "reading", "witness", "mutation_score"})
    EXPECT_THAT(text, Not(HasSubstr("\"" + std::string(field) + "\""))) << field;
  const auto evidence = nlohmann::json::parse(text)["evidence"][0];
  EXPECT_TRUE(evidence["tightness"].is_null());
  EXPECT_TRUE(evidence["as_expected"].is_null());
  const auto read = read_evidence(text, bare.claim);
  ASSERT_TRUE(read);
  EXPECT_FALSE(read->estimate || read->interval || read->claimed || read->tightness ||
               read->ceiling || read->smallest_fault || read->strength || read->witness);
  EXPECT_EQ(read->reading, "");
}

TEST(Json, TellsMissingEvidenceFromUnreadableReports) {
  EXPECT_FALSE(read_evidence(to_json(small_report()), "test.bounded.lemma.other"));
  EXPECT_THROW(read_evidence("{", "x"), std::invalid_argument);
  EXPECT_THROW(read_evidence("[]", "x"), std::invalid_argument);
  EXPECT_THROW(read_evidence(R"({"evidence": [{"claim": "x", "verdict": "fine"}]})", "x"),
               std::invalid_argument);
}

// The schema cannot say that two arrays have equal lengths.
TEST(Json, RefusesDatasetsThatAreNotRectangular) {
  const std::string id = "test.bounded.lemma.printed";
  const auto good = nlohmann::json::parse(to_json(small_report()));
  const auto pair = "/evidence/2/witness/pair"_json_pointer;
  using nlohmann::literals::operator""_json_pointer;
  ASSERT_EQ(good["evidence"][2]["claim"], id);
  auto ragged = good;
  ragged[pair]["data"]["features"][0].push_back(1.0);
  EXPECT_THROW(read_evidence(ragged.dump(), id), std::invalid_argument);
  auto unlabelled = good;
  unlabelled[pair]["data"]["labels"].push_back(1.0);
  EXPECT_THROW(read_evidence(unlabelled.dump(), id), std::invalid_argument);
  auto elsewhere = good;
  elsewhere[pair]["replaced"] = 2;
  EXPECT_THROW(read_evidence(elsewhere.dump(), id), std::invalid_argument);
  // An index that is cut to size would point in front of the data.
  auto cut = good;
  cut[pair]["replaced"] = 18446744073709551615U;
  EXPECT_THROW(read_evidence(cut.dump(), id), std::invalid_argument);
  cut = good;
  cut["evidence"][2]["witness"]["outcomes"][0] = 9223372036854775808U;
  EXPECT_THROW(read_evidence(cut.dump(), id), std::invalid_argument);
  cut = good;
  cut["evidence"][2]["samples"] = 1e30;
  EXPECT_THROW(read_evidence(cut.dump(), id), std::invalid_argument);
  auto shorter = good;
  shorter[pair]["neighbour"]["features"].erase(0);
  shorter[pair]["neighbour"]["labels"].erase(0);
  EXPECT_TRUE(read_evidence(shorter.dump(), id));  // one record less is a neighbour too
  shorter[pair]["neighbour"]["features"].erase(0);
  shorter[pair]["neighbour"]["labels"].erase(0);
  EXPECT_THROW(read_evidence(shorter.dump(), id), std::invalid_argument);
}

// A run that was killed and one that was not must not differ.
TEST(Json, AFinishedCheckComesBackToTheLastBit) {
  const FinishedCheck check{
      .evidence = full_evidence("test.bounded.lemma.printed", Verdict::refuted), .seconds = 0.1};
  const std::string text = to_json(check);
  const FinishedCheck read = read_finished_check(text);
  EXPECT_EQ(to_json(read), text);
  const auto report_with = [](const Evidence& evidence) {
    return to_json(
        make_report(describe(CheckContext{}), {bounded_by(evidence.claim, 1)}, {evidence},
                    {.threads = 1, .started = "2024-02-29T12:00:00Z", .seconds = 0, .claims = {}}));
  };
  EXPECT_EQ(report_with(read.evidence), report_with(check.evidence));
  EXPECT_THROW(read_finished_check("{}"), std::invalid_argument);
  EXPECT_THROW(read_finished_check(""), std::invalid_argument);
}

TEST(Json, TextsThatAreNotUtf8DoNotStopTheReport) {
  Evidence evidence = full_evidence("test.bounded.lemma.printed", Verdict::error);
  evidence.reason = "bad byte \xff here";
  const std::string text = to_json(
      make_report(describe(CheckContext{}), {bounded_by(evidence.claim, 1)}, {evidence},
                  {.threads = 1, .started = "2024-02-29T12:00:00Z", .seconds = 0, .claims = {}}));
  const auto read = read_evidence(text, evidence.claim);
  ASSERT_TRUE(read);
  EXPECT_EQ(read->reason, "bad byte \xEF\xBF\xBD here");
}

// No two figures of the summary are the same, so that none can stand for another.
TEST(Json, WritesTheSummary) {
  Report report = small_report();
  report.summary = {.unexpected = {},
                    .claims = 11,
                    .as_expected = 6,
                    .verdicts = {1, 2, 3, 4, 5},
                    .mutants = 8,
                    .mutants_refuted = 7,
                    .mutation_score = 0.875,
                    .channels = {{"exact", 21, 22, 23, 24}}};
  const auto summary = nlohmann::json::parse(to_json(report))["summary"];
  const nlohmann::json expected = {
      {"unexpected", nlohmann::json::array()},
      {"claims", 11},
      {"as_expected", 6},
      {"verdicts",
       {{"consistent", 1}, {"refuted", 2}, {"inconclusive", 3}, {"not_run", 4}, {"error", 5}}},
      {"mutants", 8},
      {"mutants_refuted", 7},
      {"mutation_score", 0.875},
      {"channels",
       {{{"key", "exact"},
         {"name", "exact"},
         {"broken", 21},
         {"caught", 22},
         {"twins", 23},
         {"flagged", 24}}}}};
  EXPECT_EQ(summary, expected);
}

TEST(Json, ListsClaimsWithTheFieldsOfAReport) {
  const auto json = nlohmann::json::parse(to_json(describe({}), claims_as_expected()))["claims"];
  ASSERT_EQ(json.size(), 3U);
  const nlohmann::json expected = {
      {"id", "test.bounded.lemma.corrected"},
      {"algorithm", "test.bounded"},
      {"kind", "lemma"},
      {"edition", "corrected"},
      {"source", {{"paper", "folklore"}, {"name", "folklore"}, {"where", "Lemma 1"}}},
      {"statement", "a <= bound for every a in [0, 1]"},
      {"assumptions", {"a is a number"}},
      {"expectation", "holds"}};
  EXPECT_EQ(json[0], expected);
  EXPECT_EQ(nlohmann::json::parse(to_json(small_report()))["claims"][0], expected);
}

}  // namespace
}  // namespace dpverify
