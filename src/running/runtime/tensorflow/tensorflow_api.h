#pragma once
// TensorFlow's C functions, loaded by name from libtensorflow_cc.so.2 of its Python package. What is used of them is
// declared here, as version 2.21 has it; they are meant to stay, and a known graph is run before the library is trusted
// (open_tensorflow). Private to this room.

#include <cstddef>
#include <cstdint>
#include <filesystem>

#include "base/error.h"

namespace culprit::tf {

using Handle = struct TensorFlowObject*;  ///< of a status, a graph, a session, a tensor, ...

struct Buffer {
  const void* data = nullptr;
  std::size_t length = 0;
  void (*free)(void* data, std::size_t length) = nullptr;
};

struct Output {
  Handle operation = nullptr;
  int index = 0;
  bool operator==(const Output&) const = default;
};

constexpr std::size_t string_size = 24;  ///< bytes of an element in a tensor of strings

/// The functions without their prefix TF_.
struct Api {
  const char* (*Version)() = nullptr;
  Handle (*NewStatus)() = nullptr;
  void (*DeleteStatus)(Handle) = nullptr;
  int (*GetCode)(Handle status) = nullptr;
  const char* (*Message)(Handle status) = nullptr;

  Handle (*NewSessionOptions)() = nullptr;
  void (*DeleteSessionOptions)(Handle) = nullptr;
  void (*SetConfig)(Handle options, const void* proto, std::size_t size, Handle status) = nullptr;
  Handle (*NewGraph)() = nullptr;
  void (*DeleteGraph)(Handle) = nullptr;
  Handle (*NewImportGraphDefOptions)() = nullptr;
  void (*DeleteImportGraphDefOptions)(Handle) = nullptr;
  void (*GraphImportGraphDef)(Handle graph, const Buffer* bytes, Handle options, Handle status) = nullptr;
  Handle (*GraphOperationByName)(Handle graph, const char* name) = nullptr;
  int (*OperationNumOutputs)(Handle operation) = nullptr;
  int (*OperationOutputType)(Output output) = nullptr;

  Handle (*NewSession)(Handle graph, Handle options, Handle status) = nullptr;
  Handle (*LoadSessionFromSavedModel)(Handle options, const Buffer* run_options, const char* folder,
                                      const char* const* tags, int tag_count, Handle graph, Buffer* meta_graph,
                                      Handle status) = nullptr;
  void (*CloseSession)(Handle session, Handle status) = nullptr;
  void (*DeleteSession)(Handle session, Handle status) = nullptr;
  void (*SessionRun)(Handle session, const Buffer* run_options, const Output* inputs, Handle const* input_values,
                     int input_count, const Output* outputs, Handle* output_values, int output_count,
                     Handle const* targets, int target_count, Buffer* run_metadata, Handle status) = nullptr;

  Handle (*AllocateTensor)(int type, const std::int64_t* dims, int dim_count, std::size_t bytes) = nullptr;
  void (*DeleteTensor)(Handle) = nullptr;
  int (*TensorType)(Handle) = nullptr;
  int (*NumDims)(Handle) = nullptr;
  std::int64_t (*Dim)(Handle, int number) = nullptr;
  std::size_t (*TensorByteSize)(Handle) = nullptr;
  void* (*TensorData)(Handle) = nullptr;

  void (*StringInit)(void* string) = nullptr;
  void (*StringCopy)(void* string, const char* bytes, std::size_t size) = nullptr;
  void (*StringDealloc)(void* string) = nullptr;
  const char* (*StringGetDataPointer)(const void* string) = nullptr;
  std::size_t (*StringGetSize)(const void* string) = nullptr;
};

/// Also makes it quiet, and keeps it from kernels of oneDNN, which round in other ways, unless TF_CPP_MIN_LOG_LEVEL and
/// TF_ENABLE_ONEDNN_OPTS say otherwise. Errors: bad_input where it is no library for this machine, or not TensorFlow's;
/// unsupported where it lacks a function.
Result<Api> load_api(const std::filesystem::path& library);

}  // namespace culprit::tf
