#include "reports/validate.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "algorithms/core/build_info.hpp"
#include "reports/atomic_file.hpp"
#include "reports/json.hpp"
#include "reports/test_claims.hpp"

namespace dpverify {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

using Json = nlohmann::json;

Json good_report() { return Json::parse(to_json(small_report())); }

TEST(Schema, IsTheFileInTheRepository) {
  EXPECT_EQ(report_schema(), read_file(build_info().source_folder + "/reports/report.schema.json"));
}

TEST(Schema, AcceptsAReport) { EXPECT_THAT(validate_report(to_json(small_report())), IsEmpty()); }

TEST(Schema, AcceptsUnknownFieldsEverywhere) {
  Json report = good_report();
  report["later"] = 1;
  report["context"]["later"] = "x";
  report["context"]["git"]["later"] = nullptr;
  report["claims"][0]["later"] = Json::array();
  report["evidence"][0]["later"] = 2.5;
  report["evidence"][0]["witness"]["later"] = true;
  report["summary"]["verdicts"]["later"] = 3;
  report["timings"]["later"] = 4;
  EXPECT_THAT(validate_report(report.dump()), IsEmpty());
}

struct Broken {
  const char* name;
  void (*breakage)(Json&);
  const char* where;  // start of the one error line
  const char* what;
};

// Of a file of a megabyte the validator would keep millions of errors, some hundred bytes each.
TEST(Schema, StopsLookingAtTenThousandErrors) {
  Json report = good_report();
  report["evidence"] = Json::array();
  for (int k = 0; k < 2'000; ++k) report["evidence"].push_back(Json::object());
  const std::vector<std::string> lines = validate_report(report.dump());
  ASSERT_EQ(lines.size(), most_validation_lines + 1);
  EXPECT_THAT(lines.back(), AllOf(StartsWith("and at least "), HasSubstr(" more errors")));
  EXPECT_EQ(count_errors(lines), "more than 20 errors");
}

class BrokenReport : public ::testing::TestWithParam<Broken> {};

TEST_P(BrokenReport, GivesOneErrorWithItsPath) {
  Json report = good_report();
  GetParam().breakage(report);
  EXPECT_THAT(validate_report(report.dump()),
              ElementsAre(AllOf(StartsWith(GetParam().where), HasSubstr(GetParam().what))));
}

INSTANTIATE_TEST_SUITE_P(
    Schema, BrokenReport,
    ::testing::Values(
        Broken{"no_evidence", [](Json& r) { r.erase("evidence"); },
               "$ is an object: ", "Missing required property 'evidence'"},
        Broken{"other_version", [](Json& r) { r["schema_version"] = 1; },
               "$.schema_version is 1: ", "this program reads version 3"},
        Broken{"no_kind", [](Json& r) { r.erase("kind"); },
               "$ is an object: ", "Missing required property 'kind'"},
        Broken{"unknown_kind", [](Json& r) { r["kind"] = "essay"; },
               "$.kind is \"essay\": ", "enum"},
        Broken{"no_plan", [](Json& r) { r["context"].erase("plan"); },
               "$.context is an object: ", "Missing required property 'plan'"},
        Broken{"unknown_verdict", [](Json& r) { r["evidence"][0]["verdict"] = "passed"; },
               "$.evidence[0].verdict is \"passed\": ", "enum"},
        Broken{"no_verdict", [](Json& r) { r["evidence"][0].erase("verdict"); },
               "$.evidence[0] is an object: ", "Missing required property 'verdict'"},
        Broken{"estimate_as_text", [](Json& r) { r["evidence"][0]["estimate"] = "large"; },
               "$.evidence[0].estimate is \"large\": ", "pattern"},
        Broken{"estimate_null", [](Json& r) { r["evidence"][0]["estimate"] = nullptr; },
               "$.evidence[0].estimate is null: ", "type"},
        Broken{"table_cell", [](Json& r) { r["evidence"][0]["tables"][0]["rows"][1][0] = true; },
               "$.evidence[0].tables[0].rows[1][0] is true: ", "type"},
        Broken{"negative_samples", [](Json& r) { r["evidence"][0]["samples"] = -1; },
               "$.evidence[0].samples is -1: ", "greater than or equal to"},
        Broken{"fractional_seed", [](Json& r) { r["context"]["seed"] = 1.5; },
               "$.context.seed is 1.5: ", "type"},
        Broken{"unknown_plan", [](Json& r) { r["context"]["plan"] = "quick"; },
               "$.context.plan is \"quick\": ", "enum"},
        Broken{"commit", [](Json& r) { r["context"]["git"]["commit"] = "main"; },
               "$.context.git.commit is \"main\": ", "pattern"},
        Broken{"significance", [](Json& r) { r["context"]["error_budget"]["significance"] = 2; },
               "$.context.error_budget.significance is 2: ", "less than or equal to"},
        Broken{"claim_id", [](Json& r) { r["claims"][0]["id"] = "hu.privacy"; },
               "$.claims[0].id is \"hu.privacy\": ", "pattern"},
        Broken{"unknown_edition", [](Json& r) { r["claims"][0]["edition"] = "draft"; },
               "$.claims[0].edition is \"draft\": ", "enum"},
        Broken{"empty_statement", [](Json& r) { r["claims"][0]["statement"] = ""; },
               "$.claims[0].statement is \"\": ", "fewer than 1"},
        Broken{"assumption", [](Json& r) { r["claims"][0]["assumptions"] = "none"; },
               "$.claims[0].assumptions is \"none\": ", "type"},
        Broken{"witness_parameter",
               [](Json& r) { r["evidence"][0]["witness"]["parameters"][1]["value"] = "big"; },
               "$.evidence[0].witness.parameters[1].value is \"big\": ", "pattern"},
        Broken{"witness_labels",
               [](Json& r) { r["evidence"][0]["witness"]["pair"]["data"].erase("labels"); },
               "$.evidence[0].witness.pair.data is ", "Missing required property 'labels'"},
        Broken{"measurement_without_a_key",
               [](Json& r) { r["evidence"][0]["measurements"][0].erase("key"); },
               "$.evidence[0].measurements[0] is ", "Missing required property 'key'"},
        Broken{"key_of_words",
               [](Json& r) { r["evidence"][0]["tables"][0]["columns"][0]["key"] = "its risk"; },
               "$.evidence[0].tables[0].columns[0].key is ", "pattern"},
        Broken{"tightness_as_text", [](Json& r) { r["evidence"][0]["tightness"] = "inf"; },
               "$.evidence[0].tightness is \"inf\": ", "type"},
        Broken{"no_expectation", [](Json& r) { r["evidence"][0].erase("as_expected"); },
               "$.evidence[0] is ", "Missing required property 'as_expected'"},
        Broken{"count", [](Json& r) { r["summary"]["verdicts"]["refuted"] = "two"; },
               "$.summary.verdicts.refuted is \"two\": ", "type"},
        Broken{"start", [](Json& r) { r["timings"]["started"] = "yesterday"; },
               "$.timings.started is \"yesterday\": ", "pattern"}),
    [](const auto& info) { return info.param.name; });

TEST(Schema, ReportsEveryError) {
  Json report = good_report();
  report["evidence"][0]["verdict"] = "passed";
  report["claims"][1]["kind"] = "speed";
  EXPECT_THAT(validate_report(report.dump()),
              ::testing::UnorderedElementsAre(StartsWith("$.evidence[0].verdict is \"passed\""),
                                              StartsWith("$.claims[1].kind is \"speed\"")));
}

TEST(Schema, TextThatIsNotJsonGivesOneLine) {
  EXPECT_THAT(validate_report("{\"schema_version\": 1,"),
              ElementsAre(AllOf(StartsWith("$ is not JSON: "), HasSubstr("line 1"))));
  EXPECT_THAT(validate_report(""), ElementsAre(StartsWith("$ is not JSON: ")));
  EXPECT_THAT(validate_report("3"), ElementsAre(StartsWith("$ is 3: ")));
}

}  // namespace
}  // namespace dpverify
