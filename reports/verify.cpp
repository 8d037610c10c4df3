#include "reports/verify.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <ctime>
#include <mutex>
#include <numeric>
#include <optional>
#include <set>
#include <utility>

#include "algorithms/claims/plans.hpp"
#include "algorithms/core/checked.hpp"
#include "algorithms/core/parallel.hpp"
#include "reports/check.hpp"
#include "reports/json.hpp"
#include "reports/program.hpp"

namespace dpverify {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

Evidence reproducible_evidence(const Claim& claim, const CheckContext& context) {
  Evidence evidence = evidence_on(claim, context);
  evidence.reproduce =
      command(fmt::format("verify --only {} --plan {} --seed {}", claim.id,
                          name(evidence.run_by.value_or(context.plan)), context.seed));
  return evidence;
}

// All that the evidence on a claim depends on, but for the program.
std::string key_of(const Claim& claim, const CheckContext& context) {
  return fmt::format("claim {}, plan {}, seed {}, level {}", claim.id, name(context.plan),
                     context.seed, to_text(context.level));
}

// Notes the keys that a check asks for.
class NotedKeys {
 public:
  CheckpointStore around(CheckpointStore store) {
    return {.recall =
                [this, recall = std::move(store.recall)](const std::string& key) {
                  {
                    const std::scoped_lock lock(mutex_);
                    keys_.insert(key);
                  }
                  return recall(key);
                },
            .keep = std::move(store.keep)};
  }
  const std::set<std::string>& keys() const { return keys_; }

 private:
  std::mutex mutex_;
  std::set<std::string> keys_;
};

// As long as it would take at once, whatever was recalled of it.
FinishedCheck timed_check(const Claim& claim, CheckContext context) {
  const auto start = Clock::now();
  std::atomic<double> before{0};
  context.checkpoints.took_before = [&before](double seconds) { before += seconds; };
  FinishedCheck check{.evidence = reproducible_evidence(claim, context), .seconds = 0};
  check.seconds = seconds_since(start) + before;
  return check;
}

std::optional<FinishedCheck> recalled(const Claim& claim, const CheckContext& context,
                                      CheckpointFiles& unfinished) {
  const auto text = unfinished.recall(key_of(claim, context));
  return text ? std::optional(read_finished_check(*text)) : std::nullopt;
}

FinishedCheck check_or_recall(const Claim& claim, const CheckContext& context,
                              CheckpointFiles& unfinished) {
  if (auto check = recalled(claim, context, unfinished)) return *std::move(check);
  NotedKeys pieces;
  CheckContext noting = context;
  noting.checkpoints = pieces.around(unfinished.store());
  FinishedCheck check = timed_check(claim, noting);
  if (check.evidence.verdict == Verdict::error) return check;
  // In this order: a run that is killed in between measures the claim again, where the other order
  // would leave pieces that nobody asks for any more.
  for (const std::string& piece : pieces.keys()) unfinished.forget(piece);
  unfinished.keep(key_of(claim, context), to_json(check));
  return check;
}

FinishedCheck left_out_by(double time_limit, const Claim& claim, const CheckContext& context) {
  Evidence evidence{
      .claim = claim.id, .verdict = Verdict::not_run, .method = "none, for lack of time"};
  evidence.seed = context.seed;
  evidence.run_by = context.plan;
  evidence.reason =
      fmt::format("The time limit of {:.6g} s ended the run before this check; --plan {} runs it.",
                  time_limit, name(context.plan));
  evidence.reproduce = command(fmt::format("verify --only {} --plan {} --seed {}", claim.id,
                                           name(context.plan), context.seed));
  return {.evidence = std::move(evidence), .seconds = 0};
}

// Longest kinds first, so that no thread is left with a long check while the others have nothing.
std::size_t rank(const Claim& claim) {
  if (std::holds_alternative<RateClaim>(claim.check)) return 0;
  if (std::holds_alternative<PrivacyClaim>(claim.check)) return 1;
  if (std::holds_alternative<SensitivityClaim>(claim.check)) return 2;
  if (std::holds_alternative<ExperimentClaim>(claim.check)) return 3;
  if (std::holds_alternative<FloorClaim>(claim.check)) return 4;
  return 5;
}

constexpr std::array<double, 6> kind_seconds{12, 2, 0.5, 0.3, 0.1, 0.1};  // by rank

// Keeps the time left: for each kind the mean duration so far, where a first guess counts as one
// observation, times the checks still to finish.
class Estimate {
 public:
  Estimate(const std::vector<Claim>& claims, const CheckContext& context)
      : threads_(std::max(1, context.threads)) {
    for (std::size_t k = 0; k < kinds_.size(); ++k)
      kinds_[k].seconds = budget_of(context.plan).duration * kind_seconds[k];
    for (const Claim& claim : claims) ++kinds_[rank(claim)].unfinished;
  }

  void finish(const Claim& claim, double seconds) {
    Kind& kind = kinds_[rank(claim)];
    --kind.unfinished;
    ++kind.observations;
    kind.seconds += seconds;
  }

  double seconds_left() const {
    double seconds = 0;
    for (const Kind& kind : kinds_) seconds += kind.unfinished * kind.seconds / kind.observations;
    return seconds / threads_;
  }

 private:
  struct Kind {
    double seconds = 0;
    int observations = 1;
    int unfinished = 0;
  };
  std::array<Kind, kind_seconds.size()> kinds_{};
  int threads_;
};

}  // namespace

double guessed_seconds(const Claim& claim) { return kind_seconds[rank(claim)]; }

Report verify(const std::vector<Claim>& claims, const CheckContext& context,
              const Progress& progress, CheckpointFiles* unfinished, double time_limit) {
  const auto start = Clock::now();
  Timings timings{.threads = context.threads,
                  .started = fmt::format("{:%FT%TZ}", fmt::gmtime(std::time(nullptr))),
                  .seconds = 0,
                  .claims = std::vector<ClaimTiming>(claims.size())};
  std::vector<Evidence> evidence(claims.size());
  std::vector<char> left_out(claims.size(), 0);

  std::vector<std::size_t> order(claims.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return rank(claims[i]); });

  // Threads that no claim of its own would keep busy go to the checks.
  CheckContext inner = context;
  inner.threads = std::max(1, context.threads / std::max(1, static_cast<int>(claims.size())));

  std::mutex mutex;
  std::size_t finished = 0;
  Estimate estimate(claims, context);
  const auto report_progress = [&](const Claim& claim) {
    if (progress)
      progress({.finished = finished,
                .claims = claims.size(),
                .seconds_left = estimate.seconds_left(),
                .claim = claim.id});
  };
  parallel_for(static_cast<Index>(claims.size()), context.threads, [&](Index position) {
    const std::size_t i = order[static_cast<std::size_t>(position)];
    {
      const std::scoped_lock lock(mutex);
      report_progress(claims[i]);
    }
    const bool too_late = seconds_since(start) >= time_limit;
    std::optional<FinishedCheck> found;
    if (too_late && unfinished != nullptr) found = recalled(claims[i], inner, *unfinished);
    left_out[i] = too_late && !found ? 1 : 0;
    FinishedCheck check = found                   ? *std::move(found)
                          : too_late              ? left_out_by(time_limit, claims[i], inner)
                          : unfinished == nullptr ? timed_check(claims[i], inner)
                                                  : check_or_recall(claims[i], inner, *unfinished);
    evidence[i] = std::move(check.evidence);
    timings.claims[i] = {.claim = claims[i].id, .seconds = check.seconds};
    const std::scoped_lock lock(mutex);
    ++finished;
    estimate.finish(claims[i], timings.claims[i].seconds);
    report_progress(claims[i]);
  });
  timings.seconds = seconds_since(start);
  Report report = make_report(describe(context), claims, std::move(evidence), std::move(timings));
  Partial partial{.time_limit = time_limit, .left_out = {}};
  for (std::size_t i = 0; i < claims.size(); ++i)
    if (left_out[i] != 0) partial.left_out.push_back(claims[i].id);
  std::ranges::sort(partial.left_out);
  if (!partial.left_out.empty()) report.partial = std::move(partial);
  return report;
}

}  // namespace dpverify
