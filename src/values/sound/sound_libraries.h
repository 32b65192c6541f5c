#pragma once
// The functions of libsndfile and libsoxr, loaded when the first sound is read. Private to this room.

#include <sndfile.h>
#include <soxr.h>

#include <string>

#include "base/late_library.h"

namespace culprit {

inline const LateLibrary& sndfile_library() {
  static const LateLibrary library{"libsndfile.so.1", "libsndfile.so"};
  return library;
}

inline const LateLibrary& soxr_library() {
  static const LateLibrary library{"libsoxr.so.0", "libsoxr.so"};
  return library;
}

/// Only after it has answered without an Error may functions of the library be used. `package` is Debian's.
inline Result<void> load_sound_library(const LateLibrary& library, const std::string& purpose,
                                       const std::string& package) {
  const auto loaded = library.loaded();
  if (loaded) return {};
  return fail(loaded.error().kind, purpose + ": " + loaded.error().message, "install it: apt-get install " + package);
}

}  // namespace culprit

/// SNDFILE_FUNCTION(sf_close)(file).
#define SNDFILE_FUNCTION(name) LATE_FUNCTION(::culprit::sndfile_library().symbol, name)
#define SOXR_FUNCTION(name) LATE_FUNCTION(::culprit::soxr_library().symbol, name)
