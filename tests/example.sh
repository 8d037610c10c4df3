#!/usr/bin/env bash
# The example of docs/add-an-algorithm.md has the whole command line, every claim of it but the broken
# mean's gets the verdict that it expects, and it is as short as the page says.
# Usage: example.sh EXAMPLE
set -euo pipefail
export LC_ALL=C.UTF-8
example=$(readlink -f -- "$1")
source=$(dirname -- "$(readlink -f -- "$0")")/../docs/example/laplace_mean.cpp
scratch=$(mktemp -d)
trap 'rm -rf -- "$scratch"' EXIT
cd -- "$scratch"

fail() {
  printf 'example: %s\n' "$1" >&2
  cat -- log >&2
  exit 1
}
run() {  # exit code, arguments
  local code=0
  "$example" "${@:2}" >log 2>&1 || code=$?
  [[ $code == "$1" ]] || fail "exit code $code, not $1, of ${*:2}"
}

run 0 verify --only 'example.laplace_mean.*' --plan ci
grep -q '^10 claims: 4 consistent, 6 refuted; 10 as expected, 0 unexpected' log || fail "unexpected verdicts"
run 1 verify --only 'example.clipped_mean.*'
run 0 list
run 0 audit example.laplace_mean
run 0 rates --only 'example.laplace_mean.*'
printf 'x,y\n0.5,0\n0.25,0\n' >data.csv
run 0 run example.laplace_mean --data data.csv --target y --epsilon 2
grep -q 'example.laplace_mean.privacy.printed' log || fail "run names no claim"
run 2 run example.laplace_mean --data data.csv --target y --epsilon 0
grep -q -- '--epsilon is 0, but must be positive' log || fail "run does not refuse an epsilon of 0"
(($(wc -l <"$source") <= 100)) || fail "more than 100 lines"
