#include "audits/subject.hpp"

#include <gtest/gtest.h>

namespace dpverify {
namespace {

// In evaluations of the search: a closed form is the unit, and what composes laws the dearest.
TEST(Subject, CostsOfTheMethods) {
  for (const AuditMethod method : {AuditMethod::finite, AuditMethod::gaussian, AuditMethod::value})
    EXPECT_EQ(cost(method), 1U);
  EXPECT_LT(cost(AuditMethod::gaussian), cost(AuditMethod::none));
  EXPECT_LT(cost(AuditMethod::none), cost(AuditMethod::objective));
  EXPECT_LT(cost(AuditMethod::objective), cost(AuditMethod::composed));
}

}  // namespace
}  // namespace dpverify
