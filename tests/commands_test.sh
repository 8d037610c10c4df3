#!/usr/bin/env bash
# commands_in_documents.sh, on documents and a program made up for it: which commands it runs, and
# which faults it sees.
set -euo pipefail
export LC_ALL=C.UTF-8

root=$(readlink -f -- "$(dirname -- "$0")/..")
scratch=$(mktemp -d)
trap 'rm -rf -- "$scratch"' EXIT
mkdir -- "$scratch/tests"
cp -- "$root/tests/commands_in_documents.sh" "$scratch/tests/"
cat >"$scratch/dpverify" <<EOF
#!/bin/sh
echo "\$*" >>'$scratch/calls'
[ "\$1" != rates ] || echo "No pictures: gnuplot failed: line 3: invalid command"
[ "\$1" != fail ]
EOF
chmod +x -- "$scratch/dpverify"
# Beside the README, a document all of whose commands take long.
printf '%s\n' '```sh' './dpverify rates  # hours' '```' >"$scratch/long.md"

failures=0
expect() {  # what, wanted exit code, wanted calls, lines of the README
  local code=0
  : >"$scratch/calls"
  { echo '```sh'; printf '%s\n' "${@:4}"; echo '```'; } >"$scratch/README.md"
  "$scratch/tests/commands_in_documents.sh" >"$scratch/log" 2>&1 || code=$?
  if [[ $code == "$2" && $(paste -sd, "$scratch/calls") == "$3" ]]; then
    printf 'ok      %s\n' "$1"
  else
    printf 'FAILED  %s: exit code %s, wanted %s; ran: %s\n' "$1" "$code" "$2" "$(<"$scratch/calls")"
    cat -- "$scratch/log"
    failures=$((failures + 1))
  fi
}

verify='./dpverify verify'
expect "verify is run, whatever its comment says" 0 verify "$verify  # takes minutes"
expect "verify with options may take its time" 0 verify "$verify" "$verify --plan ci  # minutes"
expect "no document runs verify" 1 list "./dpverify list"
expect "verify of some claims is not verify" 1 "verify --only a" "$verify --only a"
expect "a command fails" 1 verify,fail "$verify" "./dpverify fail"
expect "a failure that its document tells" 0 verify,fail "$verify" "./dpverify fail  # exit code 1"
expect "no pictures" 1 verify,rates "$verify" "./dpverify rates"
[[ $failures == 0 ]]
