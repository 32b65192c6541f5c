# What a package has: the program, the schemas of its reports, and what completes its command line in a shell. The
# Python package, the .deb, the tar.gz and `cmake --install` all take it from here.
include(GNUInstallDirs)
set(CULPRIT_INSTALL_DATA "${CMAKE_INSTALL_DATADIR}/culprit" CACHE STRING "Where schemas go")
set(CULPRIT_INSTALL_COMPLETIONS "" CACHE STRING "One folder for all completions; empty: where each shell looks")

install(TARGETS culprit RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT program)

file(GLOB schemas CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/docs/*.schema.json)
install(FILES ${schemas} DESTINATION ${CULPRIT_INSTALL_DATA}/schemas COMPONENT data)

# install_completion(SHELL FILE FOLDER): the script that the program prints, as FILE.
function(install_completion shell file folder)
  if(CULPRIT_INSTALL_COMPLETIONS)
    set(folder ${CULPRIT_INSTALL_COMPLETIONS})
  endif()
  set(place "\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${folder}")
  install(CODE "
    file(MAKE_DIRECTORY \"${place}\")
    execute_process(COMMAND \"$<TARGET_FILE:culprit>\" completion ${shell} OUTPUT_FILE \"${place}/${file}\" COMMAND_ERROR_IS_FATAL ANY)
    " COMPONENT data)
endfunction()
install_completion(bash culprit ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
install_completion(zsh _culprit ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
install_completion(fish culprit.fish ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)

set(CPACK_GENERATOR DEB TGZ)
set(CPACK_PACKAGE_NAME culprit)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_PACKAGE_CONTACT "the engineers of Culprit")
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
include(CPack)
