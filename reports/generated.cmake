# Sources made by the build, in ${generated_sources}: what the binary was built from and with, and
# the schemas and the report's page as text, so that the program works from any folder.

set(generated_folder ${PROJECT_BINARY_DIR}/generated)

# Known when configuring.
string(TOUPPER "${CMAKE_BUILD_TYPE}" build_type_upper)
get_property(directory_options DIRECTORY PROPERTY COMPILE_OPTIONS)
string(JOIN " " build_flags ${CMAKE_CXX_FLAGS} ${CMAKE_CXX_FLAGS_${build_type_upper}}
       ${directory_options})
# RapidCheck has no version macro; its Debian package has a version.
execute_process(COMMAND dpkg-query -W -f "\${Version}" librapidcheck-dev
                OUTPUT_VARIABLE rapidcheck_version ERROR_QUIET)
if(NOT rapidcheck_version)
  set(rapidcheck_version unknown)
endif()
configure_file(${CMAKE_CURRENT_LIST_DIR}/../algorithms/core/build_info.cpp.in ${generated_folder}/build_info.cpp @ONLY)

foreach(schema report recorded_release)
  file(READ ${CMAKE_CURRENT_LIST_DIR}/${schema}.schema.json ${schema}_schema)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS
               ${CMAKE_CURRENT_LIST_DIR}/${schema}.schema.json)
endforeach()
configure_file(${CMAKE_CURRENT_LIST_DIR}/schemas.cpp.in ${generated_folder}/schemas.cpp @ONLY)

foreach(part html css js)
  file(READ ${CMAKE_CURRENT_LIST_DIR}/page/report.${part} page_${part})
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS
               ${CMAKE_CURRENT_LIST_DIR}/page/report.${part})
endforeach()
configure_file(${CMAKE_CURRENT_LIST_DIR}/page/page_parts.cpp.in ${generated_folder}/page_parts.cpp @ONLY)

# A commit changes this without touching any source, so it is read when building: again whenever
# one of these files or git's record of the current commit (which the command lists in the
# depfile) has changed. The output is rewritten only if the state differs, so that nothing else is
# rebuilt.
file(GLOB_RECURSE tracked_files CONFIGURE_DEPENDS algorithms/* properties/* audits/* bench/*
     reports/*)
string(SHA256 tracked_names "${tracked_files}")  # in the command, so that a removed file counts too
find_package(Git QUIET)
add_custom_command(
  OUTPUT ${generated_folder}/git_state.cpp
  COMMAND ${CMAKE_COMMAND} -D GIT=${GIT_EXECUTABLE} -D FOLDER=${CMAKE_CURRENT_LIST_DIR}/..
          -D TEMPLATE=${CMAKE_CURRENT_LIST_DIR}/git_state.cpp.in
          -D OUTPUT=${generated_folder}/git_state.cpp -D NAMES=${tracked_names}
          -P ${CMAKE_CURRENT_LIST_DIR}/git_state.cmake
  DEPENDS ${tracked_files} ${CMAKE_CURRENT_LIST_DIR}/../CMakeLists.txt
  DEPFILE ${generated_folder}/git_state.cpp.d
  COMMENT "Reading the git state" VERBATIM)

set(generated_sources ${generated_folder}/build_info.cpp ${generated_folder}/git_state.cpp
    ${generated_folder}/page_parts.cpp ${generated_folder}/schemas.cpp)
