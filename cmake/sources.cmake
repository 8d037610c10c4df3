# How the sources are compiled: those of a group as one translation unit, which reads the headers and
# instantiates the templates of all of them once, or (DPVERIFY_GROUPS=OFF) each by itself. A group is an
# algorithm (NAME.cpp, NAME_claims.cpp, NAME_lemmas.cpp, ...) or else a dozen files of a folder.
option(DPVERIFY_GROUPS "Compile the sources of an algorithm, or a dozen of a folder, as one" ON)

# By themselves always: a name in their unnamed namespace is that of another one in the group.
set(sources_apart
    algorithms/claims/options_test.cpp
    algorithms/core/noisy_max_test.cpp
    algorithms/core/random_test.cpp
    algorithms/core/releases_test.cpp
    algorithms/hu/private_lasso_test.cpp
    algorithms/hu/sparse_linear_regression_test.cpp
    algorithms/hu/sparse_optimization_test.cpp
    algorithms/su/phased_sgd_test.cpp
    algorithms/su/regularized_mirror_descent_test.cpp
    algorithms/tao/dp_sco_rates.cpp
    algorithms/tao/sco_framework_lemmas_test.cpp
    algorithms/tao/sparse_optimization_test.cpp
    algorithms/tao/truncated_mean_lemmas_test.cpp
    audits/black_box/shortlist.cpp
    audits/must_catch/sum_rows.cpp
    audits/transcript/recorded_releases_test.cpp
    reports/program_default.cpp
    reports/rate_baseline.cpp
    reports/rate_plot.cpp
    reports/run_command.cpp
    reports/selection_test.cpp)
list(TRANSFORM sources_apart PREPEND ${PROJECT_SOURCE_DIR}/)

function(compile_in_groups target)  # sources
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${DPVERIFY_GROUPS} UNITY_BUILD_MODE GROUP)
  set(sources ${ARGN})
  list(REMOVE_ITEM sources ${sources_apart})
  foreach(source IN LISTS sources)
    cmake_path(GET source PARENT_PATH group)
    string(REGEX REPLACE "(_claims|_lemmas|_rates)?\\.cpp$" "" algorithm ${source})
    if(EXISTS ${algorithm}_claims.cpp)
      set(group ${algorithm})
    endif()
    cmake_path(RELATIVE_PATH group BASE_DIRECTORY ${PROJECT_SOURCE_DIR})
    string(REPLACE "/" "_" group ${group})
    list(APPEND members_${group} ${source})
    list(LENGTH members_${group} size)
    math(EXPR part "${size} / 12")
    string(APPEND group _${part})
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${group})
  endforeach()
endfunction()

# A test that no target compiles never runs, and never fails: one with another ending than _test.cpp
# would go into the library, one outside of the folders nowhere.
function(require_tests_compiled)  # sources of the tests
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS algorithms/*.?pp properties/*.?pp audits/*.?pp
       bench/*.?pp reports/*.?pp docs/*.?pp tests/*.?pp)
  list(REMOVE_ITEM sources ${ARGN})
  list(FILTER sources EXCLUDE REGEX "/test_[^/]*\\.hpp$")
  foreach(source IN LISTS sources)
    file(STRINGS ${source} tests REGEX "#include <g(test|mock)/" LIMIT_COUNT 1)
    if(tests)
      message(FATAL_ERROR "${source} includes GoogleTest, but is neither a *_test.cpp of the folders "
              "of sources nor a test_*.hpp")
    endif()
  endforeach()
endfunction()

# NAME.sh and NAME_test.sh are the test NAME, but for what they source.
function(require_scripts_run)  # those that another build runs
  get_property(tests DIRECTORY PROPERTY TESTS)
  file(GLOB scripts CONFIGURE_DEPENDS tests/*.sh)
  list(REMOVE_ITEM scripts ${PROJECT_SOURCE_DIR}/tests/checks.sh)
  foreach(script IN LISTS scripts)
    string(REGEX REPLACE ".*/|(_test)?\\.sh$" "" test ${script})
    if(NOT test IN_LIST tests AND NOT test IN_LIST ARGN)
      message(FATAL_ERROR "${script} is not run: there is no test ${test}")
    endif()
  endforeach()
endfunction()
