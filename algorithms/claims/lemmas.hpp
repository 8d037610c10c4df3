// Lemmas as data: a table of parameters, one left side, an edition a row.
#pragma once

#include <array>
#include <functional>
#include <optional>
#include <source_location>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "algorithms/claims/claim_list.hpp"
#include "algorithms/claims/fields.hpp"
#include "algorithms/claims/precise.hpp"

namespace dpverify {

namespace detail {
template <class Number, std::size_t>
using Repeated = Number;
template <class F, class Number, std::size_t... I>
constexpr bool takes(std::index_sequence<I...>) {
  return std::is_invocable_v<F, Repeated<Number, I>...>;
}
}  // namespace detail

// A side of a lemma over the parameters P.
template <class P>
struct Side {
  using Table = Fields<P>;
  std::function<double(const P&)> value;

  template <class F>
  requires std::is_invocable_v<F, const P&> Side(F side) : value(std::move(side)) {}
  // The same number everywhere.
  Side(double constant) : value([constant](const P&) { return constant; }) {}
};

// A side over the parameters P<Real>, for Real a double or a number of 100 digits. `Local` keeps
// two files with a P of one name in their unnamed namespaces apart: g++ 12 would give what is made
// of the template P alone external linkage, and the linker one of the two.
template <template <class> class P, class Local = P<double>>
struct GenericSide {
  using Table = Fields<P<double>>;
  std::function<double(const P<double>&)> value;
  std::function<Precise(const P<Precise>&)> precise;

  template <class F>
  requires(!std::is_arithmetic_v<F>) GenericSide(F side) : value(side), precise(side) {}
  GenericSide(double constant)
      : value([constant](const P<double>&) { return constant; }),
        precise([constant](const P<Precise>&) { return Precise(constant); }) {}
};

// A side over N numbers, given to it in the order of their ranges. One that takes `auto` can be had
// in 100 digits; one that takes `double` cannot.
template <std::size_t N>
struct NumbersSide {
  using Table = std::array<ParameterRange, N>;
  std::function<double(const std::array<double, N>&)> value;
  std::function<Precise(const std::array<Precise, N>&)> precise;

  template <class F>
  requires(!std::is_arithmetic_v<F>) NumbersSide(F side)
      : value([side](const std::array<double, N>& x) { return std::apply(side, x); }) {
    if constexpr (detail::takes<F, Precise>(std::make_index_sequence<N>()))
      precise = [side](const std::array<Precise, N>& x) -> Precise { return std::apply(side, x); };
  }
  NumbersSide(double constant)
      : value([constant](const std::array<double, N>&) { return constant; }),
        precise([constant](const std::array<Precise, N>&) { return Precise(constant); }) {}
};

// One edition of a lemma: what it says, and where it differs from the lemma, its own table of
// ranges, left side, assumptions and text.
template <class S>
struct LemmaEdition {
  Edition edition;
  Expectation expectation;
  std::string where;      // "Lemma 17"
  std::string statement;  // stands on its own
  S right;
  std::optional<typename S::Table> over;
  std::optional<S> left;
  std::optional<std::vector<std::string>> assumptions;
  std::optional<Text> text;
};

// The lemmas of one algorithm, as claims <algorithm>.lemma.<what>.<edition>.
class LemmaList {
 public:
  // `text`: what editions cite; those that are this project's own cite that.
  LemmaList(std::string algorithm, Text text) : claims_(std::move(algorithm)), text_(text) {}

  // left <= right for every P of its table, P::fields().
  template <class P>
  void add(const std::string& what, const std::type_identity_t<Side<P>>& left,
           const std::vector<LemmaEdition<Side<P>>>& editions,
           const std::vector<std::string>& assumptions = {},
           std::source_location stated = std::source_location::current()) {
    for (const LemmaEdition<Side<P>>& row : editions) {
      const Fields<P> table = row.over.value_or(P::fields());
      const auto sides = [table, own = row.left.value_or(left),
                          right = row.right](const ParameterPoint& point) -> LemmaClaim::Sides {
        const P p = table.read(point);
        return {own.value(p), right.value(p)};
      };
      add_claim(what, row, assumptions, {table.ranges(), sides}, stated);
    }
  }
  // The same where both sides can be had in 100 digits as well.
  template <template <class> class P, class Local = P<double>>
  void add(const std::string& what, const std::type_identity_t<GenericSide<P>>& left,
           const std::vector<LemmaEdition<GenericSide<P>>>& editions,
           const std::vector<std::string>& assumptions = {},
           std::source_location stated = std::source_location::current()) {
    for (const LemmaEdition<GenericSide<P>>& row : editions) {
      const Fields<P<double>> table = row.over.value_or(P<double>::fields());
      const auto own = row.left.value_or(left);
      const auto sides = [table, own,
                          right = row.right](const ParameterPoint& point) -> LemmaClaim::Sides {
        const P<double> p = table.read(point);
        return {own.value(p), right.value(p)};
      };
      const auto precise = [own, right = row.right](const ParameterPoint& point) {
        const P<Precise> p = P<Precise>::fields().read(point);
        return rounded(own.precise(p), right.precise(p));
      };
      add_claim(what, row, assumptions, {table.ranges(), sides, precise}, stated);
    }
  }
  // left <= right over the ranges of a few numbers: for a lemma that needs no struct.
  template <std::size_t N>
  void add(const std::string& what, const ParameterRange (&ranges)[N],
           const std::type_identity_t<NumbersSide<N>>& left,
           const std::vector<LemmaEdition<NumbersSide<N>>>& editions,
           const std::vector<std::string>& assumptions = {},
           std::source_location stated = std::source_location::current()) {
    for (const LemmaEdition<NumbersSide<N>>& row : editions) {
      const auto table = row.over.value_or(std::to_array(ranges));
      const auto own = row.left.value_or(left);
      LemmaClaim check{.ranges = {table.begin(), table.end()}};
      check.sides = [own, right = row.right](const ParameterPoint& point) -> LemmaClaim::Sides {
        const auto x = numbers<double, N>(point);
        return {own.value(x), right.value(x)};
      };
      if (own.precise && row.right.precise)
        check.precise_sides = [own, right = row.right](const ParameterPoint& point) {
          const auto x = numbers<Precise, N>(point);
          return rounded(own.precise(x), right.precise(x));
        };
      add_claim(what, row, assumptions, std::move(check), stated);
    }
  }
  std::vector<Claim> take() { return claims_.take(); }

 private:
  static LemmaClaim::PreciseSides rounded(const Precise& left, const Precise& right) {
    return {static_cast<double>(left), static_cast<double>(right),
            static_cast<double>(left - right)};
  }
  template <class Number, std::size_t N>
  static std::array<Number, N> numbers(const ParameterPoint& point) {
    std::array<Number, N> out{};
    std::size_t k = 0;
    for (const auto& [name, value] : point) out.at(k++) = Number(value);
    return out;
  }
  template <class S>
  void add_claim(const std::string& what, const LemmaEdition<S>& row,
                 const std::vector<std::string>& assumptions, LemmaClaim check,
                 std::source_location stated) {
    const bool own = row.edition == Edition::corrected || row.edition == Edition::mutant;
    claims_.add("lemma." + what, row.edition, row.expectation,
                {row.text.value_or(own ? Text::this_project : text_), row.where}, row.statement,
                row.assumptions.value_or(assumptions), std::move(check), stated);
  }

  ClaimList claims_;
  Text text_;
};

}  // namespace dpverify
