#include "algorithms/core/laws/law_kind.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <numbers>
#include <set>
#include <string>

#include "algorithms/core/checked.hpp"
#include "algorithms/core/laws.hpp"
#include "algorithms/core/numbers.hpp"

namespace dpverify {
namespace {

VectorXd vector(std::initializer_list<double> values) {
  VectorXd out(static_cast<Index>(values.size()));
  std::copy(values.begin(), values.end(), out.begin());
  return out;
}

// ---- A law that is not in Law: value + uniform noise on [-half_width, half_width]. Each of its
// members can be left out.

enum class Member {
  none,
  name,
  sensitivity,
  pre_noise_value,
  validate,
  draw,
  noiseless_outcome,
  cost,
  same_shape,
  same_noise,
  distance,
  without_data,
  with_noise_times,
  outcome_size,
  log_density_at
};

template <bool>
struct Named {
  static constexpr std::string_view name = "uniform noise";
};
template <>
struct Named<false> {};

template <bool>
struct Sensitive {
  double sensitivity = 1;
};
template <>
struct Sensitive<false> {};

template <Member left_out = Member::none>
struct UniformNoise : Named<left_out != Member::name>, Sensitive<left_out != Member::sensitivity> {
  VectorXd value;
  double half_width = 1;

  UniformNoise(VectorXd v, double h) : value(std::move(v)), half_width(h) {}
  const VectorXd& pre_noise_value() const requires(left_out != Member::pre_noise_value) {
    return value;
  }
  void validate() const requires(left_out != Member::validate) {
    require(half_width > 0, "half width", half_width, "positive");
  }
  VectorXd draw(RandomStream& stream) const requires(left_out != Member::draw) {
    VectorXd out = value;
    for (double& x : out) x += half_width * (2 * stream.uniform() - 1);
    return out;
  }
  VectorXd noiseless_outcome() const requires(left_out != Member::noiseless_outcome) {
    return value;
  }
  PrivacyCost cost() const requires(left_out != Member::cost) { return {}; }
  bool same_shape(const UniformNoise& other) const requires(left_out != Member::same_shape) {
    return value.size() == other.value.size();
  }
  bool same_noise(const UniformNoise& other) const requires(left_out != Member::same_noise) {
    return half_width == other.half_width;
  }
  double distance(const UniformNoise& neighbour, const VectorXd*) const
      requires(left_out != Member::distance) {
    return (value - neighbour.value).template lpNorm<Eigen::Infinity>();
  }
  UniformNoise without_data() const requires(left_out != Member::without_data) {
    return {VectorXd::Zero(value.size()), half_width};
  }
  UniformNoise with_noise_times(double factor) const
      requires(left_out != Member::with_noise_times) {
    return {value, half_width * factor};
  }
  Index outcome_size() const requires(left_out != Member::outcome_size) { return value.size(); }
  double log_density_at(const VectorXd& point) const requires(left_out != Member::log_density_at) {
    if ((point - value).lpNorm<Eigen::Infinity>() > half_width) return -infinity;
    return -static_cast<double>(value.size()) * std::log(2 * half_width);
  }
};

static_assert(LawKind<UniformNoise<>> && ContinuousLaw<UniformNoise<>>);
static_assert(!FiniteLaw<UniformNoise<>>);

static_assert(!LawKind<UniformNoise<Member::name>>);
static_assert(!LawKind<UniformNoise<Member::sensitivity>>);
static_assert(!LawKind<UniformNoise<Member::pre_noise_value>>);
static_assert(!LawKind<UniformNoise<Member::validate>>);
static_assert(!LawKind<UniformNoise<Member::draw>>);
static_assert(!LawKind<UniformNoise<Member::noiseless_outcome>>);
static_assert(!LawKind<UniformNoise<Member::cost>>);
static_assert(!LawKind<UniformNoise<Member::same_shape>>);
static_assert(!LawKind<UniformNoise<Member::same_noise>>);
static_assert(!LawKind<UniformNoise<Member::distance>>);
static_assert(!LawKind<UniformNoise<Member::without_data>>);
static_assert(!LawKind<UniformNoise<Member::with_noise_times>>);
static_assert(!LawKind<UniformNoise<Member::outcome_size>>);
static_assert(!LawKind<UniformNoise<Member::log_density_at>>);

// A finite law needs its number of outcomes and their probabilities.
enum class Finite { whole, without_support_size, without_log_probabilities };

template <Finite kind>
struct Coin {
  static constexpr std::string_view name = "coin";
  static constexpr double sensitivity = 0;
  VectorXd scores;
  const VectorXd& pre_noise_value() const { return scores; }
  void validate() const {}
  Index draw(RandomStream& stream) const { return stream.index(2); }
  Index noiseless_outcome() const { return 0; }
  PrivacyCost cost() const { return {}; }
  bool same_shape(const Coin&) const { return true; }
  bool same_noise(const Coin&) const { return true; }
  double distance(const Coin&, const Index*) const { return 0; }
  Coin without_data() const { return *this; }
  Coin with_noise_times(double) const { return *this; }
  Index support_size() const requires(kind != Finite::without_support_size) { return 2; }
  VectorXd log_probabilities() const requires(kind != Finite::without_log_probabilities) {
    return VectorXd::Constant(2, -std::numbers::ln2);
  }
};

static_assert(FiniteLaw<Coin<Finite::whole>> && !ContinuousLaw<Coin<Finite::whole>>);
static_assert(!LawKind<Coin<Finite::without_support_size>>);
static_assert(!LawKind<Coin<Finite::without_log_probabilities>>);
static_assert(!LawKind<Law> && !LawKind<VectorXd> && !LawKind<int>);

TEST(LawKind, AWholeLawIsRightEverywhere) {
  const UniformNoise<> law{vector({0}), 5};
  EXPECT_NEAR(log_density(law, vector({3})), -2.302585092994046, 1e-15);  // -log(10)
  EXPECT_EQ(log_density(law, vector({5000})), -infinity);
  EXPECT_THROW(log_density(law, Index{0}), std::invalid_argument);
  EXPECT_THROW(log_density(law, vector({0, 0})), std::invalid_argument);
  EXPECT_EQ(support_size(law), 0);
  EXPECT_EQ(compare(law, UniformNoise<>{vector({1}), 5}).distance, 1);
  EXPECT_TRUE(compare(law, UniformNoise<>{vector({1}), 5}).comparable);
  EXPECT_FALSE(compare(law, UniformNoise<>{vector({0}), 50}).comparable);
  UniformNoise<> other = law;
  other.sensitivity = 2;
  EXPECT_FALSE(compare(law, other).comparable);
  RandomStream stream({.claim = "law_kind_test", .purpose = "uniform"});
  EXPECT_LE(std::abs(std::get<VectorXd>(sample(law, stream))[0]), 5);
  EXPECT_THROW(sample(UniformNoise<>(vector({0}), -1), stream), std::invalid_argument);
  const Coin<Finite::whole> coin{};
  EXPECT_EQ(support_size(coin), 2);
  EXPECT_EQ(log_density(coin, Index{1}), -std::numbers::ln2);
  EXPECT_EQ(log_density(coin, Index{2}), -infinity);
  EXPECT_THROW(log_density(coin, vector({0})), std::invalid_argument);
}

// ---- The laws there are

std::vector<Law> laws_with_noise_outside() {
  const VectorXd value = vector({1, -2});
  return {ExponentialMechanism{value, 1, 0.5},
          NoisyMax{value, 1, 3},
          NoisyMax{value, 1, 3, MaxNoise::gumbel},
          PermuteAndFlip{value, 1, 0.5},
          NoisyMaxValue{value, 1, 3},
          LaplaceNoise{value, 1, 3},
          GaussianNoise{value, 1, 3},
          GeneralisedGaussianNoise{value, 1, 3, 2, 4}};
}

TEST(LawKind, TwiceTheNoiseAndTheSensitivityCostTheSame) {
  for (const Law& law : laws_with_noise_outside()) {
    const Law twice = with_noise_times(law, 2);
    EXPECT_EQ(declared_sensitivity(twice), 2 * declared_sensitivity(law)) << law_name(law);
    EXPECT_NEAR(declared_cost(twice).rho, declared_cost(law).rho, 1e-15) << law_name(law);
    EXPECT_EQ(pre_noise_value(twice), pre_noise_value(law)) << law_name(law);
    EXPECT_TRUE(same_shape(twice, law)) << law_name(law);
    EXPECT_FALSE(compare(twice, law).comparable) << law_name(law);
    // The noise itself: twice as flat around the value.
    const Law plain = with_noise_times(without_data(law), 1), wide = without_data(twice);
    if (support_size(law) > 0) continue;
    const Index size = std::get<VectorXd>(noiseless_outcome(plain)).size();
    EXPECT_LT(log_density(wide, VectorXd(VectorXd::Zero(size))),
              log_density(plain, VectorXd(VectorXd::Zero(size))))
        << law_name(law);
  }
  const Law permutation = UniformPermutation{3};
  EXPECT_TRUE(compare(with_noise_times(permutation, 2), permutation).comparable);
  const Law program = HiddenRelease{1, [](RandomStream&) { return vector({0}); }, {}};
  EXPECT_THROW(with_noise_times(program, 2), std::invalid_argument);
}

TEST(LawKind, TheDataFreeTwinDrawsTheSameNoise) {
  for (const Law& law : laws_with_noise_outside()) {
    const Law twin = without_data(law);
    EXPECT_TRUE(pre_noise_value(twin).isZero(0)) << law_name(law);
    EXPECT_TRUE(same_shape(twin, law)) << law_name(law);
    EXPECT_TRUE(compare(twin, law).comparable) << law_name(law);
    EXPECT_EQ(law_name(twin), law_name(law));
  }
}

TEST(LawKind, NoTwoLawsShareANameOrAShape) {
  std::set<std::string> names;
  const std::vector<Law> laws{ExponentialMechanism{vector({1}), 1, 1},
                              NoisyMax{vector({1}), 1, 1},
                              PermuteAndFlip{vector({1}), 1, 1},
                              NoisyMaxValue{vector({1}), 1, 1},
                              LaplaceNoise{vector({1}), 1, 1},
                              GaussianNoise{vector({1}), 1, 1},
                              GeneralisedGaussianNoise{vector({1}), 1, 2, 2, 1},
                              UniformPermutation{1},
                              HiddenSelection{},
                              HiddenRelease{}};
  for (const Law& law : laws) {
    names.insert(law_name(law));
    for (const Law& other : laws)
      EXPECT_EQ(same_shape(law, other), &law == &other) << law_name(law) << law_name(other);
  }
  EXPECT_EQ(names.size(), laws.size());
  // With the two that are made of an object, every law there is.
  names.emplace(GridExponentialMechanism::name);
  names.emplace(ObjectivePerturbation::name);
  EXPECT_EQ(names.size(), std::variant_size_v<Law>);
}

}  // namespace
}  // namespace dpverify
