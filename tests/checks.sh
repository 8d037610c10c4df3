# For the scripts of this folder, which source it: checks that are counted, in a scratch folder that
# is removed at the end.
# shellcheck shell=bash disable=SC2034
export LC_ALL=C.UTF-8

root=$(readlink -f -- "${BASH_SOURCE[0]%/*}/..")
scratch=$(mktemp -d)
trap 'rm -rf -- "$scratch"' EXIT
failures=0

check() {  # what, wanted, got
  # shellcheck disable=SC2053  # the wanted text is a pattern
  if [[ $3 == $2 ]]; then
    printf 'ok      %s\n' "$1"
  else
    printf 'FAILED  %s\n  wanted: %s\n  got:    %s\n' "$1" "$2" "$3"
    failures=$((failures + 1))
  fi
}

run() {  # command; sets code, out and err
  code=0
  "$@" >"$scratch/stdout" 2>"$scratch/stderr" </dev/null || code=$?
  out=$(<"$scratch/stdout")
  err=$(<"$scratch/stderr")
}

finish() {
  printf '%s failed\n' "$failures"
  [[ $failures == 0 ]]
}
