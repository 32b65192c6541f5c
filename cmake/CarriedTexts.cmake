# carried_texts(VARIABLE MARK file...)
#
# The names (without .yaml) and texts of files, as C++ that a template takes in: a room carries them in the binary. MARK
# stands around the texts and must not be in them.
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
