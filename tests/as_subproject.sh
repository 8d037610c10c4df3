#!/usr/bin/env bash
# Another project takes this one in by add_subdirectory and links dpverify_library: it configures, the
# files that the build generates compile, the rest could be built, and nothing is changed for that
# project's own sources.
# Usage: as_subproject.sh CMAKE
set -euo pipefail
# shellcheck source=tests/checks.sh
source "$(dirname -- "$0")/checks.sh"

cmake=$1

mkdir -- "$scratch/parent"
cat >"$scratch/parent/CMakeLists.txt" <<EOF
cmake_minimum_required(VERSION 3.25)
project(parent VERSION 7.8.9 LANGUAGES C CXX)
set(CMAKE_CXX_COMPILER_LAUNCHER env)  # its own, not to be replaced
add_subdirectory($root dpverify)
add_executable(parent main.cpp)
target_link_libraries(parent PRIVATE dpverify_library)
get_directory_property(tests DIRECTORY $root TESTS)
message(STATUS "TESTS [\${tests}] STANDARD [\${CMAKE_CXX_STANDARD}]")
message(STATUS "EXPORT [\${CMAKE_EXPORT_COMPILE_COMMANDS}] LAUNCHER [\${CMAKE_CXX_COMPILER_LAUNCHER}]")
if(TARGET dpverify_tests)
  message(STATUS "TEST TARGET")
endif()
EOF
# Converts a double to an int, which this project's warnings would not let pass.
cat >"$scratch/parent/main.cpp" <<'EOF'
#include "algorithms/core/build_info.hpp"
int main() {
  int rounded = 2.5 * dpverify::build_info().version.size();
  return rounded == 0;
}
EOF

code=0
"$cmake" -G Ninja -S "$scratch/parent" -B "$scratch/build" -DCMAKE_BUILD_TYPE=Release \
  -DDPVERIFY_WERROR=ON >"$scratch/log" 2>&1 || code=$?
check "it configures" 0 "$code"
log=$(<"$scratch/log")
[[ $code == 0 ]] || printf '%s\n' "$log"
check "it adds no tests, and leaves the standard alone" "*TESTS \[\] STANDARD \[\]*" "$log"
check "it leaves export and launcher alone" "*EXPORT \[\] LAUNCHER \[env\]*" "$log"
check "it adds no test program" no "$([[ $log == *"TEST TARGET"* ]] && echo yes || echo no)"
check "its version is its own" '*.version = "0.*' \
  "$(cat "$scratch/build/dpverify/generated/build_info.cpp" 2>&1)"
check "its folder is its own" "*.source_folder = \"$root\"*" \
  "$(cat "$scratch/build/dpverify/generated/build_info.cpp" 2>&1)"

build() { ninja -C "$scratch/build" "$@" 2>&1; }
objects=dpverify/CMakeFiles/dpverify_library.dir/generated
code=0
out=$(build $objects/build_info.cpp.o $objects/git_state.cpp.o $objects/schemas.cpp.o) || code=$?
check "the generated files compile" 0 "$code"
[[ $code == 0 ]] || printf '%s\n' "$out"
code=0
out=$(build CMakeFiles/parent.dir/main.cpp.o) || code=$?
check "the other project's file compiles, without our warnings" 0 "$code"
check "and silently" no "$([[ $out == *warning* ]] && echo yes || echo no)"
[[ $code == 0 ]] || printf '%s\n' "$out"
code=0
out=$(build -n) || code=$?
check "all of it could be built" 0 "$code"
[[ $code == 0 ]] || printf '%s\n' "$out"
check "our files keep our options" "*-ffp-contract=off*-Wconversion*-Werror*-std=c++20*" \
  "$(build -t commands $objects/build_info.cpp.o)"

finish
