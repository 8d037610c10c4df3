#include "reports/envelope.hpp"

#include <array>

#include "bench/figures/panels.hpp"
#include "bench/figures/run_figure.hpp"
#include "reports/figure_json.hpp"
#include "reports/test_commands.hpp"
#include "reports/validate.hpp"

namespace dpverify {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class Envelope : public CommandTest {
 protected:
  // What each command writes.
  std::string text(DocumentKind kind) {
    const Report report = small_report();
    switch (kind) {
      case DocumentKind::verify:
        verify();
        return this->report();
      case DocumentKind::audit:
        return to_json(report.context, report.claims, report.evidence);
      case DocumentKind::run:
        return run({"run", "test.noisy_mean", "--data", write("data.csv", "a,y\n1,2\n3,4\n"),
                    "--target", "y", "--json"})
            .out;
      case DocumentKind::rates: {
        Report rates = report;
        rates.kind = kind;
        return to_json(rates);
      }
      case DocumentKind::figure:
        return figure_json(
            report.context,
            figures::run_figure(figures::panel("hu.1c"), {.trials = 1, .records_divisor = 1e4}));
      case DocumentKind::list:
        return run({"list", "--json"}).out;
    }
    return "";
  }
};

constexpr std::array kinds{DocumentKind::verify, DocumentKind::audit,  DocumentKind::run,
                           DocumentKind::rates,  DocumentKind::figure, DocumentKind::list};

TEST_F(Envelope, OfEveryKindMatchesTheSchema) {
  for (const DocumentKind kind : kinds) {
    const std::string written = text(kind);
    EXPECT_THAT(validate_report(written), IsEmpty()) << name(kind);
    const Json json = Json::parse(written);
    EXPECT_EQ(json.begin().key(), "schema_version");
    EXPECT_EQ(json.at("schema_version"), schema_version);
    EXPECT_EQ(json.at("kind"), name(kind));
    EXPECT_EQ(json.at("context").at("version"), build_info().version);
    EXPECT_THAT(run({"validate", write("document.json", written)}).out,
                HasSubstr("matches the schema, version 3\n"));
  }
}

// Every part that a kind has is one that it must have.
TEST_F(Envelope, OfEveryKindIsRefusedWithoutOneOfItsParts) {
  for (const DocumentKind kind : kinds) {
    const Json good = Json::parse(text(kind));
    for (const auto& [part, value] : good.items()) {
      Json broken = good;
      broken.erase(part);
      EXPECT_THAT(validate_report(broken.dump()), Contains(HasSubstr("'" + part + "'")))
          << name(kind) << " without " << part;
    }
  }
}

TEST_F(Envelope, OfEveryKindIsRefusedIfAPartIsBroken) {
  const auto errors = [&](DocumentKind kind, const char* place, const Json& value) {
    Json json = Json::parse(text(kind));
    json[Json::json_pointer(place)] = value;
    return validate_report(json.dump());
  };
  EXPECT_THAT(errors(DocumentKind::verify, "/timings/threads", 0), Contains(HasSubstr("threads")));
  EXPECT_THAT(errors(DocumentKind::rates, "/context/plan", "quick"), Contains(HasSubstr("plan")));
  EXPECT_THAT(errors(DocumentKind::audit, "/evidence/0/verdict", "passed"),
              Contains(HasSubstr("verdict")));
  EXPECT_THAT(errors(DocumentKind::run, "/result/privacy/epsilon", "much"),
              Contains(HasSubstr("epsilon")));
  EXPECT_THAT(errors(DocumentKind::run, "/result/not_private/beats_both", 1),
              Contains(HasSubstr("beats_both")));
  EXPECT_THAT(errors(DocumentKind::figure, "/figure/curves/0/points/0/mean", nullptr),
              Contains(HasSubstr("mean")));
  EXPECT_THAT(errors(DocumentKind::list, "/claims/0/id", "x"), Contains(HasSubstr("id")));
}

}  // namespace
}  // namespace dpverify
