// Where the libraries of other frameworks than ONNX Runtime are looked for.
#include <fmt/format.h>

#include <cstdlib>

#include "base/cache_folder.h"
#include "base/text.h"
#include "runtime/runner.h"

namespace culprit {
namespace {

namespace fs = std::filesystem;

bool is_file(const fs::path& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored);
}

}  // namespace

Result<fs::path> find_tflite() {
  const std::string hint = "scripts/setup tflite brings it";
  if (const char* named = std::getenv("CULPRIT_TFLITE"); named != nullptr && *named != '\0') {
    if (is_file(named)) return fs::absolute(named);
    return fail(ErrorKind::not_found, fmt::format("CULPRIT_TFLITE: no file at {}", printable(named)),
                "it names libLiteRt.so; " + hint);
  }
  if (cache_folder().empty())
    return fail(ErrorKind::not_found, "LiteRT is looked for in the cache folder, and HOME is not set",
                "set HOME, CULPRIT_CACHE or CULPRIT_TFLITE");
  const fs::path library = cache_folder() / "frameworks" / "tflite" / "libLiteRt.so";
  if (is_file(library)) return library;
  return fail(ErrorKind::not_found, "no LiteRT, which runs TFLite models: " + library.string() + " is not there", hint);
}

}  // namespace culprit
