// Numbers of 100 decimal digits, and the functions by which a side of a lemma is written so that
// the same text runs in doubles and in them: template <class Real> Real side(const P<Real>& p).
#pragma once

#include <algorithm>
#include <cmath>
#include <compare>
#include <concepts>
#include <memory>

namespace dpverify {

// Unqualified, these are those of doubles for doubles and those below for Precise.
using std::abs;
using std::cbrt;
using std::cosh;
using std::erf;
using std::erfc;
using std::exp;
using std::expm1;
using std::log;
using std::log1p;
using std::max;
using std::min;
using std::pow;
using std::sinh;
using std::sqrt;
using std::tanh;
using std::tgamma;

class Precise {
 public:
  struct Digits;  // the library's number

  Precise();  // 0
  template <class Number>
  requires std::integral<Number> || std::floating_point<Number> Precise(Number value)
      : Precise(exactly(static_cast<double>(value))) {}
  explicit Precise(Digits digits);
  explicit operator double() const;
  const Digits& digits() const { return *digits_; }

  Precise operator-() const;
  Precise& operator+=(const Precise& other) { return *this = *this + other; }
  Precise& operator-=(const Precise& other) { return *this = *this - other; }
  Precise& operator*=(const Precise& other) { return *this = *this * other; }
  Precise& operator/=(const Precise& other) { return *this = *this / other; }
  friend Precise operator+(const Precise& a, const Precise& b);
  friend Precise operator-(const Precise& a, const Precise& b);
  friend Precise operator*(const Precise& a, const Precise& b);
  friend Precise operator/(const Precise& a, const Precise& b);
  friend bool operator==(const Precise& a, const Precise& b);
  friend std::partial_ordering operator<=>(const Precise& a, const Precise& b);

 private:
  static Precise exactly(double value);

  std::shared_ptr<const Digits> digits_;
};

Precise abs(const Precise& x);
Precise cbrt(const Precise& x);
Precise cosh(const Precise& x);
Precise erf(const Precise& x);
Precise erfc(const Precise& x);
Precise exp(const Precise& x);
Precise expm1(const Precise& x);
Precise log(const Precise& x);
Precise log1p(const Precise& x);
Precise sinh(const Precise& x);
Precise sqrt(const Precise& x);
Precise tanh(const Precise& x);
Precise tgamma(const Precise& x);
Precise pow(const Precise& x, const Precise& y);
// Beside std::max and std::min, whose two arguments must be of one type.
Precise max(const Precise& a, const Precise& b);
Precise min(const Precise& a, const Precise& b);

}  // namespace dpverify
