#!/usr/bin/env bash
# Tests of the wrapper script `dpverify`, on a copy of it with a program of one line.
set -euo pipefail
# shellcheck source=tests/checks.sh
source "$(dirname -- "$0")/checks.sh"

# Only the tests that set it themselves choose a preset.
chosen_preset=${DPVERIFY_PRESET:-release}
unset DPVERIFY_PRESET

project=$scratch/project
mkdir -- "$project" "$scratch/elsewhere" "$scratch/bin"
cp -- "$root/dpverify" "$root/CMakePresets.json" "$root/packages.txt" "$project/"
cat >"$project/CMakeLists.txt" <<'EOF'
cmake_minimum_required(VERSION 3.25)
project(wrapped LANGUAGES CXX)
add_executable(dpverify main.cpp)
add_custom_target(step_of_every_build ALL)
add_custom_command(TARGET step_of_every_build COMMAND true COMMENT "Looking around")
add_dependencies(dpverify step_of_every_build)
add_executable(only_for_tests main.cpp)
if(DPVERIFY_PYTHON)
  add_custom_target(dpverify_python)
endif()
enable_testing()
add_test(NAME starts COMMAND dpverify 0)
if(EXISTS ${CMAKE_SOURCE_DIR}/with_failing_test)
  add_test(NAME fails COMMAND dpverify 3)
endif()
EOF
program='
#include <cstdio>
#include <cstdlib>
#include <filesystem>
int main(int count, char** arguments) {
  std::printf("VERSION %s", std::filesystem::current_path().c_str());
  for (int i = 1; i < count; ++i) std::printf(" [%s]", arguments[i]);
  return count > 1 ? std::atoi(arguments[1]) : 0;
}'
printf '%s' "${program/VERSION/first}" >"$project/main.cpp"

# As a user without the right to install: root becomes nobody, anyone else loses sudo.
printf '#!/bin/sh\nexit 1\n' >"$scratch/bin/sudo"
chmod -R a+rX -- "$scratch"
chmod a+x -- "$scratch/bin/sudo"
powerless=(env "PATH=$scratch/bin:$PATH")
if [[ $(id -u) == 0 ]]; then
  powerless=(setpriv --reuid 65534 --regid 65534 --clear-groups "${powerless[@]}")
fi

printf '\n[build]\nlibno-such-thing-dev  # a comment\ndpkg\nno-such-tool\n' >>"$project/packages.txt"
run "${powerless[@]}" "$project/dpverify" verify
check "missing packages: exit code" 2 "$code"
check "missing packages: all named in one line" \
  "dpverify: missing packages, and no right to install them: libno-such-thing-dev no-such-tool" "$err"
check "missing packages: nothing on standard output" "" "$out"
check "missing packages: nothing built" no "$([[ -e $project/build ]] && echo yes || echo no)"
run "${powerless[@]}" "$project/dpverify" setup
check "setup: missing packages, exit code" 2 "$code"

# As a user with the right to install, of packages that apt-get does or does not deliver.
mkdir -- "$scratch/powerful"
printf '#!/bin/sh\nshift\nexec "$@"\n' >"$scratch/powerful/sudo"
cat >"$scratch/powerful/apt-get" <<EOF
#!/bin/sh
echo "\$*" >>"$scratch/apt"
echo "words of apt-get"
exit \$(cat "$scratch/apt_code")
EOF
chmod a+x -- "$scratch/powerful/sudo" "$scratch/powerful/apt-get"
powerful=(env "PATH=$scratch/powerful:$PATH")
echo 0 >"$scratch/apt_code"
run "${powerful[@]}" "$project/dpverify" setup
check "installation: exit code" 0 "$code"
check "installation: just what is missing, after an update" \
  "*update*install * libno-such-thing-dev no-such-tool" "$(<"$scratch/apt")"
check "installation: one line" "dpverify: installing libno-such-thing-dev no-such-tool" "$err"
echo 100 >"$scratch/apt_code"
run "${powerful[@]}" "$project/dpverify" setup
check "failed installation: exit code" 2 "$code"
check "failed installation: log and reason" \
  "*words of apt-get*could not install libno-such-thing-dev no-such-tool*" "$err"
rm -- "$scratch/apt"
cp -- "$root/packages.txt" "$project/"
run "${powerful[@]}" "$project/dpverify" setup
check "nothing missing: apt-get is not started" no "$([[ -e $scratch/apt ]] && echo yes || echo no)"
check "nothing missing: silent" "" "$err"

run "$project/dpverify" setup --everything
check "setup: unknown argument, exit code" 2 "$code"
check "setup: unknown argument, named" "dpverify: setup takes no arguments but --ci*--everything" "$err"

run "$project/dpverify" test --help
check "test --help: exit code and usage" "0 Usage: ./dpverify test *" "$code $out"
check "test --help: builds nothing" no "$([[ -e $project/build ]] && echo yes || echo no)"

for preset in nonsense base ../release; do
  run env "DPVERIFY_PRESET=$preset" "$project/dpverify" 0
  check "preset '$preset': exit code" 2 "$code"
  check "preset '$preset': named in one line" "dpverify: DPVERIFY_PRESET is '$preset', but must *" "$err"
done

if [[ $(id -u) == 0 ]]; then
  run "${powerless[@]}" "$project/dpverify" 0
  check "a folder of someone else's: exit code" 2 "$code"
  check "a folder of someone else's: one line" "dpverify: cannot write to $project/build" "$err"
fi

cd -- "$scratch/elsewhere"
run ../project/dpverify 0 "two words" ''
check "first start: exit code" 0 "$code"
check "first start: arguments and current folder are the user's" \
  "first $scratch/elsewhere \[0\] \[two words\] \[\]" "$out"
check "first start: builds only the program" no \
  "$([[ -e $project/build/release/only_for_tests ]] && echo yes || echo no)"

run ../project/dpverify 0
check "second start: says nothing of its own" "" "$err"
check "second start: builds nothing" no \
  "$(grep -qE 'Building|Linking' "$project/build/release/build.log" && echo yes || echo no)"
run ../project/dpverify 4
check "exit code of the program is kept" 4 "$code"
ln -s -- "$project/dpverify" "$scratch/link"
run "$scratch/link" 0
check "start through a symbolic link" "first $scratch/elsewhere \[0\]" "$out"

printf '%s' "${program/VERSION/second}" >"$project/main.cpp"
run ../project/dpverify 0
check "a changed source is rebuilt" "second *" "$out"

chmod -R a-w,a+rX -- "$project/build"
chmod a+x -- "$scratch"
run "${powerless[@]}" "$project/dpverify" 0
check "a built tree that is not to be written: exit code" 0 "$code"
check "a built tree that is not to be written: silent" "" "$err"
check "a built tree that is not to be written: works" "second *" "$out"
run "${powerless[@]}" "$project/dpverify" test
check "a built tree that is not to be written: its tests need a build" 2 "$code"
sleep 0.01
printf '%s' "${program/VERSION/newer}" >"$project/main.cpp"
run "${powerless[@]}" "$project/dpverify" 0
check "a program older than its sources: exit code" 2 "$code"
check "a program older than its sources: one line" \
  "dpverify: cannot write to $project/build, and the program there is older than $project/main.cpp" "$err"
chmod -R u+w -- "$project/build"

echo 'this is not C++' >"$project/main.cpp"
run ../project/dpverify 0
check "build failure: exit code" 5 "$code"
check "build failure: the compiler's words are shown" "*this is not C++*" "$err"
check "build failure: the program does not run" "" "$out"
printf '%s' "${program/VERSION/third}" >"$project/main.cpp"
run ../project/dpverify 0
check "after a build failure: exit code" 0 "$code"
check "after a build failure: output" "third *" "$out"

run ../project/dpverify test
check "test: exit code" 0 "$code"
check "test: summary" "*100% tests passed, 0 tests failed out of 1*" "$out"
check "test: builds everything" yes \
  "$([[ -e $project/build/release/only_for_tests ]] && echo yes || echo no)"
run ../project/dpverify test -R no_such_test
check "test: none selected is a failure" 1 "$code"
touch -- "$project/with_failing_test" "$project/CMakeLists.txt"
run ../project/dpverify test
check "test: a failing test, exit code" 1 "$code"
check "test: a failing test, named" "*fails (Failed)*" "$out"

mv -- "$project" "$scratch/moved"
run "$scratch/moved/dpverify" 0
check "a moved folder is configured anew" "dpverify: configuring*" "$err"
check "a moved folder works" "third *" "$out"

# Nobody else needs what the sanitizers do.
printf '[build]\n[sanitize]\nlibno-such-sanitizer-dev\n' >"$scratch/moved/packages.txt"
run "${powerless[@]}" "$scratch/moved/dpverify" setup
check "setup: without the sanitizers' packages" 0 "$code"
for command in 'test --sanitize' 'setup --ci'; do
  # shellcheck disable=SC2086  # two words
  run "${powerless[@]}" "$scratch/moved/dpverify" $command
  check "$command: with them" "2 *missing packages*libno-such-sanitizer-dev" "$code $err"
done

# The Python module has a build and packages of its own, which nothing else asks for.
moved=$scratch/moved
printf '[build]\n[python]\nlibno-such-module-dev\n' >"$moved/packages.txt"
run "${powerless[@]}" "$moved/dpverify" setup
check "setup: without the module's packages" 0 "$code"
run "${powerless[@]}" "$moved/dpverify" setup --python
check "setup --python: with them" "2 *missing packages*: libno-such-module-dev" "$code $err"
run "${powerless[@]}" "$moved/dpverify" python -c 'print(1)'
check "python: with them" "2 *missing packages*: libno-such-module-dev" "$code $err"
printf '[build]\n[python]\n' >"$moved/packages.txt"
if command -v python3 >/dev/null; then
  run "$moved/dpverify" python -c 'import os, sys; print(os.environ["PYTHONPATH"], sys.argv[1:])' a 'b c'
  check "python: the module's folder and the arguments" \
    "0 $moved/build/release-python/python \['a', 'b c'\]" "$code $out"
  run "$moved/dpverify" python -c 'raise SystemExit(7)'
  check "python: the exit code is kept" "7 " "$code $err"
fi

# The real program: what starting it through the wrapper adds, at best of five.
milliseconds() {  # command
  local best=1000000 start taken
  for _ in 1 2 3 4 5; do
    start=${EPOCHREALTIME/./}
    "$@" >/dev/null 2>&1 </dev/null || true
    taken=$(((${EPOCHREALTIME/./} - start) / 1000))
    best=$((taken < best ? taken : best))
  done
  printf '%s' "$best"
}
export DPVERIFY_PRESET=$chosen_preset
run "$root/dpverify" --help
check "the real program: exit code" 0 "$code"
direct=$(milliseconds "$root/build/$chosen_preset/dpverify" --help)
wrapped=$(milliseconds "$root/dpverify" --help)
printf 'second start of the program: %s ms, without the wrapper %s ms\n' "$wrapped" "$direct"
check "second start costs less than 0.3 s" yes \
  "$([[ $((wrapped - direct)) -lt 300 ]] && echo yes || echo no)"

finish
