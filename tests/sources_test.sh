#!/usr/bin/env bash
# A test that would never run is refused when the project is configured: planted into a copy of it.
# Usage: sources_test.sh CMAKE
set -euo pipefail
export LC_ALL=C.UTF-8

cmake=$1
root=$(readlink -f -- "$(dirname -- "$0")/..")
scratch=$(mktemp -d)
trap 'rm -rf -- "$scratch"' EXIT
mkdir -- "$scratch/project"
for part in CMakeLists.txt cmake algorithms properties audits bench reports docs tests; do
  cp -r -- "$root/$part" "$scratch/project/"
done

failures=0
configure() {  # what, wanted exit code, what CMake says
  local code=0 log
  log=$("$cmake" -G Ninja -S "$scratch/project" -B "$scratch/build" -DCMAKE_BUILD_TYPE=Release 2>&1) || code=$?
  log=$(tr -s '[:space:]' ' ' <<<"$log")  # CMake breaks lines
  # shellcheck disable=SC2053  # the wanted text is a pattern
  if [[ $code == "$2" && $log == $3 ]]; then
    printf 'ok      %s\n' "$1"
  else
    printf 'FAILED  %s: exit code %s, wanted %s; it says\n%s\n' "$1" "$code" "$2" "$log"
    failures=$((failures + 1))
  fi
}
refused() {  # file, line of it, what CMake says
  printf '%s\n' "$2" >"$scratch/project/$1"
  configure "$1" 1 "*/$1 $3*"
  rm -- "$scratch/project/$1"
}

configure "the project as it is" 0 '*'
refused algorithms/core/norms_tests.cpp '#include <gtest/gtest.h>' 'includes GoogleTest, but'
refused tests/norms_test.cpp '#include <gmock/gmock.h>' 'includes GoogleTest, but'
refused docs/example/laplace_mean_test.cpp '#include <gtest/gtest.h>' 'includes GoogleTest, but'
refused reports/helpers.hpp '#include <gmock/gmock.h>' 'includes GoogleTest, but'
refused tests/forgotten_test.sh '' 'is not run: there is no test forgotten'
[[ $failures == 0 ]]
