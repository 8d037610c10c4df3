#include "bench/figures/panel_claims.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "bench/experiment_check.hpp"
#include "bench/figures/panels.hpp"
#include "bench/figures/run_figure.hpp"
#include "bench/figures/statements.hpp"

namespace dpverify::figures {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;
using Kind = Statement::Kind;

// Of n and d, with a method whose error depends on both, and on noise.
Panel small_panel() {
  Panel panel{.id = "test.3b", .algorithm = "test.noisy", .title = "Algorithm 0: sample size"};
  panel.source = {Text::this_project, "Figure 3(b)"};
  panel.note = "The grid is this project's.";
  panel.problem = {.features = {ScalarLaw::Kind::normal, 1}, .noise = {ScalarLaw::Kind::normal, 1}};
  panel.x_variable = Variable::records;
  panel.x = {10, 20, 100};
  panel.series = {2, 3};
  panel.trials = 5;
  panel.statements = {{Kind::falls, "falls", "the error falls"},
                      {Kind::series_matter_little, "dimension", "d matters little", 1.25},
                      {Kind::near_noiseless, "near", "near the run without noise", 2},
                      {Kind::above_method, "above", "above the other", 0, 0, "other"},
                      {Kind::values, "values", "from 0.5 to 0.25", 0.5, 0.25}};
  for (Statement& statement : panel.statements) statement.expectation = Expectation::holds;
  const auto noisy = [](double scale) {
    return [=](const Setting& at, const Instance& instance) -> Mechanism {
      return [=, start = instance.initial](const Dataset& data, Releases& releases) -> VectorXd {
        return start +
               releases.release(LaplaceNoise{data.features.colwise().mean().transpose(), 1,
                                             scale / at.epsilon / static_cast<double>(at.records)});
      };
    };
  };
  panel.methods = {{"experiments", Role::experiments, noisy(20)},
                   {"theorem", Role::theorem, noisy(40)},
                   {"other", Role::comparator, noisy(60)}};
  return panel;
}

const ExperimentClaim& check_of(const Claim& claim) {
  return std::get<ExperimentClaim>(claim.check);
}

TEST(PanelClaims, AreOfTheExperimentsParametersAndSayWhere) {
  const std::vector<Claim> claims = panel_claims({small_panel()});
  ASSERT_EQ(claims.size(), 5U);
  EXPECT_EQ(claims[0].id, "test.noisy.experiment.figure_3b.falls.printed");
  EXPECT_EQ(claims[0].algorithm, "test.noisy");
  EXPECT_EQ(claims[0].source.where, "Figure 3(b)");
  EXPECT_THAT(claims[0].statement, HasSubstr("Figure 3(b) (Algorithm 0: sample size)"));
  EXPECT_THAT(claims[0].statement, HasSubstr("the error falls."));
  EXPECT_THAT(claims[0].assumptions, ElementsAre("The grid is this project's."));
  EXPECT_THAT(check_of(claims[0]).places,
              ElementsAre("the error at n = 100 and d = 2", "the error at n = 10 and d = 2",
                          "the error at n = 100 and d = 3", "the error at n = 10 and d = 3"));
  EXPECT_THAT(check_of(claims[2]).places[1], "the error without noise at n = 100 and d = 2");
  EXPECT_THAT(check_of(claims[3]).places[0], "the error of other at n = 100 and d = 2");
  EXPECT_EQ(check_of(claims[4]).alternatives.size(), 2U);
  EXPECT_THAT(check_of(claims[4]).places[1], StartsWith("the printed 0.5"));
}

// For the same seed and trial, whatever else a claim looks at.
TEST(PanelClaims, TheirErrorsAreThoseOfTheFigure) {
  const Panel panel = small_panel();
  const Figure figure = run_figure(panel, {.seed = 9});
  const std::vector<Claim> claims = panel_claims({panel});
  for (std::size_t s = 0; s < claims.size(); ++s) {
    const StatedComparisons stated =
        comparisons_of(panel.statements[s], "experiments", panel.x, panel.series);
    ASSERT_EQ(stated.places.size(), check_of(claims[s]).places.size());
    for (Index trial = 0; trial < panel.trials; ++trial) {
      const std::vector<double> errors = check_of(claims[s]).errors(9, trial);
      for (std::size_t k = 0; k < errors.size(); ++k) {
        const Place& at = stated.places[k];
        if (at.method.empty())
          EXPECT_EQ(errors[k], at.printed);
        else
          EXPECT_EQ(errors[k], figure.curve(at.method, at.quantity, at.series)
                                   .points[at.x]
                                   .values[static_cast<std::size_t>(trial)])
              << claims[s].id << " " << check_of(claims[s]).places[k];
      }
    }
  }
}

// Reports name a measurement by the words before a comma: those of a claim are all different.
TEST(PanelClaims, NameTheirPlacesWithoutCommas) {
  for (const Claim& claim : panel_claims(panels())) {
    std::set<std::string> names;
    for (const std::string& place : check_of(claim).places)
      EXPECT_TRUE(names.insert(place.substr(0, place.find(", "))).second) << claim.id << place;
  }
}

TEST(PanelClaims, AStatementMayBeFalseOrNoClaim) {
  Panel panel = small_panel();
  panel.statements.resize(3);
  panel.statements[1].expectation = Expectation::refuted;
  panel.statements[1].edition = Edition::reading;
  panel.statements[1].finding = Finding{.why = "It is false."};
  panel.statements[2].expectation = std::nullopt;
  const std::vector<Claim> claims = panel_claims({panel});
  ASSERT_EQ(claims.size(), 2U);
  EXPECT_EQ(claims[0].expectation, Expectation::holds);
  EXPECT_EQ(claims[1].expectation, Expectation::refuted);
  EXPECT_EQ(claims[1].id, "test.noisy.experiment.figure_3b.dimension.reading");
  EXPECT_FALSE(claims[0].finding);
  EXPECT_EQ(claims[1].finding->why, "It is false.");
}

// Ten times the records, and a tenth of the noise, which is most of the error.
TEST(PanelClaims, AreDecidedByTheCheck) {
  Panel panel = small_panel();
  panel.statements.resize(1);
  panel.trials = 200;
  const Claim falls = panel_claims({panel})[0];
  EXPECT_EQ(check_experiment(falls, {.plan = Plan::nightly}).verdict, Verdict::consistent);
  panel.statements[0].kind = Kind::grows;
  const Claim grows = panel_claims({panel})[0];
  EXPECT_EQ(check_experiment(grows, {.plan = Plan::nightly}).verdict, Verdict::refuted);
}

TEST(PanelClaims, AgainstAPaperHaveAFinding) {
  for (const Claim& claim : panel_claims(panels())) {
    const bool accuses =
        claim.expectation == Expectation::refuted && claim.edition == Edition::printed;
    EXPECT_EQ(accuses, claim.finding.has_value()) << claim.id;
    if (!claim.finding) continue;
    EXPECT_FALSE(claim.finding->why.empty() || claim.finding->touches.empty() ||
                 claim.finding->repair.empty())
        << claim.id;
  }
}

TEST(PanelClaims, AreDistinctAndOfTheLongestPlan) {
  std::size_t statements = 0;
  for (const Panel& panel : panels())
    for (const Statement& statement : panel.statements) statements += statement.expectation ? 1 : 0;
  std::set<std::string> ids;
  for (const Claim& claim : panel_claims(panels())) {
    ids.insert(claim.id);
    EXPECT_EQ(check_of(claim).smallest_plan, Plan::nightly) << claim.id;
  }
  EXPECT_EQ(ids.size(), statements);
  EXPECT_GT(statements, 0U);
}

}  // namespace
}  // namespace dpverify::figures
