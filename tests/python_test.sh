#!/usr/bin/env bash
# The Python module and its page, by its own tests, and the project that `init --python` starts, by the
# commands of its CI file. Skipped (77) where the packages of [python] in packages.txt are not installed.
set -euo pipefail
# shellcheck source=tests/checks.sh
source "$(dirname -- "$0")/checks.sh"

readarray -t packages < <(sed -n '/^\[python\]/,/^$/{/^[a-z]/{s/ .*//;p}}' "$root/packages.txt")
installed=$(dpkg-query -W -f '${db:Status-Status}\n' "${packages[@]}" 2>/dev/null | grep -c '^installed$') || true
if [[ $installed != "${#packages[@]}" ]]; then
  echo "skipped: the packages of the Python module are not installed (./dpverify setup --python)"
  exit 77
fi

run "$root/dpverify" python -m unittest discover "$root/python/tests"
check "module: its tests" "0 *OK*" "$code $err"

cd -- "$scratch"
run "$root/dpverify" init project --python
check "init: exit code" 0 "$code"
ln -s -- "$root" project/dpverify
cd -- project
readarray -t commands < <(sed -n 's/^ *- run: \(dpverify\/.*\)/\1/p' .github/workflows/dpverify.yml)
check "init: commands of the CI file" 1 "${#commands[@]}"
for command in "${commands[@]}"; do
  run bash -c "$command"
  check "init: $command" "0 *Ran 3 tests*OK (skipped=1)*" "$code $err"
done
# The test would see less noise.
sed -i 's/2 \/ len(data)/1 \/ len(data)/' means.py
run bash -c "${commands[0]}"
check "init: a mean with half the noise fails, with the pair" "1 *becomes*" "$code $err"
run "$root/dpverify" python means.py
check "init: the program runs" "0 \[*\]" "$code $out"

finish
