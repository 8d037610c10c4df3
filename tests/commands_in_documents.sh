#!/usr/bin/env bash
# Runs the commands of the documents as a reader would, and compares their exit codes.
#
# A command is a line of a block fenced with ```sh that starts with ./dpverify (continued over lines
# that end in \). It must exit with 0, or with N if it ends in a comment with "exit code N", and draw
# its pictures. Not run: `./dpverify test` (this is part of it), commands with a comment that speaks of
# minutes or hours, and `./dpverify python` where the packages of that module are not installed.
# `./dpverify verify`, every claim, is always run, and must be in some document.
# The folder they run in holds the repository's files, but what they write goes to a scratch folder.
#
# Usage: commands_in_documents.sh [DOCUMENT ...]; without one, every *.md file of the repository.
set -euo pipefail
export LC_ALL=C.UTF-8

root=$(readlink -f -- "$(dirname -- "$0")/..")
if [[ $# == 0 ]]; then
  # Each by itself, as many at a time as there are processors.
  log=$(mktemp)
  trap 'rm -f -- "$log"' EXIT
  code=0
  # shellcheck disable=SC2016  # the inner shell's own
  find "$root" \( -name build -o -name out -o -name '.*' \) -prune -o \
    -name '*.md' -exec grep -qE '^\./dpverify ' {} \; -print0 |
    sort -z | xargs -0 -n 1 -P "$(nproc)" \
      bash -c 'log=$("$@") || code=$?; printf "%s\n" "$log"; exit "${code-0}"' - "$0" >"$log" || code=1
  cat -- "$log"
  grep -qE '^(ok|FAILED) +\./dpverify verify +[(#]' "$log" || {
    echo "no document runs ./dpverify verify" >&2
    code=1
  }
  exit "$code"
fi
documents=("$@")
for document in "${documents[@]}"; do
  [[ -f $document ]] || {
    echo "no file $document" >&2
    exit 2
  }
done
readarray -d '' documents < <(readlink -z -f -- "${documents[@]}")
scratch=$(mktemp -d)
trap 'rm -rf -- "$scratch"' EXIT
mkdir -- "$scratch/folder"
for file in "$root"/*; do
  case ${file##*/} in
    build | out) ;;
    *) ln -s -- "$file" "$scratch/folder/" ;;
  esac
done
cd -- "$scratch/folder"

# Those of the optional module, which would have to be installed first.
python=yes
dpkg-query -W pybind11-dev python3-dev python3-numpy >/dev/null 2>&1 || python=no

commands=0
executed=0
failed=0
execute() {  # command
  local comment='' wanted=0 code=0 start=$SECONDS
  commands=$((commands + 1))
  [[ ! $1 =~ [[:space:]]#(.*)$ ]] || comment=${BASH_REMATCH[1]}
  [[ ! $comment =~ exit\ code\ ([0-9]+) ]] || wanted=${BASH_REMATCH[1]}
  if [[ $1 =~ ^\./dpverify\ +verify[[:space:]]*($|\#) ]]; then
    :  # however long it takes
  elif [[ $1 =~ ^\./dpverify\ +python\  && $python == no ]]; then
    printf 'not run  %s (the packages of the Python module are not installed)\n' "$1"
    return
  elif [[ $1 =~ ^\./dpverify\ +test($|[[:space:]]) || $comment =~ minutes|hours ]]; then
    printf 'not run  %s\n' "$1"
    return
  fi
  executed=$((executed + 1))
  bash -o pipefail -c "$1" >"$scratch/output" 2>&1 </dev/null || code=$?
  if [[ $code == "$wanted" ]] && ! grep -qi 'no pictures: ' "$scratch/output"; then
    printf 'ok       %s (%s s)\n' "$1" "$((SECONDS - start))"
  else
    failed=$((failed + 1))
    printf 'FAILED   %s\n  exit code %s, wanted %s; its output:\n' "$1" "$code" "$wanted"
    sed 's/^/  | /' "$scratch/output"
  fi
}

execute_commands_of() {  # document
  local inside='' command='' line
  printf '== %s\n' "${1#"$root"/}"
  while IFS= read -r line || [[ -n $line ]]; do
    if [[ $line =~ ^[[:space:]]*\`\`\`(.*)$ ]]; then
      if [[ -n $inside ]]; then inside=''; else inside=${BASH_REMATCH[1]:-text}; fi
      command=''
    elif [[ $inside == sh ]]; then
      command+=$line
      if [[ $line == *\\ ]]; then
        command=${command%\\}
        continue
      fi
      [[ $command != ./dpverify* ]] || execute "$command"
      command=''
    fi
  done <"$1"
}

for document in "${documents[@]}"; do execute_commands_of "$document"; done

printf '%s commands run, %s failed\n' "$executed" "$failed"
[[ $commands -gt 0 ]] || echo "no command in ${documents[*]}" >&2
[[ $commands -gt 0 && $failed == 0 ]]
