# dpverify_program(TARGET): gives the program's reports its own name, its project's version and the
# commit of its sources (of the folder of the top CMakeLists.txt), read at every build.
function(dpverify_program target)
  set(file ${CMAKE_CURRENT_BINARY_DIR}/${target}_program.cpp)
  find_package(Git QUIET)
  get_target_property(name ${target} OUTPUT_NAME)
  if(NOT name)
    set(name ${target})
  endif()
  add_custom_target(
    ${target}_program
    COMMAND ${CMAKE_COMMAND} -D GIT=${GIT_EXECUTABLE} -D FOLDER=${CMAKE_SOURCE_DIR} -D NAME=${name}
            -D VERSION=${PROJECT_VERSION} -D OUTPUT=${file}
            -P ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/read_program.cmake
    BYPRODUCTS ${file} VERBATIM)
  target_sources(${target} PRIVATE ${file})
  add_dependencies(${target} ${target}_program)
endfunction()
