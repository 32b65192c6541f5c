# culprit_room(NAME [INTERFACE] [WITHOUT_ONNX] [COMPUTES] [PROTOS file...] [LINKS target...] [PRIVATE_LINKS target...])
#
# One folder src/WING/NAME = one library `culprit_NAME` of all its *.cc files (main.cc excepted). Includes are written from the wing:
# "base/error.h", for a room has a name of its own whatever wing it is in. Who links a room sees its wing.
# A room that COMPUTES, with loops over elements, is compiled at -O3, else -O2 is as fast and takes less.
# A proto in a folder of the room is generated beside the others: the room has one of a name.
# What a room does not name here it cannot include from a third party, and tests/style/rooms.py checks the same for our own.
function(culprit_room name)
  cmake_parse_arguments(ROOM "INTERFACE;WITHOUT_ONNX;COMPUTES" "" "PROTOS;LINKS;PRIVATE_LINKS" ${ARGN})
  set(target culprit_${name})
  get_filename_component(wing ${CMAKE_CURRENT_SOURCE_DIR} DIRECTORY)
  if(ROOM_INTERFACE)
    add_library(${target} INTERFACE)
    target_include_directories(${target} INTERFACE ${wing})
    target_link_libraries(${target} INTERFACE ${ROOM_LINKS})
    return()
  endif()
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cc)
  list(FILTER sources EXCLUDE REGEX "/main\\.cc$")
  culprit_batched(sources ${target} 20 ${wing} ${sources})
  add_library(${target} STATIC ${sources})
  target_include_directories(${target} PUBLIC ${wing})
  target_link_libraries(${target} PUBLIC ${ROOM_LINKS} PRIVATE ${ROOM_PRIVATE_LINKS})
  target_compile_options(${target} PRIVATE ${CULPRIT_WARNINGS} $<$<AND:$<BOOL:${ROOM_COMPUTES}>,$<CONFIG:Release>>:-O3>)
  if(ROOM_WITHOUT_ONNX)
    culprit_precompile(${target} plain)
  else()
    culprit_precompile(${target} onnx)
  endif()
  foreach(proto ${ROOM_PROTOS})
    get_filename_component(stem ${proto} NAME_WE)
    get_filename_component(folder ${CMAKE_CURRENT_SOURCE_DIR}/${proto} DIRECTORY)
    set(generated ${CMAKE_BINARY_DIR}/generated/${name}/${stem})
    file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/generated/${name})
    add_custom_command(OUTPUT ${generated}.pb.cc ${generated}.pb.h
      COMMAND protobuf::protoc --cpp_out=${CMAKE_BINARY_DIR}/generated/${name} -I${folder} ${stem}.proto
      DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${proto} VERBATIM)
    target_sources(${target} PRIVATE ${generated}.pb.cc)
    set_source_files_properties(${generated}.pb.cc PROPERTIES COMPILE_OPTIONS "-w" SKIP_PRECOMPILE_HEADERS ON)
    target_include_directories(${target} SYSTEM PRIVATE ${CMAKE_BINARY_DIR}/generated)
  endforeach()
endfunction()
