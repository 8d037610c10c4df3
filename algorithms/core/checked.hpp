// One form for every complaint about an argument: what it is, the value, the allowed range.
#pragma once

#include <cmath>
#include <stdexcept>
#include <string>
#include <string_view>

namespace dpverify {

// Thrown when a mechanism asks for noise around a value that is NaN or infinite.
struct NonFiniteRelease : std::domain_error {
  using std::domain_error::domain_error;
};

// Shortest decimal text that reads back as the same double; "inf", "-inf", "nan" otherwise.
std::string to_text(double value);

// Throws std::invalid_argument("<what> is <value>, but must be <allowed>") unless `good`.
void require(bool good, std::string_view what, double value, std::string_view allowed);
void require(bool good, std::string_view what, std::string_view value, std::string_view allowed);

// Numbers that an argument or option may be, and what they are in words. NaN is in none but
// any_number.
struct Domain {
  bool (*holds)(double) = [](double) { return true; };
  const char* words = "finite";
};
inline constexpr Domain any_number{};
inline constexpr Domain positive{[](double x) { return x > 0; }, "positive"};
inline constexpr Domain positive_and_finite{[](double x) { return x > 0 && std::isfinite(x); },
                                            "positive and finite"};
inline constexpr Domain not_negative{[](double x) { return x >= 0; }, "at least 0"};
inline constexpr Domain not_negative_and_finite{[](double x) { return x >= 0 && std::isfinite(x); },
                                                "at least 0 and finite"};
inline constexpr Domain at_least_one{[](double x) { return x >= 1; }, "at least 1"};
inline constexpr Domain fraction{[](double x) { return x > 0 && x < 1; }, "in (0, 1)"};
inline constexpr Domain fraction_or_one{[](double x) { return x > 0 && x <= 1; }, "in (0, 1]"};
inline constexpr Domain fraction_or_zero{[](double x) { return x >= 0 && x < 1; }, "in [0, 1)"};
inline constexpr Domain probability{[](double x) { return x >= 0 && x <= 1; }, "in [0, 1]"};

void require(const Domain& domain, std::string_view what, double value);

// The value of `name` in a map. If it has none, throws as require() does and says which names have.
template <class Map>
auto& look_up(Map& map, std::string_view what, const std::string& name) {
  const auto found = map.find(name);
  if (found == map.end()) {
    std::string names;
    for (const auto& [known, value] : map) names += (names.empty() ? "'" : ", '") + known + "'";
    require(false, what, "'" + name + "'", names.empty() ? "set (nothing is)" : "one of " + names);
  }
  return found->second;
}

}  // namespace dpverify
