#include "audits/transcript/recorded_releases.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "algorithms/core/checked.hpp"
#include "algorithms/core/numbers.hpp"

namespace dpverify {
namespace {

constexpr std::array<std::string_view, 2> side_names{"the data", "the neighbour"};

bool same_law(const RecordedRelease& release, const RecordedRelease& other) {
  return same_noise(release, other) && release.value == other.value &&
         release.declared.sensitivity == other.declared.sensitivity &&
         release.declared.norm == other.declared.norm;
}

PrivacyCost dearer_of(const PrivacyCost& a, const PrivacyCost& b) {
  return {.epsilon = std::max(a.epsilon, b.epsilon),
          .mu = std::max(a.mu, b.mu),
          .rho = std::max(a.rho, b.rho)};
}

// Where what was drawn falls within its law: uniform in [0, 1], an atom's share by chance. Empty
// where the law's distribution is not at hand.
std::vector<double> uniforms_of(const RecordedRelease& release, const VectorXd& outcome,
                                RandomStream& ties) {
  std::vector<double> out;
  const auto add = [&](double low, double high) {
    out.push_back(low + ties.uniform() * (high - low));
  };
  if (support_size(release.law) > 0) {
    const VectorXd p = log_probabilities(release.law).array().exp();
    const auto v = static_cast<Index>(outcome[0]);
    const double low = p.head(v).sum();
    add(low, low + p[v]);
  } else if (release.noise_distribution) {
    for (Index i = 0; i < outcome.size(); ++i) {
      const auto [low, high] = release.noise_distribution(outcome[i] - release.value[i]);
      add(low, high);
    }
  }
  return out;
}

constexpr std::size_t cells = 1000;

// By the inequality of Dvoretzky, Kiefer and Wolfowitz with Massart's constant, which holds for
// every number of draws. All laws together say so of true draws with probability at most 1e-4.
std::string not_drawn_from(const std::map<std::string, std::vector<double>>& counts) {
  constexpr double level = 1e-5;  // of each of at most ten laws
  std::string worst;
  double largest = 1;
  for (const auto& [law, cell_counts] : counts) {
    double all = 0, below = 0, distance = 0;
    for (const double count : cell_counts) all += count;
    for (std::size_t k = 0; k < cells; ++k) {
      below += cell_counts[k];
      distance = std::max(distance, std::abs(below / all - static_cast<double>(k + 1) / cells));
    }
    const double allowed = std::sqrt(std::log(2 / level) / (2 * all));
    if (distance <= largest * allowed) continue;
    largest = distance / allowed;
    worst = fmt::format(
        "the {} draws of the law {} do not follow it (their distribution is {:.3g} away, where "
        "draws come within {:.3g})",
        all, law, distance, allowed);
  }
  return worst;
}

VectorXd released_by(const std::vector<RecordedRelease>& laws, Releases& releases) {
  std::vector<double> out;
  for (const RecordedRelease& one : laws)
    std::visit(
        [&]<class L>(const L& law) {
          if constexpr (FiniteLaw<L>) {
            out.push_back(static_cast<double>(releases.select(law)));
          } else {
            const VectorXd outcome = releases.release(law);
            out.insert(out.end(), outcome.begin(), outcome.end());
          }
        },
        one.law);
  return Eigen::Map<const VectorXd>(out.data(), static_cast<Index>(out.size()));
}

}  // namespace

NeighbouringPair recorded_pair() { return make_pair({{0, 0}}, 0, {0, 1}); }

RecordedRuns::RecordedRuns(std::string file)
    : file_(std::move(file)), ties_({.claim = "recorded releases", .purpose = "ties"}) {}

std::string RecordedRuns::place(std::size_t line) const {
  return fmt::format("{}:{}", file_, line);
}

void RecordedRuns::require_drawn_once(const Run& run, const RecordedLine& line) const {
  const auto& [data, neighbour] = run.sides;
  if (!data.pinned || !neighbour.pinned) return;
  require(*data.pinned != *neighbour.pinned, place(line.number) + ": run " + line.run,
          *data.pinned ? "pinned on both datasets" : "drawn on both datasets",
          "drawn on one and \"pinned\": true on the other, which repeats its outcomes");
}

void RecordedRuns::add(RecordedLine line) {
  Run& run = runs_[line.run];
  Side& side = run.sides[line.on_neighbour];
  const std::string here = place(line.number);
  require(!side.end, here + ": run " + line.run,
          fmt::format("over on {}", side_names[line.on_neighbour]),
          "another: no release follows an output");
  require(line.release == side.releases + 1, here + ": release", static_cast<double>(line.release),
          fmt::format("{}: the next of run {} on {}", side.releases + 1, line.run,
                      side_names[line.on_neighbour]));
  require(side.pinned.value_or(line.pinned) == line.pinned, here + ": pinned",
          line.pinned ? "true" : "false",
          fmt::format("the same in all lines of run {} on {}", line.run,
                      side_names[line.on_neighbour]));
  side.pinned = line.pinned;
  side.releases = line.release;
  side.last_line = line.number;
  require_drawn_once(run, line);
  watch(line);
  if (!line.pinned) count(line);
  const auto other = run.waiting.find(line.release);
  if (other == run.waiting.end() || other->second.on_neighbour == line.on_neighbour) {
    run.waiting.emplace(line.release, std::move(line));
    return;
  }
  const RecordedLine before = std::move(other->second);
  run.waiting.erase(other);
  require(before.outcome.size() == line.outcome.size() && before.outcome == line.outcome,
          here + ": outcome of release " + std::to_string(line.release), "another",
          fmt::format("that of line {}, bit for bit: the pinned one repeats what was drawn",
                      before.number));
  compare(run, line.pinned ? before : line, line.pinned ? line : before);
}

void RecordedRuns::add(const RecordedEnd& end) {
  Side& side = runs_[end.run].sides[end.on_neighbour];
  require(!side.end, place(end.number) + ": output of run " + end.run, "given twice",
          fmt::format("given once on {}", side_names[end.on_neighbour]));
  side.end = end;
  side.last_line = end.number;
}

void RecordedRuns::count(const RecordedLine& drawn) {
  require(log_density(drawn.asked, drawn.outcome) > -infinity, place(drawn.number) + ": outcome",
          "impossible", "one that the law can draw");
  ++facts_.releases;
  for (const double u : uniforms_of(drawn.asked, drawn.outcome, ties_)) {
    std::vector<double>& counts = uniforms_[std::string(drawn.asked.kind)];
    counts.resize(cells, 0);
    const auto cell = static_cast<std::size_t>(std::max(0.0, u * static_cast<double>(cells)));
    ++counts[std::min(cell, cells - 1)];
  }
}

void RecordedRuns::watch(const RecordedLine& line) {
  std::vector<RecordedRelease>& laws = laws_[line.on_neighbour];
  const auto k = static_cast<std::size_t>(line.release - 1);
  if (!fixed_) return;
  if (k >= laws.size())
    laws.push_back(line.asked);
  else if (!same_law(laws[k], line.asked))
    fixed_ = false;
}

void RecordedRuns::leak(Run& run, const std::string& words) {
  run.loss = infinity;
  if (facts_.leak.empty()) facts_.leak = words;
}

void RecordedRuns::compare(Run& run, const RecordedLine& drawn, const RecordedLine& pinned) {
  const RecordedRelease &here = drawn.asked, &there = pinned.asked;
  const auto k = static_cast<std::size_t>(drawn.release - 1);
  const double on_other = log_density(there, drawn.outcome);
  if (here.measure != there.measure || here.value.size() != there.value.size()) {
    leak(run, fmt::format("release {} of run {} is of another kind on the other dataset",
                          drawn.release, drawn.run));
    return;
  }
  run.loss += on_other == -infinity ? infinity : log_density(here, drawn.outcome) - on_other;
  if (facts_.places.size() <= k) facts_.places.resize(k + 1);
  RecordedPlace& at = facts_.places[k];
  for (const RecordedRelease* asked : {&here, &there})
    at.cost.declared =
        at.law.empty() && asked == &here ? asked->cost : dearer_of(at.cost.declared, asked->cost);
  if (at.law.empty()) at.law = here.kind, at.run = drawn.run, at.declared = here.declared;
  const bool same_declared = here.declared.sensitivity == there.declared.sensitivity &&
                             here.declared.norm == there.declared.norm;
  if (facts_.data_in_the_noise.empty() && (!same_noise(here, there) || !same_declared))
    facts_.data_in_the_noise =
        fmt::format("the {} of release {} of run {} differs between the datasets",
                    same_declared ? "noise" : "declared sensitivity", drawn.release, drawn.run);
  const auto moved = [&](ChangeNorm norm) { return change_between(here.value, there.value, norm); };
  at.l1 = std::max(at.l1, moved(ChangeNorm::l1));
  at.l2 = std::max(at.l2, moved(ChangeNorm::l2));
  at.linf = std::max(at.linf, moved(ChangeNorm::linf));
  const double change = moved(here.declared.norm);
  const double ratio = change == 0 ? 0 : change / here.declared.sensitivity;
  if (!(ratio > at.ratio)) return;
  at.ratio = ratio;
  at.change = change;
  at.declared = here.declared;
  at.run = drawn.run;
}

void RecordedRuns::close(const std::string& name, Run& run) {
  const auto& [data, neighbour] = run.sides;
  const std::string what = place(std::max(data.last_line, neighbour.last_line)) + ": run " + name;
  require(data.last_line > 0 && neighbour.last_line > 0, what,
          fmt::format("on {} alone", side_names[data.last_line > 0 ? 0 : 1]),
          "on both: drawn on one, pinned on the other");
  require(data.releases + neighbour.releases > 0, what, "without a release", "of at least one");
  require(data.end.has_value() == neighbour.end.has_value(), what,
          "given an output on one dataset alone", "given one on both, or on none");
  if (data.releases != neighbour.releases) {
    require(data.end.has_value(), what,
            fmt::format("of {} releases on the data and {} on the neighbour", data.releases,
                        neighbour.releases),
            "of as many on both, unless each ends with an output");
    leak(run, fmt::format("run {} makes {} releases on the data and {} on the neighbour", name,
                          data.releases, neighbour.releases));
  } else if (data.end && data.end->output != neighbour.end->output) {
    leak(run, fmt::format("with every outcome pinned, the output of run {} still differs", name));
  }
  const bool drawn_on_data = data.pinned ? !*data.pinned : *neighbour.pinned;
  (drawn_on_data ? facts_.forward : facts_.backward).draws.push_back({run.loss, 1});
  for (const std::size_t s : {0U, 1U})
    fixed_ = fixed_ && run.sides[s].releases == static_cast<Index>(laws_[s].size());
}

RecordedFacts RecordedRuns::finish() && {
  require(!runs_.empty(), "number of recorded runs in " + file_, 0.0, "at least 1");
  for (auto& [name, run] : runs_) close(name, run);
  facts_.runs = runs_.size();
  facts_.not_drawn = not_drawn_from(uniforms_);
  constexpr std::uint64_t enough = 3;
  const auto known = [](const RecordedRelease& here, const RecordedRelease& there) {
    return same_noise(here, there) && has_known_loss(here);
  };
  if (fixed_ && facts_.runs >= enough && facts_.leak.empty() &&
      std::equal(laws_[0].begin(), laws_[0].end(), laws_[1].begin(), laws_[1].end(), known))
    facts_.mechanism = [laws = std::move(laws_)](const Dataset& data, Releases& releases) {
      return released_by(laws[data.labels[0] == 0 ? 0 : 1], releases);
    };
  return std::move(facts_);
}

}  // namespace dpverify
