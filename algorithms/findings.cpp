#include "algorithms/findings.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "algorithms/finding_rows.hpp"

namespace dpverify {

void attach_findings(std::vector<Claim>& claims) {
  for (const auto& rows : {hu_findings(), tao_findings(), wang_xu_findings(), su_findings()})
    for (const FindingRow& row : rows) {
      const auto claim = std::ranges::find(claims, row.claim, &Claim::id);
      if (claim == claims.end())
        throw std::logic_error("a finding on " + std::string(row.claim) + ", which is no claim");
      if (claim->finding) throw std::logic_error("two findings on " + claim->id);
      claim->finding = {row.severity,
                        std::string(row.why),
                        std::string(row.touches),
                        std::string(row.repair),
                        std::string(row.repaired_by),
                        std::string(row.same_as)};
    }
}

}  // namespace dpverify
