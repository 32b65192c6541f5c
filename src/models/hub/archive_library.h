#pragma once
// The functions of libarchive: linked into programs for packages, else loaded when the first archive is unpacked.
// Private to this room.

#include <archive.h>
#include <archive_entry.h>

#include "base/late_library.h"

namespace culprit {

#ifdef CULPRIT_LATE_LIBRARIES
inline const LateLibrary& archive_library() {
  static const LateLibrary library{"libarchive.so.13", "libarchive.so"};
  return library;
}
/// Only after it has answered without an Error may ARCHIVE_FUNCTION be used.
inline Result<void> load_archive() { return archive_library().loaded(); }
/// ARCHIVE_FUNCTION(archive_read_new)().
#define ARCHIVE_FUNCTION(name) LATE_FUNCTION(::culprit::archive_library().symbol, name)
#else
inline Result<void> load_archive() { return {}; }
#define ARCHIVE_FUNCTION(name) (::name)
#endif

}  // namespace culprit
