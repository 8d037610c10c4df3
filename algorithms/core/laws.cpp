#include "algorithms/core/laws.hpp"

#include "algorithms/core/checked.hpp"

namespace dpverify {

const VectorXd& pre_noise_value(const Law& law) {
  return std::visit([](const auto& l) -> const VectorXd& { return l.pre_noise_value(); }, law);
}

PrivacyCost declared_cost(const Law& law) {
  return std::visit([](const auto& l) { return l.cost(); }, law);
}

double declared_sensitivity(const Law& law) {
  return std::visit([](const auto& l) -> double { return l.sensitivity; }, law);
}

std::string law_name(const Law& law) {
  return std::visit([](const auto& l) { return std::string(l.name); }, law);
}

Law without_data(const Law& law) {
  return std::visit([](const auto& l) -> Law { return l.without_data(); }, law);
}

Law with_noise_times(const Law& law, double factor) {
  return std::visit([=](const auto& l) -> Law { return l.with_noise_times(factor); }, law);
}

bool same_shape(const Law& law, const Law& other) {
  return std::visit(
      []<class L, class M>(const L& l, const M& m) {
        if constexpr (std::is_same_v<L, M>)
          return l.same_shape(m);
        else
          return false;
      },
      law, other);
}

void validate(const Law& law) {
  std::visit([](const auto& l) { l.validate(); }, law);
}

Outcome noiseless_outcome(const Law& law) {
  validate(law);
  return std::visit([](const auto& l) -> Outcome { return l.noiseless_outcome(); }, law);
}

Outcome sample(const Law& law, RandomStream& stream) {
  return std::visit([&](const auto& l) { return sample(l, stream); }, law);
}

Index support_size(const Law& law) {
  return std::visit([](const auto& l) { return support_size(l); }, law);
}

VectorXd log_probabilities(const Law& law) {
  return std::visit(
      []<class L>(const L& l) -> VectorXd {
        if constexpr (FiniteLaw<L>) {
          return l.log_probabilities();
        } else {
          require(false, "a law with log probabilities", L::name, "finite");
          return {};
        }
      },
      law);
}

Index index_of(const Outcome& outcome) {
  const Index* index = std::get_if<Index>(&outcome);
  require(index != nullptr, "outcome of a finite law", "a vector", "an index");
  return *index;
}

const VectorXd& vector_of(const Outcome& outcome, Index size) {
  const auto* vector = std::get_if<VectorXd>(&outcome);
  require(vector != nullptr && vector->size() == size, "outcome of a continuous law",
          vector ? "a vector of another size" : "an index",
          "a vector of " + std::to_string(size) + " numbers");
  return *vector;
}

double log_density(const Law& law, const Outcome& outcome) {
  return std::visit([&](const auto& l) { return log_density(l, outcome); }, law);
}

LawChange compare(const Law& law, const Law& neighbour, const Outcome* outcome) {
  return std::visit(
      [&]<class L>(const L& l) { return compare(l, std::get<L>(neighbour), outcome); }, law);
}

}  // namespace dpverify
