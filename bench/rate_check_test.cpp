#include "bench/rate_check.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <utility>

#include "bench/rate_tables.hpp"

namespace dpverify {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

// A mechanism whose output, and so its "risk" |w|, follows a law we choose: scale * n^exponent
// times a heavy-tailed positive factor of mean 1, plus nothing else. Its data-free run returns
// `data_free`, the zero vector has risk `zero`.
struct Synthetic {
  double exponent = -0.5;
  double bound_exponent = -0.5;
  double data_free = 10;
  double zero = 10;
  bool learns = false;
  double first = 100;
  bool heavy_tailed = true;  // the factor; else it is between 0.8 and 1.2
};

Claim rate_claim(const Synthetic& s) {
  RateClaim rate;
  rate.variable = "n";
  rate.exponent = s.bound_exponent;
  rate.learns = s.learns;
  rate.dimension = 1;
  rate.point = [s](double n) {
    const Mechanism mechanism = [s, n](const Dataset& data, Releases& releases) {
      // With data always outcome 0, without a fair coin: 40 zeros have probability 1e-12.
      VectorXd scores(2);
      scores << 1e6, 0;
      bool with_data = true;
      for (int flip = 0; flip < 40; ++flip)
        with_data &= releases.select(ExponentialMechanism{scores, 1, 1}) == 0;
      return VectorXd::Constant(1,
                                with_data ? std::pow(n, s.exponent) * data.labels[0] : s.data_free);
    };
    return RatePoint{1, mechanism, std::pow(n, s.bound_exponent)};
  };
  rate.draw = [s](Index, RandomStream& stream) {
    // Pareto with tail index 3 and mean 1.
    const double factor =
        s.heavy_tailed ? 2.0 / 3 * std::pow(stream.uniform(), -1.0 / 3) : stream.uniform(0.8, 1.2);
    return Dataset{Matrix::Zero(1, 1), VectorXd::Constant(1, factor)};
  };
  rate.excess_risk = [s](const VectorXd& w) { return w[0] == 0 ? s.zero : w[0]; };
  rate.smoke = {{s.first, 1e3, 1e4, 1e5}, 60};
  rate.ci = rate.smoke;
  return {.id = "test.synthetic.rate.printed", .check = rate};
}

double measured(const Evidence& evidence, std::string_view name) {
  for (const Measurement& each : evidence.measurements)
    if (each.name == name) return each.value;
  ADD_FAILURE() << name;
  return 0;
}

TEST(RateCheck, APowerLawThatMatchesItsBoundIsConsistent) {
  const Evidence evidence = check_rate(rate_claim({}), {});
  EXPECT_EQ(evidence.verdict, Verdict::consistent) << evidence.reason;
  EXPECT_NEAR(*evidence.estimate, -0.5, 0.1);
  EXPECT_LE(evidence.interval->lower, -0.5);
  EXPECT_GE(evidence.interval->upper, -0.5);
}

TEST(RateCheck, AFasterFallIsConsistentAndASlowerOneRefuted) {
  EXPECT_EQ(check_rate(rate_claim({.exponent = -0.8}), {}).verdict, Verdict::consistent);
  const Evidence slower = check_rate(rate_claim({.exponent = -0.2}), {});
  EXPECT_EQ(slower.verdict, Verdict::refuted) << slower.reason;
  EXPECT_EQ(slower.reading, "falls more slowly than the bound");
}

TEST(RateCheck, AFallingCurveThatBeatsNobodyIsVacuous) {
  // The risk falls as claimed, but the zero vector, or the data-free run, is better.
  for (const Synthetic& s : {Synthetic{.zero = 1e-6}, Synthetic{.data_free = 1e-6}}) {
    const Evidence evidence = check_rate(rate_claim(s), {});
    EXPECT_EQ(evidence.reading, "vacuous");
    EXPECT_EQ(evidence.verdict, Verdict::inconclusive) << "a bound alone promises no more";
    Synthetic learning = s;
    learning.learns = true;
    const Evidence worse = check_rate(rate_claim(learning), {});
    EXPECT_EQ(worse.verdict, Verdict::refuted) << worse.reason;
  }
}

// What comes of it is the verdict `error`, see evidence_on.
TEST(RateCheck, ARiskThatIsNotANumberIsNoRate) {
  const Claim claim = rate_claim({.exponent = std::numeric_limits<double>::quiet_NaN()});
  EXPECT_THROW(check_rate(claim, {}), std::runtime_error);
}

TEST(RateCheck, AShortSweepDecidesNothing) {
  const Evidence evidence = check_rate(rate_claim({.first = 4e3}), {});
  EXPECT_EQ(evidence.verdict, Verdict::inconclusive) << evidence.reason;
}

TEST(RateCheck, DoesNotDependOnThreads) {
  const Evidence one = check_rate(rate_claim({}), {.threads = 1});
  const Evidence two = check_rate(rate_claim({}), {.threads = 2});
  EXPECT_EQ(one.tables[0].rows, two.tables[0].rows);
  EXPECT_EQ(*one.estimate, *two.estimate);
}

// At the level 6 each stage makes each of its six decisions at 0.41. A power law that is slower by
// just the tolerance both refute in a sixth of the seeds: of 200, more than 52 with probability
// 1e-4 (binomial). The screen alone would refute 80.
TEST(RateCheck, TheTwoStagesTogetherKeepTheLevel) {
  int refuted = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed)
    refuted += check_rate(rate_claim({.exponent = -0.475}), {.seed = seed, .level = 6}).verdict ==
               Verdict::refuted;
  EXPECT_LE(refuted, 52);
  EXPECT_GE(refuted, 10) << "the level is one that can be seen";
}

// Of a true claim, what the screen refutes by bad luck is not refuted on fresh trials.
TEST(RateCheck, AClaimThatAScreenRefutesIsJudgedByFreshTrials) {
  const Evidence plain = check_rate(rate_claim({.heavy_tailed = false}), {});
  EXPECT_THAT(plain.reason, Not(HasSubstr("fresh")));
  EXPECT_EQ(measured(plain, "significance of each decision"), 1e-4);

  std::map<std::string, std::string> kept;
  CheckContext context;
  context.checkpoints = {
      .recall = [](const std::string&) { return std::nullopt; },
      .keep = [&](const std::string& key,
                  const std::string& text) { EXPECT_TRUE(kept.emplace(key, text).second) << key; }};
  const Evidence slower = check_rate(rate_claim({.exponent = -0.2}), context);
  EXPECT_EQ(slower.verdict, Verdict::refuted);
  EXPECT_EQ(measured(slower, "trials a point"), 120);
  EXPECT_EQ(slower.samples, 4U * (2 * 60 + 15) + 4U * (2 * 120 + 30));
  // The screen's six decisions at 1e-4 and these six: together the claim's level.
  EXPECT_NEAR(measured(slower, "significance of each decision"), context.level / 36 / 1e-4, 1e-15);
  EXPECT_THAT(slower.reason, HasSubstr("These are 120 fresh trials a point"));
  EXPECT_EQ(kept.size(), 8U);
  std::set<std::string> draws;
  for (const auto& [key, text] : kept) {
    std::istringstream lines(text.substr(text.find('\n')));
    std::size_t count = 0;
    lines >> count;
    std::string word;
    for (std::size_t k = 0; k < count; ++k) {
      lines >> word;
      draws.insert(word);
    }
  }
  EXPECT_EQ(draws.size(), 4U * (60 + 120)) << "no two trials share a stream";

  // A seed whose screen refutes a true claim, at a level where that is not rare.
  int judged = 0, acquitted = 0;
  for (std::uint64_t seed = 1; seed <= 120; ++seed) {
    const Evidence evidence =
        check_rate(rate_claim({.exponent = -0.475}), {.seed = seed, .level = 0.3});
    if (evidence.reason.find("fresh") == std::string::npos) continue;
    ++judged;
    acquitted += evidence.verdict == Verdict::consistent ? 1 : 0;
  }
  EXPECT_GE(judged, 4);
  EXPECT_GT(2 * acquitted, judged);
}

// Noise multiplies the risk, between 0.8 and 1.2 times n^(-1/2) without, by 2 in the mean.
TEST(RateCheck, ShowsTheRunWithoutNoise) {
  Claim claim = rate_claim({.heavy_tailed = false});
  auto& rate = std::get<RateClaim>(claim.check);
  rate.point = [point = rate.point](double n) {
    RatePoint at = point(n);
    at.mechanism = [quiet = at.mechanism](const Dataset& data, Releases& releases) -> VectorXd {
      const double noise = releases.release(LaplaceNoise{VectorXd::Zero(1), 1, 1})[0];
      return quiet(data, releases) * (1 + std::abs(noise));
    };
    return at;
  };
  const RateCurve curve = *read_rate_curve(check_rate(claim, {}));
  for (const RateCurvePoint& point : curve.points) {
    const double root = std::sqrt(point.value);
    EXPECT_NEAR(point.non_private.value * root, 1, 0.2) << point.value;
    EXPECT_GT(point.run.value * root, 1.4) << point.value;
  }
}

TEST(RateCheck, ShowsThePowerOfTheTest) {
  const Evidence evidence = check_rate(rate_claim({}), {});
  EXPECT_EQ(evidence.measurements[3].name, "smallest slope that would have refuted");
  EXPECT_GT(evidence.measurements[3].value, evidence.measurements[1].value);
}

TEST(RateCheck, PointsThatWereKeptAreNotMeasuredAgain) {
  std::map<std::string, std::string> kept;
  CheckContext context;
  context.checkpoints = {
      .recall =
          [&](const std::string& key) {
            const auto found = kept.find(key);
            return found == kept.end() ? std::nullopt : std::optional(found->second);
          },
      .keep = [&](const std::string& key, const std::string& text) { kept[key] = text; }};
  const Evidence plain = check_rate(rate_claim({}), {});
  EXPECT_EQ(check_rate(rate_claim({}), context).tables[0].rows, plain.tables[0].rows);
  ASSERT_EQ(kept.size(), 4U);
  // Another law under the same id: what was kept shows.
  EXPECT_EQ(check_rate(rate_claim({.exponent = -0.2}), context).tables[0].rows,
            plain.tables[0].rows);
  // Damaged, or of another seed: measured again.
  for (auto& [key, text] : kept) text.resize(text.size() / 2);
  EXPECT_EQ(check_rate(rate_claim({}), context).tables[0].rows, plain.tables[0].rows);
  context.seed = 5;
  EXPECT_NE(check_rate(rate_claim({}), context).tables[0].rows, plain.tables[0].rows);
  EXPECT_EQ(kept.size(), 8U);
}

// A mean that is the lower bound: Student's t takes the few large risks that it has not seen for
// none there are, so that a stage errs more often than its level says, on risks with two moments:
// the screen in 19 of 400 seeds, both stages in none.
TEST(RateCheck, AMeanThatIsTheLowerBoundIsHardlyRefuted) {
  Claim claim = rate_claim({});
  auto& rate = std::get<RateClaim>(claim.check);
  rate.smoke.trials = 24;
  rate.point = [point = rate.point](double n) {
    RatePoint at = point(n);
    at.lower_bound = at.bound;
    return at;
  };
  int screened = 0, refuted = 0;
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    const Evidence evidence = check_rate(claim, {.seed = seed});
    screened += evidence.reason.find("fresh") != std::string::npos ? 1 : 0;
    refuted += evidence.reading == "below the lower bound" ? 1 : 0;
  }
  EXPECT_GE(screened, 4) << "else one stage would do";
  EXPECT_LE(refuted, 2);
}

// ---- Looks -----------------------------------------------------------------------------------

// The claim above with few trials and a control that is hard to tell from the run.
Claim close_claim(double zero, Index trials) {
  Claim claim = rate_claim({.zero = zero});
  std::get<RateClaim>(claim.check).smoke.trials = trials;
  return claim;
}

TEST(RateCheck, TheSharesOfTheLooksAreAllOfTheSignificance) {
  double sum = 0;
  for (const double share : look_shares) sum += share;
  EXPECT_EQ(sum, 1);
}

TEST(RateCheck, WhatNoiseHidesIsDecidedAtALaterLook) {
  const Claim claim = close_claim(0.0045, 12);  // the run's mean there is 1e5^-0.5 = 0.0032
  const Evidence evidence = check_rate(claim, {});
  EXPECT_EQ(evidence.verdict, Verdict::consistent) << evidence.reason;
  const double look = measured(evidence, "look it stopped at");
  ASSERT_GE(look, 2);
  const double trials = 12 * std::pow(2, look - 1);
  EXPECT_EQ(measured(evidence, "trials a point"), trials);
  EXPECT_EQ(evidence.samples, static_cast<std::uint64_t>(4 * (2 * trials + 3)));
  EXPECT_EQ(measured(evidence, "share of it spent at this look"), std::pow(2, -look));
  EXPECT_THAT(evidence.reason,
              HasSubstr(fmt::format("Look {} of at most 5, at {} trials a point.", look, trials)));
  // What a claim that is decided at once shows does not speak of looks.
  EXPECT_THAT(check_rate(rate_claim({}), {}).reason, Not(HasSubstr("Look")));
}

// Every look adds trials to those before it, from streams that none of them has used.
TEST(RateCheck, ALaterLookKeepsTheTrialsOfTheEarlierOnes) {
  std::map<std::string, std::string> kept;
  CheckContext context;
  context.checkpoints = {
      .recall = [](const std::string&) { return std::nullopt; },
      .keep = [&](const std::string& key,
                  const std::string& text) { EXPECT_TRUE(kept.emplace(key, text).second) << key; }};
  const Claim claim = close_claim(0.0045, 12);
  const Evidence evidence = check_rate(claim, context);
  const auto looks = static_cast<std::size_t>(measured(evidence, "look it stopped at"));
  ASSERT_EQ(kept.size(), 4 * looks);
  // The first look is what the plan says, byte for byte, whatever comes after.
  const auto planned = planned_pieces(claim, context);
  ASSERT_EQ(planned.size(), 4U);
  double sum = 0;
  std::set<std::string> draws;
  std::size_t trials = 0;
  for (const auto& [key, text] : kept) {
    std::istringstream lines(text.substr(text.find('\n')));
    std::size_t count = 0;
    lines >> count;
    for (std::size_t k = 0; k < count; ++k, ++trials) {
      std::string word;
      lines >> word;
      draws.insert(word);
      if (key.find(fmt::format("n {:a} ", 1e5)) != std::string::npos)
        sum += std::strtod(word.c_str(), nullptr);
    }
  }
  for (const RatePiece& piece : planned) EXPECT_TRUE(kept.contains(piece.key)) << piece.key;
  EXPECT_EQ(draws.size(), trials) << "no two trials share a stream";
  EXPECT_NEAR(evidence.tables[0].rows[3][1], sum / measured(evidence, "trials a point"), 1e-12);
}

// What was kept, by key.
struct KeptPieces {
  std::map<std::string, std::string> kept;
  int measured = 0;

  CheckContext context() {
    CheckContext out;
    out.checkpoints = {.recall = [this](const std::string& key) -> std::optional<std::string> {
                         const auto found = kept.find(key);
                         return found == kept.end() ? std::nullopt : std::optional(found->second);
                       },
                       .keep =
                           [this](const std::string& key, const std::string& text) {
                             kept[key] = text;
                             ++measured;
                           }};
    return out;
  }
};

// The claim with points that count as so many records, which nobody draws.
Claim claim_of(Index records) {
  Claim claim = rate_claim({});
  auto& rate = std::get<RateClaim>(claim.check);
  rate.point = [point = rate.point, draw = rate.draw, risk = rate.excess_risk, records](double n) {
    RatePoint at = point(n);
    at.records = records;
    at.instance = [draw, risk](RandomStream& stream) { return Instance{draw(1, stream), risk}; };
    return at;
  };
  return claim;
}

// A point of 60 trials with 6e6 records each is measured five trials at a time, and is the point
// that is measured at once.
TEST(RateCheck, ThePiecesOfAPointAreItsTrialsInOrder) {
  const Claim at_once = claim_of(1), in_pieces = claim_of(6'000'000);
  EXPECT_EQ(planned_pieces(at_once, {}).size(), 4U);
  const std::vector<RatePiece> pieces = planned_pieces(in_pieces, {});
  ASSERT_EQ(pieces.size(), 48U);
  std::set<std::string> keys;
  for (std::size_t k = 0; k < pieces.size(); ++k) {
    EXPECT_EQ(pieces[k].batch.first_trial, 5 * k);
    EXPECT_EQ(pieces[k].batch.trials, 5);
    EXPECT_EQ(pieces[k].batch.non_private_trials, k % 12 < 3 ? 5 : 0) << "15 a point";
    EXPECT_EQ(pieces[k].work, 3e7);
    keys.insert(pieces[k].key);
  }
  EXPECT_EQ(keys.size(), 48U);
  EXPECT_EQ(planned_pieces(claim_of(2'000'000'000), {}).size(), 80U) << "no more than 20 a point";

  const Evidence whole = check_rate(at_once, {});
  KeptPieces store;
  const CheckContext context = store.context();
  // Some by a machine of its own; those that others have are not measured twice.
  for (const std::size_t k : {0, 7, 47}) keep_piece(in_pieces, context, pieces[k]);
  EXPECT_EQ(store.measured, 3);
  const Evidence divided = check_rate(in_pieces, context);
  EXPECT_EQ(store.measured, 48);
  EXPECT_EQ(divided.tables[0].rows, whole.tables[0].rows);
  EXPECT_EQ(divided.tables[1].rows, whole.tables[1].rows);
  EXPECT_EQ(divided.reason, whole.reason);
  EXPECT_EQ(check_rate(in_pieces, {.threads = 3}).tables[0].rows, whole.tables[0].rows);
}

// One in four trials, rounded up.
TEST(RateCheck, AQuarterOfTheTrialsAreRunWithoutNoiseToo) {
  for (const auto& [trials, further] : {std::pair(13, 4), std::pair(16, 4), std::pair(5, 2)}) {
    Claim claim = rate_claim({});
    std::get<RateClaim>(claim.check).smoke.trials = trials;
    for (const RatePiece& piece : planned_pieces(claim, {}))
      EXPECT_EQ(piece.batch.non_private_trials, further) << trials;
  }
}

// Whatever a file may hold that is not what was kept, it is measured again, and comes out the same.
TEST(RateCheck, APieceThatCannotBeReadIsMeasuredAgain) {
  const Claim claim = rate_claim({});
  const RatePiece piece = planned_pieces(claim, {}).at(1);
  KeptPieces store;
  const CheckContext context = store.context();
  const auto measured = [&] {
    keep_piece(claim, context, piece);
    return std::exchange(store.measured, 0);
  };
  EXPECT_EQ(measured(), 1);
  EXPECT_EQ(measured(), 0);
  std::string& kept = store.kept.at(piece.key);
  const auto rest = [](const std::string& text) { return text.substr(text.find(' ')); };
  const std::string good = kept;
  std::vector<std::string> bad{"x" + rest(good), "1x" + rest(good), good.substr(0, good.size() - 3),
                               "1 1000 " + rest(rest(good)), "1 x"};
  const std::size_t list = good.find('\n') + 1;  // "60 RISK RISK ..."
  ASSERT_EQ(good.substr(list, 3), "60 ");
  const auto with_list = [&](const std::string& start) {
    return good.substr(0, list) + start + good.substr(list + 3);
  };
  for (const char* start : {"59 ", "61 ", "6000000000000 ", "x ", "60 nan ", "60 0x1p-2 "})
    bad.push_back(with_list(start));
  const std::size_t first = list + 3, second = good.find(' ', first);
  for (const char* risk : {"nan", "0x1p-2z", "z"})
    bad.push_back(good.substr(0, first) + risk + good.substr(second));
  for (const std::string& text : bad) {
    kept = text;
    EXPECT_EQ(measured(), 1) << text.substr(0, 200);
    EXPECT_EQ(rest(kept), rest(good));
  }
}

// A killed run goes on in the middle of its looks.
TEST(RateCheck, LooksThatWereKeptAreNotMeasuredAgain) {
  KeptPieces store;
  const CheckContext context = store.context();
  const Claim claim = close_claim(0.0045, 12);
  const Evidence whole = check_rate(claim, context);
  EXPECT_GT(std::exchange(store.measured, 0), 4);
  store.kept.erase(store.kept.begin());
  const Evidence resumed = check_rate(claim, context);
  EXPECT_EQ(store.measured, 1);
  EXPECT_EQ(resumed.tables[0].rows, whole.tables[0].rows);
  EXPECT_EQ(resumed.reason, whole.reason);
}

TEST(RateCheck, NoLookIsTakenWhereTheRangeIsLacking) {
  const Evidence evidence = check_rate(rate_claim({.first = 4e3}), {});
  EXPECT_EQ(evidence.reading, "too short a sweep");
  EXPECT_EQ(measured(evidence, "look it stopped at"), 1);
}

// An exponent that is attained to just the tolerance: true, never shown, so that all looks are
// taken. Each stage decides at 0.41: both refute a sixth of 200 seeds, more than 52 with
// probability 1e-4 if the level is reached; if each look spent all of it, the first stage alone
// would refute most.
TEST(RateCheck, AllLooksTogetherKeepTheLevel) {
  Claim claim = rate_claim({.exponent = -0.45, .heavy_tailed = false});
  auto& rate = std::get<RateClaim>(claim.check);
  rate.attained = 0.05;
  rate.smoke = {{1e2, 1e5}, 8};
  int refuted = 0, later = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    const Evidence evidence = check_rate(claim, {.seed = seed, .level = 6});
    refuted += evidence.verdict == Verdict::refuted ? 1 : 0;
    later += evidence.reason.find("Look") != std::string::npos ? 1 : 0;
  }
  EXPECT_LE(refuted, 52);
  EXPECT_GE(refuted, 5) << "the level is one that can be seen";
  EXPECT_GE(later, 100) << "the looks are taken";
}

TEST(RateCheck, TheFirstTrialsAreThoseOfThePlanWhateverTheLooks) {
  const Claim claim = close_claim(0.0045, 12);
  const Evidence evidence = check_rate(claim, {});
  const Table& first = evidence.tables.at(1);
  EXPECT_TRUE(holds_first_trials(first));
  ASSERT_EQ(first.rows.size(), 4U);
  EXPECT_EQ(first.rows[0].size(), 13U);
  EXPECT_EQ(first.columns.size(), 13U);
  const Evidence easy = check_rate(close_claim(10, 12), {});
  EXPECT_EQ(measured(easy, "look it stopped at"), 1);
  EXPECT_EQ(easy.tables.at(1).rows, first.rows);
  EXPECT_EQ(check_rate(rate_claim({}), {}).tables.at(1).rows[0].size(), 41U) << "at most 40";
}

TEST(RateCheck, ThePlanNightlyAddsTrialsAndADecade) {
  RateClaim rate;
  rate.variable = "n";
  rate.dimension = 4;
  rate.ci = {{1e3, 1e4}, 10};
  EXPECT_EQ(sweep_of(rate, Plan::nightly).values, (std::vector<double>{1e3, 1e4, 3e4, 1e5}));
  EXPECT_EQ(sweep_of(rate, Plan::nightly).trials, 20);
  rate.ci.values = {1e3, 2e7};  // 40 bytes a record
  EXPECT_EQ(sweep_of(rate, Plan::nightly).values, (std::vector<double>{1e3, 2e7, 6e7}));
  rate.variable = "epsilon";
  EXPECT_EQ(sweep_of(rate, Plan::nightly).values, rate.ci.values);
  rate.nightly = {{5}, 3};
  EXPECT_EQ(sweep_of(rate, Plan::nightly).trials, 3);
}

// An algorithm that reads ten records of part 3, of 10^8 that nobody holds (1.6 GB): its output is
// their mean, which the data-free run and the run without noise see as well.
TEST(RateCheck, RecordsAreDrawnWhereTheyAreTooManyToHold) {
  RateClaim rate;
  rate.variable = "n";
  rate.exponent = -0.5;
  rate.by_parts = true;
  rate.point = [](double n) {
    return RatePoint{.records = static_cast<Index>(n),
                     .mechanism =
                         [](const Dataset& data, Releases&) {
                           const DataView part = data.part(3, data.size() / 10);
                           return VectorXd::Constant(1, 2 + part.labels.mean());
                         },
                     .bound = 1 / std::sqrt(n),
                     .comparators = {{"whole data", [](const Dataset& data, Releases&) {
                                        return VectorXd::Constant(1, data.labels.sum());
                                      }}}};
  };
  rate.draw = [](Index count, RandomStream& stream) {
    Dataset data{Matrix::Zero(count, 1), VectorXd(count)};
    for (double& label : data.labels) label = stream.uniform();
    return data;
  };
  rate.excess_risk = [](const VectorXd& w) { return w[0]; };
  rate.smoke = {{1e3, 1e8}, 3};
  const Claim claim{.id = "test.parts.rate.printed", .check = rate};
  const Evidence evidence = check_rate(claim, {});
  const RateCurve curve = *read_rate_curve(evidence);
  for (std::size_t point = 0; point < 2; ++point) {
    double sum = 0;
    for (std::uint64_t trial = 3 * point; trial < 3 * point + 3; ++trial) {
      RandomStream stream(
          {.seed = evidence.seed, .claim = claim.id, .purpose = "data", .trial = trial});
      const Dataset first = rate.draw(30, stream);
      sum += 2 + first.labels.tail(10).mean();
    }
    EXPECT_NEAR(curve.points[point].run.value, sum / 3, 1e-14);
    EXPECT_EQ(curve.points[point].data_free.value, 2);
  }
  EXPECT_EQ(curve.comparators, std::vector<std::string>{"whole data"});
  EXPECT_GT(curve.points[0].comparators[0].value, 0);
  EXPECT_TRUE(std::isnan(curve.points[1].comparators[0].value))
      << "not run where it would need all records";
}

// Each trial has its own target, which the records tell and the zero vector misses.
TEST(RateCheck, TrialsMayHaveProblemsOfTheirOwn) {
  RateClaim rate;
  rate.variable = "n";
  rate.exponent = -0.5;
  rate.point = [](double n) {
    return RatePoint{.records = 4,
                     .mechanism =
                         [n](const Dataset& data, Releases&) {
                           return VectorXd::Constant(1, data.labels[0] + 1 / std::sqrt(n));
                         },
                     .bound = 1 / std::sqrt(n),
                     .instance =
                         [](RandomStream& stream) {
                           const double target = 5 + stream.uniform();
                           return Instance{
                               {Matrix::Zero(4, 1), VectorXd::Constant(4, target)},
                               [target](const VectorXd& w) { return std::abs(w[0] - target); }};
                         },
                     .lower_bound = 0.1 / n};
  };
  rate.smoke = {{1e2, 5e2, 2e3, 1e4}, 20};
  const Evidence evidence = check_rate({.id = "test.own.rate.printed", .check = rate}, {});
  EXPECT_EQ(evidence.verdict, Verdict::consistent) << evidence.reason;
  const RateCurve curve = *read_rate_curve(evidence);
  EXPECT_NEAR(curve.points[0].run.value, 0.1, 1e-12);
  EXPECT_GT(curve.points[0].zero_vector, 5) << "the mean of the trials";
  EXPECT_EQ(curve.points[3].lower_bound, 1e-5);
  EXPECT_EQ(evidence.measurements.back().name, "exponent of the lower bound");
  EXPECT_NEAR(evidence.measurements.back().value, -1, 1e-12);
}

TEST(RateCheck, APlanMayLeaveASweepOut) {
  Claim claim = rate_claim({});
  std::get<RateClaim>(claim.check).smoke = {};
  EXPECT_EQ(check_rate(claim, {}).verdict, Verdict::not_run);
  EXPECT_TRUE(planned_pieces(claim, {}).empty());
  EXPECT_EQ(check_rate(claim, {.plan = Plan::ci}).verdict, Verdict::consistent);
}

}  // namespace
}  // namespace dpverify
