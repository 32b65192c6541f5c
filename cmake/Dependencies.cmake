# Everything from outside, found once. `scripts/setup` brings what the system does not have into the cache folder.

if(DEFINED ENV{CULPRIT_CACHE})
  set(default_cache "$ENV{CULPRIT_CACHE}")
elseif(DEFINED ENV{XDG_CACHE_HOME})
  set(default_cache "$ENV{XDG_CACHE_HOME}/culprit")
else()
  set(default_cache "$ENV{HOME}/.cache/culprit")
endif()
set(CULPRIT_CACHE "${default_cache}" CACHE PATH "Where scripts/setup put what it brought")
set(CULPRIT_ONNX_OPTIMIZER_SOURCE "" CACHE PATH "An ONNX Optimizer source tree to build and test instead of the released one")

include(Portable)

set(Protobuf_USE_STATIC_LIBS ON)
find_package(Protobuf REQUIRED)
find_package(fmt REQUIRED)
find_package(spdlog REQUIRED)
portable_library(fmt::fmt libfmt.a)
portable_library(spdlog::spdlog libspdlog.a)
find_package(OpenSSL REQUIRED)
find_package(SQLite3 3.37 REQUIRED)  # the first with STRICT tables
find_package(ZLIB REQUIRED)  # checksums of archives; tests write some with it
find_package(Boost REQUIRED)  # headers only: Boost.Math
find_package(nlohmann_json REQUIRED)
find_package(CLI11 REQUIRED)
find_package(tl-expected REQUIRED)
culprit_yaml_library()
if(NOT TARGET yaml-cpp AND TARGET yaml-cpp::yaml-cpp)  # its name from 0.8 on
  add_library(yaml-cpp ALIAS yaml-cpp::yaml-cpp)
endif()
find_package(Threads REQUIRED)

# Debian's own description of libzip wants its command line tools as well.
find_path(LIBZIP_INCLUDE_DIR zip.h REQUIRED)
find_library(LIBZIP_LIBRARY zip REQUIRED)
add_library(culprit_libzip INTERFACE)
target_include_directories(culprit_libzip SYSTEM INTERFACE ${LIBZIP_INCLUDE_DIR})
target_link_libraries(culprit_libzip INTERFACE ${LIBZIP_LIBRARY})

# headers_of_late_library(TARGET FOLDERS): the library itself is loaded when a program first uses it.
function(headers_of_late_library target)
  target_include_directories(${target} SYSTEM INTERFACE ${ARGN})
  target_compile_definitions(${target} INTERFACE CULPRIT_LATE_LIBRARIES)
  target_link_libraries(${target} INTERFACE ${CMAKE_DL_LIBS})
endfunction()

# Debian's static library wants a dozen others. The shared one is loaded late (src/basics/download/curl_library.h), so
# that programs only know its headers; so is libarchive's (src/models/hub/archive_library.h).
add_library(culprit_late_curl INTERFACE)
if(CULPRIT_PORTABLE)
  target_link_libraries(culprit_late_curl INTERFACE "${portable_home}/lib/libcurl.a" OpenSSL::SSL OpenSSL::Crypto Threads::Threads)
else()
  find_package(CURL REQUIRED)
  headers_of_late_library(culprit_late_curl ${CURL_INCLUDE_DIRS})
endif()

# The static library of libarchive wants others, too.
add_library(culprit_late_archive INTERFACE)
if(CULPRIT_PORTABLE)
  target_link_libraries(culprit_late_archive INTERFACE "${portable_home}/lib/libarchive.a" ZLIB::ZLIB)
else()
  find_package(LibArchive REQUIRED)
  headers_of_late_library(culprit_late_archive ${LibArchive_INCLUDE_DIRS})
endif()

# CMake's own module compiles programs to find it, and Debian has a build without MPI and others with it in folders of
# their own: this is the one without.
find_path(HDF5_INCLUDE_DIR hdf5.h REQUIRED PATH_SUFFIXES hdf5/serial)
if(CULPRIT_PORTABLE)
  set(HDF5_LIBRARY "libhdf5_serial.so")  # whichever the machine has
else()
  find_library(HDF5_LIBRARY NAMES hdf5_serial hdf5 REQUIRED)
endif()
add_library(culprit_hdf5 INTERFACE)
target_include_directories(culprit_hdf5 SYSTEM INTERFACE ${HDF5_INCLUDE_DIR})
target_link_libraries(culprit_hdf5 INTERFACE ${HDF5_LIBRARY})
# The tool loads it when it reads a file (src/models/keras/hdf5_library.h), so only tests link it.
add_library(culprit_hdf5_headers INTERFACE)
target_include_directories(culprit_hdf5_headers SYSTEM INTERFACE ${HDF5_INCLUDE_DIR})
target_compile_definitions(culprit_hdf5_headers INTERFACE CULPRIT_HDF5_LIBRARY="${HDF5_LIBRARY}")
target_link_libraries(culprit_hdf5_headers INTERFACE ${CMAKE_DL_LIBS})

# What reads and writes pictures.
find_package(JPEG REQUIRED)
find_package(PNG REQUIRED)
find_package(GIF 5 REQUIRED)
find_path(WEBP_INCLUDE_DIR webp/demux.h REQUIRED)
find_library(WEBP_LIBRARY webp REQUIRED)
find_library(WEBPDEMUX_LIBRARY webpdemux REQUIRED)
add_library(culprit_webp INTERFACE)
target_include_directories(culprit_webp SYSTEM INTERFACE ${WEBP_INCLUDE_DIR})
target_link_libraries(culprit_webp INTERFACE ${WEBPDEMUX_LIBRARY} ${WEBP_LIBRARY})

# What reads sounds, and what changes their rate. Packages load them late as well: who has no sounds needs neither.
foreach(library sndfile soxr)
  string(TOUPPER ${library} name)
  find_path(${name}_INCLUDE_DIR ${library}.h REQUIRED)
  add_library(culprit_late_${library} INTERFACE)
  headers_of_late_library(culprit_late_${library} ${${name}_INCLUDE_DIR})
endforeach()

# XXH3 in the header's own inline form: the packaged library is older than its header in some releases.
find_path(XXHASH_INCLUDE_DIR xxhash.h REQUIRED)
add_library(culprit_xxhash INTERFACE)
target_include_directories(culprit_xxhash SYSTEM INTERFACE ${XXHASH_INCLUDE_DIR})
target_compile_definitions(culprit_xxhash INTERFACE XXH_INLINE_ALL)

# ONNX Optimizer together with the ONNX it carries: a maintainer's tree, the cache folder, or an installed pair.
if(CULPRIT_ONNX_OPTIMIZER_SOURCE)
  set(OPTIMIZER_SOURCE "${CULPRIT_ONNX_OPTIMIZER_SOURCE}" CACHE PATH "" FORCE)
  add_subdirectory(${PROJECT_SOURCE_DIR}/cmake/deps deps EXCLUDE_FROM_ALL)
  foreach(target onnx onnx_proto)
    if(NOT TARGET ONNX::${target})
      add_library(ONNX::${target} ALIAS ${target})
    endif()
  endforeach()
  file(READ "${CULPRIT_ONNX_OPTIMIZER_SOURCE}/VERSION_NUMBER" CULPRIT_OPTIMIZER_VERSION)
  file(READ "${CULPRIT_ONNX_OPTIMIZER_SOURCE}/third_party/onnx/VERSION_NUMBER" CULPRIT_ONNX_VERSION)
  string(STRIP "${CULPRIT_OPTIMIZER_VERSION}" CULPRIT_OPTIMIZER_VERSION)
  string(STRIP "${CULPRIT_ONNX_VERSION}" CULPRIT_ONNX_VERSION)
else()
  list(PREPEND CMAKE_PREFIX_PATH "${CULPRIT_CACHE}/deps/onnxoptimizer")
  find_package(ONNX CONFIG)
  find_package(ONNXOptimizer 0.4.2 CONFIG)
  if(NOT ONNX_FOUND OR NOT ONNXOptimizer_FOUND)
    message(FATAL_ERROR "ONNX Optimizer with its ONNX was not found (looked in ${CULPRIT_CACHE}/deps/onnxoptimizer). Run scripts/setup, "
      "or give -DCULPRIT_ONNX_OPTIMIZER_SOURCE=PATH.")
  endif()
  # ONNX 1.19 exports its targets without their include folder.
  get_filename_component(onnx_prefix "${ONNX_DIR}/../../.." ABSOLUTE)
  target_include_directories(ONNX::onnx_proto SYSTEM INTERFACE "${onnx_prefix}/include")
  set(CULPRIT_OPTIMIZER_VERSION "${ONNX_OPTIMIZER_VERSION}")
  set(CULPRIT_ONNX_VERSION "${ONNX_VERSION}")
endif()

find_path(ONNXRUNTIME_INCLUDE_DIR onnxruntime_cxx_api.h
  HINTS "${CULPRIT_CACHE}/deps/onnxruntime-headers/include" PATH_SUFFIXES onnxruntime onnxruntime/core/session)
if(NOT ONNXRUNTIME_INCLUDE_DIR)
  message(FATAL_ERROR "The C++ headers of ONNX Runtime were not found. Run scripts/setup, or install libonnxruntime-dev.")
endif()
add_library(culprit_onnxruntime_headers INTERFACE)
target_include_directories(culprit_onnxruntime_headers SYSTEM INTERFACE ${ONNXRUNTIME_INCLUDE_DIR})
