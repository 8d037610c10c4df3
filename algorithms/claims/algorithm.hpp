// What the command line needs to know of an algorithm.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "algorithms/claims/claims.hpp"

namespace dpverify {

// One option of `dpverify run <algorithm>`: text in, checked by the algorithm.
struct RunOption {
  std::string name;
  std::string default_text;
  std::string help;
};

// Option texts by name, every option of the algorithm present.
class RunOptions {
 public:
  explicit RunOptions(std::map<std::string, std::string> texts) : texts_(std::move(texts)) {}
  // Throws std::invalid_argument if the algorithm has no option of that name.
  const std::string& text(const std::string& name) const;
  bool is_auto(const std::string& name) const { return text(name) == "auto"; }
  // Throws std::invalid_argument if the text is not one finite number, or not one integer.
  double number(const std::string& name) const;
  Index integer(const std::string& name) const;

 private:
  std::map<std::string, std::string> texts_;
};

// A mechanism ready to run on one dataset.
struct PreparedRun {
  Mechanism mechanism;
  PrivacyGuarantee guarantee;
  std::string guarantee_source;  // the claim that states it
  // Parameters as used, "auto" resolved. They depend on n and d, never on the records.
  std::vector<std::pair<std::string, std::string>> parameters;
  std::function<double(const DataView&, const VectorXd&)> empirical_risk;
  std::string risk_name;  // "mean squared loss"
};

struct Algorithm {
  std::string id;     // <paper>.<algorithm>
  std::string title;  // one line
  std::string paper;
  std::vector<RunOption> options;
  std::function<PreparedRun(const Dataset&, const RunOptions&)> prepare;
  std::function<std::vector<Claim>()> claims;
};

}  // namespace dpverify
