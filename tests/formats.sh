#!/usr/bin/env bash
# What `report --format` writes, read by others: xmllint, a reader of SARIF and of JUnit XML in Python, for a
# report with every outcome and hostile texts in it; that planted faults of the formats are seen; that
# nothing of the user's is replaced. Usage: formats.sh EXAMPLE_PROGRAM
set -euo pipefail
# shellcheck source=tests/checks.sh
source "$(dirname -- "$0")/checks.sh"
program=$(readlink -f -- "$1")
command -v xmllint >/dev/null || { echo "formats: no xmllint"; exit 77; }
cd -- "$scratch"

"$program" verify --out real >/dev/null || true  # one of its claims is wrong, as it should be
check "the report is there" yes "$([[ -s real/report.json ]] && echo yes)"

# Beside it one of the same claims with every outcome, and with texts that would break a careless writer.
mkdir hostile
python3 - <<'END'
import copy, json
report = json.load(open("real/report.json"))
verdicts = ["error", "inconclusive", "not_run", "refuted", "consistent"]
claims, evidence = report["claims"][:], report["evidence"][:]
for k, verdict in enumerate(verdicts):
    claim, one = copy.deepcopy(claims[k]), copy.deepcopy(evidence[k])
    claim.update(id=f"hostile.a.lemma.k{k}.printed", algorithm="hostile.a", kind="lemma", edition="printed",
                 expectation="holds", statement='<script>alert(1)</script> "&" `x` | * ]]> \x01')
    claim.pop("finding", None)
    claim["stated"] = {"file": "a b,c:%é.cpp", "line": 7}
    one.update(claim=claim["id"], verdict=verdict, as_expected=verdict == "consistent",
               tightness=2 if verdict == "refuted" else None,
               reason='<img src=x onerror=alert(2)> 100 % of "it",\r\nwith a: colon ::error::no ' + "é" * 1000)
    one.pop("run_by", None)
    if verdict == "not_run":
        one.update(as_expected=None, run_by="ci")
    claims.append(claim)
    evidence.append(one)
claim, one = copy.deepcopy(claims[-1]), copy.deepcopy(evidence[-1])
claim.update(id="hostile.a.lemma.k5.printed", expectation="refuted",
             finding={"severity": "proof_step", "touches": "<b>", "repair": "]]> twice"})
one.update(claim=claim["id"], verdict="refuted", as_expected=True, tightness=2)
claims.append(claim)
evidence.append(one)
order = sorted(range(len(claims)), key=lambda k: claims[k]["id"])
report["claims"], report["evidence"] = [claims[k] for k in order], [evidence[k] for k in order]
report["partial"] = {"time_limit": 5, "left_out": ["hostile.a.lemma.k2.printed"]}
json.dump(report, open("hostile/report.json", "w"))
END

for folder in real hostile; do
  run "$program" report "$folder" --format junit,sarif,markdown,badge,github
  check "$folder: exit code" 0 "$code"
  printf '%s\n' "$out" | grep '^::' >"$folder/annotations" || true
  run xmllint --noout --schema "$root/tests/junit.xsd" "$folder/report.junit.xml"
  check "$folder: JUnit XML is of the schema" "0 *validates" "$code $err"
  run xmllint --noout "$folder/report.svg"
  check "$folder: the badge is XML" "0 " "$code $err"
  run "$root/tests/read_formats.py" "$folder" "$folder/annotations"
  check "$folder: each format says what the report says" "0 " "$code $out$err"
done
run "$root/tests/read_formats.py" real real/annotations --sources "$root"
check "file and line of a claim are there" "0 " "$code $out$err"
check "the badge says how many are wrong" "*1 not as expected*" "$(<real/report.svg)"
check "a claim of the program is where it is stated" \
  "*::error file=docs/example/clipped_mean.cpp,line=*title=example.clipped_mean.privacy.printed::refuted, but*" \
  "$(<real/annotations)"

# Planted faults of the formats: each reader sees them.
fault() {  # what, file, sed command, reader ...
  cp -- "hostile/$2" kept
  sed -i "$3" "hostile/$2"
  check "planted: $1 changes the file" yes "$(cmp -s kept "hostile/$2" || echo yes)"
  run "${@:4}"
  check "planted: $1" "[1-9]*" "$code"
  mv -- kept "hostile/$2"
}
reader=("$root/tests/read_formats.py" hostile hostile/annotations)
junit=(xmllint --noout --schema "$root/tests/junit.xsd" hostile/report.junit.xml)
fault "a suite without counts" report.junit.xml 's/ failures="[0-9]*"//' "${junit[@]}"
fault "an unescaped <" report.junit.xml 's/&lt;script/<script/' "${junit[@]}"
fault "another outcome" report.junit.xml 's/<skipped /<failed /' "${junit[@]}"
fault "a skipped claim that passes" report.junit.xml 's/<skipped [^>]*>//' "${reader[@]}"
fault "a URI that is none" report.sarif 's/a%20b/a b/' "${reader[@]}"
fault "a base that is not defined" report.sarif 's/"uriBaseId": "%SRCROOT%"/"uriBaseId": "ROOT"/' "${reader[@]}"
fault "another version" report.sarif 's/"version": "2.1.0"/"version": "2.0.0"/' "${reader[@]}"
fault "a rule that nobody refers to" report.sarif 's/"ruleIndex": 1,/"ruleIndex": 0,/' "${reader[@]}"
fault "a property of no standard" report.sarif 's/"startLine"/"line"/' "${reader[@]}"
fault "a finding that is an error" report.sarif 's/"level": "note"/"level": "error"/' "${reader[@]}"
fault "a finding without its severity" report.sarif 's|finding/proof_step|finding/slip|' "${reader[@]}"
fault "an annotation of two lines" annotations 's/%0D/\n/' "${reader[@]}"
fault "markup in the summary" report.md 's/&lt;img/<img/' "${reader[@]}"

# Bad input, and what is not ours.
run "$program" report real --format yaml
check "unknown format" "2 *--format is 'yaml', but must be one of html, pictures, junit, sarif, markdown, badge, github" "$code $err"
printf 'my notes\n' >real/report.md
run "$program" report real --format junit,markdown
check "a file of others stays: one line" "2 *cannot write real/report.md: it is there, and not of dpverify" "$code $err"
check "a file of others stays" "my notes" "$(<real/report.md)"
run "$program" report nowhere --format junit
check "no report" "2 *nowhere/report.json*" "$code $err"
finish
