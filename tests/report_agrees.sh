#!/usr/bin/env bash
# A report of many claims agrees with itself, and tests/report_agrees.py sees where one does not.
# Usage: report_agrees.sh PROGRAM
set -euo pipefail
# shellcheck source=tests/checks.sh
source "$(dirname -- "$0")/checks.sh"
program=$(readlink -f -- "$1")
cd -- "$scratch"
# Every kind, edition, verdict of a run and paper, and what the plan leaves out.
run "$program" verify --out report --exclude 'hu.*.rate*' --exclude 'su.*.rate*' --exclude '*.sensitivity.*.mutant'
check "verify: exit code" 0 "$code"
run "$root/tests/report_agrees.py" report/report.json --sources "$root" --planted
check "the report agrees with itself, and each planted fault is seen" "0 *, 0 complaints*planted, 0 not seen" "$code $out"
finish
