# carried_texts(VARIABLE MARK file...)
#
# Entries of a C++ array, {"name", "text"} for each file, so that the binary carries it; `.yaml` is no part of the name. The files are
# watched: the next build carries what they have become. MARK delimits the raw strings.
function(carried_texts variable mark)
  set(entries "")
  foreach(file ${ARGN})
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
    file(READ ${file} text)
    get_filename_component(name ${file} NAME)
    string(REGEX REPLACE "\\.yaml$" "" name ${name})
    string(APPEND entries "    {\"${name}\", R\"${mark}(${text})${mark}\"},\n")
  endforeach()
  set(${variable} "${entries}" PARENT_SCOPE)
endfunction()
