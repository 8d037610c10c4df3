#!/usr/bin/env bash
# The job .ci/seeds counts, prints and judges what verify says, of programs made up for it.
set -euo pipefail
root=$(dirname -- "$(readlink -f -- "$0")")/..
folder=$(mktemp -d)
trap 'rm -rf -- "$folder"' EXIT

fail() {
  printf 'seeds_test: %s\n' "$1" >&2
  cat -- "$folder/out" >&2
  exit 1
}

# A verify that ends with the given exit code in the first so many runs, and then with 0.
made_up() {  # exit code, runs
  printf '%s\n' '#!/usr/bin/env bash' \
    "echo \"\$@\" >>'$folder/calls'" \
    "[[ \$(wc -l <'$folder/calls') -le $2 ]] || exit 0" \
    'echo "UNEXPECTED: a claim is inconclusive"' \
    'echo "dpverify: regression against a baseline" >&2' \
    "exit $1" >"$folder/program"
  chmod +x "$folder/program"
  : >"$folder/calls"
}

expect() {  # exit code, arguments of the job
  local code=0
  DPVERIFY_PROGRAM=$folder/program "$root/.ci/seeds" "${@:2}" >"$folder/out" 2>&1 || code=$?
  [[ $code == "$1" ]] || fail "exit code $code, not $1, of seeds ${*:2}"
}

says() { grep -q -- "$1" "$folder/out" || fail "does not say: $1"; }

made_up 1 0
expect 0 20
says '^0 of 20 runs did not end with exit code 0; 4 are too many'
[[ $(sort -u "$folder/calls" | wc -l) == 20 ]] || fail "two runs have the same seed"

# Of 20 runs, P(at least 3) = 0.0010 and P(at least 4) = 0.00004 at one in a hundred.
made_up 1 3
expect 0 20 --only 'a*'
says 'UNEXPECTED: a claim is inconclusive'
grep -q -- '--only a\*$' "$folder/calls" || fail "options are not handed on"
made_up 4 4
expect 1 20
says 'regression against a baseline'

# Of 200, P(at least 9) = 0.0002 and P(at least 8) = 0.0010.
made_up 1 8
expect 0
made_up 1 9
expect 1
says '^9 of 200 runs'

made_up 5 1
expect 5 3
made_up 0 0
expect 2 0
expect 2 many
says "RUNS is 'many'"
