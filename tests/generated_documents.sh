#!/usr/bin/env bash
# Compares what the documents take from the program and from the example with what these say now:
# the claims (docs/claims.md), and between markers <!-- NAME --> and <!-- /NAME --> the example's
# sources and its verdict (README.md, docs/add-an-algorithm.md).
# Usage: generated_documents.sh PROGRAM EXAMPLE; with UPDATE=1 in the environment it writes them instead.
set -euo pipefail
export LC_ALL=C.UTF-8

program=$(readlink -f -- "$1")
example=$(readlink -f -- "$2")
root=$(readlink -f -- "$(dirname -- "$0")/..")
scratch=$(mktemp -d)
trap 'rm -rf -- "$scratch"' EXIT
mkdir -- "$scratch/new"
stale=0

# Puts the file CONTENT between the markers NAME of DOCUMENT.
between_markers() {  # DOCUMENT NAME CONTENT
  awk -v name="$2" -v content="$3" '
    $0 == "<!-- " name " -->" {
      print
      while ((getline line < content) > 0) print line
      skip = 1
      next
    }
    $0 == "<!-- /" name " -->" { skip = 0; found = 1 }
    !skip
    END { if (!found) exit 1 }' "$1" >"$1.new" || {
    echo "$1 lacks the lines <!-- $2 --> and <!-- /$2 -->" >&2
    exit 1
  }
  mv -- "$1.new" "$1"
}

fenced() {  # LANGUAGE
  printf '```%s\n' "$1"
  cat
  printf '```\n'
}

# The mechanism and its claims, without what every source file has.
body_of() {  # SOURCE
  sed -e '/^#include/d' -e '/^namespace dpverify::example {$/d' -e '/^}  \/\/ namespace dpverify::example$/d' "$1" | cat -s | sed -e '1{/^$/d}' | sed -e '${/^$/d}'
}

cp -- "$root/README.md" "$root/docs/add-an-algorithm.md" "$scratch/new/"
"$program" list --markdown >"$scratch/new/claims.md"

count=$(sed -n 's/^Each of the \([0-9]*\) statements.*/\1/p' "$scratch/new/claims.md")
sed -i "s/and [0-9]* claims about them/and $count claims about them/" "$scratch/new/README.md"

body_of "$root/docs/example/clipped_mean.cpp" | fenced cpp >"$scratch/example"
code=0
(cd -- "$scratch" && "$example" verify --only 'example.clipped_mean.*' >verdict.txt 2>/dev/null) || code=$?
[[ $code == 1 ]] || {
  echo "the example of README.md ended with $code, but its claim is to be refuted against its expectation: 1" >&2
  exit 1
}
grep '^refuted' "$scratch/verdict.txt" >"$scratch/reason" || {
  echo "verify names no refuted verdict of the example of README.md" >&2
  exit 1
}
tr -s ' ' <"$scratch/reason" | fold -s -w 118 | sed 's/ *$//' | fenced text >"$scratch/verdict"
between_markers "$scratch/new/README.md" example "$scratch/example"
between_markers "$scratch/new/README.md" verdict "$scratch/verdict"
fenced cpp <"$root/docs/example/laplace_mean.cpp" >"$scratch/example"
between_markers "$scratch/new/add-an-algorithm.md" example "$scratch/example"

current() {  # NAME FILE
  if [[ ${UPDATE-} == 1 ]]; then
    cp -- "$scratch/new/$1" "$2"
  else
    diff -u "$2" "$scratch/new/$1" || stale=1
  fi
}
current README.md "$root/README.md"
current claims.md "$root/docs/claims.md"
current add-an-algorithm.md "$root/docs/add-an-algorithm.md"

# docs/coverage.md is measured, hence not written here, but names every claim on a paper and no other.
# shellcheck disable=SC2016
diff <("$program" list --json | tr ',' '\n' |
  sed -n 's/.*"id": "\(\(hu\|tao\|wang_xu\|su\)\.[^"]*\)".*/\1/p' | grep -v '\.mutant$' | sort -u) \
  <(grep -o '`[a-z0-9_.]*\.\(printed\|proved\|corrected\|reading\)`' "$root/docs/coverage.md" | tr -d '`' | sort -u) || {
  echo "docs/coverage.md is out of date: ./dpverify verify && ./dpverify coverage >docs/coverage.md" >&2
  exit 1
}
[[ $stale == 0 ]] || {
  echo "documents are out of date: UPDATE=1 $0 PROGRAM EXAMPLE writes them" >&2
  exit 1
}
