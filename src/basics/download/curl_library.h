#pragma once
// The functions of libcurl: linked into programs for packages, else loaded when the first address is asked for.
// Private to this room.

#include <curl/curl.h>

#include "base/late_library.h"

namespace culprit {

#ifdef CULPRIT_LATE_LIBRARIES
inline const LateLibrary& curl_library() {
  static const LateLibrary library{"libcurl.so.4", "libcurl.so"};
  return library;
}
/// Only after it has answered without an Error may CURL_FUNCTION be used.
inline Result<void> load_curl() { return curl_library().loaded(); }
/// CURL_FUNCTION(curl_easy_init)().
#define CURL_FUNCTION(name) LATE_FUNCTION(::culprit::curl_library().symbol, name)
#else
inline Result<void> load_curl() { return {}; }
#define CURL_FUNCTION(name) (::name)
#endif

}  // namespace culprit
