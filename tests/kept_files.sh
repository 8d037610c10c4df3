#!/usr/bin/env bash
# What the program writes, and what it leaves alone: a run that is killed goes on where it was, a
# reader that stops reading loses no report, and no file is destroyed that is not the program's own.
# Usage: kept_files.sh PROGRAM
set -euo pipefail
# shellcheck source=tests/checks.sh
source "$(dirname -- "$0")/checks.sh"

program=$(readlink -f -- "$1")
cd -- "$scratch"

# All of a report but its timings, which come last.
measured() { sed '/^  "timings": {/,$d' "$1/report.json"; }

# Killed as soon as some of the work is done. Rates first, so that there are points and claims.
chosen=(--only 'tao.truncated_mean.*' --threads 1)
run "$program" verify "${chosen[@]}" --out whole
check "uninterrupted: exit code" 0 "$code"
check "uninterrupted: says nothing of earlier runs" "" "$err"
check "uninterrupted: leaves only its report and its page" "report.html report.json" "$(cd whole && echo *)"
resumed=no
for attempt in 1 2 3 4 5; do
  "$program" verify "${chosen[@]}" --out killed >stdout 2>stderr </dev/null &
  process=$!
  while kill -0 "$process" 2>/dev/null &&
    [[ $(find killed/unfinished -name '*.txt' 2>/dev/null | wc -l) -lt $((2 * attempt)) ]]; do
    sleep 0.01
  done
  kill -9 "$process" 2>/dev/null || true
  wait "$process" 2>/dev/null || true
  [[ -e killed/report.json ]] || resumed=yes
done
check "killed: no half report" yes "$resumed"
check "killed: pieces are kept" "*.txt*" "$(ls killed/unfinished)"
dead=$(sh -c 'echo $$')
touch "killed/report.json.$dead.0.tmp" "killed/unfinished/0.txt.$dead.0.tmp"
run "$program" verify "${chosen[@]}" --out killed
check "resumed: exit code" 0 "$code"
check "resumed: says so" "dpverify: * finished by an earlier run, taken from killed/unfinished" "$err"
check "resumed: nothing is left but the report and its page" "report.html report.json" "$(cd killed && echo *)"
check "resumed: the same report" same \
  "$(cmp <(measured whole) <(measured killed) && echo same)"

# A reader that stops after a line. Enough claims for more than a pipe holds.
pipe() { "$program" "$@" 2>stderr </dev/null | head -n 1 >/dev/null; }
code=0
pipe verify --verbose --only '*.lemma.*' --out piped || code=$?
check "a pipe closed early: exit code, or all of it fitted" "[02]" "$code"
run "$program" validate piped/report.json
check "a pipe closed early: the report is whole" 0 "$code"
lemmas=$("$program" list --only '*.lemma.*' | wc -l)
check "a pipe closed early: with every claim" "$lemmas" \
  "$(grep -c '^      "method": ' piped/report.json)"
code=0
"$program" verify --only 'tao.truncated_mean.lemma.*' --out full >/dev/full 2>stderr || code=$?
check "a full disk under standard output: exit code" 2 "$code"
check "a full disk under standard output: one line" \
  "dpverify: cannot write to standard output" "$(<stderr)"
run "$program" validate full/report.json
check "a full disk under standard output: the report is whole" 0 "$code"

# A reader that does not read at all: surely closed before the first line.
mkfifo fifo
(exec 3<fifo) &
code=0
(sleep 1; exec "$program" verify --only 'tao.truncated_mean.lemma.*' --out closed) >fifo \
  2>stderr || code=$?
check "a pipe closed at once: exit code" 2 "$code"
check "a pipe closed at once: one line" "dpverify: cannot write to standard output" "$(<stderr)"
run "$program" validate closed/report.json
check "a pipe closed at once: the report is whole" 0 "$code"

# A part beside the whole.
before=$(measured whole | sha256sum)
run "$program" verify --only 'tao.truncated_mean.sensitivity.*' --out whole
check "a part of the same context: exit code" 0 "$code"
check "a part of the same context joins the report" "*whole/report.json, with * other claims*" "$out"
check "a part of the same context changes nothing" "$before" "$(measured whole | sha256sum)"
run "$program" verify --only 'tao.truncated_mean.sensitivity.*' --out whole --seed 7
check "a part of another seed is put beside it" \
  "*whole/report-2.json, because whole/report.json holds other claims, of another seed*" "$out"
check "a part of another seed changes nothing" "$before" "$(measured whole | sha256sum)"

# The files of a private run.
cp -- "$root"/bench/data/medical-visits{,-bounds}.csv .
ln -s medical-visits.csv link.csv
ln medical-visits-bounds.csv hard.csv
mkfifo pipe
# Never the real one: a program that fails here would take it from the whole machine.
mknod device c 1 3 2>/dev/null || ln -s /dev/null device
printf 'mine\n' >notes
sums=$(sha256sum -- *.csv notes)
visits() {
  run "$program" run hu.dp_frank_wolfe --data medical-visits.csv --target visits --epsilon 1 \
    --bounds medical-visits-bounds.csv "$@"
}
for file in medical-visits.csv ./medical-visits-bounds.csv link.csv hard.csv pipe device \
  notes whole missing/w.json; do
  visits --out "$file"
  check "run --out $file: exit code" 2 "$code"
  check "run --out $file: one line" "dpverify: cannot write *" "$err"
  check "run --out $file: nothing printed" "" "$out"
done
check "run --out: all files as they were" "$sums" "$(sha256sum -- *.csv notes)"
check "run --out: the link and the pipe too" "link pipe device" \
  "$([[ -L link.csv ]] && echo link) $([[ -p pipe ]] && echo pipe) $([[ -c device ]] && echo device)"
visits --out w.json
check "run --out of a new file: exit code" 0 "$code"
check "run --out of a new file: for its owner alone" 600 "$(stat -c %a w.json)"
visits --out w.json
check "run --out of an earlier result: exit code" 0 "$code"

finish
