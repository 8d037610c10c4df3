#!/usr/bin/env bash
# `audit --exec`: programs in several languages, each right and with a fault of one word; programs that
# hang, die, fork, print too much, text, NaN or nothing; and bad input.
# Usage: audited_programs.sh PROGRAM [TIMES]; right samplers are audited TIMES times (default 1)
set -euo pipefail
# shellcheck source=tests/checks.sh
source "$(dirname -- "$0")/checks.sh"

program=$(readlink -f -- "$1")
times=${2:-1}
cd -- "$scratch"

# One record is replaced; it is the only one that is 5.
printf 'x\n1\n0\n1\n0\n' >d.csv
printf 'x\n1\n0\n1\n5\n' >e.csv
# A true claim is refuted once in a million runs of this test.
# Of --fault 2, so that right programs need hundreds of runs and not thousands.
options=(--data d.csv --neighbour e.csv --epsilon 1 --significance 1e-6 --fault 2 --threads 2 --bits no)
audit() {  # words of the program; sets code and out
  code=0
  out=$("$program" audit "${more[@]}" "${options[@]}" --exec -- "$@" 2>&1 </dev/null) || code=$?
  out=${out//$'\n'    / }
}
more=()
python=/usr/bin/python3  # not a script that looks for one at every start
[[ -x $python ]] || python=python3
# Nobody expected anything of a user's program.
right() { check "$1: consistent" "0 *Verdict: consistent (nothing found against the claim)"$'\n'"*would have been refuted by these*" "$code $out"; }
wrong() { check "$1: refuted" "1 *Verdict: refuted (the claim fails)"$'\n'"*$2*" "$code $out"; }
refused() { check "$1: an error, in one line" "2 dpverify: $2" "$code $out"; }

# ---- A sum of numbers clipped to [0, 1] with Laplace noise, a sampler of one line: of scale 1, as often
# as TIMES says, and of a quarter of it.
# shellcheck disable=SC2016  # awk's own
in_awk='NR > 1 { s += $1 > 1 ? 1 : $1 } END { srand({seed}); for (i = 0; i < {runs}; ++i) { u = 2 * rand() - 1; print s + SCALE * (u < 0 ? -1 : 1) * -log(1 - (u < 0 ? -u : u)) } }'
in_python='import random; s = sum(min(float(x), 1) for x in open("{data}").read().split()[1:]); [print(s + SCALE * random.choice((-1, 1)) * random.expovariate(1)) for _ in range({runs})]'
in_javascript='const s = require("fs").readFileSync("{data}", "utf8").trim().split("\n").slice(1).reduce((t, x) => t + Math.min(Number(x), 1), 0); for (let i = 0; i < {runs}; ++i) console.log(s + SCALE * (Math.random() < 0.5 ? -1 : 1) * Math.log(1 - Math.random()));'
in_cpp='int main(int, char** a) { std::ifstream f(a[1]); std::string h; double s = 0, x; for (f >> h; f >> x;) s += std::min(x, 1.0); std::mt19937_64 g(std::random_device{}()); std::exponential_distribution<> e; for (int i = std::stoi(a[2]); i > 0; --i) std::printf("%.9f\n", s + SCALE * (g() % 2 ? 1 : -1) * e(g)); }'
compiled() {  # scale
  printf '#include <%s>\n' algorithm cstdio fstream random string >sum.cpp
  printf '%s\n' "${in_cpp//SCALE/$1}" >>sum.cpp
  c++ -o sum sum.cpp
}
sampler() {  # language, scale
  case $1 in
    awk) audit awk "${in_awk//SCALE/$2}" '{data}' ;;
    python) audit "$python" -c "${in_python//SCALE/$2}" ;;
    node) audit node -e "${in_javascript//SCALE/$2}" ;;
    c++) compiled "$2" && audit ./sum '{data}' '{runs}' ;;
  esac
}
given=("${options[@]}")
for language in awk python node c++; do
  command -v "${language/#python/$python}" >/dev/null || {
    echo "skipped $language"
    continue
  }
  # As a user who gives no --fault, so that the right one needs some 5,000 runs.
  default=(--data d.csv --neighbour e.csv --epsilon 1 --significance 1e-6 --threads 2 --bits no)
  for seed in $(seq "$times"); do
    options=("${default[@]}" --seed "$seed")
    sampler "$language" 1
    right "$language"
  done
  start=$SECONDS
  sampler "$language" 0.25
  wrong "$language, a quarter of the noise" "betting on output"
  check "$language: refuted within a minute" yes "$([[ $((SECONDS - start)) -lt 60 ]] && echo yes)"
done
options=("${given[@]}")
in_awk=${in_awk//SCALE/1}
audit awk "${in_awk/'{seed}'/1}" '{data}'
refused "awk, with the same seed at every start" "*prints the same lines at every start*"

# ---- Neighbours that lack a user, or a record: a sum over three users, one of them with three records.
printf 'user,x\nann,1\nbob,1\nbob,1\neve,0\nbob,1\n' >users.csv
cat >total.awk <<'EOF'
BEGIN {
  srand(seed); FS = ","
  while ((getline <data) > 0) total += $2 == "x" ? 0 : $2
  for (i = 0; i < runs; ++i) {
    u = 2 * rand() - 1
    print total + scale * (u < 0 ? -1 : 1) * -log(1 - (u < 0 ? -u : u))
  }
}
EOF
given=("${options[@]}")
without() {  # what, scale
  options=(--data users.csv --without "$1" "${given[@]:4}")
  audit awk -v "scale=$2" -v 'data={data}' -v 'runs={runs}' -v 'seed={seed}' -f total.awk
}
without user=bob 3
right "noise for three records, without a user who has three"
without user=bob 1
wrong "noise for one record, without a user who has three" "betting on output"
without user=ann 1
right "noise for one record, without a user who has one"
without 5 1
right "noise for one record, without the last record"
without 5 0.25
wrong "a quarter of the noise, without the last record" "betting on output"
check "the line that repeats it says so" "*--data users.csv --without 5 *" "$out"
without user=dan 1
refused "without a user who is not there" "users.csv: record to leave out is 'user=dan', which it does not have, but must be a value of this column"
options=(--without 5 "${given[@]}")
audit true
refused "two neighbours" "--neighbour is given with --without, but must be *"
options=("${given[@]}")
rm -- users.csv total.awk

# ---- Words of the program up to an option of audit, as they stand: no shell.
code=0
out=$("$program" audit --exec awk -v scale=0.25 "${in_awk/s + 1/s + scale}" '{data}' \
  "${options[@]}" --json) || code=$?
check "words that look like options are the program's" "1 *\"verdict\": \"refuted\"*" "$code $out"
printf '%s\n' "$out" >report.json
check "the JSON matches the schema" "*matches the schema*" "$("$program" validate report.json)"
check "the line that repeats it has all words" \
  "*--exec -- awk -v scale=0.25 'NR > 1 { s += *' '{data}'*" "$out"

# ---- Categories: randomised response; a third answer on one side alone.
# shellcheck disable=SC2016  # awk's own
answer='BEGIN { srand({seed}); mine = data == "d.csv" ? "yes" : "no"; other = data == "d.csv" ? "no" : "yes"
  for (i = 0; i < {runs}; ++i) print rand() < p ? mine : other }'
audit awk -v p=0.7 -v 'data={data}' "$answer"
right "text"
audit awk -v p=0.95 -v 'data={data}' "$answer"
wrong "text, told too often" "'*'"
for odd in NaN '' inf 'no answer' '1,2' 1e999 "$(printf '\377\001')"; do
  audit awk -v "odd=$odd" -v 'data={data}' \
    'BEGIN { srand({seed}); for (i = 0; i < {runs}; ++i) print data == "e.csv" && rand() < 0.5 ? odd : int(3 * rand()) }'
  wrong "half of the lines '$odd' on one dataset" "betting on"
done

# ---- Failures.
fail() { audit sh -c "$1" sh '{data}' '{runs}'; }
# shellcheck disable=SC2016  # of the shell that is audited
answers='for i in $(seq $2); do od -An -N2 -tu2 /dev/urandom; done'
more=(--time-limit 1)
fail 'sleep 1000'
refused "hangs" "every run of the program is *not finished after 1 s*"
fail "[ \$1 = d.csv ] || sleep 1000; $answers"
wrong "hangs on one dataset" "on the second dataset * times not finished after 1 s*"
more=()
fail 'echo no such column >&2; exit 3'
refused "dies" "every run of the program is *exit status 3*no such column*"
fail "[ \$1 = d.csv ] || kill -SEGV \$\$; $answers"
wrong "dies on one dataset" "on the second dataset * times killed by signal 11*"
audit awk 'BEGIN { srand({seed}); for (i = 0; i < {runs}; ++i) { if (rand() < 0.2) exit 3; print int(2 * rand()) } }'
refused "dies at times, whatever the data" "the number of runs that fail is *exit status 3*"
fail "[ \$1 = d.csv ] || exit 0; $answers"
wrong "prints nothing on one dataset" "on the second dataset * times printed nothing*"
fail true
refused "prints nothing" "every run of the program is *printed nothing*"
audit yes
refused "prints without end" "every run of the program is *printed more than the line*"
more=(--time-limit 20)
fail 'head -c 1000000000 /dev/zero'
refused "prints a gigabyte in a line" "every run of the program is *printed more than * bytes*"
more=()
if command -v "$python" >/dev/null; then
  more=(--memory-limit 200)
  audit "$python" -c 'import random, sys
hoard = b"x" * (500_000_000 if sys.argv[1] == "e.csv" else 1)
for _ in range(int(sys.argv[2])): print(random.randrange(2))'
  wrong "needs more memory than it gets on one dataset" "on the second dataset * times exit status 1 (it said: MemoryError)*"
  more=()
fi

# ---- What a program leaves running.
fail "setsid sh -c 'echo \$\$ >>left; exec sleep 1000' & $answers"
check "forks: ends" "[01] *" "$code $out"
sleep 0.2
for process in $(<left); do ! kill -0 "$process" 2>/dev/null || check "forks: leaves nothing" gone "$process"; done
rm -- left
"$program" audit "${options[@]}" --exec -- sh -c "setsid sh -c 'echo \$\$ >>left; exec sleep 1000' & sleep 1000" \
  >/dev/null 2>&1 &
victim=$!
for _ in $(seq 500); do
  [[ ! -s left ]] || break
  sleep 0.01
done
{
  kill -9 "$victim"
  wait "$victim" || true
} 2>/dev/null
sleep 0.5
for process in $(<left); do ! kill -0 "$process" 2>/dev/null || check "killed: leaves nothing" gone "$process"; done
check "killed: no file" "d.csv e.csv left report.json" \
  "$(rm -f sum sum.*; printf '%s ' * | sed 's/ $//')"

# ---- Bad input.
refuse() {  # wanted, arguments
  code=0
  out=$("$program" audit "${@:2}" 2>&1 </dev/null) || code=$?
  refused "${*:2}" "$1"
}
pair=(--data d.csv --neighbour e.csv)
refuse "the program to start is 'no-such-program'*" "${pair[@]}" --epsilon 1 --exec no-such-program
refuse "the program to start is './d.csv'*" "${pair[@]}" --epsilon 1 --exec ./d.csv
refuse "--epsilon is missing*" "${pair[@]}" --exec true
refuse "--exec*" "${pair[@]}" --epsilon 1 --exec
refuse "--data is missing*" --neighbour e.csv --epsilon 1 --exec true
refuse "--neighbour is missing*" --data d.csv --epsilon 1 --exec true
refuse "--data is 'no.csv'*" --data no.csv --neighbour e.csv --epsilon 1 --exec true
refuse "--neighbour is 'd.csv', of the same bytes*" --data d.csv --neighbour d.csv --epsilon 1 --exec true
refuse "--epsilon is '0'*positive, or 0 with --delta above 0" "${pair[@]}" --epsilon 0 --exec true
refuse "--bits is 'maybe'*" "${pair[@]}" --epsilon 1 --bits maybe --exec true
refuse "--fault is '1'*above 1*" "${pair[@]}" --epsilon 1 --fault 1 --exec true
refuse "--time-limit is '0'*" "${pair[@]}" --epsilon 1 --time-limit 0 --exec true
refuse "--memory-limit is '1'*" "${pair[@]}" --epsilon 1 --memory-limit 1 --exec true
refuse "--sequential is given with --exec*" "${pair[@]}" --epsilon 1 --sequential --exec true
refuse "--time-limit is given without --exec*" --outputs d.csv e.csv --epsilon 1 --time-limit 3
refuse "what to audit is given twice*" must_catch.svt_no_cutoff "${pair[@]}" --epsilon 1 --exec true

finish
