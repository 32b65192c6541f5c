# A program for packages: it runs on machines that have none of the libraries it was built with, but the C library: that
# of an older Debian, or a newer one. Its files are compiled as ever, but for the two that load a
# library late elsewhere. The link differs.
option(CULPRIT_PORTABLE "Put all libraries but the C library into the program" OFF)
set(portable_home "${CULPRIT_CACHE}/deps/portable")  # packaging/libraries fills it

if(CULPRIT_PORTABLE)
  set(CMAKE_FIND_LIBRARY_SUFFIXES .a)
  set(OPENSSL_USE_STATIC_LIBS TRUE)
  set(CMAKE_SKIP_RPATH ON)
  set(LIBZIP_LIBRARY "${portable_home}/lib/libzip.a" CACHE FILEPATH "")
  foreach(file lib/libarchive.a lib/libcurl.a lib/libzip.a lib/libfmt.a lib/libspdlog.a libc/.complete)
    if(NOT EXISTS "${portable_home}/${file}")
      message(FATAL_ERROR "${portable_home}/${file} is not there. Run packaging/libraries.")
    endif()
  endforeach()
endif()

# portable_library(TARGET FILE): the static library in place of the shared one that Debian's description names.
function(portable_library target file)
  if(CULPRIT_PORTABLE)
    get_target_property(configurations ${target} IMPORTED_CONFIGURATIONS)
    foreach(configuration ${configurations})
      set_property(TARGET ${target} PROPERTY IMPORTED_LOCATION_${configuration} "${portable_home}/lib/${file}")
    endforeach()
  endif()
endfunction()

# yaml-cpp. Debian's description for CMake knows the shared library only.
function(culprit_yaml_library)
  if(NOT CULPRIT_PORTABLE)
    find_package(yaml-cpp REQUIRED)
    return()
  endif()
  find_path(YAML_CPP_INCLUDE_DIR yaml-cpp/yaml.h REQUIRED)
  find_library(YAML_CPP_LIBRARY yaml-cpp REQUIRED)
  add_library(yaml-cpp INTERFACE)
  target_include_directories(yaml-cpp SYSTEM INTERFACE ${YAML_CPP_INCLUDE_DIR})
  target_link_libraries(yaml-cpp INTERFACE ${YAML_CPP_LIBRARY})
endfunction()

# portable_program(TARGET): linked with the older C library, and with what it lacks. Its threads and its loader are
# libraries of their own.
function(portable_program target)
  if(CULPRIT_PORTABLE)
    set(folder usr/lib/${CMAKE_LIBRARY_ARCHITECTURE})
    target_sources(${target} PRIVATE ${PROJECT_SOURCE_DIR}/packaging/older_libc.cc)
    target_link_options(${target} PRIVATE -static-libstdc++ -static-libgcc -Wl,--gc-sections -s
      --sysroot=${portable_home}/libc -B${portable_home}/libc/${folder} -L${portable_home}/libc/${folder})
    target_link_libraries(${target} PRIVATE pthread dl)
  endif()
endfunction()
