#!/usr/bin/env bash
# The shell recipe of docs/ci.md: it ends with 1 and one clear line on a claim that is wrong, with 0 without
# it, on several seeds, and its files are there. Usage: ci_recipe.sh EXAMPLE_PROGRAM
set -euo pipefail
# shellcheck source=tests/checks.sh
source "$(dirname -- "$0")/checks.sh"
program=$(readlink -f -- "$1")
cd -- "$scratch"
sed -n '/<!-- recipe -->/,/<!-- \/recipe -->/p' "$root/docs/ci.md" | sed '/^<!--/d; /^```/d' >recipe.sh
check "the page holds a recipe" "#!/bin/sh*verify*report*exit*" "$(<recipe.sh)"

# A program by that name: with the wrong claim of README.md, or without it.
with_options() {  # options of verify
  cat >dpverify <<END
#!/bin/sh
[ "\$1" != verify ] || set -- "\$@" $1
exec "$program" "\$@"
END
  chmod +x dpverify
}

with_options ""
run sh recipe.sh
check "a planted fault: exit code" 1 "$code"
check "a planted fault: one line that names it" 1 "$(grep -c '^UNEXPECTED' <<<"$out")"
check "a planted fault: the line" \
  "*UNEXPECTED: example.clipped_mean.privacy.printed is refuted, but was expected to be consistent*" "$out"
check "a planted fault: the files are there" "report.html report.json report.junit.xml report.md report.sarif report.svg" \
  "$(cd out && echo report*)"
check "a planted fault: it is a failure there" 1 "$(grep -c '<failure ' out/report.junit.xml)"

for seed in 1 2 3; do
  rm -rf out
  with_options "--exclude 'example.clipped_mean.privacy.*' --seed $seed"
  run sh recipe.sh
  check "without the fault, seed $seed" "0 " "$code $(grep UNEXPECTED <<<"$out" || true)"
done

rm -rf out
with_options "--exclude 'example.clipped_mean.privacy.*'"
sed 's/--time-limit 600/--time-limit 1e-9/' recipe.sh >hasty.sh
check "the recipe has a time limit" yes "$(cmp -s recipe.sh hasty.sh || echo yes)"
run sh hasty.sh
check "no time: exit code" 3 "$code"
check "no time: what was left out, in one line" "*The time limit of 1e-09 s left * claims unchecked: example.*" "$out"
check "no time: all skipped" 10 "$(grep -c '<skipped ' out/report.junit.xml)"
run sh recipe.sh
check "the next run checks them" 0 "$code"
check "the next run leaves nothing out" 0 "$(grep -c '"partial"' out/report.json)"
finish
