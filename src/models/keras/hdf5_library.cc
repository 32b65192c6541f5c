#include "keras/hdf5_library.h"

namespace culprit {
namespace {

const LateLibrary& library() {
  static const LateLibrary loaded{CULPRIT_HDF5_LIBRARY, "libhdf5_serial.so.103", "libhdf5.so"};
  return loaded;
}

}  // namespace

void* hdf5_symbol(const char* name) { return library().symbol(name); }

hid_t hdf5_number(const char* name) { return *static_cast<const hid_t*>(hdf5_symbol(name)); }

Result<void> load_hdf5() {
  if (auto loaded = library().loaded(); !loaded) return loaded;
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
