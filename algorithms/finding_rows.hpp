// The tables of findings, one of each paper, as they are written down.
#pragma once

#include <array>
#include <span>
#include <string_view>

#include "algorithms/claims/finding.hpp"

namespace dpverify {

// The fields of Finding, and the id of the claim that it is about.
struct FindingRow {
  std::string_view claim;
  Severity severity;
  std::string_view why;
  std::string_view touches;
  std::string_view repair;
  std::string_view repaired_by;
  std::string_view same_as;
};

std::span<const FindingRow> hu_findings();
std::span<const FindingRow> tao_findings();
std::span<const FindingRow> wang_xu_findings();
std::span<const FindingRow> su_findings();

}  // namespace dpverify
