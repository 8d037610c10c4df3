#include "audits/black_box/one_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/math/policies/policy.hpp>
#include <boost/math/special_functions/beta.hpp>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstring>
#include <fstream>
#include <optional>
#include <string_view>
#include <utility>

#include "algorithms/core/bisect.hpp"
#include "algorithms/core/checked.hpp"
#include "algorithms/core/log_gamma.hpp"
#include "algorithms/core/numbers.hpp"
#include "audits/black_box/event_bounds.hpp"

namespace dpverify {
namespace {

constexpr double rounding_margin = 1e-9;  // relative, for the tails and the sums

// P(B >= count), B ~ Binomial(size, accuracy).
double binomial_tail(Index count, Index size, double accuracy) {
  using Precision = boost::math::policies::policy<boost::math::policies::promote_double<false>>;
  if (count <= 0) return 1;
  if (count > size) return 0;
  return boost::math::ibeta(static_cast<double>(count), static_cast<double>(size - count + 1),
                            accuracy, Precision());
}

// The largest of P(v > B >= v - i) / i over i = 1..v.
double steepest_tail(Index correct, Index guesses, double epsilon) {
  const auto r = static_cast<double>(guesses);
  // log P(B = k), from the largest k on: the probabilities may be too small for doubles there.
  const double log_right = -std::log1p(std::exp(-epsilon)), log_wrong = log_right - epsilon;
  const auto first = static_cast<double>(correct - 1);
  double log_mass = log_gamma(r + 1) - log_gamma(first + 1) - log_gamma(r - first + 1) +
                    first * log_right + (r - first) * log_wrong;
  double sum = 0, steepest = 0;
  for (Index i = 1; i <= correct; ++i) {
    sum += std::exp(log_mass);
    steepest = std::max(steepest, sum / static_cast<double>(i));
    if (steepest * static_cast<double>(i) >= 1) break;  // no more than 1 is to come
    const auto k = static_cast<double>(correct - i);
    log_mass += std::log(k / (r - k + 1)) - epsilon;
  }
  return steepest;
}

struct CanaryCells {
  std::string_view score, included;
};

std::optional<CanaryCells> two_cells(std::string_view line) {
  constexpr std::string_view blanks = " \t\r";
  const auto trimmed = [&](std::string_view text) {
    const std::size_t from = text.find_first_not_of(blanks);
    if (from == text.npos) return std::string_view();
    return text.substr(from, text.find_last_not_of(blanks) - from + 1);
  };
  line = trimmed(line);
  const std::size_t comma = line.find(',');
  const std::size_t between = comma != line.npos ? comma : line.find_first_of(blanks);
  if (between == line.npos) return std::nullopt;
  const CanaryCells cells{trimmed(line.substr(0, between)), trimmed(line.substr(between + 1))};
  if (cells.score.empty() || cells.included.empty() ||
      cells.included.find_first_of(", \t") != std::string_view::npos)
    return std::nullopt;
  return cells;
}

std::optional<double> score_in(std::string_view text) {
  double score = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), score);
  if (error != std::errc{} || end != text.data() + text.size() || std::isnan(score))
    return std::nullopt;
  return score;
}

// From the largest score to the smallest, equal ones in a random order: the order of the file may
// tell who was included.
std::vector<Canary> ranked(std::vector<Canary> canaries, RandomStream& ties) {
  for (std::size_t k = canaries.size(); k > 1; --k)
    std::swap(canaries[k - 1],
              canaries[static_cast<std::size_t>(ties.index(static_cast<Index>(k)))]);
  std::stable_sort(canaries.begin(), canaries.end(),
                   [](const Canary& a, const Canary& b) { return a.score > b.score; });
  return canaries;
}

Index count_correct(const std::vector<Canary>& ranking, const Guesses& guesses) {
  const auto included = [](const Canary& canary) { return canary.included; };
  return std::count_if(ranking.begin(), ranking.begin() + guesses.included, included) +
         guesses.excluded -
         std::count_if(ranking.end() - guesses.excluded, ranking.end(), included);
}

void put_in_words(OneRunAudit& audit, Index canaries, PrivacyGuarantee claimed) {
  const std::string counted = fmt::format(
      "{} of {} guesses are right: of {} canaries, the {} of the largest scores to be included and "
      "the {} of the smallest not to be",
      audit.correct, audit.guesses.total(), canaries, audit.guesses.included,
      audit.guesses.excluded);
  if (audit.epsilon_lower > claimed.epsilon) {
    audit.verdict = Verdict::refuted;
    audit.reason = fmt::format("epsilon is at least {:.4g}, claimed {:.4g} ({})",
                               audit.epsilon_lower, claimed.epsilon, counted);
  } else if (claimed.epsilon >= audit.ceiling) {
    audit.verdict = Verdict::inconclusive;
    audit.reason = fmt::format("so many canaries show an epsilon of at most {:.4g}, claimed {:.4g}",
                               audit.ceiling, claimed.epsilon);
  } else {
    audit.reason = fmt::format(
        "no number of guesses shows more than the claimed epsilon of {:.4g}; the best shows "
        "{:.4g}, of at most {:.4g} ({})",
        claimed.epsilon, audit.epsilon_lower, audit.ceiling, counted);
  }
}

}  // namespace

double one_run_p_value(Index canaries, Index guesses, Index correct, PrivacyGuarantee claimed) {
  require(correct >= 0 && correct <= guesses && guesses <= canaries, "number of right guesses",
          static_cast<double>(correct), "at most that of guesses, and that at most of canaries");
  const double accuracy = 1 / (1 + std::exp(-claimed.epsilon));
  double p = binomial_tail(correct, guesses, accuracy);
  if (claimed.delta > 0 && correct > 0)
    p += 2 * static_cast<double>(canaries) * claimed.delta *
         steepest_tail(correct, guesses, claimed.epsilon);
  return std::min(1.0, p * (1 + rounding_margin));
}

double one_run_epsilon_lower(Index canaries, Index guesses, Index correct, double delta,
                             double significance) {
  const auto stands = [&](double epsilon) {
    return one_run_p_value(canaries, guesses, correct, {epsilon, delta}) > significance;
  };
  if (stands(0)) return 0;
  double high = 1;
  while (!stands(high)) high *= 2;  // all guesses are right with probability near 1 in the end
  return bisect(0, high, stands, 40).low;
}

OneRunAudit audit_one_run(const std::vector<Canary>& canaries, const std::vector<Guesses>& tried,
                          PrivacyGuarantee claimed, double significance, RandomStream ties) {
  require_claim(claimed, significance);
  const auto size = static_cast<Index>(canaries.size());
  require(size >= 2, "number of canaries", static_cast<double>(size), "at least 2");
  for (const Guesses& guesses : tried)
    require(guesses.included >= 0 && guesses.excluded >= 0 && guesses.total() >= 1 &&
                guesses.total() <= size,
            "number of guesses", static_cast<double>(guesses.total()),
            fmt::format("from 1 to {}, that of canaries", size));
  const std::vector<Canary> ranking = ranked(canaries, ties);
  const auto count = static_cast<double>(tried.size());
  OneRunAudit audit;
  audit.epsilon_lower = -1;
  for (const Guesses& guesses : tried) {
    const Index correct = count_correct(ranking, guesses);
    const double share = significance / count;
    const double bound =
        one_run_epsilon_lower(size, guesses.total(), correct, claimed.delta, share);
    audit.ceiling = std::max(
        audit.ceiling,
        one_run_epsilon_lower(size, guesses.total(), guesses.total(), claimed.delta, share));
    audit.p_value =
        std::min(audit.p_value, count * one_run_p_value(size, guesses.total(), correct, claimed));
    if (bound <= audit.epsilon_lower) continue;
    audit.epsilon_lower = bound;
    audit.guesses = guesses;
    audit.correct = correct;
  }
  put_in_words(audit, size, claimed);
  return audit;
}

double smallest_refuted_one_run_fault(Index canaries, const std::vector<Guesses>& tried,
                                      PrivacyGuarantee claimed, double significance) {
  constexpr double power = 0.9;
  const double share = significance / static_cast<double>(tried.size());
  const auto accuracy = [&](double fault) {
    return claimed.epsilon > 0 ? 1 / (1 + std::exp(-fault * claimed.epsilon))
                               : (1 + std::min(1.0, fault * claimed.delta)) / 2;
  };
  const auto refuted = [&](double log_fault) {
    const double right = accuracy(std::exp(log_fault));
    return std::ranges::any_of(tried, [&](const Guesses& guesses) {
      const Index total = guesses.total();
      // So many or more are right with this probability.
      Index few = 0, many = total + 1;
      while (many - few > 1) {
        const Index middle = few + (many - few) / 2;
        (binomial_tail(middle, total, right) >= power ? few : many) = middle;
      }
      return one_run_p_value(canaries, total, few, claimed) <= share;
    });
  };
  constexpr double most = 7;  // in the logarithm: a thousandfold
  if (!refuted(most)) return infinity;
  return std::exp(bisect(
                      0, most, [&](double x) { return refuted(x); }, 30)
                      .high);
}

std::vector<Guesses> usual_guesses(Index canaries) {
  std::vector<Guesses> tried;
  for (Index part = 2; part <= 64 && canaries / part >= 1; part *= 2)
    tried.push_back({canaries / part, canaries / part});
  return tried;
}

double fair_coins_p_value(const std::vector<Canary>& canaries) {
  const auto size = static_cast<Index>(canaries.size());
  const auto included =
      std::count_if(canaries.begin(), canaries.end(), [](const Canary& c) { return c.included; });
  const Index larger = std::max<Index>(included, size - included);
  return std::min(1.0, 2 * binomial_tail(larger, size, 0.5));
}

std::vector<Canary> read_canaries(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  const bool good = file.is_open() && (file.peek() != EOF || !file.bad());
  if (!good)
    require(false, "file of canaries " + path,
            std::string("unreadable (") + std::strerror(errno) + ")",
            "a text file that can be read");
  std::vector<Canary> canaries;
  Index number = 0;
  for (std::string line; std::getline(file, line);) {
    ++number;
    const std::optional<CanaryCells> cells = two_cells(line);
    const std::optional<double> score = cells ? score_in(cells->score) : std::nullopt;
    const bool coin = cells && (cells->included == "0" || cells->included == "1");
    if (number == 1 && cells && !score && !coin) continue;  // a header
    require(score.has_value() && coin, fmt::format("line {} of {}", number, path), "something else",
            "a score and whether the canary was included, 0 or 1");
    canaries.push_back({*score, cells->included == "1"});
  }
  require(canaries.size() >= 2, "number of canaries in " + path,
          static_cast<double>(canaries.size()), "at least 2");
  return canaries;
}

}  // namespace dpverify
