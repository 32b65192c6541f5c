#pragma once
// LiteRT's C functions, loaded by name from libLiteRt.so. The library comes without headers, so what is used of them is
// declared here, as version 2.3 has it. They move between versions: a library is tried with a known model before it is
// trusted (open_tflite). Private to this room.

#include <cstddef>
#include <cstdint>
#include <filesystem>

#include "base/error.h"

namespace culprit::litert {

using Handle = struct LiteRtObject*;  ///< of an environment, a model, ...
using Status = int;                   ///< 0: it went well

constexpr std::size_t most_dims = 8;

struct Layout {
  unsigned int rank : 7;
  unsigned int has_strides : 1;
  std::int32_t dimensions[most_dims];
  std::uint32_t strides[most_dims];
};
static_assert(sizeof(Layout) == 68);

struct RankedType {
  std::int32_t element = 0;
  Layout layout = {};
};
static_assert(sizeof(RankedType) == 72);

enum LockMode { lock_to_read = 0, lock_to_write = 1 };

/// The functions without their prefix LiteRt.
struct LiteRtApi {
  Status (*CreateEnvironment)(int count, const void* options, Handle* environment) = nullptr;
  void (*DestroyEnvironment)(Handle) = nullptr;
  Status (*CreateModelFromBuffer)(Handle environment, const void* bytes, std::size_t size, Handle* model) = nullptr;
  void (*DestroyModel)(Handle) = nullptr;
  Status (*GetModelSignature)(Handle model, std::size_t number, Handle* signature) = nullptr;
  Status (*GetNumSignatureInputs)(Handle signature, std::size_t* count) = nullptr;
  Status (*GetSignatureInputName)(Handle signature, std::size_t number, const char** name) = nullptr;
  Status (*GetSignatureInputTensorByIndex)(Handle signature, std::size_t number, Handle* tensor) = nullptr;
  Status (*GetNumSignatureOutputs)(Handle signature, std::size_t* count) = nullptr;
  Status (*GetSignatureOutputName)(Handle signature, std::size_t number, const char** name) = nullptr;
  Status (*GetSignatureOutputTensorByIndex)(Handle signature, std::size_t number, Handle* tensor) = nullptr;
  Status (*GetRankedTensorType)(Handle tensor, RankedType* type) = nullptr;
  Status (*CreateOptions)(Handle* options) = nullptr;
  void (*DestroyOptions)(Handle) = nullptr;
  Status (*SetOptionsHardwareAccelerators)(Handle options, int accelerators) = nullptr;
  Status (*CreateOpaqueOptions)(const char* identifier, void* payload, void (*destroy)(void*),
                                Handle* opaque) = nullptr;
  Status (*AddOpaqueOptions)(Handle options, Handle opaque) = nullptr;
  Status (*CreateCompiledModel)(Handle environment, Handle model, Handle options, Handle* compiled) = nullptr;
  void (*DestroyCompiledModel)(Handle) = nullptr;
  Status (*CompiledModelResizeInputTensorNonStrict)(Handle compiled, std::size_t signature, std::size_t input,
                                                    const int* dims, std::size_t count) = nullptr;
  Status (*GetCompiledModelInputBufferRequirements)(Handle compiled, std::size_t signature, std::size_t input,
                                                    Handle* requirements) = nullptr;
  Status (*GetCompiledModelOutputBufferRequirements)(Handle compiled, std::size_t signature, std::size_t output,
                                                     Handle* requirements) = nullptr;
  Status (*GetCompiledModelOutputTensorLayouts)(Handle compiled, std::size_t signature, std::size_t count,
                                                Layout* layouts, bool allocate) = nullptr;
  Status (*CreateManagedTensorBufferFromRequirements)(Handle environment, const RankedType* type, Handle requirements,
                                                      Handle* buffer) = nullptr;
  void (*DestroyTensorBuffer)(Handle) = nullptr;
  Status (*GetTensorBufferPackedSize)(Handle buffer, std::size_t* size) = nullptr;
  Status (*GetTensorBufferSize)(Handle buffer, std::size_t* size) = nullptr;
  Status (*LockTensorBuffer)(Handle buffer, void** memory, LockMode mode) = nullptr;
  Status (*UnlockTensorBuffer)(Handle buffer) = nullptr;
  Status (*RunCompiledModel)(Handle compiled, std::size_t signature, std::size_t inputs, Handle* input_buffers,
                             std::size_t outputs, Handle* output_buffers) = nullptr;
};

/// Errors: bad_input where it is no library for this machine, or not LiteRT's; unsupported where it lacks a function.
Result<LiteRtApi> load_api(const std::filesystem::path& library);

}  // namespace culprit::litert
