#!/usr/bin/env bash
# A project of its own (docs/example/project, as `dpverify init` writes it) checks its mechanisms with
# dpverify, installed into a prefix: its program has the whole command line over them, under its own name and commit, and so has
# its test suite the checks. With --subproject it takes this folder in by add_subdirectory instead.
# Usage: as_package.sh CMAKE BUILD_FOLDER [--subproject]
set -euo pipefail
# shellcheck source=tests/checks.sh
source "$(dirname -- "$0")/checks.sh"

cmake=$1
build=$(readlink -f -- "$2")

must() {  # command
  run "$@"
  [[ $code == 0 ]] || {
    printf 'FAILED  %s\n%s\n%s\n' "$*" "$out" "$err"
    exit 1
  }
}

# What a user would not have: this checkout, and a repository around the copy.
must "$build/dpverify" init "$scratch/means" --cpp
check "init: the project of the documents" "" "$(diff -r "$root/docs/example/project" "$scratch/means" 2>&1)"
git=(git -C "$scratch/means" -c user.name=test -c user.email=test@example.org)
must "${git[@]}" init -q
must "${git[@]}" add .
must "${git[@]}" commit -q -m means
commit=$("${git[@]}" rev-parse HEAD)

options=(-DCMAKE_BUILD_TYPE=Release "-DCMAKE_CXX_FLAGS_RELEASE=-O2 -DNDEBUG")
if [[ ${3-} == --subproject ]]; then
  options+=("-DDPVERIFY_SOURCE=$root")
  [[ $build != *ci ]] || options+=(-DDPVERIFY_WERROR=ON)
  ! command -v ccache >/dev/null || options+=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache)
else
  must "$cmake" --install "$build" --prefix "$scratch/prefix"
  options+=("-DCMAKE_PREFIX_PATH=$scratch/prefix")
  headers=$scratch/prefix/include
  check "headers: all of them under dpverify/" dpverify "$(ls "$headers")"
  check "headers: Eigen, the standard library and their own alone" "" \
    "$(grep -rhoE '^#include ["<][^">]+[./][^">]+' "$headers" --exclude gtest.hpp |
      grep -vE '^#include ("dpverify/|<Eigen/)' | sort -u)"
  check "package: no path of the checkout or the build" "" \
    "$(grep -rlF -e "$root" "$scratch"/prefix/lib*/cmake "$scratch"/prefix/lib/*/cmake 2>/dev/null || true)"
  check "program: installed" "dpverify 0.*" "$("$scratch/prefix/bin/dpverify" --version)"
  # Each header by itself, with warnings that this project does not use.
  for header in "$headers"/dpverify/*.hpp; do
    printf '#include <dpverify/%s>\n' "${header##*/}" >"$scratch/one.cpp"
    must c++ -std=c++20 -fsyntax-only -Wall -Wextra -Werror -I "$headers" \
      -isystem /usr/include/eigen3 "$scratch/one.cpp"
  done
fi
must "$cmake" -G Ninja -S "$scratch/means" -B "$scratch/build" "${options[@]}"
must "$cmake" --build "$scratch/build" --parallel "$(nproc)"
cd -- "$scratch/build"
check "subproject: builds no program and no test of dpverify" "" \
  "$(find . -name 'dpverify' -type f -o -name 'dpverify_tests' -type f)"

run ./mean_checks verify
check "verify: the broken mechanism is not as it claims" 1 "$code"
check "verify: and only that" "*4 claims: 2 consistent, 2 refuted; 2 as expected, 2 unexpected*" "$out"
check "verify: a line that repeats it names the program" \
  "*./mean_checks verify --only means.hasty_mean.privacy.printed --plan smoke --seed *" "$out"
report=$(<out/report.json)
check "report: the program's name" '*"name": "mean_checks"*' "$report"
check "report: the program's commit" "*\"commit\": \"$commit\",*\"dirty\": false*" "$report"
check "report: this library's version" '*"version": "0.*' "$report"
run ./mean_checks validate out/report.json
check "report: of the schema" 0 "$code"
run ./mean_checks --version
check "version: of the program and the library" "mean_checks 1.2.3 (commit ${commit:0:12}, dpverify 0.*" "$out"
run ./mean_checks verify --only 'means.mean.*' --out mean
check "verify: the mechanism is what it claims" 0 "$code"
run ./mean_checks audit means.mean
check "audit: consistent" "0 *certified*" "$code $out"
run ./mean_checks list
check "list: its claims and no others" 4 "$(grep -c '^means\.' <<<"$out")"
run ./mean_checks explain means.mean.privacy.printed
check "explain: names the report" "0 *epsilon-DP*" "$code $out"
run ./mean_checks power
check "power: of its report" 0 "$code"
run ./mean_checks rates --record-baseline
check "rates: no rate claims" "2 mean_checks: *" "$code $err"
run ./mean_checks rates --figure list
check "rates: no figures of ours" 2 "$code"
printf 'x,y\n0.5,0\n0.25,0\n' >data.csv
run ./mean_checks run means.mean --data data.csv --target y --epsilon 2
check "run: names the claim" "0 *means.mean.privacy.printed*" "$code $out"
run ./mean_checks run means.mean --data data.csv --target y --epsilon 0
check "run: refuses bad input under its name" "2 mean_checks: --epsilon is 0, but must be positive" "$code $err"

# A change of a tracked file makes the next build's report say so.
printf '\n' >>"$scratch/means/registry.cpp"
must "$cmake" --build . --target mean_checks
run ./mean_checks verify --only 'means.mean.*' --out changed
check "report: sources that differ from the commit" '*"dirty": true*' "$(<changed/report.json)"

run ./mean_tests
check "suite: passes" 0 "$code"
run ./mean_tests --gtest_also_run_disabled_tests --gtest_filter='*DISABLED*'
check "suite: a refuted claim fails" 1 "$code"
check "suite: with the witness" "*Expected: is as expected*Witness*becomes: *" "$out"
check "suite: with the line that repeats it" \
  "*which is refuted*Reproduce: ./mean_tests '--gtest_filter=HastyMean.DISABLED_IsPrivate'*" "$out"

finish
