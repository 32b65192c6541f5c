# culprit_precompile(TARGET plain|onnx|tests)
#
# Headers that nearly every file reads are parsed once, in three sets: `plain`, `onnx` for what sees ONNX, and `tests`.
# Every file still includes what it needs: clang-tidy reads it without them (scripts/lint). A target may use a set only
# if it is compiled with the same options and, for ONNX, the same definitions.
option(CULPRIT_PRECOMPILED "Parse the headers that nearly every file reads once" ON)

set(plain_headers <algorithm> <array> <chrono> <cmath> <cstdint> <deque> <filesystem> <fstream> <functional> <map> <memory>
  <optional> <set> <span> <sstream> <string> <string_view> <unordered_map> <unordered_set> <variant> <vector>
  <fmt/format.h> <tl/expected.hpp>)
set(onnx_headers ${plain_headers} <onnx/onnx_pb.h>)
set(tests_headers ${onnx_headers} <gmock/gmock.h> <gtest/gtest.h> <nlohmann/json.hpp>)

set(plain_links fmt::fmt tl::expected)
set(onnx_links ${plain_links} ONNX::onnx_proto)
set(tests_links ${onnx_links} GTest::gtest GTest::gmock nlohmann_json::nlohmann_json)

# One library for each set, without any code, that only holds what was parsed.
function(culprit_precompiled_set name)
  set(target culprit_${name}_headers)
  file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/generated/${target}.cc CONTENT "")
  add_library(${target} OBJECT ${CMAKE_BINARY_DIR}/generated/${target}.cc)
  target_link_libraries(${target} PRIVATE ${${name}_links})
  target_precompile_headers(${target} PRIVATE ${${name}_headers})
  target_compile_options(${target} PRIVATE ${CULPRIT_WARNINGS})
  if(name STREQUAL "tests")
    target_compile_options(${target} PRIVATE ${CULPRIT_TEST_OPTIONS})
  endif()
endfunction()

function(culprit_precompile target name)
  if(CULPRIT_PRECOMPILED)
    if(NOT TARGET culprit_${name}_headers)
      culprit_precompiled_set(${name})
    endif()
    target_precompile_headers(${target} REUSE_FROM culprit_${name}_headers)
  endif()
endfunction()
