#include "keras/hdf5_library.h"

#include <dlfcn.h>

#include <stdexcept>
#include <string>

#include "base/text.h"

namespace culprit {
namespace {

void* open_library() {
  for (const char* name : {CULPRIT_HDF5_LIBRARY, "libhdf5_serial.so.103", "libhdf5.so"})
    if (void* handle = dlopen(name, RTLD_NOW | RTLD_LOCAL); handle != nullptr) return handle;
  return nullptr;
}

void* library() {
  static void* handle = open_library();
  return handle;
}

}  // namespace

void* hdf5_symbol(const char* name) {
  // A program that is linked with it, such as a test that writes files, has variables of it in its own memory.
  void* symbol = dlsym(RTLD_DEFAULT, name);
  if (symbol == nullptr && library() != nullptr) symbol = dlsym(library(), name);
  if (symbol == nullptr) throw std::logic_error(std::string("libhdf5 has no ") + name);
  return symbol;
}

hid_t hdf5_number(const char* name) { return *static_cast<const hid_t*>(hdf5_symbol(name)); }

Result<void> load_hdf5() {
  if (library() == nullptr) {
    const char* reason = dlerror();
    return fail(ErrorKind::unsupported,
                "libhdf5 cannot be loaded: " + printable(reason == nullptr ? "unknown reason" : reason, 300),
                "scripts/setup packages brings it");
  }
  static const bool once = [] {
    HDF5(H5open)();
    HDF5(H5Eset_auto2)(H5E_DEFAULT, nullptr, nullptr);
    HDF5(H5PLset_loading_state)(0);
    return true;
  }();
  (void)once;
  return {};
}

}  // namespace culprit
