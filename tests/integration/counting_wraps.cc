// Linked into the tool in place of what the linker's --wrap takes away: the optimizer's import of a model, and the
// starts of processes. The tool's own objects are those of the product.
#include <onnx/common/ir.h>
#include <onnx/onnx_pb.h>
#include <spawn.h>
#include <unistd.h>

#include <cstring>
#include <memory>

#include "counting.h"

using culprit::testing::count;

namespace onnx {
std::unique_ptr<Graph> real_import(const ModelProto& model) asm("__real__ZN4onnx16ImportModelProtoERKNS_10ModelProtoE");
std::unique_ptr<Graph> counted_import(const ModelProto& model) asm(
    "__wrap__ZN4onnx16ImportModelProtoERKNS_10ModelProtoE");
std::unique_ptr<Graph> counted_import(const ModelProto& model) {
  count("import");
  return real_import(model);
}
}  // namespace onnx

extern "C" {
pid_t __real_fork();
pid_t __wrap_fork();
pid_t __wrap_fork() {
  count("process");
  return __real_fork();
}

int __real_posix_spawn(pid_t* pid, const char* path, const posix_spawn_file_actions_t* files,
                       const posix_spawnattr_t* attributes, char* const* arguments, char* const* environment);
int __wrap_posix_spawn(pid_t* pid, const char* path, const posix_spawn_file_actions_t* files,
                       const posix_spawnattr_t* attributes, char* const* arguments, char* const* environment);
int __wrap_posix_spawn(pid_t* pid, const char* path, const posix_spawn_file_actions_t* files,
                       const posix_spawnattr_t* attributes, char* const* arguments, char* const* environment) {
  // `worker --probe` looks at a library before any model is looked at, and belongs to none.
  const bool is_probe = arguments[1] != nullptr && arguments[2] != nullptr && std::strcmp(arguments[2], "--probe") == 0;
  count(is_probe ? "probe" : "process");
  return __real_posix_spawn(pid, path, files, attributes, arguments, environment);
}
}
