# The library with the headers that dpverify/*.hpp need, its CMake package, and the program.
include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/dpverify)
set_target_properties(dpverify_library PROPERTIES EXPORT_NAME dpverify OUTPUT_NAME dpverify)
set_target_properties(dpverify_main PROPERTIES EXPORT_NAME main)
set_target_properties(dpverify_options PROPERTIES EXPORT_NAME options)
install(TARGETS dpverify_library dpverify_main dpverify_options EXPORT dpverifyTargets
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT dpverifyTargets NAMESPACE dpverify:: DESTINATION ${package_folder})
configure_package_config_file(cmake/dpverifyConfig.cmake.in ${PROJECT_BINARY_DIR}/dpverifyConfig.cmake
                              INSTALL_DESTINATION ${package_folder})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/dpverifyConfigVersion.cmake
                                 COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/dpverifyConfig.cmake
              ${PROJECT_BINARY_DIR}/dpverifyConfigVersion.cmake cmake/dpverify_program.cmake
              cmake/read_program.cmake cmake/program.cpp.in
        DESTINATION ${package_folder})

# The headers are gathered when they are installed: those of now.
set(headers ${PROJECT_BINARY_DIR}/installed_headers)
install(CODE "execute_process(COMMAND \"${CMAKE_COMMAND}\" -D SOURCE=${PROJECT_SOURCE_DIR}
                              -D OUTPUT=${headers} -P ${PROJECT_SOURCE_DIR}/cmake/gather_headers.cmake
                              COMMAND_ERROR_IS_FATAL ANY)")
install(DIRECTORY ${headers}/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})

if(PROJECT_IS_TOP_LEVEL)
  install(TARGETS dpverify RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
