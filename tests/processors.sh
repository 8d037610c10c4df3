#!/usr/bin/env bash
# The evidence is the same on processors with and without fused multiply-add, for which the C library has
# functions of its own. Usage: processors.sh PROGRAM
set -euo pipefail
# shellcheck source=tests/checks.sh
source "$(dirname -- "$0")/checks.sh"

program=$(readlink -f -- "$1")
same=$(readlink -f -- "$(dirname -- "$0")/same_evidence.py")
cd -- "$scratch"

# Of those whose last bits tell processors apart: lemmas, laws, and sampled outputs.
chosen=(--only '*.peeling.lemma.laplace_tail.printed' --only 'su.objective_perturbation.privacy.pr*'
  --only 'su.shuffled_mirror_descent.lemma.accounting.*' --only 'must_catch.naive_double_laplace.*')

# verify_as FOLDER [GLIBC_TUNABLES]
verify_as() {
  run env ${2:+GLIBC_TUNABLES="$2"} "$program" verify "${chosen[@]}" --out "$1"
  check "$1: exit code" 0 "$code"
}

verify_as here
verify_as an_old_processor glibc.cpu.hwcaps=-AVX512F,-AVX2,-AVX,-FMA,-FMA4,-SSE4_1
run python3 "$same" here/report.json an_old_processor/report.json
check "an old processor's evidence is that of this one" 0 "$code"

# What the user sets is left as it is, and shows that the comparison can fail.
if grep -qw fma /proc/cpuinfo && [[ $(uname -m) == x86_64 ]]; then
  verify_as as_it_is glibc.cpu.hwcaps=-ERMS
  run python3 "$same" here/report.json as_it_is/report.json
  check "without the precaution it is not" 1 "$code"
fi

# A program that is audited sees what the user has set, and nothing of this one's.
cat >sampler <<'END'
#!/usr/bin/env bash
env | grep -e GLIBC_TUNABLES -e DPVERIFY_TUNABLES >>seen
for _ in {1..50}; do echo "$RANDOM"; done
END
chmod +x sampler
printf 'x\n1\n' >data.csv
printf 'x\n2\n' >neighbour.csv
for set in "" glibc.malloc.check=0; do
  : >seen
  run env ${set:+GLIBC_TUNABLES="$set"} "$program" audit --exec ./sampler --data data.csv --neighbour neighbour.csv \
    --epsilon 1 --samples 100
  check "set to '$set': the audited program sees it" "${set:+GLIBC_TUNABLES=$set}" "$(sort -u seen)"
done

finish
