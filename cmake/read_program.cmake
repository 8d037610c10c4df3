# Writes OUTPUT with NAME, VERSION, the commit of FOLDER, whether a tracked file there differs from
# it, and the folder that its files are named from in a report (the top one of the repository); leaves OUTPUT alone if it would not change.
set(commit unknown)
set(dirty false)
set(sources ${FOLDER})
if(GIT)
  # The build runs this folder's scripts, so it may trust its git folder, whoever owns it.
  set(git ${GIT} -c safe.directory=* -C ${FOLDER})
  execute_process(COMMAND ${git} rev-parse HEAD RESULT_VARIABLE failed OUTPUT_VARIABLE answer
                  OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  if(NOT failed AND answer MATCHES "^[0-9a-f]+$")
    set(commit ${answer})
    execute_process(COMMAND ${git} rev-parse --show-toplevel OUTPUT_VARIABLE sources
                    OUTPUT_STRIP_TRAILING_WHITESPACE)
    execute_process(COMMAND ${git} --no-optional-locks status --porcelain --untracked-files=no
                            -- . OUTPUT_VARIABLE changes)
    if(changes)
      set(dirty true)
    endif()
  endif()
endif()
configure_file(${CMAKE_CURRENT_LIST_DIR}/program.cpp.in ${OUTPUT} @ONLY)
