#include "algorithms/core/grid_search.hpp"

#include <algorithm>
#include <cmath>
#include <queue>
#include <utility>
#include <vector>

#include "algorithms/core/checked.hpp"
#include "algorithms/core/numbers.hpp"

namespace dpverify {
namespace {

struct Node {
  CellBox box;
  std::uint64_t number = 1;  // of the tree: the halves of k are 2k and 2k + 1
  double noise = 0;          // the largest Gumbel variable of its cells
  double bound = infinity;   // on the scores
  bool tight = false;        // the bound is this box's own, not its parent's
  double reach = infinity;   // coefficient * bound + noise
};

bool operator<(const Node& a, const Node& b) { return a.reach < b.reach; }

RandomStream stream_of(std::uint64_t key, std::uint64_t number) {
  return RandomStream(
      {.seed = key, .claim = "grid search", .purpose = "Gumbel tree", .trial = number});
}

// The two halves of a box along its longest axis.
std::pair<CellBox, CellBox> halves(const CellBox& box) {
  std::size_t axis = 0;
  for (std::size_t j = 1; j < 3; ++j)
    if (box.last[j] - box.first[j] > box.last[axis] - box.first[axis]) axis = j;
  const Index middle = box.first[axis] + (box.last[axis] - box.first[axis]) / 2;
  std::pair<CellBox, CellBox> out{box, box};
  out.first.last[axis] = middle;
  out.second.first[axis] = middle + 1;
  return out;
}

Node root(const GridScore& score, std::uint64_t key) {
  RandomStream stream = stream_of(key, 0);
  Node node{.box = whole_grid(score)};
  node.noise = std::log(static_cast<double>(node.box.size())) - std::log(stream.exponential());
  return node;
}

// The halves with their noise.
std::array<Node, 2> children(const Node& parent, std::uint64_t key) {
  const auto [low, high] = halves(parent.box);
  std::array<Node, 2> out{Node{.box = low, .number = 2 * parent.number},
                          Node{.box = high, .number = 2 * parent.number + 1}};
  RandomStream stream = stream_of(key, parent.number);
  const bool in_low = stream.index(parent.box.size()) < low.size();
  Node& winner = out[in_low ? 0 : 1];
  Node& other = out[in_low ? 1 : 0];
  winner.noise = parent.noise;
  // exp(-(g - log m)) is an exponential variable; given g <= the parent's, it is one shifted.
  const double log_size = std::log(static_cast<double>(other.box.size()));
  other.noise = log_size - std::log(stream.exponential() + std::exp(log_size - parent.noise));
  for (Node& child : out) child.bound = parent.bound;
  return out;
}

// Best first: `with_noise` or the scores alone.
Index search(const GridScore& score, double coefficient, bool with_noise, std::uint64_t key,
             double tolerance, GridSearchCost* cost) {
  require(static_cast<double>(score.cells()) > 0 &&
              std::pow(static_cast<double>(score.cells()), score.dimension()) <= 1e18,
          "number of cells of the grid",
          std::pow(static_cast<double>(score.cells()), score.dimension()), "in 1..10^18");
  GridSearchCost work;
  double best = -infinity;
  Index winner = -1;
  std::priority_queue<Node> open;
  const auto add = [&](Node node) {
    if (!score.may_hold_candidate(node.box)) return;
    if (node.box.single()) {
      if (with_noise && coefficient * node.bound + node.noise <= best) return;
      const Index cell = cell_of(score, node.box.first);
      const double value = score.score(cell);
      ++work.scored;
      if (!std::isfinite(value))
        throw NonFiniteRelease("score of cell " + std::to_string(cell) + " is " + to_text(value) +
                               ", but must be finite");
      const double reach = coefficient * value + (with_noise ? node.noise : 0);
      if (reach > best) {
        best = reach;
        winner = cell;
      }
      return;
    }
    // A coefficient of 0 makes every bound 0, infinity included.
    const double scaled = coefficient == 0 ? 0 : coefficient * node.bound;
    node.reach = scaled + (with_noise ? node.noise : 0);
    if (node.reach > best + tolerance) open.push(node);
  };
  add(root(score, key));
  while (!open.empty() && open.top().reach > best + tolerance) {
    Node node = open.top();
    open.pop();
    if (!node.tight) {
      // Bounded only now: most boxes never come up with their parent's bound.
      node.bound = std::min(node.bound, score.upper_bound(node.box));
      node.tight = true;
      ++work.boxes;
      add(node);
      continue;
    }
    for (const Node& child : children(node, key)) add(child);
  }
  if (cost != nullptr) *cost = work;
  require(winner >= 0, "number of candidates in the grid", 0, "at least 1");
  return winner;
}

}  // namespace

Index CellBox::size() const {
  Index product = 1;
  for (std::size_t j = 0; j < 3; ++j) product *= last[j] - first[j] + 1;
  return product;
}

Index grid_size(const GridScore& score) { return whole_grid(score).size(); }

CellBox whole_grid(const GridScore& score) {
  CellBox box;
  for (std::size_t j = 0; j < static_cast<std::size_t>(score.dimension()); ++j)
    box.last[j] = score.cells() - 1;
  return box;
}

CellBox box_of(const GridScore& score, Index cell) {
  CellBox box;
  for (auto j = static_cast<std::size_t>(score.dimension()); j-- > 0;) {
    box.first[j] = box.last[j] = cell % score.cells();
    cell /= score.cells();
  }
  return box;
}

Index cell_of(const GridScore& score, const std::array<Index, 3>& indices) {
  Index cell = 0;
  for (std::size_t j = 0; j < static_cast<std::size_t>(score.dimension()); ++j)
    cell = cell * score.cells() + indices[j];
  return cell;
}

Index sample_cell(const GridScore& score, double coefficient, std::uint64_t key,
                  GridSearchCost* cost) {
  return search(score, coefficient, true, key, 0, cost);
}

Index best_cell(const GridScore& score, GridSearchCost* cost) {
  return search(score, 1, false, 0, 2 * score.rounding(), cost);
}

VectorXd cell_noise(const GridScore& score, std::uint64_t key) {
  const Index size = grid_size(score);
  require(size <= 1'000'000, "number of cells to list", static_cast<double>(size), "at most 10^6");
  VectorXd noise(size);
  std::vector<Node> open{root(score, key)};
  while (!open.empty()) {
    const Node node = open.back();
    open.pop_back();
    if (node.box.single()) {
      noise[cell_of(score, node.box.first)] = node.noise;
      continue;
    }
    for (const Node& child : children(node, key)) open.push_back(child);
  }
  return noise;
}

}  // namespace dpverify
