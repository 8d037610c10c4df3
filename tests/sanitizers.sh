#!/usr/bin/env bash
# The sanitizers, and the assertions of the standard library, are on: each ends a program that has its
# fault.
# Usage: sanitizers.sh FAULTS
set -euo pipefail
export LC_ALL=C.UTF-8

failures=0
check() {  # program, fault, what it says
  local code=0 said
  said=$("$1" "$2" 2>&1) || code=$?
  # shellcheck disable=SC2053  # the wanted text is a pattern
  if [[ $code == 0 || $said != $3 ]]; then
    printf 'FAILED  %s: exit code %s; it says %s\n' "$2" "$code" "$said"
    failures=$((failures + 1))
  fi
}

"$1" none || {
  echo "FAILED  a program without a fault"
  exit 1
}
check "$1" overflow '*runtime error: signed integer overflow*'
check "$1" conversion '*runtime error: 1e+300 is outside the range*'
check "$1" address '*AddressSanitizer: heap-buffer-overflow*'
check "$1" null '*AddressSanitizer: SEGV*'
check "$1" outside '*AddressSanitizer: stack-buffer-overflow*'
check "$1" assertion '*Assertion*failed*'
[[ $failures == 0 ]]
