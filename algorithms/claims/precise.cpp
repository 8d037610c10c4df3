#include "algorithms/claims/precise.hpp"

#include <boost/math/special_functions/cbrt.hpp>
#include <boost/math/special_functions/erf.hpp>
#include <boost/math/special_functions/gamma.hpp>
#include <boost/multiprecision/cpp_bin_float.hpp>

namespace dpverify {
namespace {

using Number = boost::multiprecision::cpp_bin_float_100;

}  // namespace

struct Precise::Digits {
  Number value;
};

namespace {

const Number& of(const Precise& x) { return x.digits().value; }
Precise made(Number value) { return Precise(Precise::Digits{std::move(value)}); }

}  // namespace

Precise::Precise() : Precise(Digits{Number(0)}) {}
Precise::Precise(Digits digits) : digits_(std::make_shared<const Digits>(std::move(digits))) {}
Precise::operator double() const { return of(*this).convert_to<double>(); }
Precise Precise::exactly(double value) { return made(Number(value)); }

Precise Precise::operator-() const { return made(-of(*this)); }
Precise operator+(const Precise& a, const Precise& b) { return made(of(a) + of(b)); }
Precise operator-(const Precise& a, const Precise& b) { return made(of(a) - of(b)); }
Precise operator*(const Precise& a, const Precise& b) { return made(of(a) * of(b)); }
Precise operator/(const Precise& a, const Precise& b) { return made(of(a) / of(b)); }
bool operator==(const Precise& a, const Precise& b) { return of(a) == of(b); }
std::partial_ordering operator<=>(const Precise& a, const Precise& b) {
  if (of(a) < of(b)) return std::partial_ordering::less;
  if (of(a) > of(b)) return std::partial_ordering::greater;
  return of(a) == of(b) ? std::partial_ordering::equivalent : std::partial_ordering::unordered;
}

Precise abs(const Precise& x) { return made(boost::multiprecision::abs(of(x))); }
Precise cbrt(const Precise& x) { return made(boost::math::cbrt(of(x))); }
Precise cosh(const Precise& x) { return made(boost::multiprecision::cosh(of(x))); }
Precise erf(const Precise& x) { return made(boost::math::erf(of(x))); }
Precise erfc(const Precise& x) { return made(boost::math::erfc(of(x))); }
Precise exp(const Precise& x) { return made(boost::multiprecision::exp(of(x))); }
Precise expm1(const Precise& x) { return made(boost::multiprecision::expm1(of(x))); }
Precise log(const Precise& x) { return made(boost::multiprecision::log(of(x))); }
Precise log1p(const Precise& x) { return made(boost::multiprecision::log1p(of(x))); }
Precise sinh(const Precise& x) { return made(boost::multiprecision::sinh(of(x))); }
Precise sqrt(const Precise& x) { return made(boost::multiprecision::sqrt(of(x))); }
Precise tanh(const Precise& x) { return made(boost::multiprecision::tanh(of(x))); }
Precise tgamma(const Precise& x) { return made(boost::math::tgamma(of(x))); }
Precise pow(const Precise& x, const Precise& y) {
  return made(boost::multiprecision::pow(of(x), of(y)));
}
Precise max(const Precise& a, const Precise& b) { return a < b ? b : a; }
Precise min(const Precise& a, const Precise& b) { return b < a ? b : a; }

}  // namespace dpverify
