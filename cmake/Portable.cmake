# A program for packages: it runs on machines that have none of the libraries it was built with, but the C library in the
# same version or a newer one. `scripts/setup portable` brings the static library that Debian does not have.
option(CULPRIT_PORTABLE "Put all libraries but the C library into the program" OFF)

if(CULPRIT_PORTABLE)
  set(CMAKE_FIND_LIBRARY_SUFFIXES .a)
  set(OPENSSL_USE_STATIC_LIBS TRUE)
  list(PREPEND CMAKE_PREFIX_PATH "${CULPRIT_CACHE}/deps/portable")
  add_compile_options(-ffunction-sections -fdata-sections)
  add_link_options(-static-libstdc++ -static-libgcc -Wl,--gc-sections -s)
endif()

# culprit_log: spdlog and fmt. Debian has both as shared libraries and as headers alone.
function(culprit_log_library)
  add_library(culprit_fmt INTERFACE)
  add_library(culprit_log INTERFACE)
  if(CULPRIT_PORTABLE)
    target_link_libraries(culprit_fmt INTERFACE fmt::fmt-header-only)
    set_property(TARGET spdlog::spdlog_header_only PROPERTY INTERFACE_LINK_LIBRARIES fmt::fmt-header-only)
    target_link_libraries(culprit_log INTERFACE spdlog::spdlog_header_only)
  else()
    target_link_libraries(culprit_fmt INTERFACE fmt::fmt)
    target_link_libraries(culprit_log INTERFACE spdlog::spdlog)
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
