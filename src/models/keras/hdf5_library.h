#pragma once
// libhdf5, loaded when the first file is read. Linked, it would bring a dozen libraries of network protocols into every
// process of the tool. Private to this room.

#include <hdf5.h>

#include "base/error.h"
#include "base/late_library.h"

namespace culprit {

/// Loads it; without a word on stderr and without code from elsewhere from then on. ErrorKind::unsupported where it is
/// not there.
Result<void> load_hdf5();

/// The address of a function or variable of libhdf5. Only after load_hdf5; std::logic_error for what it does not have.
void* hdf5_symbol(const char* name);

/// One of its numbers that stand for types and classes: "H5T_STD_I8LE_g".
hid_t hdf5_number(const char* name);

}  // namespace culprit

/// A function of libhdf5: HDF5(H5Fclose)(id).
#define HDF5(name) LATE_FUNCTION(::culprit::hdf5_symbol, name)
