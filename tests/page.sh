#!/usr/bin/env bash
# The page of a report in a real browser: no error on its console, filters, order, addresses of claims,
# printing, a phone's width, hostile texts, 10,000 claims. Skipped (exit code 77) without chromium
# or Node's playwright-core: install the packages [page] of packages.txt, and
#   npm install --prefix build/page playwright-core
# Usage: page.sh PROGRAM
set -euo pipefail
export LC_ALL=C.UTF-8

program=$(readlink -f -- "$1")
root=$(readlink -f -- "$(dirname -- "$0")/..")
browser=$(command -v chromium) || { echo "page: no chromium"; exit 77; }
export NODE_PATH=$root/build/page/node_modules
node -e 'require("playwright-core")' 2>/dev/null || { echo "page: no playwright-core"; exit 77; }

scratch=$(mktemp -d)
trap 'rm -rf -- "$scratch"' EXIT
shots=${PAGE_SCREENSHOTS:-$scratch}
"$program" verify --only 'tao.truncated_mean.*' --only 'wang_xu.*.privacy.*' --only 'hu.*.lemma.*' \
  --only 'hu.*.floor.*' --only 'must_catch.laplace_half_noise.*' --out "$scratch/report" >/dev/null

# The same report with hostile texts, and one with 10,000 claims.
mkdir -- "$scratch/hostile" "$scratch/large"
node - "$scratch" <<'END'
const fs = require('fs');
const folder = process.argv[2];
const report = JSON.parse(fs.readFileSync(`${folder}/report/report.json`));
report.claims[0].statement = '</script><script>alert(1)</script><img src=x onerror=alert(2)>';
report.evidence[0].reason = '"><svg onload=alert(3)>';
report.claims[1].source.where = "'; alert(4); //";
fs.writeFileSync(`${folder}/hostile/report.json`, JSON.stringify(report));
const claims = [], evidence = [];
for (let k = 0; k < 10000; ++k) {
  const j = k % report.claims.length;
  const id = report.claims[j].id.replace(/\.([a-z]+)$/, `.copy${k}.$1`);
  const {finding, ...claim} = report.claims[j];
  claims.push({...claim, id});
  evidence.push({...report.evidence[j], claim: id, tables: []});
}
fs.writeFileSync(`${folder}/large/report.json`, JSON.stringify({...report, claims, evidence, timings: {...report.timings, claims: []}}));
END
"$program" report "$scratch/hostile" >/dev/null
"$program" report "$scratch/large" >/dev/null
node "$root/tests/page.js" "$browser" "$scratch/hostile/report.html" "$scratch/large/report.html" "$shots"
