# Writes OUTPUT from TEMPLATE with the commit of FOLDER and whether files that matter to the binary
# differ from it; leaves OUTPUT alone if it would not change. Writes OUTPUT.d, the files whose change
# makes the answer stale.

set(commit unknown)
set(dirty false)
set(git_files)
if(GIT)
  # A container often builds a checkout that belongs to another user, which git refuses to read. The
  # build runs this folder's scripts anyway, so it may trust its git folder as well.
  get_filename_component(FOLDER ${FOLDER} ABSOLUTE)
  set(git ${GIT} -c safe.directory=${FOLDER} -C ${FOLDER})
  # The prefix is empty at the top only: a copy of the project inside some other repository must not
  # report that one's commit.
  execute_process(COMMAND ${git} rev-parse --show-prefix HEAD RESULT_VARIABLE failed
                  OUTPUT_VARIABLE answer ERROR_QUIET)
  if(NOT failed AND answer MATCHES "^\n([0-9a-f]+)\n$")
    set(commit ${CMAKE_MATCH_1})
    execute_process(COMMAND ${git} --no-optional-locks status --porcelain -- CMakeLists.txt algorithms
                            properties audits bench reports OUTPUT_VARIABLE changes)
    if(changes)
      set(dirty true)
    endif()
    execute_process(COMMAND ${git} rev-parse --symbolic-full-name HEAD OUTPUT_VARIABLE branch
                    OUTPUT_STRIP_TRAILING_WHITESPACE)
    foreach(name HEAD logs/HEAD packed-refs ${branch})
      execute_process(COMMAND ${git} rev-parse --path-format=absolute --git-path ${name}
                      OUTPUT_VARIABLE file OUTPUT_STRIP_TRAILING_WHITESPACE)
      if(EXISTS ${file})
        string(REPLACE " " "\\ " file "${file}")
        string(APPEND git_files " ${file}")
      endif()
    endforeach()
  endif()
endif()
configure_file(${TEMPLATE} ${OUTPUT} @ONLY)
file(WRITE ${OUTPUT}.d "${OUTPUT}:${git_files}\n")
