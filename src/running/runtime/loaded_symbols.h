#pragma once
// The functions of a library that is loaded by name. Private to this room.

#include <dlfcn.h>

#include <filesystem>
#include <string>

#include "base/error.h"
#include "base/text.h"

namespace culprit {

class LoadedSymbols {
 public:
  /// It stays loaded for the rest of the process: it has run, and may have threads and statics.
  static Result<LoadedSymbols> load(const std::filesystem::path& library, const std::string& hint) {
    void* handle = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (handle != nullptr) return LoadedSymbols(handle);
    const char* reason = dlerror();
    return fail(
        ErrorKind::bad_input,
        "cannot load " + printable(library.string()) + ": " + printable(reason != nullptr ? reason : "unknown reason"),
        hint);
  }

  /// The first that is missing is kept.
  template <class Function>
  void take(Function& function, const char* name) {
    function = reinterpret_cast<Function>(dlsym(library_, name));
    if (function == nullptr && missing_.empty()) missing_ = name;
  }
  [[nodiscard]] const std::string& missing() const { return missing_; }

 private:
  explicit LoadedSymbols(void* library) : library_(library) {}
  void* library_;
  std::string missing_;
};

}  // namespace culprit
