#!/usr/bin/env bash
# Configures the project with an Eigen whose CMake files say that it is version 3.3.9, 3.4.0, 5.0.0:
# only the first is too old. The headers are those that are installed. Then with options that take
# the meaning from infinities and from the order of sums: they are refused, wherever they stand.
# Usage: configuration.sh CMAKE
set -euo pipefail
export LC_ALL=C.UTF-8

cmake=$1
root=$(readlink -f -- "$(dirname -- "$0")/..")
scratch=$(mktemp -d)
trap 'rm -rf -- "$scratch"' EXIT

# Eigen's own version file accepts what is asked for if the major number is the same.
mkdir -- "$scratch/eigen"
cat >"$scratch/eigen/Eigen3Config.cmake" <<'EOF'
if(NOT TARGET Eigen3::Eigen)
  add_library(Eigen3::Eigen INTERFACE IMPORTED)
  set_target_properties(Eigen3::Eigen PROPERTIES INTERFACE_INCLUDE_DIRECTORIES /usr/include/eigen3)
endif()
EOF
version_file() {  # version
  cat >"$scratch/eigen/Eigen3ConfigVersion.cmake" <<EOF
set(PACKAGE_VERSION $1)
set(PACKAGE_VERSION_COMPATIBLE FALSE)
if(NOT PACKAGE_FIND_VERSION)
  set(PACKAGE_VERSION_COMPATIBLE TRUE)
elseif(PACKAGE_FIND_VERSION_MAJOR STREQUAL ${1%%.*} AND NOT $1 VERSION_LESS PACKAGE_FIND_VERSION)
  set(PACKAGE_VERSION_COMPATIBLE TRUE)
endif()
EOF
}

failures=0
for version in 3.3.9 3.4.0 5.0.0; do
  version_file "$version"
  wanted=0
  [[ $version != 3.3.9 ]] || wanted=1
  code=0
  "$cmake" -G Ninja -S "$root" -B "$scratch/build-$version" "-DEigen3_DIR=$scratch/eigen" \
    -DCMAKE_BUILD_TYPE=Release >"$scratch/log" 2>&1 || code=$?
  fact=$(grep -o 'eigen_version = "[^"]*"' "$scratch/build-$version/generated/build_info.cpp" 2>/dev/null || true)
  if [[ $code != "$wanted" || ($wanted == 0 && $fact != "eigen_version = \"$version\"") ||
    ($wanted == 1 && $(<"$scratch/log") != *"Eigen is version 3.3.9, but must be at least 3.4"*) ]]; then
    failures=$((failures + 1))
    printf 'FAILED  Eigen %s: exit code %s, wanted %s; it says %s\n' "$version" "$code" "$wanted" "$fact"
    sed 's/^/  | /' "$scratch/log"
  else
    printf 'ok      Eigen %s\n' "$version"
  fi
done

for option in -DCMAKE_CXX_FLAGS=-ffast-math -DCMAKE_CXX_FLAGS_RELEASE=-Ofast '-DCMAKE_CXX_FLAGS=-O2 -fassociative-math'; do
  code=0
  "$cmake" -G Ninja -S "$root" -B "$scratch/build-options" --fresh -DCMAKE_BUILD_TYPE=Release "$option" \
    >"$scratch/log" 2>&1 || code=$?
  if [[ $code != 1 || $(<"$scratch/log") != *"${option##*[= ]} is not possible"* ]]; then
    failures=$((failures + 1))
    printf 'FAILED  %s: exit code %s\n' "$option" "$code"
    sed 's/^/  | /' "$scratch/log"
  else
    printf 'ok      %s is refused\n' "$option"
  fi
done
[[ $failures == 0 ]]
