#!/usr/bin/env bash
# `audit --transcripts`: the example that records its releases in Python, right and with a fault of one
# word, and others; skipped without python3.
# Usage: recorded_releases.sh PROGRAM
set -euo pipefail
# shellcheck source=tests/checks.sh
source "$(dirname -- "$0")/checks.sh"

if ! command -v python3 >/dev/null; then
  echo "skipped: no python3"
  exit 77
fi
program=$(readlink -f -- "$1")
example=$root/audits/transcript/example/noisy_sums.py
cd -- "$scratch"

audit() {  # file, epsilon; sets code and out
  code=0
  out=$("$program" audit --transcripts "$1" --epsilon "$2" 2>&1 </dev/null) || code=$?
  out=${out//$'\n'    / }
}

# No claim that is true is ever refuted: losses are exact.
for try in 1 2 3 4 5; do
  python3 "$example" right 50 >right.jsonl
  audit right.jsonl 1
  check "right, file $try" "0 *consistent*consistent*Strength: certified*" "$code $out"
done
python3 "$example" wrong 50 >wrong.jsonl
audit wrong.jsonl 1
check "wrong" "1 releases.sensitivity*Verdict: refuted*moves by *where * is declared*releases.privacy*Verdict: refuted*certifies nothing*" \
  "$code $out"
audit <(cat wrong.jsonl) 1
check "from a pipe" "1 *Verdict: refuted*" "$code $out"
audit "$root/audits/transcript/example/releases.jsonl" 1
check "the file of the documents" "1 *Verdict: refuted*" "$code $out"

# Faults that are in no value: half of the noise, data beside the releases, a replay that draws anew.
mutant() {  # what is replaced, by what
  python3 - "$example" "$1" "$2" >mutant.py <<'PY'
import sys
text = open(sys.argv[1]).read()
assert sys.argv[2] in text
print(text.replace(sys.argv[2], sys.argv[3]))
PY
  python3 mutant.py right 200 >mutant.jsonl
  audit mutant.jsonl 1
}
mutant "expovariate(1 / scale)" "expovariate(2 / scale)"
check "draws half of the noise" "1 *releases.sensitivity*consistent*inconclusive*draws of the law laplace do not follow it*" "$code $out"
mutant "/ len(data)

" "/ len(data) + sum(data)

"
check "adds the data to its output" "1 *Verdict: refuted*the output of run * still differs*" "$code $out"
mutant "2 * bound)" "bound)"
check "has half of the noise" "1 *releases.sensitivity*consistent*Verdict: refuted*" "$code $out"
mutant "bound = max(1.0, rough / len(data))" "bound = max(1.0, max(data))"
check "takes the bound from the data" "1 *differs between the datasets*releases.privacy*certifies nothing*" "$code $out"
mutant "if self.pinned is None" "if True"
check "draws anew where it should replay" "2 dpverify: mutant.jsonl:*outcome of release 1 is another*" "$code $out"

finish
