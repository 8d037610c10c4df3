#include "reports/shard.hpp"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <map>
#include <optional>
#include <set>
#include <sstream>

#include "algorithms/core/numbers.hpp"
#include "algorithms/core/random.hpp"
#include "algorithms/core/test_refusals.hpp"
#include "bench/experiment_check.hpp"
#include "bench/rate_check.hpp"
#include "reports/test_commands.hpp"

namespace dpverify {
namespace {

using ::testing::HasSubstr;

// Sets variables of the environment, and puts them back.
class Environment {
 public:
  explicit Environment(const std::map<std::string, std::string>& values) {
    for (const auto& [name, value] : values) {
      const char* before = std::getenv(name.c_str());
      before_[name] = before == nullptr ? std::nullopt : std::optional<std::string>(before);
      setenv(name.c_str(), value.c_str(), 1);
    }
  }
  ~Environment() {
    for (const auto& [name, value] : before_)
      value ? setenv(name.c_str(), value->c_str(), 1) : unsetenv(name.c_str());
  }
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;

 private:
  std::map<std::string, std::optional<std::string>> before_;
};

std::pair<int, int> part(const std::string& text) {
  const Shard shard = read_shard({.shard = text, .costs = ""});
  return {shard.number, shard.count};
}

TEST(ReadShard, TakesNumbersOrTheEnvironment) {
  EXPECT_EQ(part(""), std::pair(1, 1));
  EXPECT_EQ(part("2/7"), std::pair(2, 7));
  {
    const Environment mpi({{"OMPI_COMM_WORLD_RANK", "0"}, {"OMPI_COMM_WORLD_SIZE", "2"}});
    EXPECT_EQ(part("auto"), std::pair(1, 2));
  }
  const Environment odd({{"OMPI_COMM_WORLD_RANK", "2"}, {"OMPI_COMM_WORLD_SIZE", "2"}});
  EXPECT_THAT(refusal([] { part("auto"); }),
              HasSubstr("OMPI_COMM_WORLD_RANK is '2', but must be an integer from 0 to 1"));
}

TEST(ReadShard, RefusesEverythingElse) {
  for (const char* text : {"2", "auto", "all"})
    EXPECT_THAT(refusal([=] { part(text); }), HasSubstr("--shard is '" + std::string(text) + "'"))
        << text;
  for (const char* text : {"0/2", "3/2", "-1/2", "x/2", "/2"})
    EXPECT_THAT(refusal([=] { part(text); }), HasSubstr("I of --shard")) << text;
  for (const char* text : {"1/0", "1/", "/", "1/1000001", "1/2/3"})
    EXPECT_THAT(refusal([=] { part(text); }), HasSubstr("N of --shard")) << text;
  EXPECT_THAT(refusal([] { read_shard({.shard = "", .costs = "report.json"}); }),
              HasSubstr("--costs is given without --shard"));
}

std::vector<Claim> claims_of(int count) {
  std::vector<Claim> claims;
  for (int k = 0; k < count; ++k)
    claims.push_back(bounded_by("test.bounded.lemma." + std::to_string(k) + ".printed", 2));
  return claims;
}

// The longest first, each to the part with least to do: without its shortest claim a part would
// have no more to do than any other.
TEST(ShareOf, EveryClaimIsInOnePartAndNoPartTakesMuchLonger) {
  const std::vector<Claim> claims = claims_of(100);
  RandomStream stream({.seed = 1, .claim = "shards", .purpose = "times"});
  std::vector<ClaimTiming> times;
  std::map<std::string, double> seconds;
  for (const Claim& claim : claims) {
    times.push_back({.claim = claim.id, .seconds = std::exp(2 * stream.normal())});
    seconds[claim.id] = times.back().seconds;
  }
  for (const int count : {1, 2, 3, 7, 150}) {
    std::multiset<std::string> seen;
    double least = infinity, most = 0;  // without the shortest claim
    for (int number = 1; number <= count; ++number) {
      double own = 0, shortest = infinity;
      for (const Claim& claim :
           share_of(claims, {}, {.number = number, .count = count, .measured = times}).claims) {
        seen.insert(claim.id);
        own += seconds[claim.id];
        shortest = std::min(shortest, seconds[claim.id]);
      }
      least = std::min(least, own);
      if (own > 0) most = std::max(most, own - shortest);
    }
    EXPECT_LE(most, least * (1 + 1e-12)) << count;
    EXPECT_EQ(seen.size(), claims.size()) << count;
    EXPECT_EQ(std::set<std::string>(seen.begin(), seen.end()).size(), claims.size()) << count;
  }
}

// Two rates go to two parts, though they stand side by side.
TEST(ShareOf, WithoutTimesTheKindsAreSpread) {
  std::vector<Claim> claims = claims_of(6);
  for (const std::size_t k : {0, 2}) claims[k].check = RateClaim{};
  for (const int number : {1, 2}) {
    const auto share = share_of(claims, {}, {.number = number, .count = 2, .measured = {}}).claims;
    EXPECT_EQ(share.size(), 3U);
    EXPECT_EQ(std::ranges::count_if(share,
                                    [](const Claim& claim) {
                                      return std::holds_alternative<RateClaim>(claim.check);
                                    }),
              1);
  }
}

// A sweep over four decades of n, with 40 trials.
Claim sweep(const std::string& id) {
  RateClaim rate;
  rate.variable = "n";
  rate.dimension = 4;
  rate.point = [](double n) { return RatePoint{.records = static_cast<Index>(n)}; };
  rate.smoke = {{1e3, 1e4, 1e5, 1e6, 1e7}, 40};
  return {.id = id, .check = rate};
}

// A claim that would hold everybody up: 32 parts take equally long, to 5 %, and each piece of the
// claim is in one of them.
TEST(ShareOf, ARateThatIsTooMuchForAPartIsInPieces) {
  std::vector<Claim> claims = claims_of(400);
  claims.push_back(sweep("test.long.rate.printed"));
  claims.push_back(sweep("test.short.rate.printed"));
  std::vector<ClaimTiming> times;
  for (const Claim& claim : claims) times.push_back({.claim = claim.id, .seconds = 1});
  times[400].seconds = 50;
  const double all = 451;
  std::multiset<std::string> keys, whole;
  for (int number = 1; number <= 32; ++number) {
    const Share share = share_of(claims, {}, {.number = number, .count = 32, .measured = times});
    for (const ShardPiece& each : share.pieces) {
      EXPECT_EQ(each.claim, "test.long.rate.printed");
      keys.insert(each.key);
    }
    for (const Claim& claim : share.claims) whole.insert(claim.id);
    EXPECT_LE(share.seconds, 1.05 * all / 32) << number;
  }
  EXPECT_EQ(whole.size(), 401U);
  std::multiset<std::string> planned;
  for (const RatePiece& piece : planned_pieces(claims[400], {})) planned.insert(piece.key);
  EXPECT_EQ(keys, planned);
  EXPECT_GT(planned.size(), 20U) << "the trials of its largest points";

  // Of which the plan leaves out there are no pieces, and one part is the whole run.
  std::get<RateClaim>(claims[400].check).smoke = {};
  for (const int number : {1, 2})
    EXPECT_TRUE(
        share_of(claims, {}, {.number = number, .count = 2, .measured = times}).pieces.empty());
}

// Its trials are kept under the names under which the check looks for them: whoever puts the parts
// together runs none of the first look again.
TEST(ShareOf, AnExperimentThatIsTooMuchForAPartIsInTrials) {
  std::atomic<int> runs = 0;
  ExperimentClaim experiment{.problem = "of known errors",
                             .places = {"the first", "the second"},
                             .alternatives = {{{0, 1, 1}}},
                             .smallest_plan = Plan::ci,
                             .trials = 12};
  experiment.errors = [&](std::uint64_t, Index trial) {
    ++runs;
    return std::vector{1 + 0.01 * static_cast<double>(trial), 2.0};
  };
  const std::vector<Claim> claims{{.id = "test.long.experiment.printed", .check = experiment},
                                  {.id = "test.short.lemma.printed", .check = LemmaClaim{}}};
  const std::vector<ClaimTiming> times{{.claim = claims[0].id, .seconds = 12},
                                       {.claim = claims[1].id, .seconds = 1}};
  CheckContext context;
  context.plan = Plan::ci;
  std::map<std::string, std::string> kept;
  double before = 0;
  context.checkpoints = {
      .recall = [&](const std::string& key) -> std::optional<std::string> {
        const auto found = kept.find(key);
        return found == kept.end() ? std::nullopt : std::optional(found->second);
      },
      .keep = [&](const std::string& key, const std::string& text) { kept[key] = text; },
      .took_before = [&](double seconds) { before += seconds; }};
  for (int number = 1; number <= 3; ++number) {
    const Share share =
        share_of(claims, context, {.number = number, .count = 3, .measured = times});
    EXPECT_LE(share.seconds, 5) << number;
    for (const Claim& claim : share.claims) EXPECT_EQ(claim.id, claims[1].id);
    const MeasuredPieces measured = measure_pieces(share.pieces, context, [] { return false; });
    EXPECT_THAT(measured.failures, ::testing::IsEmpty());
    EXPECT_EQ(measured.measured, share.pieces.size());
  }
  EXPECT_EQ(runs, 12);
  EXPECT_EQ(kept.size(), 12U);
  EXPECT_EQ(before, 0);
  const Evidence evidence = check_experiment(claims[0], context);
  EXPECT_EQ(evidence.verdict, Verdict::consistent);
  EXPECT_EQ(evidence.samples, 12U);
  EXPECT_EQ(runs, 12);
  EXPECT_GT(before, 0) << "what the pieces took counts as the time of the claim";

  context.plan = Plan::smoke;
  EXPECT_THAT(pieces_of_check(claims[0], context), ::testing::IsEmpty());
  EXPECT_THAT(pieces_of_check(claims[1], context), ::testing::IsEmpty());
}

TEST(MeasurePieces, EndsWhenItIsOverAndSaysWhatFailed) {
  Claim claim = sweep("test.own.rate.printed");
  auto& rate = std::get<RateClaim>(claim.check);
  rate.smoke = {{1, 2, 3}, 2};
  rate.draw = [](Index n, RandomStream&) { return Dataset{Matrix::Zero(n, 4), VectorXd::Zero(n)}; };
  rate.point = [](double n) {
    return RatePoint{.records = static_cast<Index>(n),
                     .mechanism = [n](const Dataset&, Releases&) -> VectorXd {
                       if (n == 2) throw std::runtime_error("no memory");
                       return VectorXd::Zero(4);
                     },
                     .bound = 1};
  };
  rate.excess_risk = [](const VectorXd&) { return 1.0; };
  const std::vector<ShardPiece> pieces = pieces_of_check(claim, {});
  ASSERT_EQ(pieces.size(), 3U);
  std::set<std::string> kept;
  CheckContext context;
  context.checkpoints = {
      .recall = {}, .keep = [&](const std::string& key, const std::string&) { kept.insert(key); }};
  const MeasuredPieces all = measure_pieces(pieces, context, [] { return false; });
  EXPECT_EQ(all.measured, 2U);
  EXPECT_EQ(all.left_out, 0U);
  EXPECT_EQ(all.failures, std::vector<std::string>{"test.own.rate.printed: no memory"});
  EXPECT_EQ(kept, (std::set{pieces[0].key, pieces[2].key}));
  kept.clear();
  const MeasuredPieces one = measure_pieces(pieces, context, [&] { return !kept.empty(); });
  EXPECT_EQ(one.measured, 1U);
  EXPECT_EQ(one.left_out, 2U);
  EXPECT_EQ(kept, std::set{pieces[0].key});
}

// Of a part that has nothing but pieces.
TEST(EndOfPart, SaysWhatIsLackingByItsExitCodeToo) {
  const auto end = [](const MeasuredPieces& pieces) {
    std::ostringstream out, err;
    const Console console{.out = out, .err = err};
    const int code =
        end_of_part({}, pieces, {.number = 2, .count = 7, .measured = {}}, 3, "kept", console);
    return std::pair(code, out.str());
  };
  const auto [well, well_said] = end({.measured = 1, .left_out = 0, .failures = {}});
  EXPECT_EQ(well, 0);
  EXPECT_THAT(well_said, ::testing::StartsWith(
                             "Part 2 of 7: 0 of 3 claims and 1 piece of others, kept in kept.\n"));
  const auto [late, late_said] = end({.measured = 0, .left_out = 2, .failures = {}});
  EXPECT_EQ(late, 3);
  EXPECT_THAT(late_said, HasSubstr("left 2 pieces unmeasured"));
  EXPECT_THAT(late_said, HasSubstr("0 of 3 claims, kept in"));
  const auto [failed, failed_said] =
      end({.measured = 0, .left_out = 2, .failures = {"a.rate: no\x1b memory"}});
  EXPECT_EQ(failed, 1);
  EXPECT_THAT(failed_said, HasSubstr("error  UNEXPECTED  a.rate: no"));
  EXPECT_EQ(failed_said.find('\x1b'), std::string::npos);
}

}  // namespace
}  // namespace dpverify
