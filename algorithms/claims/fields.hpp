// The parameters of a mechanism or a lemma as the fields of a struct P, and one table that says of
// each what it is called, where it is claimed and how a user gives it. Claims, searches, reports
// and the command line read this table; nothing looks a parameter up by its name.
#pragma once

#include <any>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "algorithms/claims/algorithm.hpp"
#include "algorithms/claims/claims.hpp"
#include "algorithms/core/checked.hpp"

namespace dpverify {

// The enumerators of E by the names a user gives them.
template <class E>
using Choices = std::vector<std::pair<std::string, E>>;

// One parameter. Made by field(), below; `range` and `option` add to it and give it back.
template <class P>
struct Field {
  std::string name;  // "second-moment"
  std::any member;   // V P::*
  std::function<double(const P&)> number;
  std::function<void(P&, double)> set_number;
  std::function<std::string(const P&)> text;  // "auto" for an optional without a value
  // From an option's text. Throws std::invalid_argument, as RunOptions does.
  std::function<void(P&, const RunOptions&)> set_text;
  Scale default_scale = Scale::linear;
  std::optional<ParameterRange> claimed;  // where claims speak of it
  std::optional<std::string> help;        // set: an option of `dpverify run`
  Domain domain = any_number;

  // Claims speak of `lower` to `upper`; counterexamples shrink towards `simplest`. Integers,
  // truth values and enumerations are integers, and everything else is linear unless said.
  template <class V>
  Field range(V simplest, V lower, V upper, std::optional<Scale> scale = {}) const {
    Field out = *this;
    out.claimed = ParameterRange{name, static_cast<double>(simplest), static_cast<double>(lower),
                                 static_cast<double>(upper), scale.value_or(default_scale)};
    return out;
  }
  Field option(std::string help_text, Domain allowed = any_number) const {
    Field out = *this;
    out.help = std::move(help_text);
    out.domain = allowed;
    const auto read = set_text;
    out.set_text = [read, allowed, number = number, option = name](P& p, const RunOptions& given) {
      read(p, given);
      if (given.is_auto(option)) return;
      require(allowed.holds(number(p)), "--" + option, number(p), allowed.words);
    };
    return out;
  }
};

namespace detail {
template <class V>
struct Unwrapped {
  using Type = V;
};
template <class V>
struct Unwrapped<std::optional<V>> {
  using Type = V;
};
}  // namespace detail

// A number, an integer, a truth value or an enumeration, or an optional number or integer, which a
// user gives as "auto" to leave it to the algorithm. An enumeration with `choices` is an option.
template <class P, class V>
Field<P> field(std::string name, V P::*member,
               const Choices<typename detail::Unwrapped<V>::Type>& choices = {}) {
  using Value = typename detail::Unwrapped<V>::Type;
  constexpr bool is_optional = !std::is_same_v<V, Value>;
  constexpr bool is_real = !std::is_enum_v<Value> && !std::is_integral_v<Value>;
  Field<P> out;
  out.member = member;
  out.default_scale = is_real ? Scale::linear : Scale::integer;
  const auto value = [member](const P& p) -> Value {
    if constexpr (is_optional)
      return (p.*member).value();
    else
      return p.*member;
  };
  out.number = [value](const P& p) { return static_cast<double>(value(p)); };
  out.set_number = [member](P& p, double x) {
    if constexpr (std::is_enum_v<Value>)
      p.*member = static_cast<Value>(static_cast<int>(x));
    else
      p.*member = static_cast<Value>(x);
  };
  out.text = [=](const P& p) -> std::string {
    if constexpr (is_optional)
      if (!(p.*member)) return "auto";
    for (const auto& [word, choice] : choices)
      if (choice == value(p)) return word;
    return to_text(static_cast<double>(value(p)));
  };
  out.set_text = [=](P& p, const RunOptions& given) {
    if constexpr (is_optional)
      if (given.is_auto(name)) return;
    if constexpr (std::is_enum_v<Value>) {
      std::string words;
      for (const auto& [word, choice] : choices) {
        if (word == given.text(name)) {
          p.*member = choice;
          return;
        }
        words += (words.empty() ? "" : ", ") + word;
      }
      require(false, "--" + name, "'" + given.text(name) + "'", "one of " + words);
    } else if constexpr (std::is_integral_v<Value>) {
      p.*member = static_cast<Value>(given.integer(name));
    } else if constexpr (std::is_same_v<Value, double>) {
      p.*member = given.number(name);
    }
  };
  out.name = std::move(name);
  return out;
}

// The table.
template <class P>
class Fields {
 public:
  Fields(std::initializer_list<Field<P>> fields) : fields_(fields) {}

  auto begin() const { return fields_.begin(); }
  auto end() const { return fields_.end(); }

  // The same table with another range of one field, as Field::range(); with one field of which
  // claims say nothing, so that it keeps the value it has in P{}; with one more.
  template <class V, class W>
  Fields within(V P::*member, W simplest, W lower, W upper, std::optional<Scale> scale = {}) const {
    Fields out = *this;
    Field<P>& one = out.find(member);
    if (!scale && one.claimed) scale = one.claimed->scale;
    one = one.range(simplest, lower, upper, scale);
    return out;
  }
  template <class V>
  Fields without(V P::*member) const {
    Fields out = *this;
    out.find(member).claimed.reset();
    return out;
  }
  Fields with(Field<P> more) const {
    Fields out = *this;
    out.fields_.push_back(std::move(more));
    return out;
  }

  // The claimed ranges, in the order of the table.
  std::vector<ParameterRange> ranges() const {
    std::vector<ParameterRange> out;
    for (const Field<P>& one : fields_)
      if (one.claimed) out.push_back(*one.claimed);
    return out;
  }
  // The parameters that have a claimed range.
  ParameterPoint point(const P& p) const {
    ParameterPoint out;
    for (const Field<P>& one : fields_)
      if (one.claimed) out.add(one.name, one.number(p));
    return out;
  }
  // The inverse, for a point made from this table: others have the values of P{}.
  P read(const ParameterPoint& point) const {
    P out{};
    auto one = fields_.begin();
    for (const auto& [name, value] : point) {
      while (one != fields_.end() && !(one->claimed && one->name == name)) ++one;
      if (one == fields_.end())
        throw std::logic_error("'" + name + "' is no parameter of this table, or out of order");
      one->set_number(out, value);
    }
    return out;
  }

  // The options of `dpverify run`: a default is the value in P{}.
  std::vector<RunOption> options() const {
    std::vector<RunOption> out;
    for (const Field<P>& one : fields_)
      if (one.help) out.push_back({one.name, one.text(P{}), *one.help});
    return out;
  }
  // Throws std::invalid_argument for a text that is no value of its option.
  P read(const RunOptions& given) const {
    P out{};
    for (const Field<P>& one : fields_)
      if (one.help) one.set_text(out, given);
    return out;
  }
  // The options as a report shows them.
  std::vector<std::pair<std::string, std::string>> texts(const P& p) const {
    std::vector<std::pair<std::string, std::string>> out;
    for (const Field<P>& one : fields_)
      if (one.help) out.emplace_back(one.name, one.text(p));
    return out;
  }

 private:
  template <class V>
  Field<P>& find(V P::*member) {
    for (Field<P>& one : fields_)
      if (const auto* own = std::any_cast<V P::*>(&one.member); own && *own == member) return one;
    throw std::logic_error("a member that is no parameter of the table");
  }

  std::vector<Field<P>> fields_;
};

// The entry of an algorithm for the command line: `prepare` is given the options as their table
// reads them.
template <class P>
Algorithm algorithm(std::string id, std::string title, std::string paper, const Fields<P>& fields,
                    std::type_identity_t<std::function<PreparedRun(const Dataset&, P)>> prepare,
                    std::function<std::vector<Claim>()> claims) {
  return {std::move(id),
          std::move(title),
          std::move(paper),
          fields.options(),
          [fields, prepare = std::move(prepare)](const Dataset& data, const RunOptions& given) {
            return prepare(data, fields.read(given));
          },
          std::move(claims)};
}

}  // namespace dpverify
