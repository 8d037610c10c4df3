#!/usr/bin/env bash
# tests/mutation/run on a project made up for it: which mutants it makes, and what becomes of them.
# Skipped (exit code 77) where libclang's bindings are not installed.
set -euo pipefail
export LC_ALL=C.UTF-8
root=$(readlink -f -- "$(dirname -- "$0")/..")
/usr/bin/python3 -c 'import clang.cindex' 2>/dev/null || exit 77
scratch=$(mktemp -d)
trap 'rm -rf -- "$scratch"' EXIT
project=$scratch/project
mkdir -p -- "$project/algorithms/hu" "$project/tests/mutation" "$project/docs"
cp -- "$root/tests/mutation/switch.hpp" "$project/tests/mutation/"
cd -- "$project"
git init -q .

cat >CMakePresets.json <<'EOF'
{"version": 6, "configurePresets": [{"name": "toy", "generator": "Ninja",
  "binaryDir": "${sourceDir}/build/${presetName}", "cacheVariables": {"CMAKE_BUILD_TYPE": "Debug",
  "CMAKE_EXPORT_COMPILE_COMMANDS": "ON"}}]}
EOF
cat >CMakeLists.txt <<'EOF'
cmake_minimum_required(VERSION 3.25)
project(toy LANGUAGES CXX)
set(CMAKE_CXX_STANDARD 20)
find_package(GTest REQUIRED)
add_executable(dpverify_tests algorithms/hu/toy.cpp algorithms/hu/toy_test.cpp)
target_include_directories(dpverify_tests PRIVATE ${PROJECT_SOURCE_DIR})
target_link_libraries(dpverify_tests PRIVATE GTest::gtest_main)
add_executable(dpverify algorithms/hu/toy.cpp main.cpp)
target_include_directories(dpverify PRIVATE ${PROJECT_SOURCE_DIR})
EOF
cat >algorithms/hu/toy.cpp <<'EOF'
#include <array>

double noise_scale(double radius, int n) {
  constexpr int steps = 4;
  return 2 * radius / n * steps;
}
double untested(double x) { return x + 5; }
bool seen_half(int n) { return n < 7; }
std::array<int, 3> sizes() { return {1 - 1}; }
long endless(long n) {
  long k = 0;
  while (k != n) k += 1;
  return k;
}
EOF
touch algorithms/hu/toy_claims.cpp
cat >algorithms/hu/toy_test.cpp <<'EOF'
#include <gtest/gtest.h>
#include <array>
double noise_scale(double radius, int n);
bool seen_half(int n);
std::array<int, 3> sizes();
long endless(long n);
TEST(Toy, NoiseScale) { EXPECT_EQ(noise_scale(3, 4), 6); }
TEST(Toy, SeenHalf) { EXPECT_TRUE(seen_half(5)); EXPECT_FALSE(seen_half(9)); }
TEST(Toy, Sizes) { EXPECT_EQ(sizes()[0], 0); }
TEST(Toy, Endless) { EXPECT_EQ(endless(3), 3); }
EOF
# A `verify` that notices the wrong noise.
cat >main.cpp <<'EOF'
double noise_scale(double radius, int n);
int main() { return noise_scale(3, 4) == 6 ? 0 : 1; }
EOF
echo '[{"file": "algorithms/hu/toy.cpp", "line": "long k = 0;", "change": "0 -> 1", "reason": "made up"},
       {"file": "algorithms/hu/toy.cpp", "line": "gone", "change": "0 -> 1", "reason": "made up"}]' \
  >tests/mutation/equivalent.json
git add .
git -c user.name=t -c user.email=t@t.example commit -q -m toy

code=0
DPVERIFY_PRESET=toy "$root/tests/mutation/run" --root "$project" --sample 99 --verified 99 >out 2>err || code=$?
failures=0
wants() {  # what, line of the document
  grep -qE -- "$2" docs/mutation.md || {
    printf 'FAILED  %s: no line %s\n' "$1" "$2"
    failures=$((failures + 1))
  }
}
wants_none() {  # what, line of the document
  ! grep -qE -- "$2" docs/mutation.md || {
    printf 'FAILED  %s: a line %s\n' "$1" "$2"
    failures=$((failures + 1))
  }
}
[[ -f docs/mutation.md ]] || {
  cat out err
  exit 1
}

[[ $code == 1 ]] || { echo "FAILED  a score below the limit: exit code $code"; failures=1; }
wants "not reached" 'toy.cpp:7 .*.5. becomes .6..*no test reaches it'
wants "no test fails" 'toy.cpp:8 .*.n < 7. becomes .n <= 7..*no test fails'
wants "equivalents are named" 'toy.cpp:11 .*.0. becomes .1..*made up'
wants "what verify sees" 'toy.cpp:5.*noise_scale.*.2. becomes .3..*smoke'
wants "what verify does not see" 'toy.cpp:.*no \|$'
wants_none "known to be killed: the scale" 'toy.cpp:5 .*no test'
wants_none "killed, for it does not end" 'toy.cpp:12 .*no test'
wants_none "what the compiler evaluates" '.4. becomes|.3. becomes'
grep -q "not needed in equivalent.json: algorithms/hu/toy.cpp: 0 -> 1" out || { echo "FAILED  an unused entry"; failures=1; }
[[ $failures == 0 ]] || { cat docs/mutation.md out err; exit 1; }
