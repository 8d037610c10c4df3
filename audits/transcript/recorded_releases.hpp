// Releases that code in any language has written down: each run on one of two neighbouring
// datasets, and once more on the other with every outcome pinned to that of the first. Then the
// log likelihood ratio of what was released is exact, whatever depends on earlier outcomes.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "algorithms/core/random.hpp"
#include "algorithms/core/releases.hpp"
#include "audits/accounting/certify.hpp"
#include "audits/transcript/losses.hpp"
#include "audits/transcript/recorded_laws.hpp"

namespace dpverify {

struct RecordedLine {
  std::size_t number = 0;  // in the file, from 1
  std::string run;
  bool on_neighbour = false;
  bool pinned = false;  // the outcome was not drawn: it is that of the other dataset
  Index release = 1;    // place in the run, from 1
  RecordedRelease asked;
  VectorXd outcome;  // of a finite law: its index alone
};

// The end of a run on one dataset, with what was published beside the releases.
struct RecordedEnd {
  std::size_t number = 0;
  std::string run;
  bool on_neighbour = false;
  std::string output;  // in words that are equal only if the outputs are
};

// The releases at one place of the runs: where the change is largest, as a share of the declared.
struct RecordedPlace {
  double ratio = 0;  // 0/0 counts as 0
  double change = 0;
  DeclaredChange declared;
  double l1 = 0, l2 = 0, linf = 0;  // the largest changes
  std::string run;
  std::string law;
  ReleaseCost cost;  // the dearest
};

struct RecordedFacts {
  std::uint64_t runs = 0, releases = 0;  // releases: lines that were drawn
  transcripts::Losses forward, backward;
  std::vector<RecordedPlace> places;
  // In words, empty if there is none: how data reach what is released outside the values (an
  // infinite loss of that run), and how noise or declared sensitivity depend on the data.
  std::string leak, data_in_the_noise;
  // Why the outcomes are not draws of the laws (level 1e-4); empty if nothing is seen.
  std::string not_drawn;
  // With the same laws in every run, whatever the outcomes (at least 3 runs), known to the exact
  // methods: the mechanism and its pair.
  std::optional<Mechanism> mechanism;
};

// Takes the lines of a file, in any order that keeps that of the releases of a run on one dataset.
class RecordedRuns {
 public:
  explicit RecordedRuns(std::string file);

  // Throw std::invalid_argument, "FILE:LINE: what is value, but must be allowed", for lines that
  // contradict others.
  void add(RecordedLine line);
  void add(const RecordedEnd& end);
  RecordedFacts finish() &&;

 private:
  struct Side {
    std::optional<bool> pinned;
    Index releases = 0;
    std::size_t last_line = 0;
    std::optional<RecordedEnd> end;
  };
  struct Run {
    std::array<Side, 2> sides;
    std::map<Index, RecordedLine> waiting;  // for the same release on the other dataset
    double loss = 0;                        // of what was drawn
  };

  std::string place(std::size_t line) const;
  void require_drawn_once(const Run& run, const RecordedLine& line) const;
  void compare(Run& run, const RecordedLine& drawn, const RecordedLine& pinned);
  void count(const RecordedLine& drawn);
  void watch(const RecordedLine& line);
  void close(const std::string& name, Run& run);
  void leak(Run& run, const std::string& words);

  std::string file_;
  std::map<std::string, Run> runs_;
  std::array<std::vector<RecordedRelease>, 2> laws_;  // of the first run, by dataset
  bool fixed_ = true;                                 // the laws of every run
  RandomStream ties_;
  std::map<std::string, std::vector<double>> uniforms_;  // counts of cells, by law
  RecordedFacts facts_;
};

// Two datasets of one record, for RecordedFacts::mechanism.
NeighbouringPair recorded_pair();

}  // namespace dpverify
