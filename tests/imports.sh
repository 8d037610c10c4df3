#!/usr/bin/env bash
# Imports run one way: algorithms <- properties <- audits, bench <- reports; within algorithms, core
# imports core alone, a paper's room no other paper's, and only the registry the papers' rooms.
# bench/speed is a program that times what all of them have: nobody imports it.
# Tests (*_test.cpp, test_*.hpp) may import what they need.
set -euo pipefail
export LC_ALL=C.UTF-8
cd -- "$(dirname -- "$(readlink -f -- "$0")")/.."

violations=$(
  grep -rno --include='*.cpp' --include='*.hpp' '^#include "[a-z_]*/[^"]*"' \
    algorithms properties audits bench reports |
    grep -v -e '_test\.cpp:' -e '/test_[a-z_]*\.hpp:' |
    awk -F: '
      BEGIN {
        split("properties audits bench reports", above)
        allowed["properties"] = "algorithms properties"
        allowed["audits"] = "algorithms properties audits"
        allowed["bench"] = "algorithms bench"
        allowed["reports"] = "algorithms properties audits bench reports"
        allowed["algorithms"] = "algorithms"
        paper["hu"] = paper["tao"] = paper["wang_xu"] = paper["su"] = 1
      }
      {
        target = $3
        sub(/^#include "/, "", target)
        sub(/"$/, "", target)
        split($1, from, "/")
        split(target, to, "/")
        speed = from[1] == "bench" && from[2] == "speed"
        bad = index(" " allowed[speed ? "reports" : from[1]] " ", " " to[1] " ") == 0
        if (to[1] == "bench" && to[2] == "speed" && !speed) bad = 1
        if (from[1] == "algorithms" && to[1] == "algorithms") {
          if (from[2] == "core" && to[2] != "core") bad = 1
          if (to[2] in paper && from[2] != to[2] && from[2] !~ /^registry\./) bad = 1
        }
        if (bad) print $1 ":" $2 " imports " target
      }'
)
[[ -z $violations ]] || {
  printf '%s\n' "$violations" >&2
  exit 1
}
