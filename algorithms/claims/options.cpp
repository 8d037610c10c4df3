#include <charconv>
#include <cmath>

#include "algorithms/claims/algorithm.hpp"
#include "algorithms/core/checked.hpp"

namespace dpverify {
namespace {

template <class Number>
Number parse(const std::string& name, const std::string& text, const char* allowed) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  require(error == std::errc{} && end == text.data() + text.size(), "--" + name, "'" + text + "'",
          allowed);
  return value;
}

}  // namespace

const std::string& RunOptions::text(const std::string& name) const {
  return look_up(texts_, "option looked up", name);
}

double RunOptions::number(const std::string& name) const {
  const auto value = parse<double>(name, text(name), "a number");
  require(std::isfinite(value), "--" + name, value, "finite");
  return value;
}

Index RunOptions::integer(const std::string& name) const {
  return parse<Index>(name, text(name), "an integer");
}

}  // namespace dpverify
