#include "algorithms/geometry/polytope.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>
#include <vector>

#include "algorithms/core/random.hpp"

namespace dpverify {
namespace {

using ::testing::ThrowsMessage;

struct Case {
  const char* name;
  Polytope polytope;
  std::vector<VectorXd> vertices;  // written down by hand
};

VectorXd vector(std::initializer_list<double> values) {
  VectorXd out(static_cast<Index>(values.size()));
  std::copy(values.begin(), values.end(), out.begin());
  return out;
}

std::vector<Case> cases() {
  return {
      {"l1 ball, d = 1", Polytope::l1_ball(1, 2), {vector({2}), vector({-2})}},
      {"l1 ball, d = 3",
       Polytope::l1_ball(3, 0.5),
       {vector({0.5, 0, 0}), vector({0, 0.5, 0}), vector({0, 0, 0.5}), vector({-0.5, 0, 0}),
        vector({0, -0.5, 0}), vector({0, 0, -0.5})}},
      {"simplex, d = 1", Polytope::simplex(1, 3), {vector({3})}},
      {"simplex, d = 3",
       Polytope::simplex(3, 3),
       {vector({3, 0, 0}), vector({0, 3, 0}), vector({0, 0, 3})}},
      {"hull of one point", Polytope::hull((Matrix(1, 2) << 4, -1).finished()), {vector({4, -1})}},
      {"triangle away from the origin",
       Polytope::hull((Matrix(3, 2) << 10, 10, 11, 10, 10, 12).finished()),
       {vector({10, 10}), vector({11, 10}), vector({10, 12})}}};
}

TEST(Polytope, VerticesInOrder) {
  for (const auto& [name, polytope, vertices] : cases()) {
    ASSERT_EQ(polytope.vertex_count(), static_cast<Index>(vertices.size())) << name;
    EXPECT_EQ(polytope.dimension(), vertices[0].size()) << name;
    for (Index v = 0; v < polytope.vertex_count(); ++v)
      EXPECT_EQ(polytope.vertex(v), vertices[static_cast<std::size_t>(v)]) << name << " " << v;
  }
}

TEST(Polytope, ProductsAgainstTheVertices) {
  RandomStream stream({.seed = 1, .claim = "polytope_test", .purpose = "directions"});
  for (const auto& [name, polytope, vertices] : cases()) {
    for (int trial = 0; trial < 20; ++trial) {
      const VectorXd g = stream.normal_vector(polytope.dimension());
      const VectorXd products = polytope.products(g);
      ASSERT_EQ(products.size(), polytope.vertex_count()) << name;
      for (Index v = 0; v < products.size(); ++v) {
        double expected = 0, magnitude = 0;
        for (Index j = 0; j < g.size(); ++j) {
          const double term = vertices[static_cast<std::size_t>(v)][j] * g[j];
          expected += term;
          magnitude += std::abs(term);
        }
        EXPECT_NEAR(products[v], expected, 4e-16 * magnitude) << name << " " << v;
      }
    }
  }
}

TEST(Polytope, DiameterAndNormAgainstAllPairs) {
  for (const auto& [name, polytope, vertices] : cases()) {
    double diameter = 0, norm = 0;
    VectorXd sum = VectorXd::Zero(polytope.dimension());
    for (const VectorXd& a : vertices) {
      norm = std::max(norm, a.lpNorm<1>());
      sum += a;
      for (const VectorXd& b : vertices) diameter = std::max(diameter, (a - b).lpNorm<1>());
    }
    EXPECT_EQ(polytope.diameter_l1(), diameter) << name;
    EXPECT_EQ(polytope.largest_norm_l1(), norm) << name;
    const VectorXd mean = sum / static_cast<double>(vertices.size());
    EXPECT_LE((polytope.centre() - mean).lpNorm<Eigen::Infinity>(), 4e-15) << name;
  }
}

TEST(Polytope, BadArguments) {
  EXPECT_THAT(
      [] { Polytope::l1_ball(0, 1); },
      ThrowsMessage<std::invalid_argument>("dimension of a polytope is 0, but must be at least 1"));
  EXPECT_THAT([] { Polytope::l1_ball(2, 0); },
              ThrowsMessage<std::invalid_argument>(
                  "radius of a polytope is 0, but must be positive and finite"));
  EXPECT_THROW(Polytope::simplex(2, std::numeric_limits<double>::infinity()),
               std::invalid_argument);
  EXPECT_THROW(Polytope::simplex(2, std::nan("")), std::invalid_argument);
  EXPECT_THROW(Polytope::hull(Matrix(0, 2)), std::invalid_argument);
  EXPECT_THROW(Polytope::hull(Matrix(2, 0)), std::invalid_argument);
  EXPECT_THROW(Polytope::hull(Matrix::Constant(1, 2, std::nan(""))), std::invalid_argument);
  for (const auto& [name, polytope, vertices] : cases()) {
    EXPECT_THROW(polytope.vertex(-1), std::invalid_argument) << name;
    EXPECT_THROW(polytope.vertex(polytope.vertex_count()), std::invalid_argument) << name;
    EXPECT_THROW(polytope.products(VectorXd::Zero(polytope.dimension() + 1)), std::invalid_argument)
        << name;
  }
}

}  // namespace
}  // namespace dpverify
