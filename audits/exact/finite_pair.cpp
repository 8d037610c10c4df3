// Finite laws: the outputs and their probabilities.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "audits/exact/methods.hpp"

namespace dpverify::exact {
namespace {

class FinitePair final : public PairAudit {
 public:
  explicit FinitePair(OutputPair outputs) : outputs_(std::move(outputs)) {}
  double delta(double epsilon, Direction direction) const override {
    return delta_at(outputs_, epsilon, direction);
  }
  double epsilon(double delta) const override { return smallest_epsilon(outputs_, delta); }
  std::vector<Measurement> measurements() const override {
    const OutputPair::Output& output = worst_output(outputs_);
    return {{"outcome paths", static_cast<double>(outputs_.paths)},
            {"distinct outputs", static_cast<double>(outputs_.outputs.size())},
            {"log probability of the worst output on the dataset", output.log_p},
            {"log probability of the worst output on the neighbour", output.log_q}};
  }
  std::vector<Index> path() const override { return worst_output(outputs_).path; }
  std::string explanation() const override {
    const OutputPair::Output& output = worst_output(outputs_);
    if (output.path.empty())
      return fmt::format("outputs around ({:.6g}) have {}", fmt::join(output.value, ", "),
                         chances(output));
    return fmt::format("the output reached by outcomes [{}] has {}", fmt::join(output.path, ", "),
                       chances(output));
  }

 private:
  static std::string chances(const OutputPair::Output& output) {
    return fmt::format(
        "log probability {:.6g} on the dataset and {:.6g} on its neighbour, a log ratio of {:.6g}",
        output.log_p, output.log_q, output.log_p - output.log_q);
  }

  OutputPair outputs_;
};

}  // namespace

std::unique_ptr<PairAudit> finite_audit(OutputPair outputs) {
  return std::make_unique<FinitePair>(std::move(outputs));
}

}  // namespace dpverify::exact
