#!/usr/bin/env bash
# Compares the table of claims in README.md, between its two markers, with what the program lists.
# Usage: readme_table.sh PROGRAM; with UPDATE=1 in the environment it writes the table instead.
set -euo pipefail
export LC_ALL=C.UTF-8

program=$1
readme=$(readlink -f -- "$(dirname -- "$0")/../README.md")
wanted=$(
  awk -v table="$("$program" list --markdown)" '
    /^<!-- claims -->$/ { print; print table; skip = 1; next }
    /^<!-- \/claims -->$/ { skip = 0; found = 1 }
    !skip
    END { if (!found) exit 1 }' "$readme"
) || {
  echo "$readme lacks the lines <!-- claims --> and <!-- /claims -->" >&2
  exit 1
}
if [[ ${UPDATE-} == 1 ]]; then
  printf '%s\n' "$wanted" >"$readme"
else
  diff -u "$readme" <(printf '%s\n' "$wanted") || {
    echo "the table of claims is out of date: UPDATE=1 $0 PROGRAM writes it" >&2
    exit 1
  }
fi
