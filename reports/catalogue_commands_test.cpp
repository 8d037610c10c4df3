// Every form of the commands that print, on every claim there is. What they print is judged
// elsewhere; here no word of it may crash, complain or be read from where nothing is: with the
// sanitizers these tests look at every line of text.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>

#include "algorithms/claims/at_guarantee.hpp"
#include "algorithms/registry.hpp"
#include "reports/catalogue.hpp"
#include "reports/command_line.hpp"

namespace dpverify {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::StartsWith;

struct Printed {
  int code = -1;
  std::string out;
  std::string err;
};

Printed run(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "dpverify");
  std::vector<const char*> argv;
  for (const std::string& argument : arguments) argv.push_back(argument.c_str());
  std::ostringstream out, err;
  const int code =
      run_command_line(static_cast<int>(argv.size()), argv.data(), {.out = out, .err = err},
                       {.algorithms = algorithms, .claims = every_claim});
  return {code, out.str(), err.str()};
}

TEST(CatalogueCommands, ListInEveryForm) {
  for (const std::vector<std::string>& form : std::vector<std::vector<std::string>>{
           {"list"}, {"list", "--json"}, {"list", "--markdown"}}) {
    const Printed printed = run(form);
    EXPECT_EQ(printed.code, 0) << printed.err;
    for (const Algorithm& algorithm : algorithms())
      EXPECT_THAT(printed.out, HasSubstr(algorithm.id));
  }
  EXPECT_EQ(nlohmann::json::parse(run({"list", "--json"}).out)["claims"].size(),
            every_claim().size());
}

TEST(CatalogueCommands, ExplainEveryClaim) {
  for (const Claim& claim : every_claim()) {
    const Printed printed = run({"explain", claim.id});
    EXPECT_EQ(printed.code, 0) << claim.id << printed.err;
    EXPECT_THAT(printed.out, StartsWith(claim.id + "\n  Statement: "));
  }
}

// Of every broken mechanism and twin, on its own pair: neighbours that replace, add and remove.
TEST(CatalogueCommands, AuditEveryGivenPairInEveryForm) {
  int audited = 0;
  for (const Claim& claim : every_claim()) {
    const auto* check = std::get_if<PrivacyClaim>(&claim.check);
    if (check == nullptr || !check->pair) continue;
    ++audited;
    const Printed exact = run({"audit", claim.id, "--method", "exact"});
    EXPECT_TRUE(exact.code == 0 || exact.code == 1) << claim.id << exact.err;
    EXPECT_THAT(exact.out, HasSubstr("Witness:")) << claim.id;
    const Printed all =
        run({"audit", claim.id, "--samples", "200", "--transcripts", "100", "--json"});
    EXPECT_TRUE(all.code == 0 || all.code == 1) << claim.id << all.err;
    EXPECT_EQ(nlohmann::json::parse(all.out)["claims"][0]["id"], claim.id);
  }
  EXPECT_GE(audited, 66);
}

// Whatever a claim's range of epsilon holds, the claim can be asked about there, and what it claims
// is that.
TEST(CatalogueCommands, EveryPrivacyClaimFollowsItsParameters) {
  int followed = 0;
  for (const Claim& claim : every_claim()) {
    const auto* check = std::get_if<PrivacyClaim>(&claim.check);
    if (check == nullptr) continue;
    AskedGuarantee asked;
    for (const ParameterRange& range : check->ranges) {
      if (range.name == "epsilon") asked.epsilon = (range.lower + range.upper) / 2;
      if (range.name == "delta") asked.delta = (range.lower + range.upper) / 2;
    }
    if (!asked.epsilon) continue;
    ++followed;
    const Claim there = at_guarantee(claim, asked);
    const auto& moved = std::get<PrivacyClaim>(there.check);
    for (const auto* settings : {&moved.settings, &moved.certified})
      for (const Setting& setting : *settings) {
        EXPECT_EQ(moved.guarantee(setting.parameters).epsilon, *asked.epsilon) << claim.id;
        EXPECT_NO_THROW(moved.mechanism(setting.parameters)) << claim.id;
        const double delta = moved.guarantee(setting.parameters).delta;
        EXPECT_EQ(delta, asked.delta.value_or(delta)) << claim.id;
      }
  }
  EXPECT_GE(followed, 60);
}

// With evidence of every given pair in a report, `explain` shows it.
TEST(CatalogueCommands, ExplainShowsTheEvidenceOfEveryGivenPair) {
  const fs::path folder =
      fs::path(::testing::TempDir()) / ("catalogue_commands_test_" + std::to_string(getpid()));
  const Printed verified = run({"verify", "--only", "must_catch.*.privacy.mutant", "--only",
                                "hu.peeling.lemma.*", "--out", folder.string()});
  EXPECT_TRUE(verified.code == 0 || verified.code == 1) << verified.err;
  const std::string file = (folder / "report.json").string();
  EXPECT_EQ(run({"validate", file}).code, 0);
  for (const Claim& claim : every_claim()) {
    const bool evidence = claim.id.starts_with("must_catch.") && claim.edition == Edition::mutant;
    if (!evidence && !claim.id.starts_with("hu.peeling.lemma.")) continue;
    const Printed printed = run({"explain", claim.id, "--report", file});
    EXPECT_EQ(printed.code, 0) << claim.id << printed.err;
    EXPECT_THAT(printed.out, HasSubstr("Reproduce:")) << claim.id;
  }
  fs::remove_all(folder);
}

}  // namespace
}  // namespace dpverify
