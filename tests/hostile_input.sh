#!/usr/bin/env bash
# What the program does where something is in its way: files that are damaged, deep, endless loops of
# links or full of control characters; limits on threads and memory; a missing TMPDIR. One line says
# what and where, never what the user's data hold; the exit code tells the truth; and the line that
# reproduces a result does.
# Usage: hostile_input.sh PROGRAM
set -euo pipefail
# shellcheck source=tests/checks.sh
source "$(dirname -- "$0")/checks.sh"

program=$(readlink -f -- "$1")
cd -- "$scratch"
ln -s -- "$program" dpverify  # as the lines to reproduce a result start
id=hu.dp_frank_wolfe.privacy.corrected

one_line() {  # what, pattern
  check "$1: one line" "$2" "$err"
  check "$1: no more than one" 1 "$(wc -l <stderr)"
}

# Words.
run "$program" findings nobody
check "findings of nobody: exit code" 2 "$code"
one_line "findings of nobody" "dpverify: *"

# JSON of anyone's.
repeated() { printf "%0.s$1" $(seq "$2"); }
repeated '[' 100000 >deep.json
repeated '{"a":' 100000 >deep_objects.json
printf '{"schema_version": 1e999}' >overflow.json
ln -s loop_b loop_a
ln -s loop_a loop_b
mkdir loops
ln -s ../loop_a loops/report.json
for file in deep.json deep_objects.json overflow.json loop_a; do
  for command in validate "explain $id --report" "findings --report" "power --report" \
    "compare $file" "rates --only tao.truncated_mean.* --record-baseline --baseline"; do
    # shellcheck disable=SC2086  # words
    run "$program" $command "$file"
    check "$command $file: exit code" 2 "$code"
    one_line "$command $file" "dpverify: *$file*"
  done
done
run "$program" report loops
check "report of a loop: exit code" 2 "$code"
run "$program" verify --only 'tao.truncated_mean.lemma.*' --out loop_a
check "verify into a loop: exit code" 2 "$code"
for option in "--data loop_a" "--data a.csv --bounds loop_a" "--data a.csv --out loop_a"; do
  printf 'x,y\n1,2\n3,4\n' >a.csv
  # shellcheck disable=SC2086  # words
  run "$program" run hu.dp_frank_wolfe --target y $option
  check "run $option: exit code" 2 "$code"
  one_line "run $option" "dpverify: *loop_a*"
done
{
  printf '{"schema_version": 3, "kind": "verify", "claims": [], "evidence": [{}'
  repeated ',{}' 100000
  printf ']}'
} >many.json
run prlimit --as=$((200 << 20)) "$program" validate many.json
check "very many errors: exit code" 2 "$code"
check "very many errors: in little memory, all but 20 counted" "*and at least * more errors" "$out"

# What a terminal would obey, in texts of a report and in names of columns.
"$program" audit "$id" --method exact --json >audit.json
sed 's/"reason": "/&\\u001b[2J\\nVerdict: refuted \\u009b/' audit.json >escapes.json
run "$program" explain "$id" --report escapes.json
check "control characters of a report are shown escaped" '*\\x1b\[2J*\\x9b*' "$out"
check "control characters of a report are not obeyed" no \
  "$(LC_ALL=C grep -qP '[\x00-\x09\x0b-\x1f\x7f]|\xc2[\x80-\x9f]' stdout && echo yes || echo no)"
printf 'y,"a\033[31m\n  b"\n1,2\n3,4\n' >names.csv
run "$program" run hu.dp_frank_wolfe --data names.csv --target y
check "control characters of a name are shown escaped" '*a\\x1b\[31m\\n  b*' "$out"

# Messages say where, not what.
printf 'income,y\n1,2\n31337,4O4\n' >typo.csv
run "$program" run hu.dp_frank_wolfe --data typo.csv --target y
check "a cell that is no number: where" "dpverify: typo.csv:3: column 2 is *" "$err"
check "a cell that is no number: not what" no "$([[ $err == *4O4* || $err == *income* ]] && echo yes || echo no)"
run "$program" run hu.dp_frank_wolfe --data typo.csv --target y --show-data
check "a cell that is no number: what, to who asks for it" "*'y', with '4O4'*" "$err"
printf 'x,y\n31337,2\n3,4\n' >"it's \$a.csv"
printf 'x,y\n31337,2\n3,5\n' >'b "2".csv'
pair=("it's \$a.csv" 'b "2".csv')
for form in "" --json; do
  # shellcheck disable=SC2086  # nothing, or a word
  run "$program" audit "$id" --method exact --pair "${pair[@]}" $form
  check "audit --pair $form: no record is shown" no "$(grep -q 31337 stdout && echo yes || echo no)"
  # shellcheck disable=SC2086
  run "$program" audit "$id" --method exact --pair "${pair[@]}" --show-data $form
  check "audit --pair $form: but to who asks for it" yes "$(grep -q 31337 stdout && echo yes || echo no)"
done

# The line that reproduces a result: of every kind of audit, and of a claim of every kind.
reproduces() {  # what, command
  local line first
  run "$program" "${@:2}"
  first=$code$out
  line=$(sed -n '/^  Reproduce:/{n;s/^ *//p}' stdout)
  run bash -c "$line"
  check "$1: its line reproduces it" "same, code $code" \
    "$([[ $first == "$code$out" ]] && echo same || echo other), code $code"
}
reproduces "audit at another guarantee" audit "$id" --method exact --epsilon 0.5
reproduces "audit of another guarantee" audit "$id" --method exact --epsilon 0.01 --keep-noise
reproduces "audit of transcripts" audit "$id" --method transcript --transcripts 500 --epsilon 0.1 \
  --delta 1e-7 --keep-noise --pair corner --significance 0.01
reproduces "audit of outputs alone" audit "$id" --method black-box --samples 1000 --sequential --seed 5
reproduces "audit of a pair" audit "$id" --method exact --pair "${pair[@]}" --target y
seq 1 300 >"o 1"
seq 2 301 >"o;2"
reproduces "audit of outputs in files" audit --outputs "o 1" "o;2" --epsilon 1 --bits no --fault 3
reproduces "audit of a program" audit --data typo.csv --neighbour names.csv --epsilon 1 --samples 200 \
  --exec -- sh -c $'for i in $(seq "$2"); do echo 1; done\n# \'\033[31m\'' "a b"
for kind in sensitivity privacy rate lemma; do
  chosen=$("$program" list --only "tao.truncated_mean.$kind.*" | awk 'NR == 1 { print $1 }')
  rm -rf out
  run "$program" verify --only "$chosen"
  run "$program" explain "$chosen" --report out/report.json
  line=$(sed -n '/^  Reproduce:/{n;s/^ *//p}' stdout)
  evidence() { sed '/^  "timings": {/,$d' out/report.json; }
  before=$(evidence)
  rm -rf out
  run bash -c "$line"
  check "verify of a claim of $kind: its line reproduces it" same \
    "$([[ $before == "$(evidence)" ]] && echo same || echo "other, of $line")"
done

# A bit of a checkpoint.
rates=(rates --only 'tao.truncated_mean.rate.*' --out swept)
"$program" "${rates[@]}" >first
rm swept/report.json swept/report.html
damaged=$(find swept/rate-points -name '*.txt' | sort | head -n 1)
middle=$(($(stat -c %s "$damaged") / 2))
byte=$(od -An -tu1 -j "$middle" -N 1 "$damaged")
printf '%b' "\\x$(printf '%x' $((byte ^ 1)))" | dd of="$damaged" bs=1 seek="$middle" conv=notrunc status=none
run "$program" "${rates[@]}"
check "a damaged checkpoint: exit code" 0 "$code"
check "a damaged checkpoint: a line says so" "dpverify: $damaged is damaged; that piece is measured again" "$err"
check "a damaged checkpoint: the same result" same "$(cmp first stdout && echo same)"

# The system's limits.
TMPDIR=/nonexistent run "$program" "${rates[@]}"
check "no TMPDIR: exit code" 0 "$code"
check "no TMPDIR: not a word" "" "$err"
limited=(prlimit --nproc=1)
if [[ $(id -u) == 0 ]]; then  # whom no such limit holds
  limited=(setpriv --reuid 65534 --regid 65534 --clear-groups "${limited[@]}")
  chmod a+rx . && mkdir nobody && chown 65534 nobody
fi
mkdir -p nobody
if "${limited[@]}" "$program" --version >/dev/null 2>&1; then
  run "${limited[@]}" "$program" verify --only 'tao.truncated_mean.lemma.*' --threads 4 --out nobody/v
  check "no thread to be had: exit code" 0 "$code"
  run "${limited[@]}" "$program" audit --exec true --data a.csv --neighbour typo.csv --epsilon 1
  check "no process to be had: exit code" 2 "$code"
  one_line "no process to be had" "dpverify: cannot start a process: *"
fi
run prlimit --as=$((48 << 20)) "$program" run hu.dp_frank_wolfe --target delay_minutes --epsilon 1 \
  --data "$root/bench/data/flights.csv"
check "no memory to be had: exit code" 2 "$code"
one_line "no memory to be had" "dpverify: not enough memory"

finish
