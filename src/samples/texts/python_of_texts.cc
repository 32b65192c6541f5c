#include "texts/python_of_texts.h"

#include <fmt/format.h>

#include <cstdlib>

#include "base/cache_folder.h"
#include "base/file.h"
#include "base/text.h"
#include "process/run_program.h"
#include "texts/prepare_texts.h"

namespace culprit {

std::string python_with_tokenizers() {
  const char* named = std::getenv("CULPRIT_TEXT_PYTHON");
  if (named != nullptr && *named != '\0') return named;
  const fs::path python = cache_folder() / "text" / "bin" / "python";
  return can_start(python.string()) ? python.string() : "python3";
}

Error no_text_python(const std::string& python) {
  return {ErrorKind::unsupported, "there is no program '" + printable(python, 200) + "'", way_to_text_python};
}

Error package_lacks(const std::string& python, const std::string& package) {
  return {ErrorKind::unsupported,
          fmt::format("{} lacks the package {}", printable(python, 200), printable(package, 100)), way_to_text_python};
}

}  // namespace culprit
