# The projects that `init` writes as a source, in ${generated_sources} too: each an array of its files
# with their texts.
foreach(project project python_project)
  set(folder ${CMAKE_CURRENT_LIST_DIR}/../docs/example/${project})
  file(GLOB_RECURSE files CONFIGURE_DEPENDS RELATIVE ${folder} ${folder}/*)
  list(FILTER files EXCLUDE REGEX "__pycache__|\\.pyc$")
  set(${project}_files)
  foreach(file IN LISTS files)
    file(READ ${folder}/${file} text)
    string(APPEND ${project}_files "    {\"${file}\", R\"file(${text})file\"},\n")
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${folder}/${file})
  endforeach()
endforeach()
configure_file(${CMAKE_CURRENT_LIST_DIR}/example_projects.cpp.in
               ${generated_folder}/example_projects.cpp @ONLY)
list(APPEND generated_sources ${generated_folder}/example_projects.cpp)
